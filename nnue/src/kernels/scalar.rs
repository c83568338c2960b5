//! The kernels as plain loops: what the fast version is held to, and what targets without vector registers run.

/// Adds a row of weights to the accumulator: a feature appears.
pub fn add_row(accumulator: &mut [i16], row: &[i16]) {
    for (sum, weight) in accumulator.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// Takes a row of weights off the accumulator: a feature disappears.
pub fn sub_row(accumulator: &mut [i16], row: &[i16]) {
    for (sum, weight) in accumulator.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}

/// Clipped activation: negative sums become 0, sums above the ceiling become the ceiling. A negative ceiling
/// counts as 0.
pub fn clip(sums: &[i16], ceiling: i16, activations: &mut [i16]) {
    let ceiling = ceiling.max(0);
    for (sum, activation) in sums.iter().zip(activations) {
        *activation = (*sum).clamp(0, ceiling);
    }
}

/// Sum of the products of two vectors.
///
/// ```
/// use barrow_nnue::kernels::scalar::dot;
/// assert_eq!(dot(&[1, -2, 300], &[10, 20, 300]), 89_970);
/// ```
pub fn dot(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).fold(0, |sum: i32, (x, y)| sum.wrapping_add(i32::from(*x) * i32::from(*y)))
}
