//! Sizes, rows, modes and parts of layers that no network has: nothing panics, and what is not there is nothing.

use barrow_nnue::format::{Block, Extent, Line, file_len};
use barrow_nnue::kernels::{scalar, wide, words};
use barrow_nnue::nets::Network;
use barrow_nnue::nets::board_layer::BoardLayer;
use barrow_nnue::nets::places::PlaceContexts;
use barrow_nnue::nets::prophet::{Contexts, PredictionKind};
use barrow_nnue::nets::seer::Purpose;
use barrow_nnue::random_net;
use barrow_nnue::shape::{
    Desktop, Lanes, PLACE_GROUPS, Profile, Tiny, UNITS, general_rows, mode_rows, prophet_rows, seer_rows,
    sum, unit_factors,
};

const MOST: usize = usize::MAX;

#[test]
fn sizes_beyond_all_bounds_are_the_largest_there_are() {
    let sizes =
        [prophet_rows(MOST), mode_rows(MOST, UNITS), mode_rows(2, MOST), seer_rows(MOST), unit_factors(MOST)];
    assert_eq!(sizes, [MOST; 5]);
    assert!(general_rows(MOST) > MOST - 100 && sum(&[MOST, 1]) == MOST);
    for units in [UNITS, MOST / 2, MOST] {
        for (places, modes) in [(0, MOST), (MOST, 0), (MOST / 64, MOST / 64), (0, 0)] {
            if (units, places, modes) == (UNITS, 0, 0) {
                continue;
            }
            let extent = Extent { units, general: true, places, modes };
            assert!(file_len::<Tiny>(extent) > 1 << 40, "{extent:?}");
            for block in Block::ALL {
                let (range, len) = (block.range::<Desktop>(extent), block.len::<Desktop>(extent));
                assert!(range.start <= range.end && (len > 0 || range.is_empty()), "{block:?}");
            }
        }
    }
    for purpose in [Purpose::Spawn, Purpose::Move] {
        assert!(purpose.unit_row(MOST) > MOST / 2 && purpose.unit_factors(MOST) > MOST / 2);
        let rows = PlaceContexts([u16::MAX; PLACE_GROUPS]).rows(purpose);
        assert_eq!(rows, [u16::MAX; PLACE_GROUPS]);
    }
}

#[test]
fn a_mode_that_there_is_not_says_nothing() {
    let extent = Extent { units: UNITS, general: false, places: 0, modes: 2 };
    let mut lines = vec![Line::ZERO; file_len::<Tiny>(extent) / 64];
    random_net::fill::<Tiny>(Line::bytes_mut(&mut lines), extent, 7).unwrap();
    let network = Network::<Tiny>::from_bytes(Line::bytes(&lines)).unwrap();
    let lanes = Lanes([200; Tiny::L1]);
    let layer: BoardLayer = network.board_layer(&lanes, &lanes);
    let contexts = Contexts([u16::MAX; 5]);
    assert!((0..2).any(|mode| network.mode_logit(&layer, mode) != 0));
    for mode in [2, MOST - 1, MOST] {
        assert_eq!(network.mode_logit(&layer, mode), 0);
        for kind in [PredictionKind::Killed, PredictionKind::Unsummoned, PredictionKind::Passive] {
            let marginal = network.predict(&layer, &contexts, kind);
            assert_eq!(network.predict_in_mode(&layer, &contexts, kind, mode), marginal);
        }
    }
}

#[test]
fn a_part_that_begins_beyond_its_row_adds_nothing() {
    let (inputs, weights, from) = ([1i16; 32], [1i16; 64], [3, 4]);
    for part in [(MOST, 8), (MOST - 15, 32), (64, 32), (8, MOST), (MOST, MOST)] {
        let sums = [scalar::dense_part, wide::dense_part, words::dense_part].map(|dense_part| {
            let mut sums = [0; 2];
            dense_part(&inputs, part, &weights, &from, &mut sums);
            sums
        });
        assert_eq!(sums[0], sums[1], "{part:?}");
        assert_eq!(sums[0], sums[2], "{part:?}");
    }
}
