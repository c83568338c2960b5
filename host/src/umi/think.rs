//! What the session asks a turn of: one interface for every brain.

use barrow_core::bots::{Brain, eval};
use barrow_core::minions::{BoardAction, Game, GameTurn};

use super::limits::Limits;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The turn to play.
    pub turn: GameTurn,
    /// Chance of the side to move to win the game, in permille.
    pub win_permille: u16,
    /// Nodes searched, at least one.
    pub nodes: u64,
}

/// A brain that respects limits.
pub trait Thinker: Send {
    /// A turn for the side to move of a game that is not over.
    fn think(&mut self, game: &Game, limits: &Limits) -> Thought;
}

/// A hand-written brain: one node, the turn it chooses.
#[derive(Clone, Debug)]
pub struct Bot<B>(pub B);

impl<B: Brain + Send> Thinker for Bot<B> {
    fn think(&mut self, game: &Game, _: &Limits) -> Thought {
        let turn = self.0.choose(game);
        let win_permille = chance_after(game, &turn);
        Thought { turn, win_permille, nodes: 1 }
    }
}

/// The chance of the side to move after this turn, by the hand-written value of the position it leads to.
fn chance_after(game: &Game, turn: &GameTurn) -> u16 {
    let mover = game.side_to_move();
    let mut after = game.clone();
    let _ = after.play(turn);
    let chance = eval::win_permille(eval::score(&after));
    // The turn does not pass where the game is won, nor when the turn is refused.
    if after.side_to_move() == mover { chance } else { 1000 - chance }
}

/// A turn that is legal in every position of a game that is not over: what must be set up, and no more than the
/// free tech.
pub(super) fn modest_turn(game: &Game) -> GameTurn {
    // Where unused tech points march by themselves, units are kept by themselves too.
    if game.config().rules.auto_march {
        return GameTurn::new();
    }
    let mut turn = GameTurn { marches: 1, ..GameTurn::new() };
    let reset = game.state().boards().iter().enumerate().filter(|(_, board)| board.state().is_reset());
    for (index, _) in reset {
        turn.push(index, BoardAction::Keep { unit: None });
    }
    turn
}
