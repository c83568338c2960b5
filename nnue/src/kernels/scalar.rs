//! The kernels as plain loops, as the reference for the fast kernels.

/// Adds a row of weights to the accumulator: a feature appears.
pub fn add_row(accumulator: &mut [i16], row: &[i16]) {
    for (sum, weight) in accumulator.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// Adds a row of weights of one byte to the accumulator.
pub fn add_bytes(accumulator: &mut [i16], row: &[i8]) {
    for (sum, weight) in accumulator.iter_mut().zip(row) {
        *sum = sum.wrapping_add(i16::from(*weight));
    }
}

/// Subtracts a row of weights from the accumulator: a feature disappears.
pub fn sub_row(accumulator: &mut [i16], row: &[i16]) {
    for (sum, weight) in accumulator.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}

/// Subtracts a row of weights of one byte from the accumulator.
pub fn sub_bytes(accumulator: &mut [i16], row: &[i8]) {
    for (sum, weight) in accumulator.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(i16::from(*weight));
    }
}

/// Copies an accumulator, then adds and subtracts rows of a table, given by their numbers. Rows are as long as `to`;
/// a row past the table's end counts as zero.
pub fn update(from: &[i16], table: &[i16], added: &[u16], removed: &[u16], to: &mut [i16]) {
    let stride = to.len();
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    for row in added {
        add_row(to, table_row(table, *row, stride));
    }
    for row in removed {
        sub_row(to, table_row(table, *row, stride));
    }
}

/// Copies an accumulator, then adds and subtracts rows of weights of one byte; otherwise [`update`].
pub fn update_bytes(from: &[i16], table: &[i8], added: &[u16], removed: &[u16], to: &mut [i16]) {
    let stride = to.len();
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    for row in added {
        add_bytes(to, table_row(table, *row, stride));
    }
    for row in removed {
        sub_bytes(to, table_row(table, *row, stride));
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

/// Sum of the products of a vector and weights of one byte.
pub fn dot_bytes(a: &[i16], b: &[i8]) -> i32 {
    a.iter().zip(b).fold(0, |sum: i32, (x, y)| sum.wrapping_add(i32::from(*x) * i32::from(*y)))
}

/// Sum of the dot products of the inputs with some rows of a table. Rows are as long as the inputs; a row past the
/// table's end counts as zero.
pub fn dot_rows(inputs: &[i16], table: &[i16], rows: &[u16]) -> i32 {
    let dots = rows.iter().map(|row| dot(inputs, table_row(table, *row, inputs.len())));
    dots.fold(0, i32::wrapping_add)
}

/// Sum of the dot products of the inputs with some rows of weights of one byte; otherwise [`dot_rows`].
pub fn dot_rows_bytes(inputs: &[i16], table: &[i8], rows: &[u16]) -> i32 {
    let dots = rows.iter().map(|row| dot_bytes(inputs, table_row(table, *row, inputs.len())));
    dots.fold(0, i32::wrapping_add)
}

/// Layer before its activation: each sum is its bias plus the dot product of the inputs with its row of weights.
/// Rows are as long as the inputs; sums for which the weights do not reach are the bias alone.
pub fn dense(inputs: &[i16], weights: &[i16], bias: &[i32], sums: &mut [i32]) {
    for (output, (sum, bias)) in sums.iter_mut().zip(bias).enumerate() {
        *sum = bias.wrapping_add(dot(inputs, whole_row(weights, output, inputs.len())));
    }
}

/// Layer with weights of one byte before its activation; otherwise [`dense`].
pub fn dense_bytes(inputs: &[i16], weights: &[i8], bias: &[i32], sums: &mut [i32]) {
    for (output, (sum, bias)) in sums.iter_mut().zip(bias).enumerate() {
        *sum = bias.wrapping_add(dot_bytes(inputs, whole_row(weights, output, inputs.len())));
    }
}

/// Part of a layer before its activation: each sum is the one it begins with plus the dot product of some inputs with their
/// part of its row of weights. The part begins at the weight `first`, and rows have `stride` weights; sums for which the
/// weights do not reach are those they begin with.
pub fn dense_part(
    inputs: &[i16],
    (first, stride): (usize, usize),
    weights: &[i16],
    from: &[i32],
    sums: &mut [i32],
) {
    for (output, (sum, from)) in sums.iter_mut().zip(from).enumerate() {
        let row = whole_row(weights, output, stride).get(first..).unwrap_or_default();
        *sum = from.wrapping_add(dot(inputs, row));
    }
}

/// Part of a layer with weights of one byte before its activation; otherwise [`dense_part`].
pub fn dense_part_bytes(
    inputs: &[i16],
    (first, stride): (usize, usize),
    weights: &[i8],
    from: &[i32],
    sums: &mut [i32],
) {
    for (output, (sum, from)) in sums.iter_mut().zip(from).enumerate() {
        let row = whole_row(weights, output, stride).get(first..).unwrap_or_default();
        *sum = from.wrapping_add(dot_bytes(inputs, row));
    }
}

/// Activation of a layer: sums divided by `2^shift`, rounded down, and clipped like [`clip`]. Shifts above 31
/// count as 31.
pub fn squash(sums: &[i32], shift: u32, ceiling: i16, activations: &mut [i16]) {
    let ceiling = i32::from(ceiling.max(0));
    for (sum, activation) in sums.iter().zip(activations) {
        *activation = (*sum >> shift.min(31)).clamp(0, ceiling) as i16;
    }
}

fn table_row<W>(table: &[W], row: u16, stride: usize) -> &[W] {
    whole_row(table, usize::from(row), stride)
}

/// Row of a table; empty when the table ends before the end of the row.
pub(crate) fn whole_row<W>(table: &[W], row: usize, stride: usize) -> &[W] {
    let start = row.saturating_mul(stride);
    table.get(start..start.saturating_add(stride)).unwrap_or_default()
}
