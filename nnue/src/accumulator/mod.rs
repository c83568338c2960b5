//! Sums of the active rows, kept up to date instead of computed anew (efficiently updatable neural networks, Nasu
//! 2018).
//!
//! A [`BoardAccumulator`] holds a board's lanes for both perspectives, the [`GlobalAccumulator`] the general's. A
//! [`Delta`] lists the rows that a change of a board takes away and adds; it is cheap to make, because it looks at the
//! hexes that the actions [`touched`] only. Applied to the parent's sums it gives exactly what
//! [`BoardAccumulator::refresh`] would, since sums of whole numbers do not depend on their order. Many candidates of
//! one parent derive from its sums, each into an accumulator of its own; a [`Stack`] follows a path of actions and
//! their undoing, and computes sums when they are asked for.

mod board;
mod delta;
mod global;
mod rows;
mod stack;
mod touched;

pub use board::BoardAccumulator;
pub use delta::Delta;
pub use global::{GlobalAccumulator, GlobalDelta, GlobalTable};
pub use stack::{Frame, Stack, StackFull};
pub use touched::{touched, touched_by_all};

use crate::nets::network::Network;
use crate::shape::Profile;

/// The board transformer's weights, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a, P: Profile> {
    /// Rows of [`Profile::L1`] weights, one for each wide row of the layout.
    pub wide: &'a [P::Weight],
    /// Rows of [`Profile::NARROW`] weights, one for each narrow row of the layout.
    pub narrow: &'a [P::Weight],
    /// [`Profile::L1`] sums to begin with.
    pub bias: &'a [i16],
}

impl<'a, P: Profile> Network<'a, P> {
    /// What board accumulators are made from.
    pub fn board_tables(&self) -> Tables<'a, P> {
        Tables { wide: self.wide_table(), narrow: self.narrow_table(), bias: self.board_bias() }
    }

    /// What the general's accumulator is made from.
    pub fn general_table(&self) -> GlobalTable<'a, P> {
        GlobalTable { rows: self.global_table(), bias: self.global_bias() }
    }
}

/// A delta that had more rows than it can list: the sums must be computed from the position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NeedsRefresh;

impl core::fmt::Display for NeedsRefresh {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("more rows changed than a delta can list")
    }
}

impl core::error::Error for NeedsRefresh {}

#[cfg(test)]
mod tests;
