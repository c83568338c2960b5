//! The tactical positions fit their tasks, and the search solves them.

use std::thread;
use std::time::Duration;

use barrow::bench::{measure_answers, measure_tactics};
use barrow::engine::forced::wins_next;
use barrow::engine::proof::{Answer, Prover};
use barrow::engine::replies::Replies;
use barrow::engine::{Engine, Limits};
use barrow::tactics::hard::Finder;
use barrow::tactics::play_out::play_out;
use barrow::tactics::{BUILT_IN, HARD, Tactic, Task, check, find, parse_all};
use barrow_core::minions::players::Random;
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::turn_search::ports::{Attack, AttackGoal, AttackPlanner, Planned};
use barrow_core::minions::{Builder, Game, GameTurn, Ruleset, SideArray, Spell};
use barrow_solver::attack::PlannerWorkspace;
use indicatif::ProgressBar;

#[test]
fn all_positions_are_what_they_say() {
    let tactics = parse_all(BUILT_IN).unwrap();
    assert!(tactics.len() >= 100, "{}", tactics.len());
    for (index, tactic) in tactics.iter().enumerate() {
        find::verify(tactic).unwrap_or_else(|error| panic!("position {}: {error}", index + 1));
        assert_eq!(tactics.iter().filter(|other| other.line() == tactic.line()).count(), 1);
    }
    for (task, count) in [("kill", 44), ("defend", 44), ("trade", 27), ("souls", 17)] {
        assert!(tactics.iter().filter(|tactic| tactic.task.name() == task).count() >= count, "{task}");
    }
}

/// Positions of some tasks that so many nodes do not solve, and the number of all of them.
fn missed(tasks: &[&str], nodes: u64) -> (usize, usize) {
    let mut tactics = parse_all(BUILT_IN).unwrap();
    tactics.retain(|tactic| tasks.contains(&tactic.task.name()));
    let bar = ProgressBar::hidden();
    let reports = measure_tactics(&tactics, true, Duration::MAX, nodes, &bar).unwrap();
    assert_eq!(bar.position(), tactics.len() as u64);
    (reports.iter().map(|report| report.missed.len()).sum(), tactics.len())
}

#[test]
fn the_search_solves_them() {
    let [sure, trades, souls] = thread::scope(|scope| {
        let parts = [(&["kill", "defend"][..], 400), (&["trade"], 1_000), (&["souls"], 1_000)];
        parts.map(|(tasks, nodes)| scope.spawn(move || missed(tasks, nodes))).map(|part| part.join().unwrap())
    });
    // Games confirmed the trades, and `souls` are those that they did not: see "Tactics" in docs/search.md.
    assert_eq!(sure.0, 0, "{sure:?}");
    assert!(trades.0 == 0 && souls.0 <= 8, "{trades:?} {souls:?}");
}

#[test]
fn no_seed_overlooks_a_push_that_wins_at_once() {
    // Each is won where the enemy is pushed to some hexes only.
    let pushes = |tactic: &Tactic| tactic.task == Task::Card && tactic.line().contains("cast stumble");
    let mut tactics = parse_all(HARD).unwrap();
    tactics.retain(pushes);
    assert!(tactics.len() > 12, "{}", tactics.len());
    for seed in 0..4 {
        let mut engine = Engine::new(16, SearchOptions { seed, ..SearchOptions::default() });
        let search = |_, game: &Game| {
            engine.clear();
            Ok(Some(engine.search(game, &Limits::new(Duration::MAX, 200)).best().turn.clone()))
        };
        let reports = measure_answers(&tactics, search, &ProgressBar::hidden()).unwrap();
        assert!(reports.iter().all(|report| report.missed.is_empty()), "seed {seed}: {reports:?}");
    }
}

#[test]
fn a_planner_in_little_memory_finds_most_kills() {
    let mut tactics = parse_all(BUILT_IN).unwrap();
    tactics.retain(|tactic| tactic.task == Task::Kill);
    let mut planner = Box::new(PlannerWorkspace::<{ 8 * 1024 }>::new());
    let mut is_found = |tactic: &&Tactic| {
        let view = tactic.game.view(tactic.board).unwrap();
        let mut enemies = view.board.iter(view.side.opponent());
        let (at, _) = enemies.find(|(_, piece)| view.unit(*piece).necromancer).unwrap();
        let mut attack = Attack::default();
        planner.plan(&view, &[AttackGoal::Kill(at)], &[], &mut attack) == Planned::Found
            && attack.outline.killed.contains(at)
    };
    let (all, found) = (tactics.len(), tactics.iter().filter(|tactic| is_found(tactic)).count());
    // With everybody two of them fit.
    assert!(2 * found > all, "{found} of {all}");
}

