//! The kernels in lanes of sixteen, by the crate `wide`, for targets with vector registers: which ones is decided
//! when the program is compiled. What is left at the end of a slice goes through the plain loops.

use wide::{i8x16, i16x16, i32x8};

use super::scalar::{self, whole_row};

const LANES: usize = 16;

/// Vectors of sums that stay in registers while rows are added: a tile of the accumulator.
const TILE: usize = if cfg!(any(target_feature = "avx2", target_feature = "neon")) { 8 } else { 4 };

/// Adds a row of weights to the accumulator: a feature appears.
#[inline]
pub fn add_row(accumulator: &mut [i16], row: &[i16]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) + load(weight)).to_array();
    }
    scalar::add_row(sums_left, weights_left);
}

/// [`add_row`] with weights of one byte.
#[inline]
pub fn add_bytes(accumulator: &mut [i16], row: &[i8]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) + load(weight)).to_array();
    }
    scalar::add_bytes(sums_left, weights_left);
}

/// Takes a row of weights off the accumulator: a feature disappears.
#[inline]
pub fn sub_row(accumulator: &mut [i16], row: &[i16]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) - load(weight)).to_array();
    }
    scalar::sub_row(sums_left, weights_left);
}

/// [`sub_row`] with weights of one byte.
#[inline]
pub fn sub_bytes(accumulator: &mut [i16], row: &[i8]) {
    let (sums, sums_left, weights, weights_left) = chunks_mut(accumulator, row);
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = (i16x16::new(*sum) - load(weight)).to_array();
    }
    scalar::sub_bytes(sums_left, weights_left);
}

/// Copies an accumulator and changes rows of the copy. The rows are numbers of rows of the table, which are as long
/// as `to`; numbers past the table's end count for nothing.
#[inline]
pub fn update(from: &[i16], table: &[i16], added: &[u16], removed: &[u16], to: &mut [i16]) {
    if from.len() == to.len() && to.len().is_multiple_of(LANES) {
        update_tiles(from, table, added, removed, to);
    } else {
        scalar::update(from, table, added, removed, to);
    }
}

/// [`update`] with weights of one byte.
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
    let ([sum], a_left, [b_left]) = dots(a, [b]);
    sum.wrapping_add(scalar::dot(a_left, b_left))
}

/// [`dot`] with weights of one byte.
#[inline]
pub fn dot_bytes(a: &[i16], b: &[i8]) -> i32 {
    let ([sum], a_left, [b_left]) = dots(a, [b]);
    sum.wrapping_add(scalar::dot_bytes(a_left, b_left))
}

/// Sum of the dot products of the inputs with some rows of a table. Rows are as long as the inputs; numbers past the
/// table's end count for nothing.
#[inline]
pub fn dot_rows(inputs: &[i16], table: &[i16], rows: &[u16]) -> i32 {
    dot_sum(inputs, table, rows, scalar::dot)
}

/// [`dot_rows`] with weights of one byte.
#[inline]
pub fn dot_rows_bytes(inputs: &[i16], table: &[i8], rows: &[u16]) -> i32 {
    dot_sum(inputs, table, rows, scalar::dot_bytes)
}

/// A layer before its activation: each sum is its bias plus the dot product of the inputs with its row of weights.
/// Rows are as long as the inputs; sums for which the weights do not reach are the bias alone.
#[inline]
pub fn dense(inputs: &[i16], weights: &[i16], bias: &[i32], sums: &mut [i32]) {
    dense_rows(inputs, weights, bias, sums, scalar::dot);
}

/// [`dense`] with weights of one byte.
#[inline]
pub fn dense_bytes(inputs: &[i16], weights: &[i8], bias: &[i32], sums: &mut [i32]) {
    dense_rows(inputs, weights, bias, sums, scalar::dot_bytes);
}

/// Activation of a layer: sums are divided by `2^shift`, rounding down, and clipped like [`clip`]. Shifts above 31
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

/// Sixteen weights in a vector register.
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

