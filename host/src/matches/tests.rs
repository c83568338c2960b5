//! Matches between built-in players, and arithmetic with known results.

use std::time::Duration;

use barrow_core::minions::Ruleset;

use super::elo::{Sprt, elo, expected_score};
use super::*;
use crate::shard::Shard;

fn openings(ruleset: Ruleset, plies: u32, seed: u64) -> Openings {
    Openings::new(ruleset, (1, 2), &[], plies, seed).unwrap()
}

/// Match of ten pairs under the full rules.
fn match_of(a: &str, b: &str) -> Match {
    Match {
        players: vec![a.parse().unwrap(), b.parse().unwrap()],
        format: MatchFormat::RoundRobin,
        pairs: 10,
        shard: Shard::WHOLE,
        openings: openings(Ruleset::Server, 0, 1),
        sprt: None,
        time_control: TimeControl::own(Duration::from_mins(1), Duration::from_mins(1)),
        max_plies: 400,
        threads: 2,
        recording: None,
    }
}

fn result(contest: &Match) -> MatchResult {
    contest.play(|_| {}).unwrap().first()
}

#[test]
fn specs_are_read() {
    assert_eq!("builtin:greedy,seed=7".parse::<MatchPlayerSpec>().unwrap().to_string(), "greedy,seed=7");
    let Ok(MatchPlayerSpec::Builtin(_, settings)) = "builtin:mcts,spells=off,depth=3".parse() else {
        panic!()
    };
    assert!(!settings.search.spells && settings.search.depth == 3 && settings.search.fine);
    let unknown = "builtin:mcts,dance=on".parse::<MatchPlayerSpec>().unwrap_err();
    assert!(unknown.contains("dance") && unknown.ends_with("seer, general"), "{unknown}");
    for bad in ["greedy", "builtin:", "builtin:greedy,depth=3", "builtin:random,seed=x", "cmd:", "cmd:\"a"] {
        assert!(bad.parse::<MatchPlayerSpec>().is_err(), "{bad}");
    }
}

#[test]
fn greedy_wins_under_both_rulesets() {
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let contest =
            Match { openings: openings(ruleset, 0, 1), ..match_of("builtin:greedy", "builtin:random") };
        let result = result(&contest);
        assert_eq!((result.games(), result.all_faults()), (20, FaultCounts::default()));
        assert!(result.wins >= 19, "{result:?}");
    }
}

#[test]
fn a_match_that_ended_anywhere_goes_on_to_the_same_result() {
    let sprt = Some(Sprt::new(-60.0, 0.0));
    let contest = Match { sprt, pairs: 30, ..match_of("builtin:greedy", "builtin:greedy,seed=2") };
    let mut parts = vec![MatchResult::default()];
    let whole = contest.play(|table| parts.push(table.first())).unwrap().first();
    assert!(parts.len() > 3);
    for part in parts {
        let (known, mut after) = (part.games(), Vec::new());
        let result = contest.go_on(part, |table| after.push(table.first().games())).unwrap();
        assert_eq!(result.first(), whole);
        assert_eq!(after, (known / 2 + 1..=whole.games() / 2).map(|pairs| 2 * pairs).collect::<Vec<_>>());
    }
}

