//! The kernels in lanes of sixteen, by the crate `wide`, for targets with vector registers, chosen when the program
//! is compiled. The rest of a slice that does not fill a vector goes through the plain loops.

use wide::{i8x16, i16x16, i32x4, i32x8};

use super::scalar::{self, whole_row};

const LANES: usize = 16;

/// Vectors of sums that stay in registers while rows are added: a tile of the accumulator.
const TILE: usize = if cfg!(target_feature = "avx2") {
    16
} else if cfg!(target_feature = "neon") {
    8
} else {
    4
};

/// Adds a row of weights to the accumulator: a feature appears.
#[inline]
pub fn add_row(accumulator: &mut [i16], row: &[i16]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) + load(weight)).to_array();
    }
    scalar::add_row(sums_left, weights_left);
}

/// Adds a row of weights of one byte to the accumulator.
#[inline]
pub fn add_bytes(accumulator: &mut [i16], row: &[i8]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) + load(weight)).to_array();
    }
    scalar::add_bytes(sums_left, weights_left);
}

/// Subtracts a row of weights from the accumulator: a feature disappears.
#[inline]
pub fn sub_row(accumulator: &mut [i16], row: &[i16]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) - load(weight)).to_array();
    }
    scalar::sub_row(sums_left, weights_left);
}

/// Subtracts a row of weights of one byte from the accumulator.
#[inline]
pub fn sub_bytes(accumulator: &mut [i16], row: &[i8]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) - load(weight)).to_array();
    }
    scalar::sub_bytes(sums_left, weights_left);
}

/// Copies an accumulator, then adds and subtracts rows of a table, given by their numbers. Rows are as long as `to`;
/// a row past the table's end counts as zero.
#[inline]
pub fn update(from: &[i16], table: &[i16], added: &[u16], removed: &[u16], to: &mut [i16]) {
    if from.len() == to.len() && to.len().is_multiple_of(LANES) {
        update_tiles(from, table, added, removed, to);
    } else {
        scalar::update(from, table, added, removed, to);
    }
}

/// Copies an accumulator, then adds and subtracts rows of weights of one byte; otherwise [`update`].
#[inline]
pub fn update_bytes(from: &[i16], table: &[i8], added: &[u16], removed: &[u16], to: &mut [i16]) {
    if from.len() == to.len() && to.len().is_multiple_of(LANES) {
        update_tiles(from, table, added, removed, to);
    } else {
        scalar::update_bytes(from, table, added, removed, to);
    }
}

/// Clipped activation: negative sums become 0, sums above the ceiling become the ceiling. A negative ceiling
/// counts as 0.
#[inline]
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
#[inline]
pub fn dot(a: &[i16], b: &[i16]) -> i32 {
    let (a, a_left, b, b_left) = chunks(a, b);
    fold(products(a, b)).wrapping_add(scalar::dot(a_left, b_left))
}

/// Sum of the products of a vector and weights of one byte.
#[inline]
pub fn dot_bytes(a: &[i16], b: &[i8]) -> i32 {
    let (a, a_left, b, b_left) = chunks(a, b);
    fold(products(a, b)).wrapping_add(scalar::dot_bytes(a_left, b_left))
}

/// Sum of the dot products of the inputs with some rows of a table. Rows are as long as the inputs; a row past the
/// table's end counts as zero.
#[inline]
pub fn dot_rows(inputs: &[i16], table: &[i16], rows: &[u16]) -> i32 {
    match inputs.as_chunks() {
        (inputs, []) => dot_vectors(inputs, table, rows),
        _ => scalar::dot_rows(inputs, table, rows),
    }
}

/// Sum of the dot products of the inputs with some rows of weights of one byte; otherwise [`dot_rows`].
#[inline]
pub fn dot_rows_bytes(inputs: &[i16], table: &[i8], rows: &[u16]) -> i32 {
    match inputs.as_chunks() {
        (inputs, []) => dot_vectors(inputs, table, rows),
        _ => scalar::dot_rows_bytes(inputs, table, rows),
    }
}

/// Two parts of a list, the first of this length; the whole and nothing if the list is shorter.
#[inline]
fn parted<T>(list: &[T], at: usize) -> (&[T], &[T]) {
    list.split_at_checked(at).unwrap_or((list, &[]))
}