#[test]
fn hard_positions_are_what_they_say() {
    let tactics = parse_all(HARD).unwrap();
    assert!(tactics.len() >= 300, "{}", tactics.len());
    let mut prover = Prover::default();
    let mut keys = std::collections::HashSet::new();
    let mut wrong = Vec::new();
    for (index, tactic) in tactics.iter().enumerate() {
        wrong.extend(
            check::verify(tactic, &mut prover).err().map(|error| format!("position {}: {error}", index + 1)),
        );
        assert!(keys.insert(tactic.game.state().key()), "position {} comes again", index + 1);
        assert_eq!(Tactic::parse(&tactic.line()).unwrap().line(), tactic.line());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for task in Task::HARD {
        assert!(tactics.iter().filter(|tactic| tactic.task == task).count() >= 15, "{}", task.name());
    }
}

#[test]
fn no_reply_of_a_player_refutes_their_solutions() {
    let (mut prover, mut engine) = (Prover::default(), Engine::new(16, SearchOptions::default()));
    for (index, tactic) in parse_all(HARD).unwrap().iter().enumerate() {
        check::confirm(tactic, &mut prover, &mut engine, 10, 3)
            .unwrap_or_else(|error| panic!("position {}: {error}", index + 1));
    }
}

/// The position after the solution.
fn solved(tactic: &Tactic) -> Game {
    let mut game = tactic.game.clone();
    game.play(tactic.solution.as_ref().unwrap()).unwrap();
    game
}

#[test]
fn replies_of_players_are_among_those_listed() {
    let mates = parse_all(HARD).unwrap().into_iter().filter(|tactic| tactic.task == Task::Mate);
    for tactic in mates.take(10) {
        let game = solved(&tactic);
        let mut replies = Replies::new(&game).unwrap();
        let listed: Vec<u64> = std::iter::from_fn(|| replies.next_end().map(|end| placement(&end))).collect();
        assert!(replies.is_complete());
        for seed in 0..50 {
            let mut replied = game.clone();
            replied.play(&Random::new(seed).choose(&game)).unwrap();
            assert!(replied.state().is_over() || listed.contains(&placement(&replied)), "{seed}");
        }
    }
}

/// Key of what stands on the first board.
fn placement(game: &Game) -> u64 {
    game.state().boards()[0].key()
}

#[test]
fn a_threat_is_seen_and_a_game_that_is_won_is_no_threat() {
    let tactics = parse_all(HARD).unwrap();
    let mut prover = Prover::default();
    let escape = tactics.iter().find(|tactic| tactic.task == Task::Escape).unwrap();
    let mut passed = escape.game.clone();
    passed.play(&GameTurn::new()).unwrap();
    assert_eq!(prover.is_safe(&passed), Answer::No);
    let Answer::Yes(kill) = prover.winning_attack(&passed) else { panic!("no kill") };
    passed.play(&kill).unwrap();
    assert_eq!(passed.state().winner(), Some(escape.game.side_to_move().opponent()));
    let card = tactics.iter().find(|tactic| tactic.task == Task::Card).unwrap();
    let won = solved(card);
    assert_eq!(wins_next(&mut prover, &won), Answer::Yes(()));
    assert_eq!(prover.is_safe(&won), Answer::Yes(()));
    // A card that is in no deck moves an enemy off his graveyard.
    let with_cards = |tactic: &&Tactic| tactic.task == Task::Siege && tactic.game.config().rules.spells;
    let held = solved(tactics.iter().find(with_cards).unwrap());
    assert!(!held.state().is_over() && wins_next(&mut prover, &held).is_yes());
    let (side, mut builder) = (held.side_to_move(), Builder::from_game(held));
    builder.board(0).unwrap().push_card(side, Spell::Displace).unwrap();
    assert_eq!(wins_next(&mut prover, &builder.build().unwrap()), Answer::Unknown);
}

#[test]
fn a_verified_choice_loses_at_once_only_where_no_other_is_known() {
    let tactics = parse_all(HARD).unwrap();
    let escapes = tactics.iter().filter(|tactic| tactic.task == Task::Escape).take(20);
    let mut prover = Prover::default();
    let mut losing = [0; 2];
    for tactic in escapes {
        for (verifies, losing) in [false, true].into_iter().zip(&mut losing) {
            let mut engine = Engine::new(16, SearchOptions::default());
            engine.set_verifies(verifies);
            let found = engine.search(&tactic.game, &Limits::new(Duration::MAX, 60));
            let mut loses = |turn: &GameTurn| {
                let mut after = tactic.game.clone();
                after.play(turn).unwrap();
                prover.winning_attack(&after).is_yes()
            };
            let best = found.best();
            *losing += usize::from(loses(&best.turn));
            assert!(!best.is_lost || found.candidates.iter().filter(|other| other.is_lost).count() > 1);
            for candidate in found.candidates.iter().filter(|candidate| candidate.is_lost) {
                assert!(verifies && loses(&candidate.turn) && candidate.value == 0.0);
                assert_eq!(candidate.chance_in_words(), "0%: proved");
            }
        }
    }
    assert!(losing[1] < losing[0], "{losing:?}");
}

/// An engine that verifies its choice.
fn verifying() -> Engine {
    let mut engine = Engine::new(16, SearchOptions::default());
    engine.set_verifies(true);
    engine
}

/// An engine that does not.
fn unverified() -> Engine {
    let mut engine = verifying();
    engine.set_verifies(false);
    engine
}

/// Positions of each kind that are searched with and without repairs.
const OF_A_KIND: usize = 6;

#[test]
fn refuted_turns_are_repaired_and_wins_at_the_next_turn_proved() {
    let tactics = parse_all(HARD).unwrap();
    let (mut prover, mut gained) = (Prover::default(), 0);
    for task in [Task::Escape, Task::Split, Task::Siege, Task::Mate] {
        let mut solved = [0; 2];
        for tactic in tactics.iter().filter(|tactic| tactic.task == task).take(OF_A_KIND) {
            let search = |mut engine: Engine| engine.search(&tactic.game, &Limits::new(Duration::MAX, 200));
            let found = [unverified(), verifying()].map(search);
            let does = found.each_ref().map(|found| tactic.is_solved_with(&mut prover, &found.best().turn));
            solved.iter_mut().zip(does).for_each(|(count, does)| *count += u32::from(does));
            if does == [false, true] {
                let best = found[1].best();
                let wins = matches!(task, Task::Siege | Task::Mate);
                assert_eq!((best.is_won, best.is_lost), (wins, false), "{}", tactic.line());
                assert_eq!(best.chance_in_words() == "100%: proved", wins);
                // The same again: a limit of nodes leaves nothing to the clock.
                assert_eq!(search(verifying()).best().turn, best.turn);
            }
        }
        assert!(solved[1] > solved[0], "{}: {solved:?}", task.name());
        gained += solved[1] - solved[0];
    }
    assert!(gained >= 8, "{gained}");
}

#[test]
fn what_is_marked_as_proved_is_so_and_every_turn_is_legal() {
    let mut prover = Prover::default();
    let (mut lost, mut won, mut repaired) = (0, 0, 0);
    // Every eleventh hard position, and games a point short.
    let hard = parse_all(HARD).unwrap().into_iter().step_by(11).map(|tactic| tactic.game);
    let short = barrow::bench::test_positions::middle_games(Ruleset::Spooky).into_iter().map(|game| {
        let points = game.config().points_needed - 1;
        let mut builder = Builder::from_game(game);
        builder.points(SideArray::new(points, points));
        builder.build().unwrap()
    });
    for game in hard.chain(short) {
        let side = game.side_to_move();
        let found = verifying().search(&game, &Limits::new(Duration::MAX, 40));
        for (place, candidate) in found.candidates.iter().enumerate() {
            let mut after = game.clone();
            after.play(&candidate.turn).unwrap();
            assert!(!candidate.is_won || place == 0 && wins_next(&mut prover, &after).is_yes());
            won += usize::from(candidate.is_won);
            repaired += usize::from(place == 0 && candidate.visits == 1 && !candidate.is_won);
            if candidate.is_lost {
                lost += 1;
                if let Answer::Yes(kill) = prover.winning_attack(&after) {
                    after.play(&kill).unwrap();
                }
                assert_eq!(after.state().winner(), Some(side.opponent()));
            }
        }
    }
    assert!(lost > 10 && won > 2 && repaired > 0, "{lost} {won} {repaired}");
}

#[test]
fn a_search_that_verifies_keeps_its_time() {
    // Not a measurement: with no time at all nothing is verified or repaired, and a turn is there.
    for tactic in parse_all(HARD).unwrap().iter().skip(120).step_by(17) {
        let limits = Limits::new(Duration::ZERO, u64::MAX);
        let found = verifying().search(&tactic.game, &limits);
        assert!(found.candidates.iter().all(|candidate| !candidate.is_won && !candidate.is_lost));
        tactic.game.clone().play(&found.best().turn).unwrap();
    }
}

/// Positions of each hard task in the file.
const HARD_COUNTS: [(Task, usize, u64); 6] = [
    (Task::Card, 60, 1),
    (Task::Retake, 60, 2),
    (Task::Escape, 16, 3),
    (Task::Split, 45, 4),
    (Task::Siege, 17, 5),
    (Task::Mate, 110, 6),
];

#[test]
#[ignore = "writes host/data/hard-tactics.fen anew, or in it the tasks that BARROW_TASKS names"]
fn write_hard_tactics() {
    let named = std::env::var("BARROW_TASKS").unwrap_or_default();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/hard-tactics.fen");
    let before = std::fs::read_to_string(path).unwrap_or_default();
    let (mut prover, mut engine) = (Prover::default(), Engine::new(64, SearchOptions::default()));
    let mut text = String::new();
    for (task, count, seed) in HARD_COUNTS {
        if !named.is_empty() && named.split(',').all(|name| name != task.name()) {
            let kept = before.lines().filter(|line| line.split('\t').next() == Some(task.name()));
            kept.for_each(|line| text.extend([line, "\n"]));
            continue;
        }
        let mut finder = Finder::new(seed);
        let found = finder.find(task, count, usize::MAX);
        println!("{}: looked at, failed at, kept {:?}", task.name(), finder.counts);
        for tactic in found {
            check::verify(&tactic, &mut prover).unwrap();
            check::confirm(&tactic, &mut prover, &mut engine, 2_000, 100).unwrap();
            text += &(tactic.line() + "\n");
        }
    }
    std::fs::write(path, text).unwrap();
}

#[test]
#[ignore = "writes host/data/tactics.fen anew, with trades that games have not judged: then comes judge_trades"]
fn write_tactics() {
    let lines: Vec<String> = find::find(44, 1).iter().map(|tactic| tactic.line() + "\n").collect();
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/data/tactics.fen"), lines.concat()).unwrap();
}

/// Games after each of the two turns that are compared for a trade.
const PLAY_OUTS: u32 = 100;

#[test]
#[ignore = "plays games for half an hour and writes in host/data/tactics.fen which trades they confirm, of all or of those whose numbers BARROW_TRADES has"]
fn judge_trades() {
    let tactics = parse_all(BUILT_IN).unwrap();
    let named = std::env::var("BARROW_TRADES").unwrap_or_default();
    let is_named =
        |number: usize| named.is_empty() || named.split(',').any(|name| name == number.to_string());
    let judge = |(index, tactic): (usize, &Tactic)| {
        let mut tactic = tactic.clone();
        if let Task::Trade(least) | Task::Souls(least) = tactic.task
            && is_named(index + 1)
        {
            let played = play_out(&tactic, PLAY_OUTS).unwrap();
            println!("{} {played:?}", index + 1);
            // Where nothing but trades is considered there is nothing to be wrong about.
            let is_right = played.is_none_or(|played| played.confirm_trade());
            tactic.task = if is_right { Task::Trade(least) } else { Task::Souls(least) };
        }
        tactic.line() + "\n"
    };
    let numbered: Vec<(usize, &Tactic)> = tactics.iter().enumerate().collect();
    let lines: Vec<String> = thread::scope(|scope| {
        let halves = [0, 1].map(|half| {
            let numbered = &numbered;
            scope.spawn(move || {
                let own = numbered.iter().filter(|(index, _)| index % 2 == half);
                own.map(|&(index, tactic)| (index, judge((index, tactic)))).collect::<Vec<_>>()
            })
        });
        let mut lines: Vec<(usize, String)> =
            halves.into_iter().flat_map(|half| half.join().unwrap()).collect();
        lines.sort();
        lines.into_iter().map(|(_, line)| line).collect()
    });
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/data/tactics.fen"), lines.concat()).unwrap();
}
