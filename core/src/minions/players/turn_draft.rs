//! Turn drafts: actions are tried on a copy of the game, and those that the rules accept become a turn.

use crate::minions::{
    Action, BoardAction, DraftMemory, Game, GameState, GameTurn, GeneralAction, UndoLog, UndoMark, View,
};

/// Turn draft: a turn under construction with the position it leads to.
pub(super) struct TurnDraft<'m> {
    game: &'m mut Game,
    turn: &'m mut GameTurn,
    log: UndoLog<'m>,
}

/// Point in a draft that can be restored, with the length of one board's actions there.
#[derive(Clone, Copy)]
pub(super) struct Point {
    mark: UndoMark,
    board: u8,
    len: usize,
}

impl<'m> TurnDraft<'m> {
    /// An empty draft in lent memory, in which the turn stays. Never `None`.
    pub(super) fn new(game: &Game, memory: &'m mut DraftMemory) -> Option<TurnDraft<'m>> {
        let (game, turn, log) = memory.begin(game)?;
        Some(TurnDraft { game, turn, log })
    }

    /// The position after everything accepted so far.
    pub(super) fn game(&self) -> &Game {
        self.game
    }

    pub(super) fn state(&self) -> &GameState {
        self.game.state()
    }

    pub(super) fn num_boards(&self) -> u8 {
        self.game.config().num_boards() as u8
    }

    pub(super) fn view(&self, board: u8) -> Option<View<'_>> {
        self.game.view(usize::from(board))
    }

    /// Whether the enemy necromancer of a board was killed this turn.
    pub(super) fn is_won(&self, board: u8) -> bool {
        self.view(board).is_some_and(|view| view.board.marks().won)
    }

    /// Adds an action of a board if it is legal now. Returns whether it was.
    pub(super) fn act(&mut self, board: u8, action: BoardAction) -> bool {
        let mark = self.log.mark();
        if self.game.apply(Action::Board(board, action), &mut self.log).is_err() {
            return false;
        }
        if self.turn.push(usize::from(board), action).is_none() {
            self.game.undo(mark, &mut self.log);
            return false;
        }
        true
    }

    /// Adds an action of the general if it is legal now, and makes it final. Returns whether it was legal.
    pub(super) fn act_general(&mut self, action: GeneralAction) -> bool {
        let mark = self.log.mark();
        let levels = self.state().tech(self.game.side_to_move());
        if self.game.apply(Action::General(action), &mut self.log).is_err() {
            return false;
        }
        let kept = self.turn.push_general(self.game.config(), levels, action).is_some();
        if kept {
            self.commit();
        } else {
            self.game.undo(mark, &mut self.log);
        }
        kept
    }

    pub(super) fn point(&self, board: u8) -> Point {
        Point { mark: self.log.mark(), board, len: self.turn.board(usize::from(board)).len() }
    }

    /// Undoes the actions that were added to the point's board since.
    pub(super) fn back_to(&mut self, point: Point) {
        self.game.undo(point.mark, &mut self.log);
        if let Some(actions) = self.turn.board_actions.get_mut(usize::from(point.board)) {
            actions.truncate(point.len);
        }
    }

    /// Makes everything so far final.
    pub(super) fn commit(&mut self) {
        self.log.clear();
    }
}
