//! Decision of a player for one turn, and its limits.

use barrow_core::contests::roborally::numbering::Program;
use barrow_core::search::flat::Effort;

use super::budget::Budget;

/// The choice of a player for one turn.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Cards for the unlocked registers.
    pub program: Program,
    /// Whether the player announces power down.
    pub announces: bool,
    /// Work of the search.
    pub effort: Effort,
    /// Mean value of the program in 1/65,536; 0 without a search.
    pub value: i32,
    /// The best programs, the chosen one first, as many as were asked for.
    pub hints: Vec<Hint>,
}

/// A program with what a search thinks of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Cards for the unlocked registers.
    pub program: Program,
    /// Mean value in 1/65,536.
    pub value: i32,
    /// Playouts that began with the program.
    pub playouts: u32,
}

/// Limits that end a decision before the player's own budget does, and what it is to tell.
pub struct Limits<'a> {
    /// Budget in place of the player's own, for players that search. Of the others it bounds the time alone.
    pub budget: Option<Budget>,
    /// Whether the host has asked for the decision.
    pub is_stopped: &'a mut dyn FnMut() -> bool,
    /// Most programs of [`Choice::hints`].
    pub hints: usize,
}
