//! Rules of Minions: actions, the questions that a player may ask about a position, and what each action changes.

pub mod action;
mod casting;
mod combat;
pub mod entry;
pub mod game;
mod general;
pub mod illegal;
pub mod legal;
mod movement;
mod placement;
pub mod turn_end;
pub mod undo;
pub mod view;
