//! Positions of Minions: pieces with their modifiers, boards, the whole state, its key, and the one list of invariants.

pub mod board;
pub mod builder;
pub(crate) mod key;
pub mod modifier;
pub mod piece;
pub mod state;
pub mod validate;
