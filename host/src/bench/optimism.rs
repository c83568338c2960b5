//! Optimism of the search: how much more a position's search promises than a search of the opponent's answer grants.

use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, UndoLog};
use barrow_session::optimism::shifted;
use indicatif::ProgressBar;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::{Engine, Limits};
use crate::interrupt;

/// Memory of the search in MiB.
const HASH_MIB: usize = 64;

/// Optimism over some positions, in points of win chance (0 to 100).
///
/// A position's optimism is the win chance that a search shows for its best turn, less what a search of the same size leaves of
/// it from the opponent's side after that turn. Positive figures are promises that the opponent does not keep. The optimism of
/// the claims is that before the correction of what is shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OptimismReport {
    /// Number of positions searched twice; those that the turn ends are left out.
    pub positions: usize,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Mean of the optimism in points.
    pub optimism: f64,
    /// Error of the mean, 95 %, in points.
    pub optimism_error: f64,
    /// Mean of the optimism's size, its sign left out, in points.
    pub difference: f64,
    /// Number of positions in which the win chance was higher than what was left of it.
    pub too_high: usize,
    /// Mean of the claims' optimism in points.
    pub claimed: f64,
    /// Shift of the log odds of all claims that leaves them no optimism.
    pub shift: f64,
}

/// Searches each position for this time, or this many nodes if they are reached first, then the position after its best
/// turn. A bar follows the positions.
///
/// # Errors
///
/// When it is interrupted, a turn of the search cannot be played, or every game ends with one.
pub fn measure_optimism(
    games: &[Game],
    time: Duration,
    nodes: u64,
    bar: &ProgressBar,
) -> Result<OptimismReport> {
    let mut engine = Engine::new(HASH_MIB, SearchOptions::default());
    // Claims are those of the search alone.
    engine.set_verifies(false);
    let mut pairs = Vec::new();
    let mut spent = 0;
    for game in games {
        let mut search = |game: &Game| {
            engine.clear();
            let found = engine.search(game, &Limits::new(time, nodes));
            spent += found.statistics.nodes;
            // A search that was cut short claims what it would not have.
            interrupt::check().map(|()| found)
        };
        let found = search(game)?;
        let mut after = game.clone();
        after
            .enter(&found.best().turn, &mut UndoLog::off())
            .and_then(|()| after.end_turn())
            .map_err(|error| anyhow!("a turn of the search is refused: {error}"))?;
        if !after.state().is_over() {
            let answered = search(&after)?;
            let [best, answer] = [found.best(), answered.best()];
            pairs.push(Pair { shown: [best.value, answer.value], claimed: [best.claim, answer.claim] });
        }
        bar.inc(1);
    }
    ensure!(!pairs.is_empty(), "no position is left to be searched after a turn");
    Ok(summary(&pairs, spent))
}

/// Win chances of both sides' best turns, the second after the first turn.
struct Pair {
    shown: [f64; 2],
    claimed: [f64; 2],
}

/// Win chance of a best turn less what the answer leaves of it.
fn optimism([chance, answer]: [f64; 2]) -> f64 {
    chance + answer - 1.0
}

/// Shift of the log odds of all claims that leaves no optimism in their mean, in halves of an interval.
fn honest_shift(pairs: &[Pair]) -> f64 {
    let (mut low, mut high) = (-4.0, 4.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        let left: f64 =
            pairs.iter().map(|pair| optimism(pair.claimed.map(|claim| shifted(claim, middle)))).sum();
        *(if left > 0.0 { &mut low } else { &mut high }) = middle;
    }
    f64::midpoint(low, high)
}

fn summary(pairs: &[Pair], nodes: u64) -> OptimismReport {
    let differences: Vec<f64> = pairs.iter().map(|pair| optimism(pair.shown)).collect();
    let count = differences.len().max(1) as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    OptimismReport {
        positions: differences.len(),
        nodes,
        optimism: 100.0 * mean,
        optimism_error: 196.0 * (variance / count).sqrt(),
        difference: 100.0 * differences.iter().map(|d| d.abs()).sum::<f64>() / count,
        too_high: differences.iter().filter(|d| **d > 0.0).count(),
        claimed: 100.0 * pairs.iter().map(|pair| optimism(pair.claimed)).sum::<f64>() / count,
        shift: if pairs.is_empty() { 0.0 } else { honest_shift(pairs) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::test_positions::middle_games;
    use barrow_core::minions::Ruleset;

    #[test]
    fn the_mean_and_its_error_are_in_points() {
        let pair = |shown, claimed| Pair { shown: [shown, 0.5], claimed: [claimed, 0.5] };
        let report = summary(&[pair(0.6, 0.7), pair(0.8, 0.8), pair(0.4, 0.5)], 7);
        assert!((report.optimism - 10.0).abs() < 1e-9);
        // A deviation of 0.2 over the root of three.
        assert!((report.optimism_error - 196.0 * 0.2 / 3f64.sqrt()).abs() < 1e-9);
        assert!((report.difference - 50.0 / 3.0).abs() < 1e-9);
        assert_eq!((report.positions, report.nodes, report.too_high), (3, 7, 2));
        assert!((report.claimed - 50.0 / 3.0).abs() < 1e-9);
        let empty = summary(&[], 0);
        assert!(empty.positions == 0 && empty.shift.abs() < 1e-12);
        // Both sides claim log odds of 0.4 too much.
        let claimed = [0.3, 0.7].map(|chance| shifted(chance, -0.4));
        let found = honest_shift(&[Pair { shown: claimed, claimed }]);
        assert!((found - 0.4).abs() < 1e-9, "{found}");
    }

    #[test]
    fn both_sides_of_each_position_are_searched() {
        let games = &middle_games(Ruleset::Server)[..3];
        let bar = ProgressBar::hidden();
        let report = measure_optimism(games, Duration::MAX, 6, &bar).unwrap();
        // One of these games is won by the first turn, which nobody answers.
        assert_eq!((report.positions, report.nodes, bar.position()), (2, 5 * 6, 3));
        assert_eq!(
            format!("{report:?}"),
            format!("{:?}", measure_optimism(games, Duration::MAX, 6, &bar).unwrap())
        );
    }
}
