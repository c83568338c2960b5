//! The board's geometry: a 10 by 10 rhombus of hexes (rules §2), sets of hexes, distances, balls and floods.
//!
//! A [`Hex`] is an index, a [`HexSet`] is one `u128` with a bit per hex, and everything that depends on the
//! shape of the board alone is a table made at compile time. No game rule lives here.
//!
//! ```
//! use barrow_core::hex::{Hex, HexSet, flood};
//!
//! let start = Hex::named("c2").unwrap();
//! let goal = Hex::named("h7").unwrap();
//! assert_eq!(start.distance(goal), 10);
//! // With nothing in the way, a flood of two steps is the ball of radius two.
//! assert_eq!(flood(start, 2, HexSet::ALL), HexSet::ball(start, 2));
//! ```

mod by_hex;
mod counters;
mod direction;
mod flood;
mod point;
mod set;
mod tables;

pub use by_hex::ByHex;
pub use counters::HexCounters;
pub use direction::Direction;
pub use flood::{MAX_PATH_HEXES, Path, flood, shortest, shortest_path};
pub use point::{Hex, ParseHexError};
pub use set::{HexSet, HexSetIter};
pub use tables::{MAX_DISTANCE, STORED_RADIUS, ball, ring};
