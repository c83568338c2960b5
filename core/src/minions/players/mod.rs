//! Hand-written brains: whole turns chosen by rules of thumb, without a search over the opponent's replies.
//!
//! [`Random`] plays legal nonsense and is the floor of every comparison. [`Greedy`] is the baseline that later
//! brains are measured against. [`eval`] values a position without a net, [`Taste`] serves the search without one.

mod draft;
mod fallback;
mod greedy;
pub mod heuristics;
mod random;
#[cfg(test)]
mod tests;

use crate::minions::{Game, GameTurn};

pub use fallback::Taste;
pub use greedy::Greedy;
pub use random::Random;

/// Something that chooses whole turns.
pub trait Brain {
    /// A turn for the side to move. [`Game::play`] accepts it; it is empty when the game is over.
    fn choose(&mut self, game: &Game) -> GameTurn;
}
