//! Threads on one search tree: nodes by number of threads, and what the threads wait for each other.

use std::time::Duration;

use anyhow::{Result, ensure};
use barrow_core::minions::Game;
use barrow_core::minions::turn_search::SearchOptions;
use indicatif::ProgressBar;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::{Engine, Limits};
use crate::interrupt;

/// Memory of each search in MiB, as that of an engine unless it is told otherwise.
const HASH_MIB: usize = crate::engine::DEFAULT_MIB;

/// Searches of the same positions by different numbers of threads.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ThreadsReport {
    /// Number of positions.
    pub positions: usize,
    /// Figures by number of threads, the fewest first.
    pub counts: Vec<ThreadsCount>,
}

/// Searches by one number of threads.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ThreadsCount {
    /// Number of threads.
    pub threads: usize,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Duration of all searches in seconds.
    pub seconds: f64,
    /// Nodes per second.
    pub nps: f64,
    /// Nodes per second as a multiple of those of one thread.
    pub ratio: f64,
    /// Share of the threads' time in which they waited for locks of the tree, 0 to 1.
    pub waited: f64,
}

/// Numbers of threads to measure: the powers of two up to the largest, and the largest.
fn counts(most: usize) -> Vec<usize> {
    let mut counts: Vec<usize> =
        std::iter::successors(Some(1), |count| Some(2 * count)).take_while(|&count| count < most).collect();
    counts.push(most.max(1));
    counts
}

/// Searches each position for this time on one thread, on two, on four and so on, up to `most`. A bar follows the searches.
///
/// # Errors
///
/// When it is interrupted, or there is no position.
pub fn measure_threads(
    games: &[Game],
    time: Duration,
    most: usize,
    bar: &ProgressBar,
) -> Result<ThreadsReport> {
    ensure!(!games.is_empty(), "there is no position to search");
    let counts = counts(most);
    bar.set_length((games.len() * counts.len()) as u64);
    let mut measured = Vec::new();
    for &threads in &counts {
        let mut engine = Engine::with_threads(HASH_MIB, SearchOptions::default(), threads);
        engine.set_verifies(false);
        engine.warm_up();
        measured.push((engine, Sums::default()));
    }
    for game in games {
        for (engine, sums) in &mut measured {
            engine.clear();
            let found = engine.search(game, &Limits::new(time, u64::MAX));
            // The time of a search that was cut short is that of no other.
            interrupt::check()?;
            sums.nodes += found.statistics.nodes;
            sums.time += found.time;
            sums.waited += found.waited;
            bar.inc(1);
        }
    }
    let rate = |sums: &Sums| sums.nodes as f64 / sums.time.as_secs_f64().max(1e-9);
    let alone = rate(&measured[0].1);
    let count = |(&threads, (_, sums)): (&usize, &(Engine, Sums))| {
        let seconds = sums.time.as_secs_f64();
        ThreadsCount {
            threads,
            nodes: sums.nodes,
            seconds,
            nps: rate(sums),
            ratio: rate(sums) / alone,
            waited: sums.waited.as_secs_f64() / (seconds * threads as f64).max(1e-9),
        }
    };
    Ok(ThreadsReport { positions: games.len(), counts: counts.iter().zip(&measured).map(count).collect() })
}

/// Sums over the searches of one number of threads.
#[derive(Default)]
struct Sums {
    nodes: u64,
    time: Duration,
    waited: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::test_positions::middle_games;
    use barrow_core::minions::Ruleset;

    #[test]
    fn threads_double_up_to_the_largest_number() {
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(2), [1, 2]);
        assert_eq!(counts(6), [1, 2, 4, 6]);
        assert_eq!(counts(16), [1, 2, 4, 8, 16]);
    }

    #[test]
    fn every_number_of_threads_searches_every_position() {
        let games = &middle_games(Ruleset::Server)[..2];
        let bar = ProgressBar::hidden();
        let report = measure_threads(games, Duration::from_millis(20), 3, &bar).unwrap();
        assert_eq!(report.counts.iter().map(|count| count.threads).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(report.counts.iter().all(|count| count.nodes >= 2 && (0.0..=1.0).contains(&count.waited)));
        assert_eq!((report.counts[0].ratio, report.counts[0].waited), (1.0, 0.0));
        assert_eq!(bar.position(), 6);
        assert!(measure_threads(&[], Duration::ZERO, 1, &bar).is_err());
    }
}
