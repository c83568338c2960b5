//! Overflow: bounds that keep every sum of a network in its range, whatever the position.
//!
//! A sum is bounded by its largest terms that can occur together. An accumulator holds its bias and, of the wide
//! rows, at most one for each hex; of the narrow and the general's rows, at most as many of each group as can be
//! active at once ([`Group::largest_sum`]). A layer's sum holds a bias and products with inputs of at most
//! `2^ACTIVATION_BITS`, for the sum of the other boards' summaries at most [`OTHER_BOARDS`] times that. Where the
//! bounds lie in the range of the type, wrapping arithmetic and exact arithmetic agree. The sums of the general's
//! layer need no check: some forty numbers of 16 bits fit 32 bits, whatever they are.

use barrow_core::minions::tables::capacities::MOST_BOARDS;

use super::layer::Layer;
use super::network::Network;
use crate::format::{Block, FormatError};
use crate::kernels::Weight;
use crate::layout::{self, Group, Layout};
use crate::shape::{
    BASE_UNITS, CONTEXT_GROUPS, CONTEXTS, EMBED, FACTORS, GLOBAL, HEX_FACTORS, PLACE_CONTEXTS, PLACE_GROUPS,
    PREDICTIONS, Profile, later_units, mode_rows, prophet_rows, seer_rows, unit_factors,
};

/// Contexts of each group of places: roles times levels.
const PLACE_GROUP: usize = PLACE_CONTEXTS / PLACE_GROUPS;

/// Upper bound of the number of other boards in a sum of summaries.
const OTHER_BOARDS: i64 = MOST_BOARDS as i64;

/// Checks that no sum of the network can overflow.
pub(crate) fn check<P: Profile>(network: &Network<'_, P>) -> Result<(), FormatError> {
    boards(network)?;
    let units = network.header.units();
    let global = Table { rows: network.global, stride: GLOBAL };
    for (lane, bias) in network.global_bias.iter().enumerate() {
        let range = Range::of(i64::from(*bias)).plus(global.grouped(lane, &P::Layout::GLOBAL, units));
        range.within_short(Block::Global, lane)?;
    }
    let one = 1 << <P::Weight as Weight>::ACTIVATION_BITS;
    let constant = |_| one;
    let joined = |input: usize| if (EMBED..2 * EMBED).contains(&input) { OTHER_BOARDS * one } else { one };
    layer(&network.embed, Block::Embed, constant)?;
    layer(&network.join, Block::Join, joined)?;
    layer(&network.oracle, Block::Oracle, constant)?;
    layer(&network.board_layer, Block::BoardLayer, constant)?;
    layer(&network.prophet, Block::Prophet, constant)?;
    layer(&network.seer, Block::Seer, constant)?;
    if let Some(general) = &network.general {
        layer(&general.steps, Block::GeneralSteps, constant)?;
    }
    layer(&network.places, Block::Places, constant)?;
    layer(&network.modes, Block::Modes, constant)?;
    let board_layer = |output, net: &Layer<'_, P>| output_range(net, output, &constant);
    prophet(units, &|row| board_layer(row, &network.prophet), Block::Prophet)?;
    for mode in 0..network.header.extent().modes {
        let first = mode_rows(mode, units);
        let row = |row| board_layer(row, &network.prophet).plus(board_layer(first + row, &network.modes));
        prophet(units, &row, Block::Modes)?;
    }
    seer(network, units, &|row| board_layer(row, &network.seer), &|row| board_layer(row, &network.places))
}

/// Checks the accumulators of a board.
fn boards<P: Profile>(network: &Network<'_, P>) -> Result<(), FormatError> {
    let wide = Table { rows: network.wide, stride: P::L1 };
    let narrow = Table { rows: network.narrow, stride: P::NARROW };
    for (lane, bias) in network.board_bias.iter().enumerate() {
        let mut range = Range::of(i64::from(*bias)).plus(wide.placed(lane, P::Layout::WIDE_PLACES));
        if lane < P::NARROW {
            range = range.plus(narrow.grouped(lane, &P::Layout::NARROW, network.header.units()));
        }
        range.within_short(Block::Wide, lane)?;
    }
    Ok(())
}

/// Range of a sum: smallest and largest value.
#[derive(Clone, Copy)]
struct Range {
    low: i64,
    high: i64,
}

impl Range {
    const ZERO: Range = Range { low: 0, high: 0 };

    fn of(value: i64) -> Range {
        Range { low: value, high: value }
    }

    fn plus(self, other: Range) -> Range {
        Range { low: self.low.saturating_add(other.low), high: self.high.saturating_add(other.high) }
    }

    /// Range of a value in either range.
    fn or(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Range of a value that may be missing.
    fn or_nothing(self) -> Range {
        self.or(Range::ZERO)
    }

    fn within_short(self, block: Block, lane: usize) -> Result<(), FormatError> {
        // The lower limit is the negative of the upper one, so that sums can be negated.
        let limit = i64::from(i16::MAX);
        if self.low >= -limit && self.high <= limit {
            Ok(())
        } else {
            Err(FormatError::Overflow { block, lane })
        }
    }

    fn within_long(self, block: Block, row: usize) -> Result<(), FormatError> {
        let limit = i64::from(i32::MAX);
        if self.low >= -limit && self.high <= limit {
            Ok(())
        } else {
            Err(FormatError::Overflow { block, lane: row })
        }
    }
}

struct Table<'a, W> {
    rows: &'a [W],
    stride: usize,
}

