//! Speed of the search on fixed positions, with a signature that changes only when the search finds other turns or values.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use barrow_core::minions::text::umi;
use barrow_core::minions::turn_search::{SearchOptions, SearchStatistics};
use barrow_core::minions::{Game, Ruleset};
use indicatif::ProgressBar;
use schemars::JsonSchema;
use serde::Serialize;

use crate::bench::test_positions;
use crate::engine::network::EngineNetwork;
use crate::engine::{Engine, Limits, Signals};
use crate::interrupt;

/// Default number of nodes of the signature: a hundred in each position.
pub const SIGNED_NODES: u64 = 4_000;

/// Memory of each search in MiB.
const HASH_MIB: usize = 64;

/// Stack of a search thread, in bytes.
const STACK: usize = 16 << 20;

/// Speed and signature of the search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchReport {
    /// Nodes: turns composed, or found in the tree, whose position was evaluated.
    pub nodes: u64,
    /// Seconds of wall clock.
    pub seconds: f64,
    /// Nodes per second.
    pub nps: f64,
    /// Sixteen hexadecimal digits that change only when a turn or its value changes.
    pub signature: String,
    /// Threads, each on a position of its own.
    pub threads: usize,
    /// Longest request for an attack, in propagations of the solver; printed for people only.
    #[serde(skip)]
    pub longest_request: u16,
}

/// Searches the built-in positions under both rulesets, `nodes` nodes in all, on this many threads. The signature
/// depends on the number of nodes, not on the number of threads. A bar follows the positions. Fails when the signals say stop.
pub fn measure_search(
    nodes: u64,
    threads: usize,
    signals: &Arc<Signals>,
    bar: &ProgressBar,
) -> Result<SearchReport> {
    let games: Vec<Game> =
        [Ruleset::Server, Ruleset::Spooky].into_iter().flat_map(test_positions::middle_games).collect();
    let count = games.len() as u64;
    bar.set_length(count);
    let shares: Vec<u64> = (0..count).map(|index| nodes / count + u64::from(index < nodes % count)).collect();
    let mut engines: Vec<Engine> =
        (0..threads.max(1)).map(|_| Engine::new(HASH_MIB, SearchOptions::default())).collect();
    // The search is measured, not what follows it.
    for engine in &mut engines {
        engine.set_verifies(false);
    }
    let next = AtomicUsize::new(0);
    // Unpacked once in a program's life, which is no part of a search.
    EngineNetwork::embedded();
    let started = Instant::now();
    let mut done = thread::scope(|scope| -> Result<Vec<PositionHash>> {
        let work = |engine| {
            let (next, games, shares) = (&next, &games, &shares);
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || search_all(engine, next, games, shares, (signals, bar)))
        };
        let running = engines.into_iter().map(work).collect::<std::io::Result<Vec<_>>>()?;
        let mut done = Vec::new();
        for thread in running {
            match thread.join() {
                Ok(part) => done.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(done)
    })?;
    let seconds = started.elapsed().as_secs_f64();
    interrupt::check()?;
    ensure!(!signals.is_stopped(), "stopped");
    done.sort_by_key(|done| done.position);
    let nodes = done.iter().map(|done| done.nodes).sum();
    let longest_request = done.iter().map(|done| done.longest_request).max().unwrap_or(0);
    let signature = fnv(done.iter().flat_map(|done| done.hash.to_le_bytes()));
    Ok(SearchReport {
        nodes,
        seconds,
        nps: nodes as f64 / seconds.max(1e-9),
        signature: format!("{signature:016x}"),
        threads: threads.max(1),
        longest_request,
    })
}

/// The share of one position in the signature.
struct PositionHash {
    position: usize,
    nodes: u64,
    hash: u64,
    longest_request: u16,
}

fn search_all(
    mut engine: Engine,
    next: &AtomicUsize,
    games: &[Game],
    shares: &[u64],
    (signals, bar): (&Arc<Signals>, &ProgressBar),
) -> Vec<PositionHash> {
    let mut done = Vec::new();
    loop {
        let position = next.fetch_add(1, Ordering::Relaxed);
        let Some((game, &share)) = games.get(position).zip(shares.get(position)) else { return done };
        if share == 0 || signals.is_stopped() || interrupt::requested() {
            return done;
        }
        engine.clear();
        let limits = Limits { signals: Arc::clone(signals), ..Limits::new(Duration::MAX, share) };
        let found = engine.search(game, &limits);
        let best = found.best();
        let text = umi::TurnText::new(game, &best.turn).to_string();
        let hash = fnv(text.bytes().chain(best.claim.to_bits().to_le_bytes()));
        bar.inc(1);
        let SearchStatistics { nodes, longest_request, .. } = found.statistics;
        done.push(PositionHash { position, nodes, hash, longest_request });
    }
}

/// FNV-1a, 64 bits.
fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(nodes: u64, threads: usize, bar: &ProgressBar) -> Result<SearchReport> {
        measure_search(nodes, threads, &Arc::default(), bar)
    }

    #[test]
    fn the_signature_does_not_depend_on_threads_but_on_the_work() {
        let bar = ProgressBar::hidden();
        let one = measure(100, 1, &bar).unwrap();
        assert_eq!((bar.position(), bar.length()), (40, Some(40)));
        let two = measure(100, 2, &ProgressBar::hidden()).unwrap();
        assert_eq!(one.signature, two.signature);
        assert_eq!((one.nodes, two.nodes, one.threads, two.threads), (100, 100, 1, 2));
        assert_ne!(one.signature, measure(30, 2, &ProgressBar::hidden()).unwrap().signature);
    }

    #[test]
    fn a_stop_ends_the_work_without_a_signature() {
        let signals = Arc::<Signals>::default();
        signals.stop();
        let stopped = measure_search(u64::MAX, 1, &signals, &ProgressBar::hidden());
        assert_eq!(stopped.unwrap_err().to_string(), "stopped");
    }
}
