//! The brains of RoboRally (seed 002): what a position is worth, how playouts are played, and players that search.
//!
//! [`Judge`] values positions, [`Table`] deals and plays whole turns by a [`Strategy`], [`Decision`] makes one robot's
//! choice of a program a game that [`flat`](crate::search::flat) can search.

mod decision;
mod distances;
mod judge;
mod power;
mod table;

pub use decision::{Decision, SHORTLIST_CAP, Space};
pub use distances::Distances;
pub use judge::{Evaluation, Judge, Weights};
pub use power::Power;
pub use table::{Strategy, Table};
