//! Conflict-driven clause learning with native at-most-one, cardinality, pseudo-Boolean and order constraints.
//!
//! The solver's problems are small (an attack on one board), so variables and literals fit in a `u16` and the
//! whole solver in some tens of KiB that the caller lends. One room per idea: trail and queue,
//! clauses, pairs and at-most-ones, sums, order, analysis, and the search that drives them.

mod add_constraints;
mod analyze;
mod binary;
#[cfg(feature = "check")]
mod check;
mod clauses;
mod group;
mod limits;
mod linear;
mod lit;
mod occurrences;
#[cfg_attr(feature = "acyclic", path = "acyclic.rs")]
mod order;
#[cfg_attr(not(feature = "proof"), path = "no_proof.rs")]
mod proof;
mod propagator;
mod solver;
mod store;
mod trail;
mod vmtf;

pub use group::Group;
pub use limits::{Capacity, Limits, MAX_CLOCKS, Resource};
pub use lit::{Lit, MAX_VARS, Value, Var};
pub use solver::{Answer, Solver, Statistics};

/// The Luby sequence 1, 1, 2, 1, 1, 2, 4, … counted from 1 (Luby, Sinclair & Zuckerman 1993).
const fn luby(index: u32) -> u32 {
    let mut index = index;
    loop {
        let size = (u32::BITS - index.leading_zeros()).saturating_sub(1);
        if index + 1 == 1 << (size + 1) {
            return 1 << size;
        }
        if index == 0 {
            return 1;
        }
        index -= (1 << size) - 1;
    }
}
