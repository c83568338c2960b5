//! The kernels by words of 32 bits, for targets without vector registers: rows of bytes are added four weights at a time,
//! two lanes of 16 bits to a word, and a layer takes four rows at a time, two
//! products to a multiplication. All other kernels are the plain loops.

pub use super::scalar::{
    add_bytes, add_row, clip, dense, dense_part, dot, dot_bytes, dot_rows, dot_rows_bytes, squash, sub_bytes,
    sub_row, update,
};

use super::scalar;

/// Lanes that are summed at a time, so that their sums stay in registers while rows go by.
const LANES: usize = 8;

/// Rows of one pass: the sum of so many unsigned bytes fits into 16 bits.
const PASS: usize = 256;

/// Inputs of every layer of the network with weights of one byte.
const INPUTS: usize = 64;

/// Rows of a layer that are multiplied at a time.
const OUTPUTS: usize = 4;

/// Weights of so many rows.
const ROWS: usize = INPUTS * OUTPUTS;

/// Copies an accumulator, then adds and subtracts rows of weights of one byte; otherwise [`update`]. The plain loops take
/// tables that do not begin at a word, and rows that are not of whole lots of lanes.
pub fn update_bytes(from: &[i16], table: &[i8], added: &[u16], removed: &[u16], to: &mut [i16]) {
    let stride = to.len();
    // Without what is left of a row at the end of the table.
    let whole = table.len().checked_div(stride).unwrap_or(0) * stride;
    let words = table.get(..whole).and_then(|table| bytemuck::try_cast_slice(table).ok());
    let Some(words) = words.filter(|_| stride.is_multiple_of(LANES)) else {
        return scalar::update_bytes(from, table, added, removed, to);
    };
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    for (rows, sign) in [(added, 1), (removed, -1)] {
        for rows in rows.chunks(PASS) {
            add_pass(words, stride / 4, rows, sign, to);
        }
    }
}

/// Adds some rows of a table of whole rows, each of so many words, or subtracts them where the sign is -1.
#[inline]
fn add_pass(table: &[u32], stride: usize, rows: &[u16], sign: i16, to: &mut [i16]) {
    for (lanes, first) in to.as_chunks_mut::<LANES>().0.iter_mut().zip((0..).step_by(LANES / 4)) {
        let table = table.get(first..).unwrap_or_default();
        let [even, odd, next_even, next_odd] = sums(table, stride, rows);
        let bias = BIAS.wrapping_mul(rows.len() as i16);
        let add = |lane: &mut i16, sum: u32| {
            *lane = lane.wrapping_add((sum as i16).wrapping_sub(bias).wrapping_mul(sign));
        };
        let [a, b, c, d, e, f, g, h] = lanes;
        add(a, even);
        add(b, odd);
        add(c, even >> 16);
        add(d, odd >> 16);
        add(e, next_even);
        add(f, next_odd);
        add(g, next_even >> 16);
        add(h, next_odd >> 16);
    }
}

/// Sums of the first [`LANES`] unsigned weights of some rows, each in half a word; a row that there is not has weights of
/// zero. A function of its own, so that all sums stay in registers.
#[inline(never)]
fn sums(table: &[u32], stride: usize, rows: &[u16]) -> [u32; 4] {
    let (mut even, mut odd, mut next_even, mut next_odd) = (0, 0, 0, 0);
    for &row in rows {
        let weights = table.get(usize::from(row) * stride..).and_then(<[u32]>::first_chunk);
        let [front, back] = weights.copied().unwrap_or([0; 2]);
        add_word(front, &mut even, &mut odd);
        add_word(back, &mut next_even, &mut next_odd);
    }
    [even, odd, next_even, next_odd]
}

/// What an unsigned weight is larger than the weight.
const BIAS: i16 = 128;

/// Bits that turn four weights into unsigned numbers.
const FLIP: u32 = 0x8080_8080;

/// Lower bytes of both halves of a word.
const LOW_BYTES: u32 = 0x00ff_00ff;

/// Adds four weights as unsigned numbers: the first and third to the halves of `even`, the others to those of `odd`.
#[inline]
fn add_word(weights: u32, even: &mut u32, odd: &mut u32) {
    let word = u32::from_le(weights) ^ FLIP;
    *even = even.wrapping_add(word & LOW_BYTES);
    *odd = odd.wrapping_add((word >> 8) & LOW_BYTES);
}

