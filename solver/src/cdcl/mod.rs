//! Conflict-driven clause learning with native at-most-one, cardinality, pseudo-Boolean and order constraints.
//!
//! A problem is an attack on one board and small, so that variables and literals fit in a `u16` and the whole solver
//! in some tens of KiB that the caller lends. The files have the names of the textbook (Handbook of Satisfiability,
//! ch. 4): `trail`, `watches`, `occurrences`, `analyze`, `restart`; `cutting_planes` analyses conflicts of long searches
//! over linear constraints; `vmtf` and `scores` choose decisions, `order` reasons about clocks, `search` is the search
//! loop.

mod add_constraints;
mod analyze;
mod arena;
mod array;
mod at_most_one;
mod binary;
mod capacity;
#[cfg(feature = "check")]
mod check;
mod clauses;
mod clock_set;
mod cutting_planes;
mod gc;
mod group;
mod limits;
mod linear;
mod lit;
mod occurrences;
mod order;
mod premise;
#[cfg_attr(not(feature = "proof"), path = "no_proof.rs")]
mod proof;
mod propagator;
#[cfg(feature = "proof")]
mod prove;
mod restart;
mod scores;
mod search;
mod solver;
mod store;
mod sum;
#[cfg(feature = "proof")]
mod sum_proof;
mod trail;
mod vmtf;
mod watches;

pub use capacity::{Capacity, Resource};
pub(crate) use clock_set::ClockSet;
pub use clock_set::MAX_CLOCKS;
pub use group::Group;
pub use limits::{Limits, MAX_WORDS};
pub use lit::{Lit, MAX_VARS, Value, Var};
pub use order::MAX_TICKS;
pub use search::Budget;
pub use solver::{Answer, Solver, Statistics};