/// Layer before its activation: each sum is its bias plus the dot product of the inputs with its row of weights.
/// Rows are as long as the inputs; sums for which the weights do not reach are the bias alone.
#[inline]
pub fn dense(inputs: &[i16], weights: &[i16], bias: &[i32], sums: &mut [i32]) {
    match whole(inputs, weights, bias, sums) {
        Some((inputs, weights, bias, sums)) => dense_vectors(inputs, weights, bias, sums),
        None => scalar::dense(inputs, weights, bias, sums),
    }
}

/// Layer with weights of one byte before its activation; otherwise [`dense`].
#[inline]
pub fn dense_bytes(inputs: &[i16], weights: &[i8], bias: &[i32], sums: &mut [i32]) {
    match whole(inputs, weights, bias, sums) {
        Some((inputs, weights, bias, sums)) => dense_vectors(inputs, weights, bias, sums),
        None => scalar::dense_bytes(inputs, weights, bias, sums),
    }
}

/// Part of a layer before its activation: each sum is the one it begins with plus the dot product of some inputs with their
/// part of its row of weights. `part` is the number of its first weight, and that of the weights of a row; sums for which the
/// weights do not reach are those they begin with.
#[inline]
pub fn dense_part(inputs: &[i16], part: (usize, usize), weights: &[i16], from: &[i32], sums: &mut [i32]) {
    match whole_part(inputs, part, weights, from, sums) {
        Some((part, (inputs, weights, from, sums))) => part_vectors(inputs, part, weights, from, sums),
        None => scalar::dense_part(inputs, part, weights, from, sums),
    }
}

/// Part of a layer with weights of one byte before its activation; otherwise [`dense_part`].
#[inline]
pub fn dense_part_bytes(
    inputs: &[i16],
    part: (usize, usize),
    weights: &[i8],
    from: &[i32],
    sums: &mut [i32],
) {
    match whole_part(inputs, part, weights, from, sums) {
        Some((part, (inputs, weights, from, sums))) => part_vectors(inputs, part, weights, from, sums),
        None => scalar::dense_part_bytes(inputs, part, weights, from, sums),
    }
}

/// Activation of a layer: sums divided by `2^shift`, rounded down, and clipped like [`clip`]. Shifts above 31
/// count as 31.
#[inline]
pub fn squash(sums: &[i32], shift: u32, ceiling: i16, activations: &mut [i16]) {
    let shift = shift.min(31);
    let (zeros, ceilings) = (i32x8::splat(0), i32x8::splat(i32::from(ceiling.max(0))));
    let length = sums.len().min(activations.len());
    let (inputs, inputs_left) = sums.split_at(length).0.as_chunks::<8>();
    let (outputs, outputs_left) = activations.split_at_mut(length).0.as_chunks_mut::<8>();
    for (output, input) in outputs.iter_mut().zip(inputs) {
        let clipped = (i32x8::new(*input) >> shift).max(zeros).min(ceilings);
        *output = clipped.to_array().map(|sum| sum as i16);
    }
    scalar::squash(inputs_left, shift, ceiling, outputs_left);
}

/// Weights that load into a vector register, sixteen at a time.
trait Load: Copy {
    fn load(weights: &[Self; LANES]) -> i16x16;
}

impl Load for i16 {
    #[inline]
    fn load(weights: &[i16; LANES]) -> i16x16 {
        i16x16::new(*weights)
    }
}

impl Load for i8 {
    #[inline]
    fn load(weights: &[i8; LANES]) -> i16x16 {
        i16x16::from_i8x16(i8x16::new(*weights))
    }
}

#[inline]
fn load<W: Load>(weights: &[W; LANES]) -> i16x16 {
    W::load(weights)
}

/// Update of an accumulator tile by tile, so that each sum is read and written once, however many rows there are.
#[inline]
fn update_tiles<W: Load>(from: &[i16], table: &[W], added: &[u16], removed: &[u16], to: &mut [i16]) {
    let stride = to.len();
    let (to, _) = to.as_chunks_mut::<LANES>();
    let (from, _) = from.as_chunks::<LANES>();
    let (to_tiles, to_left) = to.as_chunks_mut::<TILE>();
    let (from_tiles, from_left) = from.as_chunks::<TILE>();
    let mut offset = 0;
    for (to, from) in to_tiles.iter_mut().zip(from_tiles) {
        *to = updated(*from, table, stride, offset, added, removed);
        offset += TILE * LANES;
    }
    let (to_pairs, to_left) = to_left.as_chunks_mut::<2>();
    let (from_pairs, from_left) = from_left.as_chunks::<2>();
    for (to, from) in to_pairs.iter_mut().zip(from_pairs) {
        *to = updated(*from, table, stride, offset, added, removed);
        offset += 2 * LANES;
    }
    // At most one.
    for (to, from) in to_left.iter_mut().zip(from_left) {
        [*to] = updated([*from], table, stride, offset, added, removed);
    }
}

