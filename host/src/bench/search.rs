//! A brain chooses turns in positions that never change; a signature tells whether its choices changed.

use std::time::Instant;

use anyhow::Result;
use barrow_core::bots::Greedy;
use barrow_core::minions::{Game, Ruleset, umi};
use rayon::prelude::*;
use serde::Serialize;

use crate::{interrupt, positions};

/// Turns whose signature stands for a brain's behaviour, unless another number is asked for.
pub const SIGNED_NODES: u64 = 400;

/// What the work came to.
#[derive(Clone, Debug, Serialize)]
pub struct SearchReport {
    /// Turns generated.
    pub nodes: u64,
    /// Seconds of wall clock.
    pub seconds: f64,
    /// Nodes per second.
    pub nps: f64,
    /// Sixteen hexadecimal digits that change only when a turn changes.
    pub signature: String,
    /// Threads at work.
    pub threads: usize,
}

/// Generates `nodes` turns over the built-in positions under both presets of rules, on some threads. The signature
/// depends on the number of nodes, not on the number of threads.
pub fn measure_search(nodes: u64, threads: usize) -> Result<SearchReport> {
    let games: Vec<Game> =
        [Ruleset::Server, Ruleset::Spooky].into_iter().flat_map(positions::middle_games).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let started = Instant::now();
    let hashes: Vec<u64> = pool.install(|| {
        let work = (0..nodes).into_par_iter();
        let chosen = work.map(|node| {
            interrupt::check()?;
            let game = &games[(node % games.len() as u64) as usize];
            // A new seed for each round over the positions.
            let turn = Greedy::new(node / games.len() as u64).choose(game);
            Ok(fnv(umi::TurnText::new(game, &turn).to_string().bytes()))
        });
        chosen.collect::<Result<_>>()
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let signature = fnv(hashes.into_iter().flat_map(u64::to_le_bytes));
    Ok(SearchReport {
        nodes,
        seconds,
        nps: nodes as f64 / seconds.max(1e-9),
        signature: format!("{signature:016x}"),
        threads: pool.current_num_threads(),
    })
}

/// FNV-1a, 64 bits.
fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_does_not_depend_on_threads() {
        let one = measure_search(6, 1).unwrap();
        let two = measure_search(6, 2).unwrap();
        assert_eq!(one.signature, two.signature);
        assert_eq!((one.nodes, one.threads, two.threads), (6, 1, 2));
    }
}
