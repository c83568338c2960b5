//! Pace of a player: how many decisions it made, with how many playouts, and by how much they took longer than they may.

use std::fmt;
use std::time::Duration;

use barrow_core::search::flat::Effort;
use schemars::JsonSchema;
use serde::Serialize;

use super::budget::{Budget, Stopwatch};

/// Upper bounds of the classes of overruns, in microseconds; one more class has none.
const BOUNDS: [u64; 4] = [100, 500, 1000, 2000];

/// Counts of a player's decisions.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// Decisions by the class of their overrun; those within their time are in the first one.
    late: [u64; BOUNDS.len() + 1],
    longest: Duration,
    playouts: u64,
    turns: u64,
    decisions: u64,
}

/// A decision that has begun, with the time that it may take.
pub(super) struct Timed {
    limit: Option<Duration>,
    watch: Stopwatch,
}

impl Pace {
    /// Begins a decision with a budget.
    pub(super) fn start(budget: Budget) -> Timed {
        let (limit, by_processor) = budget.time().unzip();
        Timed { limit, watch: Stopwatch::start(by_processor == Some(true)) }
    }

    /// Counts a decision that is over.
    pub(super) fn count(&mut self, timed: &Timed, effort: Effort) {
        self.decisions += 1;
        self.playouts += effort.playouts;
        self.turns += effort.turns;
        let Some(limit) = timed.limit else { return };
        let late = timed.watch.elapsed().saturating_sub(limit);
        let class = BOUNDS.iter().position(|&bound| late <= Duration::from_micros(bound));
        self.late[class.unwrap_or(BOUNDS.len())] += 1;
        self.longest = self.longest.max(late);
    }

    /// Adds the counts of other decisions.
    pub fn add(&mut self, other: &Pace) {
        for (count, more) in self.late.iter_mut().zip(other.late) {
            *count += more;
        }
        self.longest = self.longest.max(other.longest);
        self.playouts += other.playouts;
        self.turns += other.turns;
        self.decisions += other.decisions;
    }

    /// Report of the pace of a player.
    pub fn report(&self, name: &str) -> PaceReport {
        let mean = |sum: u64| if self.decisions == 0 { 0.0 } else { sum as f64 / self.decisions as f64 };
        PaceReport {
            name: name.to_owned(),
            decisions: self.decisions,
            bounds_ms: BOUNDS.map(|bound| bound as f64 / 1e3),
            late: self.late,
            latest_ms: self.longest.as_secs_f64() * 1e3,
            mean_playouts: mean(self.playouts),
            mean_turns: mean(self.turns),
        }
    }
}

/// Report of the pace of a player that searches.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PaceReport {
    /// Name of the player.
    name: String,
    /// Decisions by search.
    decisions: u64,
    /// Upper bounds of the classes of overruns in milliseconds; one more class has none.
    bounds_ms: [f64; BOUNDS.len()],
    /// Decisions with a time limit by the class of their overrun; the first class has those within their time too.
    late: [u64; BOUNDS.len() + 1],
    /// Largest overrun in milliseconds.
    latest_ms: f64,
    /// Mean number of playouts of a decision.
    mean_playouts: f64,
    /// Mean number of turns in playouts of a decision.
    mean_turns: f64,
}

impl PaceReport {
    /// Whether the player has decided by search at all.
    pub fn is_empty(&self) -> bool {
        self.decisions == 0
    }
}

impl fmt::Display for PaceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PaceReport { name, decisions, late, latest_ms, mean_playouts, mean_turns, .. } = self;
        write!(
            f,
            "{name}: {decisions} decisions, {mean_playouts:.0} playouts and {mean_turns:.0} turns each"
        )?;
        if late.iter().sum::<u64>() > 0 {
            write!(f, "; late by")?;
            for (bound, count) in self.bounds_ms.iter().zip(late) {
                write!(f, " up to {bound} ms {count},")?;
            }
            write!(f, " more {}; at most {latest_ms:.3} ms", late[BOUNDS.len()])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_sorted_by_how_late_they_are() {
        let mut pace = Pace::default();
        let effort = Effort { playouts: 7, turns: 14 };
        pace.count(&Pace::start(Budget::Processor(Duration::from_hours(1))), effort);
        pace.count(&Pace::start(Budget::Playouts(7)), effort);
        let watch = Stopwatch::start(false);
        while watch.elapsed() < Duration::from_millis(3) {}
        pace.count(&Timed { limit: Some(Duration::ZERO), watch }, effort);
        let mut twice = pace.clone();
        twice.add(&pace);
        let report = twice.report("a");
        assert_eq!((report.decisions, report.late, report.is_empty()), (6, [2, 0, 0, 0, 2], false));
        assert!(report.latest_ms >= 3.0 && (report.mean_turns - 14.0).abs() < 1e-12);
        let text = report.to_string();
        assert!(
            text.starts_with("a: 6 decisions, 7 playouts and 14 turns each; late by up to 0.1 ms 2,"),
            "{text}"
        );
    }
}
