//! Weights of a network, borrowed from the bytes of its file.
//!
//! All arithmetic is on whole numbers, and equal on every target. Against real numbers with the same weights a neuron
//! is rounded down by less than `2^-ACTIVATION_BITS`, and outputs are off by the weighted sum of these errors; the
//! test `reference` computes this bound for a network and checks every output against it. With random weights the win
//! logit of middle games is off by 0.003 at most with 16-bit weights and by 0.03 with 8-bit ones.

use super::general_layer::GeneralNet;
use super::layer::Layer;
use crate::format::Header;
use crate::kernels::scalar::whole_row;
use crate::shape::{GLOBAL, Profile};

/// Weights of all nets, borrowed from a file's bytes.
#[derive(Clone, Copy, Debug)]
pub struct Network<'a, P: Profile> {
    pub(crate) header: Header,
    pub(crate) wide: &'a [P::Weight],
    pub(crate) narrow: &'a [P::Weight],
    pub(crate) board_bias: &'a [i16],
    pub(crate) global: &'a [P::Weight],
    pub(crate) global_bias: &'a [i16],
    pub(crate) embed: Layer<'a, P>,
    pub(crate) join: Layer<'a, P>,
    pub(crate) oracle: Layer<'a, P>,
    pub(crate) board_layer: Layer<'a, P>,
    pub(crate) prophet: Layer<'a, P>,
    pub(crate) seer: Layer<'a, P>,
    pub(crate) seer_hexes: &'a [P::Weight],
    pub(crate) seer_units: &'a [P::Weight],
    pub(crate) general: Option<GeneralNet<'a, P>>,
    pub(crate) places: Layer<'a, P>,
    pub(crate) modes: Layer<'a, P>,
}

impl<'a, P: Profile> Network<'a, P> {
    /// Header of the file.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Wide table, one row for each piece feature: rows of [`Profile::L1`] weights.
    pub fn wide_table(&self) -> &'a [P::Weight] {
        self.wide
    }

    /// Narrow table, the other features of a board: rows of [`Profile::NARROW`] weights.
    pub fn narrow_table(&self) -> &'a [P::Weight] {
        self.narrow
    }

    /// Table of the general's features: rows of [`GLOBAL`] weights.
    pub fn global_table(&self) -> &'a [P::Weight] {
        self.global
    }

    /// Bias of a board's accumulator: [`Profile::L1`] sums.
    pub fn board_bias(&self) -> &'a [i16] {
        self.board_bias
    }

    /// Bias of the general's accumulator: [`GLOBAL`] sums.
    pub fn global_bias(&self) -> &'a [i16] {
        self.global_bias
    }

    /// Row of the wide table; empty when the network has no such row.
    #[inline]
    pub fn wide_row(&self, row: u16) -> &'a [P::Weight] {
        whole_row(self.wide, usize::from(row), P::L1)
    }

    /// Row of the narrow table; empty when the network has no such row.
    #[inline]
    pub fn narrow_row(&self, row: u16) -> &'a [P::Weight] {
        whole_row(self.narrow, usize::from(row), P::NARROW)
    }

    /// Row of the general's table; empty when the network has no such row.
    #[inline]
    pub fn global_row(&self, row: u16) -> &'a [P::Weight] {
        whole_row(self.global, usize::from(row), GLOBAL)
    }
}
