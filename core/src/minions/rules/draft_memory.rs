//! Memory of turns that are tried out: a copy of a game, a turn under construction, and changes to undo. Players and
//! searches borrow it, so that a small stack suffices.

use heapless::Vec;

use super::action::GameTurn;
use super::game::Game;
use super::undo::{Change, UndoLog};
use crate::minions::tables::capacities::CHANGES_PER_ACTION;

/// Changes that a draft can undo: more than the deepest combination that a player tries before it decides, and more
/// than the longest choice of the general makes.
pub const DRAFT_LOG: usize = 16 * CHANGES_PER_ACTION;

/// Place for a copy of a game. It is empty until the first copy, so that a static of it takes no flash.
#[derive(Clone, Debug)]
pub struct GameCopy(Vec<Game, 1, u8>);

impl Default for GameCopy {
    fn default() -> GameCopy {
        GameCopy::new()
    }
}

impl GameCopy {
    /// A place without a game.
    pub const fn new() -> GameCopy {
        GameCopy(Vec::new())
    }

    /// The copy made last, to play on; `None` before the first.
    pub fn get(&mut self) -> Option<&mut Game> {
        self.0.first_mut()
    }

    /// Copies a game, over the game that was there. Never `None`.
    pub fn copy(&mut self, game: &Game) -> Option<&mut Game> {
        match self.0.first_mut() {
            Some(known) => known.clone_from(game),
            None => self.fill(game),
        }
        self.0.first_mut()
    }

    /// The first copy, which is made on the stack.
    #[cold]
    #[inline(never)]
    fn fill(&mut self, game: &Game) {
        let _ = self.0.push(game.clone());
    }
}

/// Draft memory: a copy of a game, a turn and an undo log, for players that try actions before they choose them.
#[derive(Clone, Debug)]
pub struct DraftMemory {
    /// Copy of the game, which the actions are tried on.
    pub game: GameCopy,
    /// Turn under construction, or the turn chosen last.
    pub turn: GameTurn,
    log: [Change; DRAFT_LOG],
}

impl Default for DraftMemory {
    fn default() -> DraftMemory {
        DraftMemory::new()
    }
}

impl DraftMemory {
    /// Memory in which nothing has been tried. A static of it takes no flash.
    pub const fn new() -> DraftMemory {
        DraftMemory { game: GameCopy::new(), turn: GameTurn::new(), log: [Change::NOTHING; DRAFT_LOG] }
    }

    /// An empty undo log in this memory.
    pub fn log(&mut self) -> UndoLog<'_> {
        UndoLog::new(&mut self.log)
    }

    /// A copy of a game, an empty turn and an empty undo log. Never `None`.
    pub fn begin(&mut self, game: &Game) -> Option<(&mut Game, &mut GameTurn, UndoLog<'_>)> {
        self.turn.clear();
        Some((self.game.copy(game)?, &mut self.turn, UndoLog::new(&mut self.log)))
    }
}
