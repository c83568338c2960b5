//! Optimism of the search: how much more a position's search promises than a search of the opponent's answer grants.

use std::time::Duration;

use anyhow::{Result, anyhow};
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, UndoLog};
use indicatif::ProgressBar;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::{Engine, Limits};
use crate::interrupt;

/// Memory of the search in MiB.
const HASH_MIB: usize = 64;

/// Optimism over some positions, in points of win chance (0 to 100).
///
/// A position's optimism is the value that a search claims for its best turn, less what a search of the same size leaves of it
/// from the opponent's side after that turn. Positive figures are promises that the opponent does not keep.
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
    /// Number of positions in which the claim was higher than what was left of it.
    pub too_high: usize,
}

/// Searches each position for this time, or this many nodes if they are reached first, then the position after its best
/// turn. A bar follows the positions.
///
/// # Errors
///
/// When it is interrupted, or a turn of the search cannot be played.
pub fn measure_optimism(
    games: &[Game],
    time: Duration,
    nodes: u64,
    bar: &ProgressBar,
) -> Result<OptimismReport> {
    let mut engine = Engine::new(HASH_MIB, SearchOptions::default());
    let mut differences = Vec::new();
    let mut spent = 0;
    for game in games {
        interrupt::check()?;
        let mut search = |game: &Game| {
            engine.clear();
            let found = engine.search(game, &Limits::new(time, nodes));
            spent += found.statistics.nodes;
            found
        };
        let found = search(game);
        let claim = found.best().value;
        let mut after = game.clone();
        after
            .enter(&found.best().turn, &mut UndoLog::off())
            .and_then(|()| after.end_turn())
            .map_err(|error| anyhow!("a turn of the search is refused: {error}"))?;
        if !after.state().is_over() {
            differences.push(claim - (1.0 - search(&after).best().value));
        }
        bar.inc(1);
    }
    Ok(summary(&differences, spent))
}

fn summary(differences: &[f64], nodes: u64) -> OptimismReport {
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::test_positions::middle_games;
    use barrow_core::minions::Ruleset;

    #[test]
    fn the_mean_and_its_error_are_in_points() {
        let report = summary(&[0.1, 0.3, -0.1], 7);
        assert!((report.optimism - 10.0).abs() < 1e-9);
        // A deviation of 0.2 over the root of three.
        assert!((report.optimism_error - 196.0 * 0.2 / 3f64.sqrt()).abs() < 1e-9);
        assert!((report.difference - 50.0 / 3.0).abs() < 1e-9);
        assert_eq!((report.positions, report.nodes, report.too_high), (3, 7, 2));
        assert_eq!(summary(&[], 0).positions, 0);
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
