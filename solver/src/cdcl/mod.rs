//! Conflict-driven clause learning: the words of the field, in sixteen bits each.
//!
//! The solver's problems are small (an attack on one board), so variables and literals fit in a `u16` and twice
//! as many of them fit in a cache line.

mod lit;

pub use lit::{Lit, MAX_VARS, Value, Var};
