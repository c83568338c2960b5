//! Weights of two sizes, each with its kernels.

use bytemuck::Pod;

use super::fast;

/// Weight type, `i16` or `i8`, with the fast kernels of the target for this type; [`scalar`](super::scalar) defines
/// them.
pub trait Weight: Pod + Default + core::fmt::Debug + Into<i32> {
    /// Bytes of one weight.
    const BYTES: usize = size_of::<Self>();
    /// Accumulators and activations count in steps of `2^-ACTIVATION_BITS`.
    const ACTIVATION_BITS: u32;
    /// Layer weights count in steps of `2^-WEIGHT_BITS`.
    const WEIGHT_BITS: u32;

    /// Adds a row of weights to the accumulator.
    fn add_row(accumulator: &mut [i16], row: &[Self]);
    /// Subtracts a row of weights from the accumulator.
    fn sub_row(accumulator: &mut [i16], row: &[Self]);
    /// Copies an accumulator, then adds and subtracts rows of a table.
    fn update(from: &[i16], table: &[Self], added: &[u16], removed: &[u16], to: &mut [i16]);
    /// Sum of the products of two vectors.
    fn dot(inputs: &[i16], row: &[Self]) -> i32;
    /// Sum of the dot products of the inputs with some rows of a table.
    fn dot_rows(inputs: &[i16], table: &[Self], rows: &[u16]) -> i32;
    /// Layer before its activation.
    fn dense(inputs: &[i16], weights: &[Self], bias: &[i32], sums: &mut [i32]);
    /// Part of a layer before its activation, from one weight of each row on; rows have this stride.
    fn dense_part(
        inputs: &[i16],
        first_and_stride: (usize, usize),
        weights: &[Self],
        from: &[i32],
        sums: &mut [i32],
    );

    /// Clipped activation of an accumulator.
    #[inline]
    fn clip(sums: &[i16], ceiling: i16, activations: &mut [i16]) {
        fast::clip(sums, ceiling, activations);
    }
}

impl Weight for i16 {
    const ACTIVATION_BITS: u32 = 8;
    const WEIGHT_BITS: u32 = 10;

    #[inline]
    fn add_row(accumulator: &mut [i16], row: &[i16]) {
        fast::add_row(accumulator, row);
    }

    #[inline]
    fn sub_row(accumulator: &mut [i16], row: &[i16]) {
        fast::sub_row(accumulator, row);
    }

    #[inline]
    fn update(from: &[i16], table: &[i16], added: &[u16], removed: &[u16], to: &mut [i16]) {
        fast::update(from, table, added, removed, to);
    }

    #[inline]
    fn dot(inputs: &[i16], row: &[i16]) -> i32 {
        fast::dot(inputs, row)
    }

    #[inline]
    fn dot_rows(inputs: &[i16], table: &[i16], rows: &[u16]) -> i32 {
        fast::dot_rows(inputs, table, rows)
    }

    #[inline]
    fn dense(inputs: &[i16], weights: &[i16], bias: &[i32], sums: &mut [i32]) {
        fast::dense(inputs, weights, bias, sums);
    }

    #[inline]
    fn dense_part(inputs: &[i16], part: (usize, usize), weights: &[i16], from: &[i32], sums: &mut [i32]) {
        fast::dense_part(inputs, part, weights, from, sums);
    }
}

impl Weight for i8 {
    const ACTIVATION_BITS: u32 = 6;
    const WEIGHT_BITS: u32 = 6;

    #[inline]
    fn add_row(accumulator: &mut [i16], row: &[i8]) {
        fast::add_bytes(accumulator, row);
    }

    #[inline]
    fn sub_row(accumulator: &mut [i16], row: &[i8]) {
        fast::sub_bytes(accumulator, row);
    }

    #[inline]
    fn update(from: &[i16], table: &[i8], added: &[u16], removed: &[u16], to: &mut [i16]) {
        fast::update_bytes(from, table, added, removed, to);
    }

    #[inline]
    fn dot(inputs: &[i16], row: &[i8]) -> i32 {
        fast::dot_bytes(inputs, row)
    }

    #[inline]
    fn dot_rows(inputs: &[i16], table: &[i8], rows: &[u16]) -> i32 {
        fast::dot_rows_bytes(inputs, table, rows)
    }

    #[inline]
    fn dense(inputs: &[i16], weights: &[i8], bias: &[i32], sums: &mut [i32]) {
        fast::dense_bytes(inputs, weights, bias, sums);
    }

    #[inline]
    fn dense_part(inputs: &[i16], part: (usize, usize), weights: &[i8], from: &[i32], sums: &mut [i32]) {
        fast::dense_part_bytes(inputs, part, weights, from, sums);
    }
}
