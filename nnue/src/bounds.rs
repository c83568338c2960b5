//! Why no sum of a network can leave its range, whatever position it looks at.
//!
//! Every sum is bounded by the largest terms that can be in it together. An accumulator holds its bias and, of the
//! wide rows, at most one for each hex; of the narrow and the general's rows, at most so many of each run
//! ([`Group`]). A layer's sum holds a bias and products with inputs of at most `2^ACTIVATION_BITS`, for the sum of
//! the other boards' summaries at most [`MOST_BOARDS`] times that. Where the bounds lie in the range of the type,
//! arithmetic that wraps and exact arithmetic agree.

use crate::format::{Block, FormatError};
use crate::kernels::Weight;
use crate::layout::{Group, Layout};
use crate::network::{Layer, Network};
use crate::profile::{EMBED, Profile};
use crate::prophet;
use crate::seer::{FACTORS, HEX_FACTORS, UNIT_FACTORS};

/// No position has more boards; one more than ever stand beside a board.
pub const MOST_BOARDS: i64 = 8;

/// Whether no sum of the network can overflow.
pub(crate) fn check<P: Profile>(network: &Network<'_, P>) -> Result<(), FormatError> {
    boards(network)?;
    let global = Table { rows: network.global, stride: crate::profile::GLOBAL };
    for (lane, bias) in network.global_bias.iter().enumerate() {
        let range = Range::of(i64::from(*bias)).plus(global.grouped(lane, P::Layout::GLOBAL_GROUPS));
        range.within_short(Block::Global, lane)?;
    }
    let one = 1 << <P::Weight as Weight>::ACTIVATION_BITS;
    let constant = |_| one;
    let joined = |input: usize| if (EMBED..2 * EMBED).contains(&input) { MOST_BOARDS * one } else { one };
    layer(&network.embed, Block::Embed, constant)?;
    layer(&network.join, Block::Join, joined)?;
    layer(&network.oracle, Block::Oracle, constant)?;
    layer(&network.scene, Block::Scene, constant)?;
    layer(&network.prophet, Block::Prophet, constant)?;
    layer(&network.seer, Block::Seer, constant)?;
    let scene = |output, net: &Layer<'_, P>| output_range(net, output, &constant);
    prophet(&|row| scene(row, &network.prophet))?;
    seer(network, &|row| scene(row, &network.seer))
}

/// Both tables of a board into its lanes.
fn boards<P: Profile>(network: &Network<'_, P>) -> Result<(), FormatError> {
    let wide = Table { rows: network.wide, stride: P::L1 };
    let narrow = Table { rows: network.narrow, stride: P::NARROW };
    for (lane, bias) in network.board_bias.iter().enumerate() {
        let mut range = Range::of(i64::from(*bias)).plus(wide.placed(lane, P::Layout::WIDE_PLACES));
        if lane < P::NARROW {
            range = range.plus(narrow.grouped(lane, P::Layout::NARROW_GROUPS));
        }
        range.within_short(Block::Wide, lane)?;
    }
    Ok(())
}

/// Smallest and largest value of a sum.
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

    fn times(self, count: i64) -> Range {
        Range { low: self.low.saturating_mul(count), high: self.high.saturating_mul(count) }
    }

    /// Either of the two.
    fn or(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The value or nothing.
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
    /// A lane's weight in every `step`-th row from `first` on.
    fn lane(&self, lane: usize, first: usize, step: usize) -> impl Iterator<Item = i64> {
        let weights = self.rows.get(first * self.stride + lane..).unwrap_or_default();
        weights.iter().step_by(step * self.stride).map(|weight| i64::from((*weight).into()))
    }

    /// One row at most for each place; the place counts fastest.
    fn placed(&self, lane: usize, places: usize) -> Range {
        (0..places).fold(Range::ZERO, |sum, place| {
            let here = self.lane(lane, place, places);
            sum.plus(here.fold(Range::ZERO, |range, weight| range.or(Range::of(weight))))
        })
    }

    /// At most so many rows of each run; every row past the runs.
    fn grouped(&self, lane: usize, groups: &[Group]) -> Range {
        let mut weights = self.lane(lane, 0, 1);
        let mut sum = Range::ZERO;
        for group in groups {
            let run = weights.by_ref().take(usize::from(group.rows));
            let (mut one, mut all) = (Range::ZERO, Range::ZERO);
            for weight in run {
                one = one.or(Range::of(weight));
                all = all.plus(Range::of(weight).or_nothing());
            }
            let some = one.times(i64::from(group.active));
            sum = sum.plus(Range { low: some.low.max(all.low), high: some.high.min(all.high) });
        }
        weights.fold(sum, |sum, weight| sum.plus(Range::of(weight).or_nothing()))
    }
}

/// What an output may be when each input is in `0..=most(input)`. Partial sums are covered too, since terms that are
/// missing count as 0.
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

/// A piece has one context of each group.
fn prophet(row: &impl Fn(usize) -> Range) -> Result<(), FormatError> {
    for output in 0..3 {
        let mut next = output * prophet::CONTEXTS;
        let mut sum = Range::ZERO;
        for size in prophet::GROUP_SIZES {
            let group = (next..next + size).fold(Range::ZERO, |range, context| range.or(row(context)));
            sum = sum.plus(group);
            next += size;
        }
        sum.within_long(Block::Prophet, output)?;
    }
    Ok(())
}

/// A hex's row, a unit's row and the product of their factors.
fn seer<P: Profile>(network: &Network<'_, P>, row: &impl Fn(usize) -> Range) -> Result<(), FormatError> {
    let shift = <P::Weight as Weight>::WEIGHT_BITS - <P::Weight as Weight>::ACTIVATION_BITS;
    let largest = |table: &[P::Weight]| {
        table.iter().fold(0, |largest: i64, weight| largest.max(i64::from((*weight).into()).abs()))
    };
    let [hexes, units] = [HEX_FACTORS / 2, UNIT_FACTORS / 2];
    let tables = network.seer_hexes.chunks(hexes * FACTORS).zip(network.seer_units.chunks(units * FACTORS));
    for (purpose, (hex_factors, unit_factors)) in tables.enumerate() {
        let product = FACTORS as i64 * largest(hex_factors) * largest(unit_factors);
        let product = Range { low: -product, high: product };
        product.within_long(Block::SeerHexes, purpose)?;
        let start = purpose * (hexes + units);
        let any = |from: usize, count: usize| {
            (from..from + count).fold(Range::ZERO, |range, index| range.or(row(index)))
        };
        // Rounding down moves a negative product by less than 1.
        let shifted = Range { low: (product.low >> shift) - 1, high: product.high >> shift };
        any(start, hexes).plus(any(start + hexes, units)).plus(shifted).within_long(Block::Seer, purpose)?;
    }
    Ok(())
}
