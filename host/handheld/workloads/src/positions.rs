//! Positions that the work is about: games that the baseline has played with itself for a while.

use barrow_core::minions::players::Greedy;
use barrow_core::minions::{BOARD_CAP, DraftMemory, Game, GameConfig, MapLabel, Ruleset};

/// Number of the positions.
pub const POSITIONS: usize = 5;

/// Boards of each position but the second, which has one.
pub const BOARDS: usize = BOARD_CAP;

/// Turns that are played before each position.
const TURNS: [u64; POSITIONS] = [0, 9, 16, 22, 28];

/// A position, counted from 0; those past the last are the start of the first game. Turns are drafted in `memory`.
pub fn position(number: usize, memory: &mut DraftMemory) -> Game {
    let single = number == 1;
    let ruleset = if single { Ruleset::Server } else { Ruleset::Spooky };
    let maps = [MapLabel::BlackenedShores, MapLabel::MidnightLake];
    let mut all = [MapLabel::MidnightLake; BOARDS];
    for (slot, map) in all.iter_mut().zip(maps.into_iter().cycle()).filter(|_| !single) {
        *slot = map;
    }
    let maps = if single { all.get(..1) } else { all.get(..) };
    let config = GameConfig::new(ruleset, maps.unwrap_or(&[])).unwrap_or_default();
    let mut game = Game::new(config, 7 + number as u64);
    for _ in 0..TURNS.get(number).copied().unwrap_or(0) {
        if game.play(Greedy::new(3).choose_in(&game, memory)).is_err() {
            break;
        }
    }
    game
}