/// `N` vectors of sums, from lane `offset` on, after their rows' changes.
#[inline]
fn updated<W: Load, const N: usize>(
    sums: [[i16; LANES]; N],
    table: &[W],
    stride: usize,
    offset: usize,
    added: &[u16],
    removed: &[u16],
) -> [[i16; LANES]; N] {
    let mut sums = sums.map(i16x16::new);
    for row in added {
        if let Some(weights) = tile::<W, N>(table, *row, stride, offset) {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum += load(weights);
            }
        }
    }
    for row in removed {
        if let Some(weights) = tile::<W, N>(table, *row, stride, offset) {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum -= load(weights);
            }
        }
    }
    sums.map(i16x16::to_array)
}

/// Part of a row that belongs to the tile at this offset; `None` when the table ends before the end of the row.
#[inline]
fn tile<W, const N: usize>(table: &[W], row: u16, stride: usize, offset: usize) -> Option<&[[W; LANES]; N]> {
    let row = whole_row(table, usize::from(row), stride);
    row.get(offset..)?.as_chunks::<LANES>().0.first_chunk()
}

/// Sum of the dot products of the inputs with some rows, in one vector of sums that is added up once.
#[inline]
fn dot_vectors<W: Load>(inputs: &[[i16; LANES]], table: &[W], rows: &[u16]) -> i32 {
    let length = inputs.len() * LANES;
    let sums = rows.iter().fold(i32x8::splat(0), |sums, row| {
        sums + products(inputs, whole_row(table, usize::from(*row), length).as_chunks().0)
    });
    fold(sums)
}

/// Sum of the lanes.
#[inline]
fn fold(sums: i32x8) -> i32 {
    sums.to_array().into_iter().fold(0, i32::wrapping_add)
}

/// Sums of the lanes of four vectors.
#[inline]
fn fold_four(sums: [i32x8; 4]) -> i32x4 {
    let halves = sums.map(|sum| {
        let [low, high]: [i32x4; 2] = bytemuck::cast(sum);
        low + high
    });
    let [a, b, c, d] = i32x4::transpose(halves);
    (a + b) + (c + d)
}

/// Layer whose rows are `inputs.len()` vectors long: four rows at a time against the same inputs, then the remaining
/// rows. There are weights for all sums.
#[inline]
fn dense_vectors<W: Load>(inputs: &[[i16; LANES]], weights: &[[W; LANES]], bias: &[i32], sums: &mut [i32]) {
    let length = inputs.len();
    let (sums, sums_left) = sums.as_chunks_mut::<4>();
    let (bias, bias_left) = bias.as_chunks::<4>();
    let mut weights = weights;
    for (sums, bias) in sums.iter_mut().zip(bias) {
        let (rows, rest) = parted(weights, 4 * length);
        weights = rest;
        let (ab, cd) = parted(rows, 2 * length);
        let ((a, b), (c, d)) = (parted(ab, length), parted(cd, length));
        let mut dots = [i32x8::splat(0); 4];
        for ((((input, a), b), c), d) in inputs.iter().zip(a).zip(b).zip(c).zip(d) {
            let input = i16x16::new(*input);
            for (dot, weights) in dots.iter_mut().zip([a, b, c, d]) {
                *dot += input.dot(load(weights));
            }
        }
        *sums = (fold_four(dots) + i32x4::new(*bias)).to_array();
    }
    for (output, (sum, bias)) in sums_left.iter_mut().zip(bias_left).enumerate() {
        let row = weights.get(output * length..).unwrap_or_default();
        *sum = fold(products(inputs, row)).wrapping_add(*bias);
    }
}

