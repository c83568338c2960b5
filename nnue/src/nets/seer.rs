//! Dark Seer: where units are placed and where pieces go.
//!
//! How much a side wants a unit on a hex is the sum of three terms: one for the hex and one for the unit, both read
//! off the [`BoardLayer`], and one for the pair that hangs on nothing else, a product of small vectors. Terms are asked
//! for one by one, so that those of a hex serve all units and the other way round. All are from the view of the
//! side to move.

use barrow_core::hex::Hex;
use barrow_core::minions::{Side, UnitLabel};
use fixed::types::I16F16;

use crate::kernels::Weight;
use crate::kernels::scalar::whole_row;
use crate::nets::board_layer::{BoardLayer, seen_from};
use crate::nets::network::Network;
use crate::nets::oracle::to_fixed;
use crate::shape::Profile;

const UNITS: usize = UnitLabel::ALL.len();

/// Factors of a hex and of a unit whose products are added to what they are worth by themselves.
pub const FACTORS: usize = 8;

/// Rows of Dark Seer: hexes and units for spawning, then hexes and units for moving.
pub const SEER_ROWS: usize = 2 * (Hex::COUNT + UNITS);

/// Rows of hex factors: spawning, then moving.
pub const HEX_FACTORS: usize = 2 * Hex::COUNT;

/// Rows of unit factors: spawning, then moving.
pub const UNIT_FACTORS: usize = 2 * UNITS;

/// What a hex is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Purpose {
    /// Placing a unit: the logit of the turn's doing so.
    Spawn = 0,
    /// Ending the turn there with a piece: the logit of the turn's doing so.
    Move = 1,
}

impl Purpose {
    /// The row of a hex as the side sees it.
    pub fn hex_row(self, side: Side, hex: Hex) -> usize {
        self as usize * (Hex::COUNT + UNITS) + seen_from(side, hex).index()
    }

    /// The row of a unit.
    pub const fn unit_row(self, unit: UnitLabel) -> usize {
        self as usize * (Hex::COUNT + UNITS) + Hex::COUNT + unit.index()
    }

    /// The row of a hex's factors, as the side sees it.
    pub fn hex_factors(self, side: Side, hex: Hex) -> usize {
        self as usize * Hex::COUNT + seen_from(side, hex).index()
    }

    /// The row of a unit's factors.
    pub const fn unit_factors(self, unit: UnitLabel) -> usize {
        self as usize * UNITS + unit.index()
    }
}

/// A term of a wish, to be added up by [`Network::wish`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Term(i32);

impl<P: Profile> Network<'_, P> {
    /// What a hex is worth for a purpose, whatever the unit.
    pub fn hex_term(&self, board_layer: &BoardLayer, side: Side, purpose: Purpose, hex: Hex) -> Term {
        self.seer_row(board_layer, purpose.hex_row(side, hex))
    }

    /// What a unit is worth for a purpose, whatever the hex.
    pub fn unit_term(&self, board_layer: &BoardLayer, purpose: Purpose, unit: UnitLabel) -> Term {
        self.seer_row(board_layer, purpose.unit_row(unit))
    }

    /// What a unit gains on a hex, whatever else is on the board.
    pub fn pair_term(&self, side: Side, purpose: Purpose, hex: Hex, unit: UnitLabel) -> Term {
        let hexes = whole_row(self.seer_hexes, purpose.hex_factors(side, hex), FACTORS);
        let units = whole_row(self.seer_units, purpose.unit_factors(unit), FACTORS);
        let product = hexes.iter().zip(units).fold(0, |sum: i32, (hex, unit)| {
            let [hex, unit]: [i32; 2] = [(*hex).into(), (*unit).into()];
            sum.wrapping_add(hex * unit)
        });
        Term(product >> (P::Weight::WEIGHT_BITS - P::Weight::ACTIVATION_BITS))
    }

    /// How much a unit is wanted on a hex: the logit that the three terms make.
    pub fn wish(&self, hex: Term, unit: Term, pair: Term) -> I16F16 {
        to_fixed::<P>(hex.0.wrapping_add(unit.0).wrapping_add(pair.0))
    }

    fn seer_row(&self, board_layer: &BoardLayer, row: usize) -> Term {
        let bias = self.seer.bias.get(row).copied().unwrap_or(0);
        Term(bias.wrapping_add(P::Weight::dot(board_layer.neurons::<P>(), self.seer.row(row))))
    }
}
