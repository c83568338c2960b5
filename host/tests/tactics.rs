//! The tactical positions fit their tasks, and the search solves them.

use std::time::Duration;

use barrow::bench::measure_tactics;
use barrow::tactics::{BUILT_IN, find, parse_all};

#[test]
fn all_positions_are_what_they_say() {
    let tactics = parse_all(BUILT_IN).unwrap();
    assert!(tactics.len() >= 100, "{}", tactics.len());
    for (index, tactic) in tactics.iter().enumerate() {
        find::verify(tactic).unwrap_or_else(|error| panic!("position {}: {error}", index + 1));
        assert_eq!(tactics.iter().filter(|other| other.line() == tactic.line()).count(), 1);
    }
    for task in ["kill", "defend", "trade"] {
        assert!(tactics.iter().filter(|tactic| tactic.task.name() == task).count() >= 30, "{task}");
    }
}

#[test]
fn the_search_solves_them() {
    // Every third of each task; all of them are for `barrow bench tactics`.
    let tactics: Vec<_> = parse_all(BUILT_IN).unwrap().into_iter().step_by(3).collect();
    let reports = measure_tactics(&tactics, Duration::MAX, 400).unwrap();
    let missed: usize = reports.iter().map(|report| report.missed.len()).sum();
    assert!(reports.iter().all(|report| report.task != "kill" || report.missed.is_empty()), "{reports:?}");
    assert!(missed * 20 <= tactics.len(), "{reports:?}");
}

#[test]
#[ignore = "writes host/data/tactics.fen anew"]
fn write_tactics() {
    let lines: Vec<String> = find::find(44, 1).iter().map(|tactic| tactic.line() + "\n").collect();
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/data/tactics.fen"), lines.concat()).unwrap();
}
