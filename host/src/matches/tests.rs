//! Matches between built-in brains, and arithmetic with known results.

use super::elo::{Sprt, elo, expected_score};
use super::*;

fn arguments(a: &str, b: &str) -> MatchArgs {
    MatchArgs {
        a: a.parse().unwrap(),
        b: b.parse().unwrap(),
        games: 20,
        sprt: None,
        ruleset: None,
        boards: (1, 2),
        maps: Vec::new(),
        opening_plies: 0,
        movetime: None,
        margin: 1000,
        max_plies: 400,
        seed: 1,
        threads: Some(2),
        json: false,
    }
}

fn result(arguments: &MatchArgs) -> Tally {
    arguments.contest().unwrap().play(|_| {}).unwrap()
}

#[test]
fn specs_are_read() {
    assert_eq!("builtin:greedy,seed=7".parse::<Spec>().unwrap().to_string(), "greedy,seed=7");
    let engine: Spec = "cmd:\"my engine\" --fast 1".parse().unwrap();
    assert_eq!(engine, Spec::Command(vec!["my engine".into(), "--fast".into(), "1".into()]));
    for bad in ["greedy", "builtin:", "builtin:greedy,depth=3", "builtin:random,seed=x", "cmd:", "cmd:\"a"] {
        assert!(bad.parse::<Spec>().is_err(), "{bad}");
    }
}

#[test]
fn greedy_wins_under_both_rulesets() {
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let args = MatchArgs { ruleset: Some(ruleset), ..arguments("builtin:greedy", "builtin:random") };
        let tally = result(&args);
        assert_eq!((tally.games(), tally.all_faults()), (20, Faults::default()));
        assert!(tally.wins >= 19, "{tally:?}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let one = MatchArgs { threads: Some(1), ..arguments("builtin:greedy", "builtin:greedy,seed=1") };
    let three = MatchArgs { threads: Some(3), opening_plies: 0, ..one.clone() };
    assert_eq!(result(&one), result(&three));
    let other = MatchArgs { seed: 2, opening_plies: 3, ..one.clone() };
    assert_ne!(result(&one), result(&other));
}

#[test]
fn a_player_is_as_strong_as_itself() {
    // With equal seeds the second game of a pair is the first with the names changed.
    let tally = result(&arguments("builtin:greedy", "builtin:greedy"));
    assert_eq!(tally.pentanomial, [0, 0, 10, 0, 0]);
    assert!(elo(&tally.pentanomial).value.abs() < 1e-9);
}

#[test]
fn a_test_ends_a_match_early() {
    let sprt = Some(vec![-10.0, 10.0]);
    let args = MatchArgs { games: 2000, sprt, ..arguments("builtin:greedy", "builtin:random") };
    let tally = result(&args);
    assert!(tally.games() < 1000, "{tally:?}");
    assert_eq!(Sprt::new(-10.0, 10.0).accepted(&tally.pentanomial), Some("H1"));
}

#[test]
fn a_limit_of_turns_draws() {
    let args = MatchArgs { max_plies: 3, ..arguments("builtin:greedy", "builtin:greedy") };
    let tally = result(&args);
    assert_eq!((tally.draws, tally.longest), (20, 3));
}

#[test]
fn a_missing_engine_crashes_and_loses() {
    let args = MatchArgs { games: 2, ..arguments("cmd:/no/such/engine", "builtin:random") };
    let tally = result(&args);
    assert_eq!((tally.losses, tally.faults[0].crashes), (2, 2));
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