/// Layer whose rows are `stride` vectors long, by their part from the vector `first` on: four rows at a time against the same
/// inputs, then the remaining rows. There are weights for all sums.
#[inline]
fn part_vectors<W: Load>(
    inputs: &[[i16; LANES]],
    (first, stride): (usize, usize),
    weights: &[[W; LANES]],
    from: &[i32],
    sums: &mut [i32],
) {
    let (sums, sums_left) = sums.as_chunks_mut::<4>();
    let (from, from_left) = from.as_chunks::<4>();
    let mut weights = weights;
    for (sums, from) in sums.iter_mut().zip(from) {
        let (rows, rest) = parted(weights, 4 * stride);
        weights = rest;
        let (_, a) = parted(rows, first);
        let ((_, b), (_, c), (_, d)) = (parted(a, stride), parted(a, 2 * stride), parted(a, 3 * stride));
        let mut dots = [i32x8::splat(0); 4];
        for ((((input, a), b), c), d) in inputs.iter().zip(a).zip(b).zip(c).zip(d) {
            let input = i16x16::new(*input);
            for (dot, weights) in dots.iter_mut().zip([a, b, c, d]) {
                *dot += input.dot(load(weights));
            }
        }
        *sums = (fold_four(dots) + i32x4::new(*from)).to_array();
    }
    for (output, (sum, from)) in sums_left.iter_mut().zip(from_left).enumerate() {
        let row = weights.get(output * stride + first..).unwrap_or_default();
        *sum = fold(products(inputs, row)).wrapping_add(*from);
    }
}

/// Inputs, part, and weights of a layer in vectors, with what its sums begin with and the sums, of the same length; `None`
/// when inputs, part or rows do not fill whole vectors or weights are missing.
#[inline]
fn whole_part<'a, W>(
    inputs: &'a [i16],
    (first, stride): (usize, usize),
    weights: &'a [W],
    from: &'a [i32],
    sums: &'a mut [i32],
) -> Option<((usize, usize), Layer<'a, W>)> {
    let fits = inputs.len() <= stride.saturating_sub(first)
        && first <= stride
        && first.is_multiple_of(LANES)
        && stride.is_multiple_of(LANES);
    let length = sums.len().min(from.len());
    let (inputs, []) = inputs.as_chunks() else { return None };
    let stride = stride / LANES;
    let weights = weights.as_chunks().0.get(..length.saturating_mul(stride)).filter(|_| fits)?;
    Some(((first / LANES, stride), (inputs, weights, from.get(..length)?, sums.get_mut(..length)?)))
}

/// Sums of the products of the inputs with a row, pair by pair and vector by vector.
#[inline]
fn products<W: Load>(inputs: &[[i16; LANES]], row: &[[W; LANES]]) -> i32x8 {
    let products = inputs.iter().zip(row).map(|(input, weights)| i16x16::new(*input).dot(load(weights)));
    products.fold(i32x8::splat(0), |sum, product| sum + product)
}

/// Inputs and weights of a layer in vectors, with bias and sums of the same length; `None` when the inputs do not
/// fill whole vectors or weights are missing.
#[inline]
fn whole<'a, W>(
    inputs: &'a [i16],
    weights: &'a [W],
    bias: &'a [i32],
    sums: &'a mut [i32],
) -> Option<Layer<'a, W>> {
    let length = sums.len().min(bias.len());
    let (inputs, []) = inputs.as_chunks() else { return None };
    let weights = weights.as_chunks().0.get(..length * inputs.len())?;
    Some((inputs, weights, bias.get(..length)?, sums.get_mut(..length)?))
}

type Layer<'a, W> = (&'a [[i16; LANES]], &'a [[W; LANES]], &'a [i32], &'a mut [i32]);

/// Full groups of lanes and the rest of two slices, both cut to the shorter length.
#[inline]
fn chunks<'a, 'b, W>(a: &'a [i16], b: &'b [W]) -> Chunks<'a, 'b, W> {
    let length = a.len().min(b.len());
    let (a, a_left) = a.split_at(length).0.as_chunks();
    let (b, b_left) = b.split_at(length).0.as_chunks();
    (a, a_left, b, b_left)
}

type Chunks<'a, 'b, W> = (&'a [[i16; LANES]], &'a [i16], &'b [[W; LANES]], &'b [W]);

/// Full groups of lanes and the rest of two slices, both cut to the shorter length; the first slice is written to.
#[inline]
fn chunks_mut<'a, 'b, W>(to: &'a mut [i16], from: &'b [W]) -> ChunksMut<'a, 'b, W> {
    let length = to.len().min(from.len());
    let (to, to_left) = to.split_at_mut(length).0.as_chunks_mut();
    let (from, from_left) = from.split_at(length).0.as_chunks();
    (to, to_left, from, from_left)
}

type ChunksMut<'a, 'b, W> = (&'a mut [[i16; LANES]], &'a mut [i16], &'b [[W; LANES]], &'b [W]);