/// An update tile by tile, so that each sum is read and written once, however many rows there are.
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
    for (to, from) in to_left.iter_mut().zip(from_left) {
        [*to] = updated([*from], table, stride, offset, added, removed);
        offset += LANES;
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

/// The part of a row that meets the tile at this offset; nothing when the table has not all of the row.
#[inline]
fn tile<W, const N: usize>(table: &[W], row: u16, stride: usize, offset: usize) -> Option<&[[W; LANES]; N]> {
    let row = whole_row(table, usize::from(row), stride);
    row.get(offset..)?.as_chunks::<LANES>().0.first_chunk()
}

/// Products of all rows in one vector of sums, which is added up once.
#[inline]
fn dot_sum<W: Load>(
    inputs: &[i16],
    table: &[W],
    rows: &[u16],
    scalar_dot: impl Fn(&[i16], &[W]) -> i32,
) -> i32 {
    let (vectors, inputs_left) = inputs.as_chunks::<LANES>();
    let mut sums = i32x8::splat(0);
    let mut rest = 0i32;
    for row in rows {
        let (weights, weights_left) = whole_row(table, usize::from(*row), inputs.len()).as_chunks::<LANES>();
        for (input, weights) in vectors.iter().zip(weights) {
            sums += i16x16::new(*input).dot(load(weights));
        }
        rest = rest.wrapping_add(scalar_dot(inputs_left, weights_left));
    }
    fold(sums).wrapping_add(rest)
}

/// Sum of the lanes.
#[inline]
fn fold(sums: i32x8) -> i32 {
    sums.to_array().into_iter().fold(0, i32::wrapping_add)
}

/// Four rows at a time against the same inputs, then the rows that are left.
#[inline]
fn dense_rows<W: Load>(
    inputs: &[i16],
    weights: &[W],
    bias: &[i32],
    sums: &mut [i32],
    scalar_dot: impl Fn(&[i16], &[W]) -> i32,
) {
    let length = sums.len().min(bias.len());
    let (sums, sums_left) = sums.split_at_mut(length).0.as_chunks_mut::<4>();
    let (bias, bias_left) = bias.split_at(length).0.as_chunks::<4>();
    let row = |output| whole_row(weights, output, inputs.len());
    let mut output = 0;
    for (sums, bias) in sums.iter_mut().zip(bias) {
        let rows = core::array::from_fn(|index| row(output + index));
        *sums = if rows.iter().all(|row| row.len() == inputs.len()) {
            let (dots, inputs_left, rows_left) = dots(inputs, rows);
            core::array::from_fn(|index| {
                let [dot, bias] = [dots, *bias].map(|numbers| numbers.get(index).copied().unwrap_or(0));
                let rest = rows_left.get(index).map_or(0, |row| scalar_dot(inputs_left, row));
                dot.wrapping_add(bias).wrapping_add(rest)
            })
        } else {
            core::array::from_fn(|index| {
                let bias = bias.get(index).copied().unwrap_or(0);
                bias.wrapping_add(scalar_dot(inputs, rows.get(index).copied().unwrap_or_default()))
            })
        };
        output += 4;
    }
    for (index, (sum, bias)) in sums_left.iter_mut().zip(bias_left).enumerate() {
        let ([dot], inputs_left, [row_left]) = dots(inputs, [row(output + index)]);
        *sum = dot.wrapping_add(*bias).wrapping_add(scalar_dot(inputs_left, row_left));
    }
}

/// Dot products of the inputs with `N` rows over full vectors, and what is left of the inputs and rows. All are
/// used up to the shortest.
#[inline]
fn dots<'a, W: Load, const N: usize>(
    inputs: &'a [i16],
    rows: [&'a [W]; N],
) -> ([i32; N], &'a [i16], [&'a [W]; N]) {
    let length = rows.iter().fold(inputs.len(), |length, row| length.min(row.len()));
    let (inputs, inputs_left) = inputs.split_at(length).0.as_chunks::<LANES>();
    let cut = rows.map(|row| row.split_at(length).0.as_chunks::<LANES>());
    let mut sums = [i32x8::splat(0); N];
    for (index, input) in inputs.iter().enumerate() {
        let input = i16x16::new(*input);
        for (sum, (row, _)) in sums.iter_mut().zip(&cut) {
            if let Some(weights) = row.get(index) {
                *sum += input.dot(load(weights));
            }
        }
    }
    (sums.map(fold), inputs_left, cut.map(|(_, left)| left))
}

type ChunksMut<'a, 'b, W> = (&'a mut [[i16; LANES]], &'a mut [i16], &'b [[W; LANES]], &'b [W]);

/// Cuts two slices, after bringing them to the shorter length, into full groups of lanes and what is left over.
#[inline]
fn chunks_mut<'a, 'b, W>(to: &'a mut [i16], from: &'b [W]) -> ChunksMut<'a, 'b, W> {
    let length = to.len().min(from.len());
    let (to, to_left) = to.split_at_mut(length).0.as_chunks_mut();
    let (from, from_left) = from.split_at(length).0.as_chunks();
    (to, to_left, from, from_left)
}
