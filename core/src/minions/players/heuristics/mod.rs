//! Heuristics of the hand-written policies and the search. They may improve: the frozen player Greedy uses none of
//! them.

pub(super) mod cards;
pub mod eval;
pub(super) mod weights;
