//! Every fast family against the plain kernels, on random vectors, a third of which hold only extreme values.
//!
//! Each kernel sees at least a million of them. `BARROW_SHARE=100` asks for a hundredth: emulated processors are
//! slow.

extern crate std;
use std::vec::Vec;

use barrow_core::rng::Rng;

use super::scalar;

/// Numbers of each type to cut vectors from.
const COUNT: usize = 30_000;

/// Longest vector, in numbers; rows of tables are shorter.
const LONGEST: usize = 100;

/// Rounds of a test, which at most four kernels share.
fn rounds() -> u64 {
    barrow_testing::rounds(4_000_000)
}

/// Numbers from which vectors are cut: the first third extremes only, then anything, then the last third again
/// anything, so that cuts across the border mix both.
struct Pool {
    rng: Rng,
    shorts: Vec<i16>,
    bytes: Vec<i8>,
    longs: Vec<i32>,
}

impl Pool {
    fn new(seed: u64) -> Pool {
        let mut rng = Rng::new(seed);
        let mut extremes = |count: usize, all: &[i32]| -> Vec<i32> {
            (0..count)
                .map(|at| if at < COUNT / 3 { *rng.choose(all).unwrap() } else { rng.next_u64() as i32 })
                .collect()
        };
        let shorts = extremes(COUNT, &[i16::MIN, i16::MIN + 1, -1, 0, 1, i16::MAX].map(i32::from));
        let bytes = extremes(COUNT, &[i8::MIN, i8::MIN + 1, -1, 0, 1, i8::MAX].map(i32::from));
        let longs = extremes(COUNT, &[i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX]);
        Pool {
            rng,
            shorts: shorts.into_iter().map(|number| number as i16).collect(),
            bytes: bytes.into_iter().map(|number| number as i8).collect(),
            longs,
        }
    }

    fn place(&mut self, longest: usize) -> core::ops::Range<usize> {
        let length = self.rng.below(longest as u32 + 1) as usize;
        let start = self.rng.below((self.shorts.len() - length) as u32) as usize;
        start..start + length
    }

    /// A vector of this length.
    fn cut(&mut self, length: usize) -> core::ops::Range<usize> {
        let start = self.rng.below((self.shorts.len() - length) as u32) as usize;
        start..start + length
    }

    fn row(&mut self) -> u16 {
        // Now and then a row that there is not.
        self.rng.below(7) as u16
    }
}

