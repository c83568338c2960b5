//! The fast kernels against the plain ones, on random vectors and on the extremes of `i16`.

extern crate std;
use std::vec::Vec;

use barrow_core::rng::Rng;

use super::{scalar, wide};

const ROUNDS: u64 = 4_000;

/// A vector of random length; about a third of the vectors hold only extreme values.
fn vector(rng: &mut Rng) -> Vec<i16> {
    const EXTREMES: [i16; 6] = [i16::MIN, i16::MIN + 1, -1, 0, 1, i16::MAX];
    let extreme = rng.chance(1, 3);
    let length = rng.below(100);
    let mut number = || if extreme { *rng.choose(&EXTREMES).unwrap() } else { rng.next_u64() as i16 };
    (0..length).map(|_| number()).collect()
}

/// Applies a kernel to a copy of the accumulator.
fn after(kernel: impl Fn(&mut [i16], &[i16]), accumulator: &[i16], row: &[i16]) -> Vec<i16> {
    let mut accumulator = accumulator.to_vec();
    kernel(&mut accumulator, row);
    accumulator
}

#[test]
fn both_versions_agree_bit_for_bit() {
    let mut rng = Rng::new(2_024);
    for round in 0..ROUNDS {
        let (a, b) = (vector(&mut rng), vector(&mut rng));
        let ceiling = rng.next_u64() as i16;
        assert_eq!(after(wide::add_row, &a, &b), after(scalar::add_row, &a, &b), "{round}");
        assert_eq!(after(wide::sub_row, &a, &b), after(scalar::sub_row, &a, &b), "{round}");
        assert_eq!(
            after(|to, from| wide::clip(from, ceiling, to), &a, &b),
            after(|to, from| scalar::clip(from, ceiling, to), &a, &b),
            "{round}"
        );
        assert_eq!(wide::dot(&a, &b), scalar::dot(&a, &b), "{round}");
    }
}

#[test]
fn the_largest_products_wrap_alike() {
    for length in 0..70 {
        let lowest = std::vec![i16::MIN; length];
        let product = (length as i64 * i64::from(i16::MIN).pow(2)) as i32;
        assert_eq!(scalar::dot(&lowest, &lowest), product);
        assert_eq!(wide::dot(&lowest, &lowest), product);
    }
}

#[test]
fn the_documented_bound_is_exact() {
    let (inputs, weights) = ([255; 1_024], [8_224; 1_024]);
    assert_eq!(i64::from(wide::dot(&inputs, &weights)), 1_024 * 255 * 8_224);
}

#[test]
fn a_row_added_and_taken_off_leaves_no_trace() {
    let mut rng = Rng::new(11);
    for _ in 0..ROUNDS {
        let (start, row) = (vector(&mut rng), vector(&mut rng));
        let mut accumulator = start.clone();
        wide::add_row(&mut accumulator, &row);
        wide::sub_row(&mut accumulator, &row);
        assert_eq!(accumulator, start);
    }
}

#[test]
fn clipping_keeps_to_its_bounds() {
    let mut output = [7; 20];
    let input: [i16; 20] = core::array::from_fn(|index| index as i16 * 40 - 400);
    wide::clip(&input, 255, &mut output);
    assert_eq!(output, input.map(|sum| sum.clamp(0, 255)));
    wide::clip(&input, -3, &mut output);
    assert_eq!(output, [0; 20]);
}
