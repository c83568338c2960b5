//! Hand-written brains: whole turns chosen by rules of thumb, without a search over the opponent's replies.
//!
//! [`Random`] plays legal nonsense and is the floor of every comparison. [`Greedy`] is the baseline that later
//! brains are measured against. [`eval`] values a position without a net, [`Taste`] serves the search without one.

mod draft;
pub mod eval;
mod greedy;
pub mod ice_and_fire;
pub mod kutulu;
mod random;
pub mod roborally;
mod taste;
#[cfg(test)]
mod tests;

use crate::minions::{Game, GameTurn};

pub use greedy::Greedy;
pub use random::Random;
pub use taste::Taste;

/// Something that chooses whole turns.
pub trait Brain {
    /// A turn for the side to move. [`Game::play`] accepts it; it is empty when the game is over.
    fn choose(&mut self, game: &Game) -> GameTurn;
}
