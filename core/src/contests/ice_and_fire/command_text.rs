//! Actions as commands of the protocol (rules §4).

use core::fmt;

use super::{Action, Cell, Game};

/// An action as a command of the protocol (rules §4), with the unit's id in the game before the action.
pub struct CommandText<'g>(pub &'g Game, pub Action);

impl fmt::Display for CommandText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CommandText(game, action) = self;
        let place = |cell: Cell| (cell.x(), cell.y());
        match *action {
            Action::Move { from, target } => {
                let (x, y) = place(target);
                write!(f, "MOVE {} {x} {y}", game.id(from).unwrap_or(0))
            }
            Action::Train { level, at } => {
                let (x, y) = place(at);
                write!(f, "TRAIN {} {x} {y}", level.number())
            }
            Action::Mine(at) => {
                let (x, y) = place(at);
                write!(f, "BUILD MINE {x} {y}")
            }
            Action::Tower(at) => {
                let (x, y) = place(at);
                write!(f, "BUILD TOWER {x} {y}")
            }
        }
    }
}
