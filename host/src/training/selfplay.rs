//! Self-play games for training: [`Greedy`] plays both sides, and random turns in between make positions differ more
//! than those of Greedy alone.

use anyhow::Result;
use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn, Ruleset};
use barrow_core::rng::Rng;

use crate::interrupt;
use crate::matches::Openings;
use crate::records::game_record::{GameRecord, Ply, Policy, read_turn};

/// Plies after which a game is a draw.
const PLY_LIMIT: u32 = 300;

/// Bound, exclusive, of the number of random plies that a game begins with.
const OPENING_PLIES: u32 = 7;

/// Odds of a random ply after the opening: one in this many.
const RANDOM_ODDS: u32 = 20;

/// Rulesets in turn: two of three games are played under the full rules.
const RULESETS: [Ruleset; 3] = [Ruleset::Server, Ruleset::Spooky, Ruleset::Server];

/// Generator of self-play games; each game follows from the seed and the number of the game.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    openings: Vec<Openings>,
    seed: u64,
}

impl SelfPlay {
    /// Generator of games on one to four boards with all maps, under both rulesets.
    pub fn new(seed: u64) -> Result<SelfPlay> {
        let openings = RULESETS.map(|ruleset| Openings::new(ruleset, (1, 4), &[], 0, seed));
        Ok(SelfPlay { openings: openings.into_iter().collect::<Result<_>>()?, seed })
    }

    /// Plays the game with this number. Returns `None` when Ctrl-C interrupts the game.
    pub fn play(&self, number: u32) -> Result<Option<GameRecord>> {
        let openings = &self.openings[number as usize % self.openings.len()];
        let opening = openings.of_pair(number)?;
        let mut dice = Rng::new(self.seed ^ Rng::new(u64::from(number)).next_u64());
        let random_plies = dice.below(OPENING_PLIES);
        let mut game = opening.game.clone();
        let mut plies = Vec::new();
        while !game.state().is_over() && (plies.len() as u32) < PLY_LIMIT {
            if interrupt::requested() {
                return Ok(None);
            }
            let is_random = (plies.len() as u32) < random_plies || dice.chance(1, RANDOM_ODDS);
            let policy = if is_random { Policy::Random } else { Policy::Teacher };
            plies.push(Ply { turn: play_turn(&mut game, policy, &mut dice)?, policy });
        }
        Ok(Some(GameRecord { start: opening.game, plies }))
    }
}

/// Chooses a turn by the policy and plays it as its text has it, which may write walks in another order, so that the
/// record is the same once it is read again.
fn play_turn(game: &mut Game, policy: Policy, dice: &mut Rng) -> Result<GameTurn> {
    let seed = dice.next_u64();
    let chosen = match policy {
        Policy::Random => Random::new(seed).choose(game),
        Policy::Teacher => Greedy::new(seed).choose(game),
    };
    let turn = read_turn(game, &TurnText::new(game, &chosen).to_string())?;
    game.play(&turn)?;
    Ok(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_follows_from_seed_and_number_and_ends() {
        let games = SelfPlay::new(5).unwrap();
        for number in 0..6 {
            let record = games.play(number).unwrap().unwrap();
            assert_eq!(games.play(number).unwrap().unwrap(), record);
            let mut game = record.start;
            for ply in &record.plies {
                assert!(!game.state().is_over());
                game.play(&ply.turn).unwrap();
            }
            assert!(game.state().is_over() || record.plies.len() as u32 == PLY_LIMIT);
        }
        assert_ne!(games.play(0).unwrap().unwrap(), SelfPlay::new(6).unwrap().play(0).unwrap().unwrap());
    }
}