impl<W: Weight> Table<'_, W> {
    /// Weights of a lane in every `step`-th row from `first` on.
    fn lane(&self, lane: usize, first: usize, step: usize) -> impl Iterator<Item = i64> {
        let weights = self.rows.get(first * self.stride + lane..).unwrap_or_default();
        weights.iter().step_by(step * self.stride).map(|weight| i64::from((*weight).into()))
    }

    /// Range of the sum of at most one row for each place; the place counts fastest.
    fn placed(&self, lane: usize, places: usize) -> Range {
        (0..places).fold(Range::ZERO, |sum, place| {
            let here = self.lane(lane, place, places);
            sum.plus(here.fold(Range::ZERO, |range, weight| range.or(Range::of(weight))))
        })
    }

    /// Range of the sum of as many rows of each group as can be active at once.
    fn grouped(&self, lane: usize, table: &layout::Table, units: usize) -> Range {
        let weight = |row: u16| -> i32 {
            self.rows.get(usize::from(row) * self.stride + lane).map_or(0, |weight| (*weight).into())
        };
        table.groups(units).fold(Range::ZERO, |sum, group: Group| {
            let high = group.largest_sum(|row| weight(row).max(0).unsigned_abs());
            let low = group.largest_sum(|row| weight(row).min(0).unsigned_abs());
            sum.plus(Range { low: -(low as i64), high: high as i64 })
        })
    }
}

/// Range of an output when each input is in `0..=most(input)`; covers partial sums too, since missing terms count as
/// 0.
fn output_range<P: Profile>(layer: &Layer<'_, P>, output: usize, most: &impl Fn(usize) -> i64) -> Range {
    let bias = layer.bias.get(output).map_or(0, |bias| i64::from(*bias));
    let products = layer
        .row(output)
        .iter()
        .enumerate()
        .map(|(input, weight)| Range::of(i64::from((*weight).into()) * most(input)).or_nothing());
    products.fold(Range::of(bias), Range::plus)
}

fn layer<P: Profile>(
    layer: &Layer<'_, P>,
    block: Block,
    most: impl Fn(usize) -> i64,
) -> Result<(), FormatError> {
    (0..layer.bias.len()).try_for_each(|output| output_range(layer, output, &most).within_long(block, output))
}

/// Checks the predictions of Death Prophet, sums of one context of each group. Contexts of later unit types belong to
/// the group of unit types.
fn prophet(units: usize, row: &impl Fn(usize) -> Range, block: Block) -> Result<(), FormatError> {
    for prediction in 0..PREDICTIONS {
        let any = |range: Range, rows: core::ops::Range<usize>, step: usize| {
            rows.step_by(step).fold(range, |range, index| range.or(row(index)))
        };
        let later = PREDICTIONS * CONTEXTS + prediction..prophet_rows(units);
        let mut next = prediction * CONTEXTS;
        let mut sum = Range::ZERO;
        for (index, size) in CONTEXT_GROUPS.into_iter().enumerate() {
            let group = any(Range::ZERO, next..next + size, 1);
            // The second group is that of unit types.
            sum = sum.plus(if index == 1 { any(group, later.clone(), PREDICTIONS) } else { group });
            next += size;
        }
        sum.within_long(block, prediction)?;
    }
    Ok(())
}

/// Checks the wishes of Dark Seer: a hex's row, a unit type's row, the product of their factors and a context of each
/// group of places.
fn seer<P: Profile>(
    network: &Network<'_, P>,
    units: usize,
    row: &impl Fn(usize) -> Range,
    place: &impl Fn(usize) -> Range,
) -> Result<(), FormatError> {
    let shift = <P::Weight as Weight>::WEIGHT_BITS - <P::Weight as Weight>::ACTIVATION_BITS;
    let largest = |rows: &[P::Weight]| {
        rows.iter().fold(0, |largest: i64, weight| largest.max(i64::from((*weight).into()).abs()))
    };
    let [hexes, types] = [HEX_FACTORS / 2, BASE_UNITS];
    let factors = |table: &'_ [P::Weight], from: usize, count: usize| {
        largest(table.get(from * FACTORS..(from + count) * FACTORS).unwrap_or_default())
    };
    // Rows of later unit types alternate between the purposes; taking those of both is a bound, too.
    let later = largest(network.seer_units.get(unit_factors(BASE_UNITS) * FACTORS..).unwrap_or_default());
    let any = |from: usize, count: usize| {
        (from..from + count).fold(Range::ZERO, |range, index| range.or(row(index)))
    };
    let later_rows = any(seer_rows(BASE_UNITS), 2 * later_units(units));
    for purpose in 0..2 {
        let unit_factor = factors(network.seer_units, purpose * types, types).max(later);
        let product = FACTORS as i64 * factors(network.seer_hexes, purpose * hexes, hexes) * unit_factor;
        let product = Range { low: -product, high: product };
        product.within_long(Block::SeerHexes, purpose)?;
        let start = purpose * (hexes + types);
        // Rounding down moves a negative product by less than 1.
        let shifted = Range { low: (product.low >> shift) - 1, high: product.high >> shift };
        let unit_rows = any(start + hexes, types).or(later_rows);
        let group = |group: usize| {
            let first = purpose * PLACE_CONTEXTS + group * PLACE_GROUP;
            (first..first + PLACE_GROUP).fold(Range::ZERO, |range, index| range.or(place(index)))
        };
        let places = (0..PLACE_GROUPS).map(group).fold(Range::ZERO, Range::plus);
        let sum = any(start, hexes).plus(unit_rows).plus(shifted).plus(places);
        sum.within_long(Block::Seer, purpose)?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "overflow_tests.rs"]
mod tests;
