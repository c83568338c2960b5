//! Heuristics shared by the hand-written players and the turn search. They may improve: no frozen player uses them.

pub mod eval;
