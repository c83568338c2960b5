//! Games of the teachers against themselves: Greedy on both sides, with random turns in between so that positions
//! differ more than Greedy's own taste would have them.

use anyhow::{Result, bail};
use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn, Ruleset};
use barrow_core::rng::Rng;

use crate::interrupt;
use crate::matches::Openings;
use crate::records::game_record;

/// Turns after which a game counts as drawn.
const PLY_LIMIT: u32 = 300;

/// Random turns that a game begins with are fewer than this.
const OPENING: u32 = 7;

/// One in this many later turns is random.
const SLIP: u32 = 20;

/// Turns drawn until one can be written down.
const DRAWS: u32 = 20;

/// Of three games two are played under the full rules.
const RULESETS: [Ruleset; 3] = [Ruleset::Server, Ruleset::Spooky, Ruleset::Server];

/// Who chose a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hand {
    /// A player worth learning from.
    Teacher,
    /// Chance.
    Random,
}

/// A turn as it was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// What was done.
    pub turn: GameTurn,
    /// By whom.
    pub hand: Hand,
}

/// A game from its first position to its last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The first position.
    pub start: Game,
    /// The turns.
    pub plies: Vec<Ply>,
}

/// A reproducible supply of games.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    openings: Vec<Openings>,
    seed: u64,
}

impl SelfPlay {
    /// Games on one to four boards of all maps, under both presets of rules.
    pub fn new(seed: u64) -> Result<SelfPlay> {
        let openings = RULESETS.map(|ruleset| Openings::new(ruleset, (1, 4), &[], 0, seed));
        Ok(SelfPlay { openings: openings.into_iter().collect::<Result<_>>()?, seed })
    }

    /// The game with this number; `None` when Ctrl-C came in between.
    pub fn play(&self, number: u32) -> Result<Option<Record>> {
        let openings = &self.openings[number as usize % self.openings.len()];
        let opening = openings.of_pair(number)?;
        let mut dice = Rng::new(self.seed ^ Rng::new(u64::from(number)).next_u64());
        let random_plies = dice.below(OPENING);
        let mut game = opening.game.clone();
        let mut plies = Vec::new();
        while !game.state().is_over() && (plies.len() as u32) < PLY_LIMIT {
            if interrupt::requested() {
                return Ok(None);
            }
            let slips = (plies.len() as u32) < random_plies || dice.chance(1, SLIP);
            let hand = if slips { Hand::Random } else { Hand::Teacher };
            plies.push(Ply { turn: play_turn(&mut game, hand, &mut dice)?, hand });
        }
        Ok(Some(Record { start: opening.game, plies }))
    }
}

/// Lets somebody choose a turn and plays it. Text names cards, not their places in the row, and sorts the general's
/// actions; what is played is what the text says. Few random turns do not survive that, and are drawn again.
fn play_turn(game: &mut Game, hand: Hand, dice: &mut Rng) -> Result<GameTurn> {
    for _ in 0..DRAWS {
        let seed = dice.next_u64();
        let chosen = match hand {
            Hand::Random => Random::new(seed).choose(game),
            Hand::Teacher => Greedy::new(seed).choose(game),
        };
        let turn = game_record::read_turn(game, &TurnText::new(game, &chosen).to_string())?;
        if game.play(&turn).is_ok() {
            return Ok(turn);
        }
    }
    bail!("no turn can be written down in {}", fen::Extended(game))
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
