//! Accumulators: sums of the active rows, updated by the rows that change instead of computed anew (efficiently
//! updatable neural networks, Nasu 2018).
//!
//! A [`BoardAccumulator`] holds a board's lanes for both perspectives, the [`GlobalAccumulator`] the general's. A
//! [`Delta`] lists the rows that differ between two boards. Applied to the accumulator of the first board it gives
//! exactly what [`BoardAccumulator::refresh`] computes from the second, since sums of whole numbers do not depend on
//! their order. Many candidates of one parent derive from its accumulator, each into an accumulator of its own.

mod board;
mod cards;
mod delta;
mod global;
mod levels;
mod rows;
mod tables;
#[cfg(test)]
mod tests;

pub use self::board::BoardAccumulator;
pub use self::cards::DeckSums;
pub use self::delta::{Delta, NeedsRefresh};
pub use self::global::GlobalAccumulator;
pub use self::levels::LevelSums;
pub use self::tables::{GlobalTable, Tables};
