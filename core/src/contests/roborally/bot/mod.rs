//! The brains of RoboRally (seed 002): what a position is worth, how playouts are played, and players that search.
//!
//! [`Evaluator`] values positions, [`PlayoutPolicy`] deals and plays whole turns by a [`Strategy`], [`ProgramGame`] makes one robot's
//! choice of a program a game that [`flat`](crate::search::flat) can search.

mod distances;
mod evaluator;
mod playout_policy;
mod power_down;
mod program_game;

pub use distances::Distances;
pub use evaluator::{Evaluation, Evaluator, Weights};
pub use playout_policy::{PlayoutPolicy, Strategy};
pub use power_down::PowerDownPolicy;
pub use program_game::{ActionSpace, ProgramGame, SHORTLIST_CAP};
