//! Kernels: every family that this processor can run computes the same as the scalar kernels on the same vectors.

#![no_main]

use arbitrary::Arbitrary;
use barrow_nnue::kernels::{intrinsics, scalar, wide};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    start: Vec<i16>,
    shorts: Vec<i16>,
    bytes: Vec<i8>,
    longs: Vec<i32>,
    added: Vec<u8>,
    removed: Vec<u8>,
    ceiling: i16,
    shift: u8,
    outputs: u8,
    /// Number of repetitions of each vector: fuzzers are slow to find long inputs.
    times: u8,
}

/// Applies a kernel to a copy of a vector.
fn after<T: Clone>(to: &[T], kernel: impl Fn(&mut [T])) -> Vec<T> {
    let mut to = to.to_vec();
    kernel(&mut to);
    to
}

/// Asserts that a kernel of each family returns the same as the scalar kernel.
macro_rules! alike {
    ($kernel:ident, |$function:ident| $result:expr) => {
        let $function = scalar::$kernel;
        let expected = $result;
        let $function = wide::$kernel;
        assert_eq!($result, expected);
        let $function = intrinsics::$kernel;
        assert_eq!($result, expected);
    };
}

fuzz_target!(|input: Input| {
    let times = usize::from(input.times % 32) + 1;
    let (start, shorts, bytes) =
        (input.start.repeat(times), input.shorts.repeat(times), input.bytes.repeat(times));
    let (longs, ceiling, shift) = (&input.longs, input.ceiling, u32::from(input.shift));
    alike!(add_row, |kernel| after(&start, |to| kernel(to, &shorts)));
    alike!(sub_row, |kernel| after(&start, |to| kernel(to, &shorts)));
    alike!(add_bytes, |kernel| after(&start, |to| kernel(to, &bytes)));
    alike!(sub_bytes, |kernel| after(&start, |to| kernel(to, &bytes)));
    alike!(clip, |kernel| after(&start, |to| kernel(&shorts, ceiling, to)));
    alike!(squash, |kernel| after(&start, |to| kernel(longs, shift, ceiling, to)));
    alike!(dot, |kernel| kernel(&start, &shorts));
    alike!(dot_bytes, |kernel| kernel(&start, &bytes));

    let [added, removed]: [Vec<u16>; 2] =
        [&input.added, &input.removed].map(|rows| rows.iter().map(|row| u16::from(*row)).collect());
    alike!(dot_rows, |kernel| kernel(&start, &shorts, &added));
    alike!(dot_rows_bytes, |kernel| kernel(&start, &bytes, &added));
    // An arbitrary length, and the length of the source.
    for length in [usize::from(input.outputs), start.len()] {
        let to = vec![7; length];
        alike!(update, |kernel| after(&to, |to| kernel(&start, &shorts, &added, &removed, to)));
        alike!(update_bytes, |kernel| after(&to, |to| kernel(&start, &bytes, &added, &removed, to)));
    }
    let sums = vec![7; usize::from(input.outputs)];
    alike!(dense, |kernel| after(&sums, |sums| kernel(&start, &shorts, longs, sums)));
    alike!(dense_bytes, |kernel| after(&sums, |sums| kernel(&start, &bytes, longs, sums)));
    // Inputs short enough for several rows of weights.
    for length in [64, 256] {
        let inputs = &start[..start.len().min(length)];
        alike!(dense, |kernel| after(&sums, |sums| kernel(inputs, &shorts, longs, sums)));
        alike!(dense_bytes, |kernel| after(&sums, |sums| kernel(inputs, &bytes, longs, sums)));
    }
});
