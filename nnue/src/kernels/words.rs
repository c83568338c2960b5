//! The kernels by words of 32 bits, for targets without vector registers: rows of bytes are added four weights at a time,
//! two lanes of 16 bits to a word, and a layer takes four rows at a time and skips inputs that are zero, as most are behind
//! a clipped activation. All other kernels are the plain loops.

pub use super::scalar::{
    add_bytes, add_row, clip, dense, dot, dot_bytes, dot_rows, dot_rows_bytes, squash, sub_bytes, sub_row,
    update,
};

use super::scalar;

/// Lanes that are summed at a time, so that their sums stay in registers while rows go by.
const LANES: usize = 8;

/// Rows of one pass: the sum of so many unsigned bytes fits into 16 bits.
const PASS: usize = 256;

/// Rows of a layer that are multiplied at a time.
const OUTPUTS: usize = 4;

/// Copies an accumulator, then adds and subtracts rows of weights of one byte; otherwise [`update`].
pub fn update_bytes(from: &[i16], table: &[i8], added: &[u16], removed: &[u16], to: &mut [i16]) {
    let stride = to.len();
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    // Without what is left of a row at the end of the table.
    let whole = table.len().checked_div(stride).unwrap_or(0) * stride;
    let table = table.get(..whole).unwrap_or_default();
    for (rows, sign) in [(added, 1), (removed, -1)] {
        for rows in rows.chunks(PASS) {
            add_pass(table, stride, rows, sign, to);
        }
    }
}

/// Adds some rows of a table of whole rows with so many weights, or subtracts them where the sign is -1.
#[inline]
fn add_pass(table: &[i8], stride: usize, rows: &[u16], sign: i16, to: &mut [i16]) {
    let (blocks, rest) = to.as_chunks_mut::<LANES>();
    for (lanes, first) in blocks.iter_mut().zip((0..).step_by(LANES)) {
        let table = table.get(first..).unwrap_or_default();
        let (mut even, mut odd, mut next_even, mut next_odd) = (0, 0, 0, 0);
        let mut missing = 0;
        for &row in rows {
            let weights = table.get(usize::from(row) * stride..).and_then(<[i8]>::first_chunk);
            let Some(&[a, b, c, d, e, f, g, h]) = weights else {
                missing += 1;
                continue;
            };
            add_word([a, b, c, d], &mut even, &mut odd);
            add_word([e, f, g, h], &mut next_even, &mut next_odd);
        }
        let bias = BIAS.wrapping_mul((rows.len() - missing) as i16);
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
    if !rest.is_empty() {
        let first = stride - rest.len();
        for &row in rows {
            let row = scalar::whole_row(table, usize::from(row), stride).get(first..).unwrap_or_default();
            if sign > 0 { add_bytes(rest, row) } else { sub_bytes(rest, row) }
        }
    }
}

/// What an unsigned weight is larger than the weight.
const BIAS: i16 = 128;

/// Adds four weights as unsigned numbers: the first and third to the halves of `even`, the others to those of `odd`.
#[inline]
fn add_word(weights: [i8; 4], even: &mut u32, odd: &mut u32) {
    let word = u32::from_le_bytes(weights.map(|weight| weight as u8)) ^ 0x8080_8080;
    *even = even.wrapping_add(word & 0x00ff_00ff);
    *odd = odd.wrapping_add((word >> 8) & 0x00ff_00ff);
}

/// Layer with weights of one byte before its activation; otherwise [`dense`].
pub fn dense_bytes(inputs: &[i16], weights: &[i8], bias: &[i32], sums: &mut [i32]) {
    let (stride, mut weights) = (inputs.len(), weights);
    let (mut biases, mut outputs) = (bias, sums);
    while let Some((rows, later)) = weights.split_at_checked(stride.saturating_mul(OUTPUTS))
        && let Some((&[a, b, c, d], biases_left)) = biases.split_first_chunk::<OUTPUTS>()
        && outputs.len() >= OUTPUTS
    {
        let products = four_dots(inputs, rows);
        let Some((first, left)) = outputs.split_first_chunk_mut::<OUTPUTS>() else { return };
        *first = [a, b, c, d];
        first.iter_mut().zip(products).for_each(|(sum, product)| *sum = sum.wrapping_add(product));
        (weights, biases, outputs) = (later, biases_left, left);
    }
    scalar::dense_bytes(inputs, weights, biases, outputs);
}

/// Dot products of the inputs with four rows that follow each other.
#[inline]
fn four_dots(inputs: &[i16], rows: &[i8]) -> [i32; OUTPUTS] {
    let (front, back) = rows.split_at(rows.len() / 2);
    let ((a, b), (c, d)) = (front.split_at(front.len() / 2), back.split_at(back.len() / 2));
    let (mut first, mut second, mut third, mut fourth) = (0_i32, 0_i32, 0_i32, 0_i32);
    for ((((&input, &a), &b), &c), &d) in inputs.iter().zip(a).zip(b).zip(c).zip(d) {
        let input = i32::from(input);
        if input != 0 {
            first = first.wrapping_add(input * i32::from(a));
            second = second.wrapping_add(input * i32::from(b));
            third = third.wrapping_add(input * i32::from(c));
            fourth = fourth.wrapping_add(input * i32::from(d));
        }
    }
    [first, second, third, fourth]
}