/// Layer with weights of one byte before its activation; otherwise [`dense`]. Two products come of one multiplication: of
/// two weights in the halves of a word with two inputs in the halves of another, the other way round, the upper half of the
/// product is the sum of both. So it is with the [`INPUTS`] activations, `0..=64`, of a network with such weights, whose
/// layers begin at words; the plain loops take all else.
pub fn dense_bytes(inputs: &[i16], weights: &[i8], bias: &[i32], sums: &mut [i32]) {
    let packed = Packed::<{ INPUTS / 4 }>::new(inputs);
    let Some(packed) = packed else { return scalar::dense_bytes(inputs, weights, bias, sums) };
    let (mut weights, mut biases, mut outputs) = (weights, bias, sums);
    while let Some((rows, later)) = weights.split_first_chunk::<ROWS>()
        && let Ok(rows) = bytemuck::try_cast_ref::<_, [u32; ROWS / 4]>(rows)
        && let Some((&[a, b, c, d], biases_left)) = biases.split_first_chunk::<OUTPUTS>()
        && outputs.len() >= OUTPUTS
    {
        let Some((first, left)) = outputs.split_first_chunk_mut::<OUTPUTS>() else { return };
        *first = packed.products([a, b, c, d], rows);
        (weights, biases, outputs) = (later, biases_left, left);
    }
    scalar::dense_bytes(inputs, weights, biases, outputs);
}

/// Part of a layer with weights of one byte before its activation; otherwise [`dense_part`]. Half of the inputs of such a
/// network are taken as in [`dense_bytes`].
pub fn dense_part_bytes(
    inputs: &[i16],
    (first, stride): (usize, usize),
    weights: &[i8],
    from: &[i32],
    sums: &mut [i32],
) {
    // The words of four rows that begin with the first weight of the part.
    const SPAN: usize = (ROWS - INPUTS / 2) / 4;
    let plain = |sums: &mut [i32]| scalar::dense_part_bytes(inputs, (first, stride), weights, from, sums);
    let length = sums.len().min(from.len());
    let whole = stride == INPUTS
        && first + INPUTS / 2 <= INPUTS
        && length.is_multiple_of(OUTPUTS)
        && weights.len() >= length * INPUTS;
    let words = weights
        .get(first..)
        .filter(|_| whole)
        .and_then(|words| bytemuck::try_cast_slice::<_, u32>(words).ok());
    let packed = Packed::<{ INPUTS / 8 }>::new(inputs);
    let (Some(mut words), Some(packed)) = (words, packed) else { return plain(sums) };
    let lots = sums.as_chunks_mut::<OUTPUTS>().0.iter_mut().zip(from.as_chunks::<OUTPUTS>().0);
    for (sums, from) in lots {
        let Some(rows) = <[u32]>::first_chunk::<SPAN>(words) else { return };
        *sums = packed.products(*from, rows);
        words = words.get(ROWS / 4..).unwrap_or_default();
    }
}

/// Inputs of a layer, four to two words: the first and the third, exchanged, and the second and the fourth.
struct Packed<const QUADS: usize> {
    words: [[u32; 2]; QUADS],
    /// Sum of the inputs times what an unsigned weight is larger than the weight.
    excess: i32,
}

impl<const QUADS: usize> Packed<QUADS> {
    /// Inputs of which none is negative or above 64; `None` of others, and of another number of inputs.
    #[inline]
    fn new(inputs: &[i16]) -> Option<Self> {
        let (quads, []) = inputs.as_chunks::<4>() else { return None };
        if quads.len() != QUADS {
            return None;
        }
        let mut words = [[0; 2]; QUADS];
        let (mut bits, mut raised, mut sum) = (0, 0, 0_u32);
        for (words, quad) in words.iter_mut().zip(quads) {
            let [a, b, c, d] = quad.map(|input| u32::from(input as u16));
            *words = [a << 16 | c, b << 16 | d];
            for word in *words {
                bits |= word;
                // Above 64 it reaches the eighth bit.
                raised |= word.wrapping_add(0x003f_003f);
                sum = sum.wrapping_add(word);
            }
        }
        let excess = ((sum & 0xffff) + (sum >> 16)) as i32 * i32::from(BIAS);
        ((bits | raised) & 0xff80_ff80 == 0).then_some(Packed { words, excess })
    }

