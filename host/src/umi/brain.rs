//! Players that a UMI session can ask for a turn: the engine and the hand-written brains behind one trait.

use barrow_core::minions::players::Brain;
use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::{Game, GameTurn};

use crate::engine::{Engine, Limits, SearchResult};

/// A brain that keeps to limits.
pub trait TimedBrain: Send {
    /// A turn for the side to move of a game that is not over, with its value. The observer receives each result that
    /// the host is to read as `info` lines, the final one included.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        observer: &mut dyn FnMut(&SearchResult),
    ) -> SearchResult;

    /// Prepares the first search of a game, which then takes no longer than those after it. Turns do not depend on it.
    fn warm_up(&mut self) {}
}

impl TimedBrain for Engine {
    fn warm_up(&mut self) {
        Engine::warm_up(self);
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        observer: &mut dyn FnMut(&SearchResult),
    ) -> SearchResult {
        let result = self.search_observed(game, limits, observer);
        observer(&result);
        result
    }
}

/// A hand-written brain, which needs no limits: the turn it chooses counts as one node, and has no `info` lines.
#[derive(Clone, Debug)]
pub struct HandWritten<B>(pub B);

impl<B: Brain + Send> TimedBrain for HandWritten<B> {
    fn search(&mut self, game: &Game, _: &Limits, _: &mut dyn FnMut(&SearchResult)) -> SearchResult {
        let turn = self.0.choose(game);
        let win_permille = win_permille_after(game, &turn);
        SearchResult::unsearched(turn, f64::from(win_permille) / 1000.0)
    }
}

/// Win chance of the side to move after this turn in permille, by the hand-written value of the position it leads to.
fn win_permille_after(game: &Game, turn: &GameTurn) -> u16 {
    let mover = game.side_to_move();
    let mut after = game.clone();
    let _ = after.play(turn);
    let chance = eval::win_permille(eval::score(&after));
    // The turn does not pass where the game is won, nor when the turn is refused.
    if after.side_to_move() == mover { chance } else { 1000 - chance }
}
