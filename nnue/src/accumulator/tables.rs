//! Weights of the accumulators.

use crate::nets::Network;
use crate::shape::Profile;

/// Weights of a board's accumulators, borrowed. Rows that a table lacks count as zero.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a, P: Profile> {
    /// Wide table: rows of [`Profile::L1`] weights.
    pub wide: &'a [P::Weight],
    /// Narrow table: rows of [`Profile::NARROW`] weights.
    pub narrow: &'a [P::Weight],
    /// Bias: [`Profile::L1`] sums.
    pub bias: &'a [i16],
}

/// Weights of the general's accumulators, borrowed. Rows that the table lacks count as zero.
#[derive(Clone, Copy, Debug)]
pub struct GlobalTable<'a, P: Profile> {
    /// Rows of [`GLOBAL`](crate::shape::GLOBAL) weights.
    pub rows: &'a [P::Weight],
    /// Bias: [`GLOBAL`](crate::shape::GLOBAL) sums.
    pub bias: &'a [i16],
}

impl<'a, P: Profile> Network<'a, P> {
    /// Weights of board accumulators.
    pub fn board_tables(&self) -> Tables<'a, P> {
        Tables { wide: self.wide_table(), narrow: self.narrow_table(), bias: self.board_bias() }
    }

    /// Weights of the general's accumulator.
    pub fn general_table(&self) -> GlobalTable<'a, P> {
        GlobalTable { rows: self.global_table(), bias: self.global_bias() }
    }
}
