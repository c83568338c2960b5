//! Draft of a side's actions on one board.

use barrow_core::minions::{Action, BoardAction, Game, UndoLog, View};

/// Draft: what is done on a board, and the position in the middle of the turn that it leads to.
#[derive(Clone)]
pub(super) struct Draft {
    /// The position.
    pub game: Game,
    /// The board.
    pub board: usize,
    /// The actions.
    pub actions: Vec<BoardAction>,
}

impl Draft {
    /// A draft without actions.
    pub(super) fn new(game: Game, board: usize) -> Draft {
        Draft { game, board, actions: Vec::new() }
    }

    /// The board. `None` where there is no such board.
    pub(super) fn view(&self) -> Option<View<'_>> {
        self.game.view(self.board)
    }

    /// Plays an action if it is legal.
    pub(super) fn act(&mut self, action: BoardAction) -> bool {
        let played = self.game.apply(Action::Board(self.board as u8, action), &mut UndoLog::off()).is_ok();
        if played {
            self.actions.push(action);
        }
        played
    }

    /// Plays those actions of a list that are legal one after the other.
    pub(super) fn play(&mut self, actions: &[BoardAction]) {
        let mut rest = actions;
        while let [_, others @ ..] = rest {
            rest = match self.game.apply_next(self.board as u8, rest, &mut UndoLog::off()) {
                Ok(used @ 1..) => {
                    self.actions.extend_from_slice(&rest[..used]);
                    &rest[used..]
                }
                _ => others,
            };
        }
    }

    /// The position after the turn. `None` where the turn cannot end yet.
    pub(super) fn ended(&self) -> Option<Game> {
        let mut game = self.game.clone();
        game.end_turn().ok().map(|_| game)
    }
}

/// The position after all of these actions on a board. `None` where one of them is illegal.
pub(super) fn after(game: &Game, board: usize, actions: &[BoardAction]) -> Option<Game> {
    let mut game = game.clone();
    let mut rest = actions;
    while !rest.is_empty() {
        match game.apply_next(board as u8, rest, &mut UndoLog::off()) {
            Ok(used @ 1..) => rest = &rest[used..],
            _ => return None,
        }
    }
    Some(game)
}

/// The actions up to the last attack.
pub(super) fn attack_part(actions: &[BoardAction]) -> &[BoardAction] {
    let end = actions.iter().rposition(BoardAction::is_attack).map_or(0, |place| place + 1);
    &actions[..end]
}
