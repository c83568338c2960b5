//! `barrow ice-and-fire tune`: two bots with other constants, each against the same opponents on the same maps.

use std::time::Duration;

use anyhow::{Result, anyhow};
use barrow_core::contests::ice_and_fire::Rules;

use super::arena::{ArenaSettings, PlayerSpec};
use crate::contests::kit::comparison::turned_against;
use crate::matches::elo::Pentanomial;
use crate::tuning::Comparer;

/// Comparer of bots by what they win against others.
#[derive(Clone, Debug)]
pub struct OpponentComparer {
    /// Opponents of both bots.
    pub opponents: Vec<PlayerSpec>,
    /// The variant of the game.
    pub rules: Rules,
    /// Number of games played at once.
    pub threads: usize,
}

impl OpponentComparer {
    /// Pairs of a bot against all opponents by the bot's points.
    fn pairs_of(&self, player: &str, maps: u32, seed: u64) -> Result<Option<Pentanomial>> {
        let player: PlayerSpec = player.parse().map_err(|error: String| anyhow!(error))?;
        let mut sum = [0; 5];
        for opponent in &self.opponents {
            let arena = ArenaSettings {
                players: vec![player.clone(), opponent.clone()],
                maps,
                seed,
                rules: self.rules,
                movetime: Duration::MAX,
                sprt: None,
                records: false,
            };
            let result = arena.play(|_| {}, |_| Ok(()))?;
            if result.interrupted {
                return Ok(None);
            }
            for (all, more) in sum.iter_mut().zip(result.pentanomial) {
                *all += more;
            }
        }
        Ok(Some(sum))
    }
}

impl Comparer for OpponentComparer {
    fn compare(&self, players: [&str; 2], pairs: u32, seed: u64) -> Result<Option<Pentanomial>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        pool.install(|| {
            let [one, other] = players.map(|player| self.pairs_of(player, pairs, seed));
            Ok(one?.zip(other?).map(|(one, other)| turned_against(one, other)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparer() -> OpponentComparer {
        let opponents = ["wait", "greedy"].map(|name| name.parse().unwrap()).into();
        OpponentComparer { opponents, rules: Rules::PERMANENT, threads: 2 }
    }

    #[test]
    fn ice_and_fire_better_constants_win_a_comparison() {
        let better = comparer().compare(["plain", "plain,train=off,moves=off"], 2, 5).unwrap().unwrap();
        let worse = comparer().compare(["plain,train=off,moves=off", "plain"], 2, 5).unwrap().unwrap();
        assert_eq!(better.iter().sum::<u32>(), 8);
        assert!(better[4] > better[0], "{better:?}");
        assert_eq!(turned_against([0; 5], better), worse);
        assert!(comparer().compare(["plain", "nobody"], 1, 1).is_err());
    }

    #[test]
    fn ice_and_fire_equal_bots_are_equal() {
        let equal = comparer().compare(["greedy", "greedy"], 2, 9).unwrap().unwrap();
        assert_eq!((equal[0], equal[1]), (equal[4], equal[3]));
    }
}
