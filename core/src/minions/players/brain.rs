//! The interface of players that choose whole turns.

use crate::minions::{Game, GameTurn};

/// Brain: a player that chooses whole turns.
pub trait Brain {
    /// A turn for the side to move. [`Game::play`] accepts it; it is empty when the game is over.
    fn choose(&mut self, game: &Game) -> GameTurn;
}