#[test]
fn random_players_lose_no_game_by_a_fault() {
    for (ruleset, plies) in [(Ruleset::Server, 0), (Ruleset::Server, 50), (Ruleset::Spooky, 50)] {
        let contest = Match {
            openings: openings(ruleset, plies, 3),
            ..match_of("builtin:random", "builtin:random,seed=1")
        };
        let result = result(&contest);
        assert_eq!((result.games(), result.all_faults()), (20, FaultCounts::default()), "{ruleset:?}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let one = Match { threads: 1, ..match_of("builtin:greedy", "builtin:greedy,seed=1") };
    let three = Match { threads: 3, ..one.clone() };
    assert_eq!(result(&one), result(&three));
    let other = Match { openings: openings(Ruleset::Server, 3, 2), ..one.clone() };
    assert_ne!(result(&one), result(&other));
}

#[test]
fn a_player_is_as_strong_as_itself() {
    // With equal seeds the second game of a pair is the first with the names changed.
    let result = result(&match_of("builtin:greedy", "builtin:greedy"));
    assert_eq!(result.pentanomial, [0, 0, 10, 0, 0]);
    assert!(elo(&result.pentanomial).value.abs() < 1e-9);
}

#[test]
fn both_games_of_a_pair_begin_with_the_same_handicap() {
    let openings = openings(Ruleset::Server, 0, 1).with_handicaps(1.0).unwrap();
    let contest = Match { openings, ..match_of("builtin:greedy", "builtin:greedy") };
    // Equal players take turns to have the better side, so every pair is even.
    let handicapped = result(&contest);
    assert_eq!(handicapped.pentanomial, [0, 0, 10, 0, 0]);
    let plain = result(&match_of("builtin:greedy", "builtin:greedy"));
    assert_ne!(handicapped.plies, plain.plies);
    let mixed = Openings::new(Rulesets::Mixed, (1, 2), &[], 0, 1).unwrap();
    assert_eq!(result(&Match { openings: mixed, ..contest }).pentanomial, [0, 0, 10, 0, 0]);
}

#[test]
fn a_test_ends_a_match_early() {
    let sprt = Some(Sprt::new(-10.0, 10.0));
    let contest = Match { pairs: 1000, sprt, ..match_of("builtin:greedy", "builtin:random") };
    let result = result(&contest);
    assert!(result.games() < 1000, "{result:?}");
    assert_eq!(Sprt::new(-10.0, 10.0).accepted(&result.pentanomial), Some("H1"));
}

#[test]
fn a_limit_of_turns_draws() {
    let contest = Match { max_plies: 3, ..match_of("builtin:greedy", "builtin:greedy") };
    let result = result(&contest);
    assert_eq!((result.draws, result.longest), (20, 3));
}

#[test]
fn a_player_that_plans_attacks_tells_its_longest_request() {
    let result = result(&Match {
        pairs: 1,
        max_plies: 12,
        ..match_of("builtin:mcts,nodes=40,hash=4", "builtin:greedy")
    });
    let [searching, simple] = result.longest_requests;
    assert!(searching > 0 && simple == 0, "{result:?}");
}

#[test]
fn a_missing_engine_is_an_error_of_the_match_and_no_loss() {
    let error = match_of("builtin:random", "cmd:/no/such/engine").play(|_| {}).unwrap_err();
    assert_eq!(error.played.pairs(), 0);
    let cause = format!("{:#}", error.cause);
    assert!(cause.starts_with("player b does not start: /no/such/engine: "), "{cause}");
}

#[test]
fn elo_follows_the_score() {
    let even = elo(&[10, 20, 40, 20, 10]);
    assert!(even.value.abs() < 1e-9 && (20.0..60.0).contains(&even.error), "{even:?}");
    // 64 % of the points are 100 Elo.
    assert!((expected_score(100.0) - 0.640_065).abs() < 1e-6);
    let better = elo(&[0, 0, 36, 0, 14]);
    assert!((better.value - 99.953).abs() < 0.01, "{better:?}");
    assert!(elo(&[0, 0, 0, 0, 50]).value.is_finite());
    // An upper end that is cut off does not make the lower one nearer: 1 - 1.96 (0.0625 / 2)^0.5 / 2^0.5 of the points.
    let won = elo(&[0, 0, 0, 0, 2]);
    assert!((won.value - won.error - 195.5).abs() < 1.0, "{won:?}");
    let lost = elo(&[2, 0, 0, 0, 0]);
    assert!((lost.value + won.value).abs() < 1e-9 && (lost.error - won.error).abs() < 1e-9, "{lost:?}");
    assert_eq!(elo(&[0; 5]), elo::Elo { value: 0.0, error: 0.0 });
}

#[test]
fn the_test_agrees_with_its_normal_approximation() {
    let counts = [120_u32, 480, 900, 560, 140];
    let sprt = Sprt::new(0.0, 5.0);
    let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mean = counts.iter().zip(scores).map(|(&count, score)| f64::from(count) * score).sum::<f64>() / total;
    let variance = counts
        .iter()
        .zip(scores)
        .map(|(&count, score)| f64::from(count) * (score - mean).powi(2))
        .sum::<f64>()
        / total;
    let (s0, s1) = (expected_score(0.0), expected_score(5.0));
    let normal = total * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
    assert!((sprt.llr(&counts) - normal).abs() < 0.05 * normal.abs(), "{} {normal}", sprt.llr(&counts));
    assert!(sprt.llr(&counts) > 0.0);
    assert!(sprt.llr(&[0; 5]).abs() < 1e-9);
    assert_eq!(Sprt::new(0.0, 50.0).accepted(&[50, 10, 5, 0, 0]), Some("H0"));
}

/// Match of three players, two pairs an encounter.
fn three(format: MatchFormat) -> Match {
    let players = ["builtin:greedy", "builtin:random", "builtin:random,seed=1"];
    Match {
        players: players.map(|player| player.parse().unwrap()).to_vec(),
        format,
        pairs: 2,
        ..match_of("builtin:greedy", "builtin:random")
    }
}

#[test]
fn every_encounter_of_several_players_is_the_match_of_its_two() {
    let contest = three(MatchFormat::RoundRobin);
    let table = contest.play(|_| {}).unwrap();
    assert_eq!((table.pairs(), table.encounters.len()), (6, 3));
    for (players, result) in &table.encounters {
        let two = players.map(|index| contest.players[index].clone()).to_vec();
        assert_eq!(*result, self::result(&Match { players: two, ..contest.clone() }), "{players:?}");
    }
    let [first, second, third] = [0, 1, 2].map(|player| table.score(player));
    assert_eq!([first.games, second.games, third.games], [8, 8, 8]);
    assert!((first.points() + second.points() + third.points() - 12.0).abs() < 1e-9);
    assert!(first.points() > 6.0, "{table:?}");
    let ratings = table.ratings(3);
    assert!(ratings[0].unwrap().value.abs() < 1e-9 && ratings[1].unwrap().value < -100.0, "{ratings:?}");
    let (seen, pairs) = table.between(1, 0).unwrap();
    assert_eq!((seen.wins, seen.games, pairs.iter().sum::<u32>()), (table.encounters[0].1.losses, 4, 2));

    let gauntlet = three(MatchFormat::Gauntlet).play(|_| {}).unwrap();
    let met: Vec<_> = gauntlet.encounters.iter().map(|(players, _)| *players).collect();
    assert_eq!(met, [[0, 1], [0, 2]]);
    assert_eq!(gauntlet.encounters[..], table.encounters[..2]);
    assert!(gauntlet.between(1, 2).is_none());
}

#[test]
fn a_match_with_a_results_file_plays_exactly_what_the_file_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("results").display().to_string();
    let contest = three(MatchFormat::RoundRobin);
    let mut file = ResultsFile::create(&name, false, &contest.terms()).unwrap();
    let whole = contest.play_missing(KnownPairs::default(), &mut file, |_| {}).unwrap();
    assert_eq!(whole, contest.play(|_| {}).unwrap());
    drop(file);
    let text = std::fs::read_to_string(&name).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 7);
    // Any set of pairs may be known, since threads finish in any order.
    for kept in [&[][..], &[1], &[2, 5], &[6, 3, 4, 1, 2, 5]] {
        let part: String = [0].iter().chain(kept).map(|&line: &usize| lines[line]).collect();
        std::fs::write(&name, part).unwrap();
        let (mut file, known, warning) = ResultsFile::go_on(&name, &contest.terms()).unwrap();
        assert!(known.len() == kept.len() && warning.is_none());
        assert_eq!(contest.play_missing(known, &mut file, |_| {}).unwrap(), whole, "{kept:?}");
        let mut now: Vec<String> =
            std::fs::read_to_string(&name).unwrap().split_inclusive('\n').map(str::to_owned).collect();
        let mut all: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        now.sort();
        all.sort();
        assert_eq!(now, all, "{kept:?}");
    }
    // More games of the same match go on from there, fewer count the first.
    let (mut file, known, _) = ResultsFile::go_on(&name, &contest.terms()).unwrap();
    let fewer = Match { pairs: 1, ..contest.clone() };
    assert_eq!(fewer.play_missing(known, &mut file, |_| {}).unwrap(), fewer.play(|_| {}).unwrap());
    drop(file);
    let (mut file, known, _) = ResultsFile::go_on(&name, &contest.terms()).unwrap();
    let more = Match { pairs: 3, ..contest };
    assert_eq!(more.play_missing(known, &mut file, |_| {}).unwrap(), more.play(|_| {}).unwrap());
    assert_eq!(std::fs::read_to_string(&name).unwrap().lines().count(), 10);
}
