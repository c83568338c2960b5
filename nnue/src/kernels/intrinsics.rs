//! Kernels in vectors of 512 bits, by the processor's own instructions: the feature `intrinsics`, for x86-64
//! processors with AVX-512BW (servers since 2017, AMD desktops since 2022). Each call asks whether the processor has
//! these instructions; without them, and for lengths that do not fit, the kernels of `wide` run.
//!
//! The crate `wide` cannot use these registers in a program that must also start on older processors. Measured on a
//! processor with them, a layer of 512 inputs and 16 outputs takes 1.7 times as long with `wide` as here, an update
//! by eight rows of 256 lanes 1.2 times, a whole candidate of a desktop network 1.2 times. Short vectors gain
//! nothing, since these functions cannot be merged into their callers: they stay with `wide`. Instructions that
//! multiply and add at once (VNNI) gained nothing over multiplying and adding: reading the weights is what takes the
//! time.
//!
//! The only file of the crate with unsafe code: calls behind the question whether the processor can do it, and
//! reads and writes of whole vectors in arrays of their size.

use core::arch::x86_64::{
    __m256i, __m512i, _mm_add_epi32, _mm_loadu_si128, _mm_storeu_si128, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_hadd_epi32, _mm512_add_epi16, _mm512_add_epi32,
    _mm512_castsi512_si256, _mm512_extracti64x4_epi64, _mm512_loadu_si512, _mm512_madd_epi16,
    _mm512_max_epi16, _mm512_min_epi16, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_storeu_si512,
    _mm512_sub_epi16,
};

use super::scalar::whole_row;
use super::wide;

pub use super::wide::{
    add_bytes, add_row, dense_bytes, dense_part, dense_part_bytes, dot, dot_bytes, dot_rows, dot_rows_bytes,
    squash, sub_bytes, sub_row, update_bytes,
};

cpufeatures::new!(avx512, "avx512f", "avx512bw");

const LANES: usize = 32;

/// Vectors of sums that stay in registers while rows are added.
const TILE: usize = 8;

type Vector = [i16; LANES];

/// Least length of a slice, in numbers, from which on a call of these functions is faster than `wide`.
const LARGE: usize = 256;

/// Whether the processor has AVX-512F and AVX-512BW.
#[inline]
pub fn available() -> bool {
    avx512::get()
}

/// Copies an accumulator, then adds and subtracts rows of a table, given by their numbers. Rows are as long as `to`;
/// a row past the table's end counts as zero.
#[inline]
pub fn update(from: &[i16], table: &[i16], added: &[u16], removed: &[u16], to: &mut [i16]) {
    if from.len() == to.len() && to.len() >= LARGE && to.len().is_multiple_of(LANES) && available() {
        // SAFETY: `available` has asked the processor for the features of the function.
        unsafe { update_tiles(from, table, added, removed, to) }
    } else {
        wide::update(from, table, added, removed, to);
    }
}

/// Clipped activation: negative sums become 0, sums above the ceiling become the ceiling. A negative ceiling
/// counts as 0.
#[inline]
pub fn clip(sums: &[i16], ceiling: i16, activations: &mut [i16]) {
    match (sums.as_chunks(), activations.as_chunks_mut()) {
        ((from, []), (to, [])) if sums.len() >= LARGE && available() => {
            // SAFETY: `available` has asked the processor for the features of the function.
            unsafe { clip_vectors(from, ceiling.max(0), to) }
        }
        _ => wide::clip(sums, ceiling, activations),
    }
}

