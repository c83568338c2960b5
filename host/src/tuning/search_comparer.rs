//! Comparer of two players of Minions by a match against each other.

use std::time::Duration;

use anyhow::{Result, anyhow};

use super::run::Comparer;
use crate::matches::elo::Pentanomial;
use crate::matches::{Contestant, Match, MatchFormat, Openings, TimeControl};
use crate::shard::Shard;

/// Plies after which a game is a draw.
const PLY_LIMIT: u32 = 400;

/// Comparer of players of Minions.
#[derive(Debug)]
pub struct SearchComparer {
    /// Openings; those of a part follow from its seed.
    pub openings: Openings,
    /// Number of pairs of games played at once.
    pub threads: usize,
}

impl Comparer for SearchComparer {
    fn compare(&self, players: [&str; 2], pairs: u32, seed: u64) -> Result<Option<Pentanomial>> {
        let players = players.map(|player| player.parse().map_err(|error: String| anyhow!(error)));
        let players: Vec<Contestant> = players.into_iter().collect::<Result<_>>()?;
        let contest = Match {
            players,
            format: MatchFormat::default(),
            pairs,
            shard: Shard::WHOLE,
            openings: self.openings.with_seed(seed),
            sprt: None,
            // The players are built in and have no deadline.
            time_control: TimeControl::own(Duration::MAX, Duration::MAX),
            max_plies: PLY_LIMIT,
            threads: self.threads,
            recording: None,
        };
        let table = contest.play(|_| {}).map_err(|error| error.cause)?;
        Ok((!table.interrupted).then(|| table.first().pentanomial))
    }
}
