//! The searching player: the staged search of `barrow_core` with the attack planner of `barrow_solver` and the nets of
//! `barrow_nnue`, under the clock and on the threads of this machine.

mod address_space;
mod affinity;
mod breakdown;
mod clock;
#[cfg(all(test, feature = "shuttle"))]
mod concurrency;
pub mod embedded_nets;
pub mod forced;
mod limits;
mod locked_tree;
mod memory;
pub mod network;
mod parallel;
mod player;
mod ports;
pub mod proof;
mod repair;
pub mod replies;
mod root;
mod search_result;
#[cfg(all(test, not(feature = "shuttle")))]
mod tests;
mod threads;
mod tiny_player;

pub use barrow_session::{expected_error, explain};
pub use breakdown::{or_simple_turn, simple_turn};
pub use clock::{GameClock, TimeBounds};
pub use limits::{Limits, Signals};
pub use memory::{DEFAULT_MIB, MAX_MIB};
pub use parallel::{MAX_THREADS, Observer};
pub use player::{Engine, EnginePlayer, VERIFIES};
pub use ports::NetSwitches;
pub use search_result::{Breakdown, Candidate, SearchResult};
pub use tiny_player::TinyPlayer;
