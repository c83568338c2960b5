//! Rules of Minions: actions, legality, undo, and the end of a turn. `View` answers queries about a board, `Edit`
//! changes a position and records the change.

pub mod action;
mod casting;
mod combat;
pub mod draft_memory;
pub mod entry;
pub mod game;
pub(crate) mod general;
pub mod illegal;
pub mod legal;
mod movement;
mod placement;
pub mod turn_end;
pub mod undo;
pub mod view;
