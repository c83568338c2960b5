//! Dark Seer: where units are placed and where pieces go.
//!
//! A wish is a logit, the sum of terms: one of the hex, one of the unit type and one of each context of the place
//! ([`super::places`]), all from the [`BoardLayer`], and one of the pair of hex and unit type alone, a product of small
//! vectors. Terms are computed one by one, so that the term of a hex serves all unit types and the term of a unit type
//! all hexes. All are from the view of the side to move.
//!
//! A wish is no worth of its own: it says how much more often a place is chosen among the places of one piece than the
//! hand-written worths let expect (or a unit type among those on offer). Only differences of the wishes of one piece
//! have a meaning, [`TEMPERATURE`] for each unit of the logit.

use barrow_core::hex::Hex;
use barrow_core::minions::{Side, UnitLabel};
use fixed::types::I16F16;

use super::board_layer::BoardLayer;
use super::layer::{Layer, to_fixed};
use super::network::Network;
use crate::kernels::Weight;
use crate::kernels::scalar::whole_row;
use crate::layout::seen_from;
use crate::shape::{BASE_UNITS, FACTORS, Profile, later_unit, seer_rows, unit_factors};

/// Purpose for which a side wants a unit on a hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Purpose {
    /// A reinforcement is placed there; the logit of a turn that does so.
    Spawn = 0,
    /// A piece ends the turn there; the logit of a turn that does so.
    Move = 1,
}

impl Purpose {
    /// Row of a hex as the side sees it.
    pub fn hex_row(self, side: Side, hex: Hex) -> usize {
        self as usize * (Hex::COUNT + BASE_UNITS) + seen_from(side, hex).index()
    }

    /// Row of a unit type, by its index in the unit table.
    pub const fn unit_row(self, unit: usize) -> usize {
        match later_unit(unit) {
            None => self as usize * (Hex::COUNT + BASE_UNITS) + Hex::COUNT + unit,
            Some(later) => later.saturating_mul(2).saturating_add(seer_rows(BASE_UNITS) + self as usize),
        }
    }

    /// Row of a hex's factors, as the side sees the hex.
    pub fn hex_factors(self, side: Side, hex: Hex) -> usize {
        self as usize * Hex::COUNT + seen_from(side, hex).index()
    }

    /// Row of the factors of a unit type, by its index in the unit table.
    pub const fn unit_factors(self, unit: usize) -> usize {
        match later_unit(unit) {
            None => self as usize * BASE_UNITS + unit,
            Some(later) => later.saturating_mul(2).saturating_add(unit_factors(BASE_UNITS) + self as usize),
        }
    }
}

/// Hundredths of a soul of hand-written worth that change the logit of a place by 1 in training, and that one unit of a
/// wish is therefore worth.
pub const TEMPERATURE: i32 = 60;

/// Term of a wish, added to the others by [`Network::wish`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Term(i32);

impl Term {
    /// Term that changes no wish.
    pub(crate) const ZERO: Term = Term(0);

    /// Sum of two terms.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Term) -> Term {
        Term(self.0.wrapping_add(other.0))
    }
}

impl<P: Profile> Network<'_, P> {
    /// Term of a hex for a purpose, independent of the unit type.
    pub fn hex_term(&self, board_layer: &BoardLayer, side: Side, purpose: Purpose, hex: Hex) -> Term {
        self.seer_row(board_layer, purpose.hex_row(side, hex))
    }

    /// Term of a unit type for a purpose, independent of the hex; 0 for a type that the network has no row for.
    pub fn unit_term(&self, board_layer: &BoardLayer, purpose: Purpose, unit: UnitLabel) -> Term {
        self.seer_row(board_layer, purpose.unit_row(unit.index()))
    }

    /// Term of a unit type on a hex for a purpose, independent of the rest of the board; 0 for a type that the
    /// network has no row for.
    pub fn pair_term(&self, side: Side, purpose: Purpose, hex: Hex, unit: UnitLabel) -> Term {
        self.product(purpose.hex_factors(side, hex), purpose.unit_factors(unit.index()))
    }

    /// Wish: the logit of a sum of terms, of which at most one is of a hex, of a unit type, of a pair and of each group
    /// of contexts.
    pub fn wish(&self, terms: Term) -> I16F16 {
        to_fixed::<P>(terms.0)
    }

    /// Term of a row of hex factors and a row of unit factors; 0 when the network lacks one of them.
    pub(super) fn product(&self, hex: usize, unit: usize) -> Term {
        let hexes = whole_row(self.seer_hexes, hex, FACTORS);
        let units = whole_row(self.seer_units, unit, FACTORS);
        let product = hexes.iter().zip(units).fold(0, |sum: i32, (hex, unit)| {
            let [hex, unit]: [i32; 2] = [(*hex).into(), (*unit).into()];
            sum.wrapping_add(hex * unit)
        });
        Term(product >> (P::Weight::WEIGHT_BITS - P::Weight::ACTIVATION_BITS))
    }

    /// Term of a row of Dark Seer on the board layer; 0 when the network lacks the row.
    pub(super) fn seer_row(&self, board_layer: &BoardLayer, row: usize) -> Term {
        Self::row_term(board_layer, &self.seer, row)
    }

    /// Term of a row of a layer on the board layer; 0 when the layer lacks the row.
    pub(super) fn row_term(board_layer: &BoardLayer, layer: &Layer<'_, P>, row: usize) -> Term {
        let bias = layer.bias.get(row).copied().unwrap_or(0);
        Term(bias.wrapping_add(P::Weight::dot(board_layer.neurons::<P>(), layer.row(row))))
    }
}