    /// Sums of [`OUTPUTS`] rows that follow each other: what they begin with, and the products with the inputs.
    #[inline]
    fn products<const SPAN: usize>(&self, from: [i32; OUTPUTS], rows: &[u32; SPAN]) -> [i32; OUTPUTS] {
        const { assert!((OUTPUTS - 1) * (INPUTS / 4) + QUADS <= SPAN) };
        // Not as an array, which the compiler would keep in memory.
        let [mut a, mut b, mut c, mut d] = from.map(|from| from.wrapping_sub(self.excess));
        for (place, &[outer, inner]) in self.words.iter().enumerate() {
            let products = |row: usize| {
                let word = u32::from_le(rows[row * (INPUTS / 4) + place]) ^ FLIP;
                let (even, odd) = (word & LOW_BYTES, (word >> 8) & LOW_BYTES);
                // At most four times 64 * 255 in the upper half, twice in the lower one.
                (even.wrapping_mul(outer).wrapping_add(odd.wrapping_mul(inner)) >> 16) as i32
            };
            a = a.wrapping_add(products(0));
            b = b.wrapping_add(products(1));
            c = c.wrapping_add(products(2));
            d = d.wrapping_add(products(3));
        }
        [a, b, c, d]
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use barrow_core::rng::Rng;

    use super::*;

    #[test]
    fn activations_are_packed_and_nothing_else_is() {
        for place in 0..INPUTS {
            for (input, fits) in [(0, true), (64, true), (65, false), (127, false), (128, false), (-1, false)]
            {
                let mut inputs = [64; INPUTS];
                inputs[place] = input;
                assert_eq!(Packed::<{ INPUTS / 4 }>::new(&inputs).is_some(), fits, "{input} at {place}");
            }
            // Those that wrap when they are raised, beside one that hides the carry.
            for input in [i16::MIN, i16::MAX, -63, -64] {
                let mut inputs = [0; INPUTS];
                inputs[place] = input;
                assert!(Packed::<{ INPUTS / 4 }>::new(&inputs).is_none(), "{input} at {place}");
            }
        }
    }

    #[test]
    fn layers_of_activations_are_those_of_the_plain_loops() {
        let mut rng = Rng::new(9);
        let (mut sums, mut expected) = ([0; 13], [0; 13]);
        let mut words = [0_u32; 13 * INPUTS / 4];
        for round in 0..3_000 {
            let largest = [64, 64, 65][round % 3];
            let inputs: [i16; INPUTS] = core::array::from_fn(|_| match rng.below(4) {
                0 => largest,
                1 => 0,
                _ => rng.below(65) as i16,
            });
            let weights: &mut [i8] = bytemuck::cast_slice_mut(&mut words);
            weights.fill_with(|| match rng.below(3) {
                0 => i8::MIN,
                1 => i8::MAX,
                _ => rng.next_u64() as i8,
            });
            // Now and then the weights do not begin at a word, or end before the last row.
            let skew = usize::from(rng.chance(1, 8));
            let weights = &weights[skew..13 * INPUTS - rng.below(300) as usize];
            let bias: Vec<i32> = (0..13 - rng.below(3)).map(|_| rng.next_u64() as i32).collect();
            dense_bytes(&inputs, weights, &bias, &mut sums);
            scalar::dense_bytes(&inputs, weights, &bias, &mut expected);
            assert_eq!(sums, expected, "{round}");
            let part = ([0, 32, 4, 33][rng.below(4) as usize], if rng.chance(1, 8) { 32 } else { INPUTS });
            let half = &inputs[..INPUTS / 2];
            dense_part_bytes(half, part, weights, &bias, &mut sums);
            scalar::dense_part_bytes(half, part, weights, &bias, &mut expected);
            assert_eq!(sums, expected, "{round} {part:?}");
            // Lots of four rows.
            let bias = &bias[..bias.len() / 4 * 4];
            dense_part_bytes(half, part, weights, bias, &mut sums);
            scalar::dense_part_bytes(half, part, weights, bias, &mut expected);
            assert_eq!(sums, expected, "{round} {part:?}");
        }
        for weight in [i8::MIN, i8::MAX] {
            let packed = Packed::<{ INPUTS / 4 }>::new(&[64; INPUTS]).unwrap();
            let rows: [u32; ROWS / 4] = bytemuck::cast([weight; ROWS]);
            assert_eq!(packed.products([0; OUTPUTS], &rows), [64 * 64 * i32::from(weight); OUTPUTS]);
        }
    }
}
