//! The kernels of this processor and the plain ones on the same vectors.

#![no_main]

use arbitrary::Arbitrary;
use barrow_nnue::kernels::{self as fast, scalar};
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
}

/// What a kernel makes of a copy.
fn after<T: Clone, A>(to: &[T], argument: A, kernel: impl Fn(&mut [T], A)) -> Vec<T> {
    let mut to = to.to_vec();
    kernel(&mut to, argument);
    to
}

fuzz_target!(|input: Input| {
    let Input { start, shorts, bytes, longs, ceiling, .. } = &input;
    let shift = u32::from(input.shift);
    assert_eq!(
        after(start, shorts, |to, row| fast::add_row(to, row)),
        after(start, shorts, |to, row| scalar::add_row(to, row))
    );
    assert_eq!(
        after(start, shorts, |to, row| fast::sub_row(to, row)),
        after(start, shorts, |to, row| scalar::sub_row(to, row))
    );
    assert_eq!(
        after(start, bytes, |to, row| fast::add_bytes(to, row)),
        after(start, bytes, |to, row| scalar::add_bytes(to, row))
    );
    assert_eq!(
        after(start, bytes, |to, row| fast::sub_bytes(to, row)),
        after(start, bytes, |to, row| scalar::sub_bytes(to, row))
    );
    assert_eq!(
        after(start, shorts, |to, from| fast::clip(from, *ceiling, to)),
        after(start, shorts, |to, from| scalar::clip(from, *ceiling, to))
    );
    assert_eq!(
        after(start, longs, |to, from| fast::squash(from, shift, *ceiling, to)),
        after(start, longs, |to, from| scalar::squash(from, shift, *ceiling, to))
    );
    assert_eq!(fast::dot(start, shorts), scalar::dot(start, shorts));
    assert_eq!(fast::dot_bytes(start, bytes), scalar::dot_bytes(start, bytes));

    let [added, removed] = [&input.added, &input.removed]
        .map(|rows| rows.iter().map(|row| u16::from(*row)).collect::<Vec<u16>>());
    assert_eq!(fast::dot_rows(start, shorts, &added), scalar::dot_rows(start, shorts, &added));
    assert_eq!(fast::dot_rows_bytes(start, bytes, &added), scalar::dot_rows_bytes(start, bytes, &added));
    // Of any length against the start's, and of the same length.
    for to in [vec![0; usize::from(input.outputs)], vec![0; start.len()]] {
        assert_eq!(
            after(&to, shorts, |to, table| fast::update(start, table, &added, &removed, to)),
            after(&to, shorts, |to, table| scalar::update(start, table, &added, &removed, to))
        );
        assert_eq!(
            after(&to, bytes, |to, table| fast::update_bytes(start, table, &added, &removed, to)),
            after(&to, bytes, |to, table| scalar::update_bytes(start, table, &added, &removed, to))
        );
    }
    let sums = vec![0; usize::from(input.outputs)];
    assert_eq!(
        after(&sums, shorts, |sums, weights| fast::dense(start, weights, longs, sums)),
        after(&sums, shorts, |sums, weights| scalar::dense(start, weights, longs, sums))
    );
    assert_eq!(
        after(&sums, bytes, |sums, weights| fast::dense_bytes(start, weights, longs, sums)),
        after(&sums, bytes, |sums, weights| scalar::dense_bytes(start, weights, longs, sums))
    );
});
