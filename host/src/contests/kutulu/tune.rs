//! `barrow kutulu tune`: two bots with other constants, each at a table with the same opponents in the same games.

use std::time::Duration;

use anyhow::{Result, anyhow};
use barrow_core::contests::kutulu::EXPLORERS;
use indicatif::ProgressBar;

use super::arena::{ArenaSettings, PlayerSpec};
use crate::contests::kit::comparison::turned_against;
use crate::interrupt;
use crate::matches::elo::Pentanomial;
use crate::tuning::Comparer;

/// Comparer of bots by whom they finish before.
#[derive(Clone, Debug)]
pub struct TableComparer {
    /// The other players of a table, at most three; with fewer some play several seats.
    pub opponents: Vec<PlayerSpec>,
    /// Number of games played at once.
    pub threads: usize,
}

impl TableComparer {
    /// Meetings of a bot with all opponents in some groups of four games, counted as pairs that are won, shared or lost.
    fn meetings_of(&self, player: &str, groups: u32, seed: u64) -> Result<Option<Pentanomial>> {
        let player: PlayerSpec = player.parse().map_err(|error: String| anyhow!(error))?;
        let arena = ArenaSettings {
            players: [player].into_iter().chain(self.opponents.iter().cloned()).collect(),
            games: groups * EXPLORERS as u32,
            seed,
            map: None,
            patience: Duration::from_secs(1),
            records: false,
        };
        let result = arena.play(&ProgressBar::hidden(), |_| Ok(()))?;
        if result.interrupted || interrupt::requested() {
            return Ok(None);
        }
        let mut sum = [0; 5];
        for opponent in 1..=self.opponents.len() {
            for (all, more) in sum.iter_mut().zip(result.pairs.outcomes(0, opponent)) {
                *all += more;
            }
        }
        Ok(Some(sum))
    }
}

impl Comparer for TableComparer {
    fn compare(&self, players: [&str; 2], pairs: u32, seed: u64) -> Result<Option<Pentanomial>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        pool.install(|| {
            let [one, other] = players.map(|player| self.meetings_of(player, pairs, seed));
            Ok(one?.zip(other?).map(|(one, other)| turned_against(one, other)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kutulu_better_bots_win_a_comparison_and_equal_ones_are_equal() {
        let opponents = ["wait", "random"].map(|name| name.parse().unwrap()).into();
        let table = TableComparer { opponents, threads: 2 };
        let compare = |one: &str, other: &str| table.compare([one, other], 1, 3).unwrap().unwrap();
        let better = compare("gather", "wait");
        assert!(better[4] > better[0], "{better:?}");
        assert_eq!(turned_against([0; 5], better), compare("wait", "gather"));
        let equal = compare("gather", "gather");
        assert_eq!((equal[0], equal[1]), (equal[4], equal[3]));
        assert!(table.compare(["gather", "nobody"], 1, 3).is_err());
    }
}
