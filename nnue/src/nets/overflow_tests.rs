//! Bounds of a network's sums: what reaches them is taken, what passes them is not.

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
fn load_for<P: Profile>(extent: impl Into<Extent>, blocks: &[(Block, Vec<i32>)]) -> Result<(), FormatError> {
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
    let with = |number| load::<Small>(&[(Block::PlaceBias, bias.clone()), (Block::SeerBias, hex(number))]);
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