/// One test for each kernel of a family.
macro_rules! family {
    ($family:ident) => {
        mod $family {
            use super::*;
            use crate::kernels::$family as fast;

            #[test]
            fn rows_are_added_and_taken_off_alike() {
                let mut pool = Pool::new(1);
                let (mut sums, mut expected) = ([0; LONGEST], [0; LONGEST]);
                for round in 0..rounds() {
                    let (start, row) = (pool.place(LONGEST), pool.place(LONGEST));
                    let length = start.len();
                    let (sums, expected) = (&mut sums[..length], &mut expected[..length]);
                    sums.copy_from_slice(&pool.shorts[start.clone()]);
                    expected.copy_from_slice(&pool.shorts[start]);
                    let (shorts, bytes) = (&pool.shorts[row.clone()], &pool.bytes[row]);
                    match round % 4 {
                        0 => (fast::add_row(sums, shorts), scalar::add_row(expected, shorts)),
                        1 => (fast::sub_row(sums, shorts), scalar::sub_row(expected, shorts)),
                        2 => (fast::add_bytes(sums, bytes), scalar::add_bytes(expected, bytes)),
                        _ => (fast::sub_bytes(sums, bytes), scalar::sub_bytes(expected, bytes)),
                    };
                    assert_eq!(sums, expected, "{round}");
                }
            }

            #[test]
            fn updates_are_alike() {
                let mut pool = Pool::new(2);
                let (mut sums, mut expected) = ([0; 300], [0; 300]);
                for round in 0..rounds() {
                    // Mostly the lengths of accumulators.
                    let length = match pool.rng.below(8) {
                        0 => pool.place(300).len(),
                        1 => 256,
                        2 => 16 * pool.rng.below(19) as usize,
                        3..5 => 32,
                        _ => 64,
                    };
                    let shorter = if pool.rng.chance(1, 10) { length / 2 } else { length };
                    let (from, table) = (pool.cut(shorter), pool.cut(5 * length + 3));
                    let rows = core::array::from_fn::<u16, 6, _>(|_| pool.row());
                    let (added, removed) = rows.split_at(pool.rng.below(7) as usize);
                    let from = &pool.shorts[from];
                    let (sums, expected) = (&mut sums[..length], &mut expected[..length]);
                    if round % 2 == 0 {
                        let table = &pool.shorts[table];
                        fast::update(from, table, added, removed, sums);
                        scalar::update(from, table, added, removed, expected);
                    } else {
                        let table = &pool.bytes[table];
                        fast::update_bytes(from, table, added, removed, sums);
                        scalar::update_bytes(from, table, added, removed, expected);
                    }
                    assert_eq!(sums, expected, "{round}");
                }
            }

            #[test]
            fn activations_are_alike() {
                let mut pool = Pool::new(3);
                let (mut outputs, mut expected) = ([0; 512], [0; 512]);
                for round in 0..rounds() {
                    let (from, length) = match pool.rng.below(32) {
                        0 => (pool.cut(512), 512),
                        1 => (pool.cut(256), 256),
                        _ => (pool.place(LONGEST), pool.place(LONGEST).len()),
                    };
                    let (outputs, expected) = (&mut outputs[..length], &mut expected[..length]);
                    let ceiling = match pool.rng.below(4) {
                        0 => pool.rng.next_u64() as i16,
                        shift => 1 << (4 + 2 * shift),
                    };
                    if round % 2 == 0 {
                        let sums = &pool.shorts[from];
                        fast::clip(sums, ceiling, outputs);
                        scalar::clip(sums, ceiling, expected);
                    } else {
                        let (sums, shift) = (&pool.longs[from], pool.rng.below(40));
                        fast::squash(sums, shift, ceiling, outputs);
                        scalar::squash(sums, shift, ceiling, expected);
                    }
                    assert_eq!(outputs, expected, "{round}");
                }
            }

            #[test]
            fn products_are_alike() {
                let mut pool = Pool::new(4);
                for round in 0..rounds() {
                    let (inputs, weights) = (pool.place(LONGEST), pool.place(LONGEST));
                    let inputs = &pool.shorts[inputs];
                    let (shorts, bytes) = (&pool.shorts[weights.clone()], &pool.bytes[weights]);
                    if round % 2 == 0 {
                        assert_eq!(fast::dot(inputs, shorts), scalar::dot(inputs, shorts), "{round}");
                    } else {
                        assert_eq!(fast::dot_bytes(inputs, bytes), scalar::dot_bytes(inputs, bytes), "{round}");
                    }
                }
            }

            #[test]
            fn sums_of_rows_are_alike() {
                let mut pool = Pool::new(5);
                for round in 0..rounds() {
                    let length = [16, 32, 64, 7, 40][pool.rng.below(5) as usize];
                    let (inputs, table) = (pool.cut(length), pool.cut(5 * length + 3));
                    let rows = core::array::from_fn::<u16, 5, _>(|_| pool.row());
                    let rows = &rows[..pool.rng.below(6) as usize];
                    let inputs = &pool.shorts[inputs];
                    if round % 2 == 0 {
                        let table = &pool.shorts[table];
                        let sums = [fast::dot_rows, scalar::dot_rows].map(|kernel| kernel(inputs, table, rows));
                        assert_eq!(sums[0], sums[1], "{round}");
                    } else {
                        let table = &pool.bytes[table];
                        let kernels = [fast::dot_rows_bytes, scalar::dot_rows_bytes];
                        let sums = kernels.map(|kernel| kernel(inputs, table, rows));
                        assert_eq!(sums[0], sums[1], "{round}");
                    }
                }
            }

            #[test]
            fn layers_are_alike() {
                let mut pool = Pool::new(6);
                let (mut sums, mut expected) = ([0; 12], [0; 12]);
                for round in 0..rounds() {
                    let length = match pool.rng.below(4) {
                        0 => pool.place(LONGEST).len(),
                        1 => 64,
                        2 if pool.rng.chance(1, 4) => 256,
                        _ => 32,
                    };
                    let inputs = pool.cut(length);
                    let (bias, outputs) = (pool.place(12), pool.place(12).len());
                    // Now and then the weights end before the last row.
                    let rows = if pool.rng.chance(1, 10) { outputs / 2 } else { outputs };
                    let weights = pool.cut(rows * length);
                    let inputs = &pool.shorts[inputs];
                    let bias = &pool.longs[bias];
                    let (sums, expected) = (&mut sums[..outputs], &mut expected[..outputs]);
                    if round % 2 == 0 {
                        fast::dense(inputs, &pool.shorts[weights.clone()], bias, sums);
                        scalar::dense(inputs, &pool.shorts[weights], bias, expected);
                    } else {
                        fast::dense_bytes(inputs, &pool.bytes[weights.clone()], bias, sums);
                        scalar::dense_bytes(inputs, &pool.bytes[weights], bias, expected);
                    }
                    assert_eq!(sums, expected, "{round}");
                }
            }

            #[test]
            fn parts_of_layers_are_alike_and_make_the_whole() {
                let mut pool = Pool::new(8);
                let (mut sums, mut expected) = ([0; 12], [0; 12]);
                for round in 0..rounds() {
                    let stride = if pool.rng.chance(1, 2) { 64 } else { pool.place(LONGEST).len() };
                    let first = if pool.rng.chance(1, 2) { stride / 2 } else { pool.place(stride + 2).start };
                    // Now and then the part reaches beyond the row, or the weights end before the last row.
                    let length = if pool.rng.chance(1, 10) { stride } else { stride.saturating_sub(first) };
                    let inputs = pool.cut(length);
                    let (bias, outputs) = (pool.place(12), pool.place(12).len());
                    let rows = if pool.rng.chance(1, 10) { outputs / 2 } else { outputs };
                    let weights = pool.cut(rows * stride);
                    let (inputs, part) = (&pool.shorts[inputs], (first, stride));
                    let bias = &pool.longs[bias];
                    let (sums, expected) = (&mut sums[..outputs], &mut expected[..outputs]);
                    if round % 2 == 0 {
                        fast::dense_part(inputs, part, &pool.shorts[weights.clone()], bias, sums);
                        scalar::dense_part(inputs, part, &pool.shorts[weights], bias, expected);
                    } else {
                        fast::dense_part_bytes(inputs, part, &pool.bytes[weights.clone()], bias, sums);
                        scalar::dense_part_bytes(inputs, part, &pool.bytes[weights], bias, expected);
                    }
                    assert_eq!(sums, expected, "{round}");
                }
            }

            #[test]
            fn the_largest_products_wrap_alike() {
                for length in 0..70 {
                    let lowest = std::vec![i16::MIN; length];
                    let product = (length as i64 * i64::from(i16::MIN).pow(2)) as i32;
                    assert_eq!(scalar::dot(&lowest, &lowest), product);
                    assert_eq!(fast::dot(&lowest, &lowest), product);
                }
            }

            #[test]
            fn a_row_added_and_taken_off_leaves_no_trace() {
                let mut pool = Pool::new(7);
                for _ in 0..4_000 {
                    let (start, row) = (pool.place(LONGEST), pool.place(LONGEST));
                    let mut sums = pool.shorts[start.clone()].to_vec();
                    fast::add_row(&mut sums, &pool.shorts[row.clone()]);
                    fast::sub_row(&mut sums, &pool.shorts[row]);
                    assert_eq!(sums, pool.shorts[start]);
                }
            }

            #[test]
            fn clipping_keeps_to_its_bounds() {
                let mut output = [7; 20];
                let input: [i16; 20] = core::array::from_fn(|index| index as i16 * 40 - 400);
                fast::clip(&input, 255, &mut output);
                assert_eq!(output, input.map(|sum| sum.clamp(0, 255)));
                fast::clip(&input, -3, &mut output);
                assert_eq!(output, [0; 20]);
            }
        }
    };
}

family!(wide);
family!(words);

#[cfg(all(feature = "intrinsics", target_arch = "x86_64"))]
family!(intrinsics);

/// Otherwise the tests of that family only test its fallback.
#[cfg(all(feature = "intrinsics", target_arch = "x86_64"))]
#[test]
fn the_widest_registers_are_used_where_there_are_some() {
    assert_eq!(super::intrinsics::available(), std::is_x86_feature_detected!("avx512bw"));
}