/// Layer before its activation: each sum is its bias plus the dot product of the inputs with its row of weights.
/// Rows are as long as the inputs; sums for which the weights do not reach are the bias alone.
#[inline]
pub fn dense(inputs: &[i16], weights: &[i16], bias: &[i32], sums: &mut [i32]) {
    let outputs = sums.len().min(bias.len());
    match (inputs.as_chunks(), weights.get(..outputs * inputs.len())) {
        ((vectors, []), Some(weights))
            if outputs.is_multiple_of(4) && inputs.len() >= LARGE && available() =>
        {
            // SAFETY: `available` has asked the processor for the features of the function.
            unsafe { dense_vectors(vectors, weights.as_chunks().0, bias, sums) }
        }
        _ => wide::dense(inputs, weights, bias, sums),
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn update_tiles(from: &[i16], table: &[i16], added: &[u16], removed: &[u16], to: &mut [i16]) {
    let stride = to.len();
    let (to, from) = (to.as_chunks_mut::<LANES>().0, from.as_chunks::<LANES>().0);
    let (to_tiles, to_left) = to.as_chunks_mut::<TILE>();
    let (from_tiles, from_left) = from.as_chunks::<TILE>();
    let mut offset = 0;
    for (to, from) in to_tiles.iter_mut().zip(from_tiles) {
        updated(from, table, (stride, offset), (added, removed), to);
        offset += TILE * LANES;
    }
    for (to, from) in to_left.iter_mut().zip(from_left) {
        updated(&[*from], table, (stride, offset), (added, removed), core::array::from_mut(to));
        offset += LANES;
    }
}

/// `N` vectors of sums, from lane `offset` on, after their rows' changes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn updated<const N: usize>(
    from: &[Vector; N],
    table: &[i16],
    (stride, offset): (usize, usize),
    (added, removed): (&[u16], &[u16]),
    to: &mut [Vector; N],
) {
    let tile = |row: u16| -> Option<&[Vector; N]> {
        let row = whole_row(table, usize::from(row), stride);
        row.get(offset..)?.as_chunks::<LANES>().0.first_chunk()
    };
    let mut sums = [_mm512_setzero_si512(); N];
    for (sum, from) in sums.iter_mut().zip(from) {
        *sum = load(from);
    }
    for row in added {
        if let Some(weights) = tile(*row) {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = _mm512_add_epi16(*sum, load(weights));
            }
        }
    }
    for row in removed {
        if let Some(weights) = tile(*row) {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = _mm512_sub_epi16(*sum, load(weights));
            }
        }
    }
    for (to, sum) in to.iter_mut().zip(sums) {
        store(to, sum);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn clip_vectors(sums: &[Vector], ceiling: i16, activations: &mut [Vector]) {
    let (zero, ceiling) = (_mm512_setzero_si512(), _mm512_set1_epi16(ceiling));
    for (to, from) in activations.iter_mut().zip(sums) {
        store(to, _mm512_min_epi16(_mm512_max_epi16(load(from), zero), ceiling));
    }
}

/// Two parts of a list, the first of this length; the whole and nothing if the list is shorter.
#[inline]
fn parted(list: &[Vector], at: usize) -> (&[Vector], &[Vector]) {
    list.split_at_checked(at).unwrap_or((list, &[]))
}

/// Layer whose rows are `inputs.len()` vectors long, four rows at a time against the same inputs. There are weights
/// for all outputs, and their number is a multiple of four.
#[target_feature(enable = "avx512f,avx512bw")]
fn dense_vectors(inputs: &[Vector], weights: &[Vector], bias: &[i32], sums: &mut [i32]) {
    let length = inputs.len();
    let mut weights = weights;
    for (sums, bias) in sums.as_chunks_mut::<4>().0.iter_mut().zip(bias.as_chunks::<4>().0) {
        let (rows, rest) = parted(weights, 4 * length);
        weights = rest;
        let (ab, cd) = parted(rows, 2 * length);
        let ((a, b), (c, d)) = (parted(ab, length), parted(cd, length));
        let mut dots = [_mm512_setzero_si512(); 4];
        for ((((input, a), b), c), d) in inputs.iter().zip(a).zip(b).zip(c).zip(d) {
            let input = load(input);
            for (dot, weights) in dots.iter_mut().zip([a, b, c, d]) {
                *dot = _mm512_add_epi32(*dot, _mm512_madd_epi16(input, load(weights)));
            }
        }
        let [a, b, c, d] = dots;
        let ab = _mm256_hadd_epi32(halved(a), halved(b));
        let cd = _mm256_hadd_epi32(halved(c), halved(d));
        let all = _mm256_hadd_epi32(ab, cd);
        let dots = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
        // SAFETY: both are arrays of four `i32`, 16 bytes, and the instructions ask for no alignment.
        unsafe {
            let bias = _mm_loadu_si128(bias.as_ptr().cast());
            _mm_storeu_si128(sums.as_mut_ptr().cast(), _mm_add_epi32(dots, bias));
        }
    }
}

/// Sum of the upper and the lower half of a vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn halved(sums: __m512i) -> __m256i {
    _mm256_add_epi32(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64::<1>(sums))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(numbers: &Vector) -> __m512i {
    // SAFETY: the array is 64 bytes long, and the instruction asks for no alignment.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(to: &mut Vector, numbers: __m512i) {
    // SAFETY: the array is 64 bytes long, and the instruction asks for no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), numbers) }
}
