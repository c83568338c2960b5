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
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use crate::format::{Extent, Labels, Line, file_len, put, seal};
    use crate::layout::Folded;
    use crate::shape::{PLACE_ROWS, Tiny, Trunk};

    /// Profile of few lanes and large weights.
    type Small = Trunk<32, i16, Folded>;

    /// The result of loading a network of zeros with these blocks.
    fn load<P: Profile>(blocks: &[(Block, Vec<i32>)]) -> Result<(), FormatError> {
        load_for::<P>(Extent { places: PLACE_ROWS, ..BASE_UNITS.into() }, blocks)
    }

    /// The result of loading a network of zeros of this extent with these blocks.
    fn load_for<P: Profile>(
        extent: impl Into<Extent>,
        blocks: &[(Block, Vec<i32>)],
    ) -> Result<(), FormatError> {
        let extent = extent.into();
        let mut lines = std::vec![Line::ZERO; file_len::<P>(extent) / 64];
        let file = Line::bytes_mut(&mut lines);
        for (block, numbers) in blocks {
            put::<P>(file, extent, *block, numbers.iter().copied()).unwrap();
        }
        seal::<P>(file, extent, &Labels { architecture: "", provenance: "", unit_scale: 1.0 }).unwrap();
        Network::<P>::from_bytes(file).map(|_| ())
    }

    /// List of zeros but for one place.
    fn one(place: usize, number: i32) -> Vec<i32> {
        let mut numbers = std::vec![0; place + 1];
        numbers[place] = number;
        numbers
    }

    #[test]
    fn a_board_lane_may_reach_its_limit_and_not_pass_it() {
        // Lane 3 has 327 in the first row of every hex, and less in another row of the same hexes.
        let mut wide = std::vec![0; 200 * 32];
        (0..100).for_each(|hex| wide[hex * 32 + 3] = 327);
        (100..200).for_each(|row| wide[row * 32 + 3] = 326);
        let group = Folded::NARROW.groups.iter().find(|group| !group.repeats).unwrap();
        for sign in [1, -1] {
            let wide: Vec<i32> = wide.iter().map(|weight| weight * sign).collect();
            let with = |bias: i32| {
                load::<Small>(&[(Block::Wide, wide.clone()), (Block::BoardBias, one(3, bias * sign))])
            };
            assert_eq!(with(67), Ok(()));
            assert_eq!(with(68), Err(FormatError::Overflow { block: Block::Wide, lane: 3 }));
            // A small feature of the same lane that no position names twice.
            let with = |weight: i32| {
                let narrow = one(usize::from(group.first) * 8 + 3, weight * sign);
                load::<Small>(&[
                    (Block::Wide, wide.clone()),
                    (Block::Narrow, narrow),
                    (Block::BoardBias, one(3, 0)),
                ])
            };
            assert_eq!(with(67), Ok(()));
            assert_eq!(with(68), Err(FormatError::Overflow { block: Block::Wide, lane: 3 }));
        }
        // Lane 8 has no small features.
        let wide: Vec<i32> = [0; 5].into_iter().chain(wide).take(200 * 32).collect();
        let narrow = one(usize::from(group.first) * 8, 68);
        let bias = one(8, 67);
        assert_eq!(
            load::<Small>(&[(Block::Wide, wide), (Block::Narrow, narrow), (Block::BoardBias, bias)]),
            Ok(())
        );
    }

    #[test]
    fn positive_and_negative_weights_do_not_add_up() {
        let mut wide = std::vec![0; 200 * 32];
        (0..100).for_each(|hex| wide[hex * 32] = 327);
        (100..200).for_each(|row| wide[row * 32] = -327);
        assert_eq!(load::<Small>(&[(Block::Wide, wide)]), Ok(()));
    }

    #[test]
    fn weights_of_a_byte_cannot_overflow_a_board_lane_without_small_features() {
        assert_eq!(load::<Tiny>(&[(Block::Wide, std::vec![127; 6_800 * 32])]), Ok(()));
    }

    #[test]
    fn the_general_is_bounded_like_a_board() {
        let group = Folded::GLOBAL.groups.first().unwrap();
        let times = if group.repeats { i32::from(group.per_cell) } else { 1 };
        let with = |bias| load::<Small>(&[(Block::Global, one(5, 100)), (Block::GlobalBias, one(5, bias))]);
        assert_eq!(with(32_767 - 100 * times), Ok(()));
        assert_eq!(with(32_768 - 100 * times), Err(FormatError::Overflow { block: Block::Global, lane: 5 }));
    }

    #[test]
    fn layers_may_reach_their_limit_and_not_pass_it() {
        // Inputs of the second row, what each may be at most, and the layer.
        let layers = [
            (Block::Embed, Block::EmbedBias, 64, 256),
            (Block::Oracle, Block::OracleBias, 32, 256),
            (Block::BoardLayer, Block::BoardLayerBias, 64, 256),
            (Block::Prophet, Block::ProphetBias, 16, 256),
            (Block::Seer, Block::SeerBias, 16, 256),
            (Block::Places, Block::PlaceBias, 16, 256),
        ];
        for (weights, bias, inputs, most) in layers {
            let mut numbers = std::vec![0; 2 * inputs];
            let (_, row) = numbers.split_at_mut(inputs);
            row.fill(32_767);
            // Negative weights do not help: their inputs may be 0.
            row[0] = -32_768;
            let sum = (inputs as i32 - 1) * 32_767 * most;
            let with = |number| load::<Small>(&[(weights, numbers.clone()), (bias, one(1, number))]);
            assert_eq!(with(i32::MAX - sum), Ok(()), "{weights:?}");
            assert_eq!(with(i32::MAX - sum + 1), Err(FormatError::Overflow { block: weights, lane: 1 }));
        }
        let mut join = std::vec![0; 64];
        join[16..32].fill(32_767);
        let sum = 16 * 32_767 * 256 * 8;
        let with = |number| load::<Small>(&[(Block::Join, join.clone()), (Block::JoinBias, one(0, number))]);
        assert_eq!(with(i32::MAX - sum), Ok(()));
        assert_eq!(with(i32::MAX - sum + 1), Err(FormatError::Overflow { block: Block::Join, lane: 0 }));
        assert_eq!(with(i32::MIN), Err(FormatError::Overflow { block: Block::Join, lane: 0 }));
    }

    #[test]
    fn the_contexts_of_a_piece_are_bounded_together() {
        let mut start = 2 * CONTEXTS;
        let mut bias = std::vec![0; 3 * CONTEXTS];
        for size in CONTEXT_GROUPS {
            // Two contexts of a group are never active together.
            bias[start] = 400_000_000;
            bias[start + size - 1] = 400_000_000;
            start += size;
        }
        assert_eq!(load::<Small>(&[(Block::ProphetBias, bias.clone())]), Ok(()));
        bias[2 * CONTEXTS + 1] = i32::MAX - 4 * 400_000_000;
        assert_eq!(load::<Small>(&[(Block::ProphetBias, bias.clone())]), Ok(()));
        bias[2 * CONTEXTS + 1] += 1;
        assert_eq!(
            load::<Small>(&[(Block::ProphetBias, bias)]),
            Err(FormatError::Overflow { block: Block::Prophet, lane: 2 })
        );
    }

    #[test]
    fn a_prediction_in_a_mode_is_bounded_with_the_marginal_one() {
        let extent = Extent { modes: 2, ..BASE_UNITS.into() };
        // A place of the last prediction, and a number of attackers in the second mode.
        let (place, number) = (2 * CONTEXTS + 7, mode_rows(1, BASE_UNITS) + 2 * CONTEXTS + 134);
        let with = |mode: i32| {
            let blocks = [(Block::ProphetBias, one(place, 1_000)), (Block::ModesBias, one(number, mode))];
            load_for::<Small>(extent, &blocks)
        };
        assert_eq!(with(i32::MAX - 1_000), Ok(()));
        assert_eq!(with(i32::MAX - 999), Err(FormatError::Overflow { block: Block::Modes, lane: 2 }));
        // The logit of a mode stands alone.
        let share = mode_rows(2, BASE_UNITS) - 1;
        let with = |weight: i32| {
            let mut weights = std::vec![0; share * 16];
            weights.extend([weight; 16]);
            let bias = one(share, i32::MAX - 16 * 256);
            load_for::<Small>(extent, &[(Block::Modes, weights), (Block::ModesBias, bias)])
        };
        assert_eq!(with(1), Ok(()));
        assert_eq!(with(2), Err(FormatError::Overflow { block: Block::Modes, lane: share }));
    }

    #[test]
    fn the_terms_of_a_wish_are_bounded_together() {
        // Shifted by two bits, since the factors of i16 networks have ten bits each.
        let product = (8 * 10_000 * 20_000) >> 2;
        let with = |hex: i32, unit: i32| {
            let mut bias = std::vec![0; seer_rows(BASE_UNITS)];
            (bias[134 + 7], bias[134 + 100 + 33]) = (hex, unit);
            let hexes = std::vec![10_000; 200 * 8];
            let units = std::vec![-20_000; 68 * 8];
            load::<Small>(&[(Block::SeerBias, bias), (Block::SeerHexes, hexes), (Block::SeerUnits, units)])
        };
        let most = i32::MAX - product;
        assert_eq!(with(most - 1_000, 1_000), Ok(()));
        let error = FormatError::Overflow { block: Block::Seer, lane: 1 };
        assert_eq!(with(most - 1_000, 1_001), Err(error));
        // A negative product is rounded down.
        assert_eq!(with(1_001 - most, -1_000), Ok(()));
        assert_eq!(with(1_001 - most, -1_001), Err(error));
        let factors =
            [(Block::SeerHexes, std::vec![i16::MIN.into(); 8]), (Block::SeerUnits, std::vec![9_000; 8])];
        assert_eq!(load::<Small>(&factors), Err(FormatError::Overflow { block: Block::SeerHexes, lane: 0 }));
    }

    #[test]
    fn factors_of_spawning_and_of_moving_do_not_meet() {
        // Factors of the hexes and of the unit types, each for one purpose.
        let with = |hexes: usize, types: usize| {
            let mut factors = [std::vec![0; 200 * 8], std::vec![0; 68 * 8]];
            factors[0][hexes * 800..][..800].fill(32_767);
            factors[1][types * 272..][..272].fill(-32_767);
            let [hexes, units] = factors;
            load::<Small>(&[(Block::SeerHexes, hexes), (Block::SeerUnits, units)])
        };
        assert_eq!([with(0, 1), with(1, 0)], [Ok(()); 2]);
        for purpose in 0..2 {
            let error = FormatError::Overflow { block: Block::SeerHexes, lane: purpose };
            assert_eq!(with(purpose, purpose), Err(error));
        }
    }

    #[test]
    fn the_contexts_of_a_place_are_bounded_together() {
        let moving = PLACE_CONTEXTS;
        let mut bias = std::vec![0; 2 * PLACE_CONTEXTS];
        for group in 0..PLACE_GROUPS {
            // Two contexts of a group are never active together, and no context of spawning with one of moving.
            bias[moving + group * PLACE_GROUP] = 100_000_000;
            bias[moving + (group + 1) * PLACE_GROUP - 1] = 100_000_000;
            bias[group * PLACE_GROUP + 1] = 100_000_000;
        }
        let hex = |number| one(134 + 3, number);
        let most = i32::MAX - 12 * 100_000_000;
        let with =
            |number| load::<Small>(&[(Block::PlaceBias, bias.clone()), (Block::SeerBias, hex(number))]);
        assert_eq!(with(most), Ok(()));
        assert_eq!(with(most + 1), Err(FormatError::Overflow { block: Block::Seer, lane: 1 }));
    }

    #[test]
    fn rows_of_later_unit_types_are_bounded_with_the_others() {
        let load = |block, numbers| load_for::<Small>(BASE_UNITS + 2, &[(block, numbers)]);
        // Pieces: a lane of the second later type on every hex.
        let wide = |weight: i32| {
            let mut wide = std::vec![0; 7_200 * 32];
            (7_100..7_200).for_each(|row| wide[row * 32] = weight);
            wide
        };
        assert_eq!(load(Block::Wide, wide(327)), Ok(()));
        assert_eq!(load(Block::Wide, wide(328)), Err(FormatError::Overflow { block: Block::Wide, lane: 0 }));
        // The general: the tech of the second later type at both sides.
        let first = Folded::GLOBAL.rows(BASE_UNITS + 1);
        let both = |weight: i32| {
            let mut rows = one((first + 1) * 16, weight);
            rows[first * 16] = weight;
            rows
        };
        assert_eq!(load(Block::Global, both(16_383)), Ok(()));
        assert_eq!(
            load(Block::Global, both(16_384)),
            Err(FormatError::Overflow { block: Block::Global, lane: 0 })
        );
        // A prediction: the context of the second later type, with the largest of another group.
        let bias = |number: i32| {
            let mut bias = one(3 * CONTEXTS + 3 + 1, number);
            bias[CONTEXTS] = 1_000;
            bias
        };
        assert_eq!(load(Block::ProphetBias, bias(i32::MAX - 1_000)), Ok(()));
        let error = FormatError::Overflow { block: Block::Prophet, lane: 1 };
        assert_eq!(load(Block::ProphetBias, bias(i32::MAX - 999)), Err(error));
        // A wish: the row of the second later type, with that of a hex.
        let bias = |number: i32| {
            let mut bias = one(268 + 2, number);
            bias[5] = 1_000;
            bias
        };
        assert_eq!(load(Block::SeerBias, bias(i32::MAX - 1_000)), Ok(()));
        let error = FormatError::Overflow { block: Block::Seer, lane: 0 };
        assert_eq!(load(Block::SeerBias, bias(i32::MAX - 999)), Err(error));
        // The last row of the third, with that of a hex.
        let mut bias = one(268 + 5, i32::MAX - 999);
        bias[5] = 1_000;
        assert_eq!(load_for::<Small>(BASE_UNITS + 3, &[(Block::SeerBias, bias)]), Err(error));
    }
}
