//! Actions of candidates, played one after the other.

use core::slice;

use heapless::Vec;

use crate::hex::Hex;
use crate::minions::{Action, BoardAction, Game, UndoLog};

/// Plays actions of the general or of one board.
pub(super) fn play(game: &mut Game, actions: &[Action]) -> Option<()> {
    let mut rest = actions;
    while let Some((first, more)) = rest.split_first() {
        let &Action::Board(board, ref action) = first else {
            game.apply(*first, &mut UndoLog::off()).ok()?;
            rest = more;
            continue;
        };
        if !action.is_joined() {
            game.apply_next(board, slice::from_ref(action), &mut UndoLog::off()).ok()?;
            rest = more;
            continue;
        }
        let mut group: Vec<BoardAction, { Hex::COUNT }, u8> = Vec::new();
        for action in rest {
            if let Action::Board(_, action) = action {
                group.push(*action).ok()?;
                if !action.is_joined() {
                    break;
                }
            }
        }
        let used = game.apply_next(board, &group, &mut UndoLog::off()).ok()?;
        rest = rest.get(used..)?;
    }
    Some(())
}

/// Plays the actions of one board.
pub(super) fn play_board(game: &mut Game, board: u8, actions: &[BoardAction]) -> Option<()> {
    let mut rest = actions;
    while !rest.is_empty() {
        let used = game.apply_next(board, rest, &mut UndoLog::off()).ok()?;
        rest = rest.get(used..)?;
    }
    Some(())
}
