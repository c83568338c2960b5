//! The kernels in lanes of sixteen, by the crate `wide`, for targets with vector registers: which ones is decided
//! when the program is compiled. What is left at the end of a slice goes through the plain loops.

use wide::{i16x16, i32x8};

use super::scalar;

const LANES: usize = 16;

/// Adds a row of weights to the accumulator: a feature appears.
pub fn add_row(accumulator: &mut [i16], row: &[i16]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) + i16x16::new(*weight)).to_array();
    }
    scalar::add_row(sums_left, weights_left);
}

/// Takes a row of weights off the accumulator: a feature disappears.
pub fn sub_row(accumulator: &mut [i16], row: &[i16]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) - i16x16::new(*weight)).to_array();
    }
    scalar::sub_row(sums_left, weights_left);
}

/// Clipped activation: negative sums become 0, sums above the ceiling become the ceiling. A negative ceiling
/// counts as 0.
pub fn clip(sums: &[i16], ceiling: i16, activations: &mut [i16]) {
    let ceiling = ceiling.max(0);
    let (zeros, ceilings) = (i16x16::splat(0), i16x16::splat(ceiling));
    let (outputs, outputs_left, inputs, inputs_left) = chunks_mut(activations, sums);
    for (output, input) in outputs.iter_mut().zip(inputs) {
        *output = i16x16::new(*input).max(zeros).min(ceilings).to_array();
    }
    scalar::clip(inputs_left, ceiling, outputs_left);
}

/// Sum of the products of two vectors.
pub fn dot(a: &[i16], b: &[i16]) -> i32 {
    let length = a.len().min(b.len());
    let (a, a_left) = a.split_at(length).0.as_chunks::<LANES>();
    let (b, b_left) = b.split_at(length).0.as_chunks::<LANES>();
    let mut sums = i32x8::splat(0);
    for (x, y) in a.iter().zip(b) {
        sums += i16x16::new(*x).dot(i16x16::new(*y));
    }
    sums.to_array().into_iter().fold(scalar::dot(a_left, b_left), i32::wrapping_add)
}

type ChunksMut<'a, 'b> = (&'a mut [[i16; LANES]], &'a mut [i16], &'b [[i16; LANES]], &'b [i16]);

/// Cuts two slices, after bringing them to the shorter length, into full groups of lanes and what is left over.
fn chunks_mut<'a, 'b>(to: &'a mut [i16], from: &'b [i16]) -> ChunksMut<'a, 'b> {
    let length = to.len().min(from.len());
    let (to, to_left) = to.split_at_mut(length).0.as_chunks_mut();
    let (from, from_left) = from.split_at(length).0.as_chunks();
    (to, to_left, from, from_left)
}
