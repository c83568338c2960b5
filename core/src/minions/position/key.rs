//! Zobrist keys without tables: each fact about a position hashes to 64 bits, and a key is the exclusive or of its
//! facts (Zobrist 1970; the mixer is the finaliser of MurmurHash3).

use crate::hex::Hex;

/// Kind of a fact, hashed along so that facts of different kinds differ.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(crate) enum Fact {
    Cell = 1,
    Reinforcement,
    Hand,
    Pending,
    Mana,
    Movable,
    Marks,
    Free,
    Candidates,
    BoardState,
    Souls,
    Points,
    Tech,
    TechStart,
    Budget,
    Row,
    Queue,
    Deck,
    Mover,
    Winner,
}

/// Key of one fact from its kind, its place and its value.
#[inline]
pub(crate) const fn fact(kind: Fact, place: u64, value: u64) -> u64 {
    let tagged = place | (kind as u64) << 56;
    mix(mix(tagged ^ 0x9e37_79b9_7f4a_7c15).wrapping_add(value.wrapping_mul(0xd1b5_4a32_d192_ed03)))
}

/// Initial hash value of each hex.
const CELLS: [u64; Hex::COUNT] = {
    let mut cells = [0; Hex::COUNT];
    let mut hex = 0;
    while hex < Hex::COUNT {
        cells[hex] = fact(Fact::Cell, hex as u64, 0);
        hex += 1;
    }
    cells
};

/// Key of a piece of 96 bits on a hex. Pieces change most often, so their mixer is quicker: two folded 128-bit
/// products (as in wyhash, Wang Yi 2019).
#[inline]
pub(crate) fn cell_fact(hex: Hex, low: u64, high: u32) -> u64 {
    let start = CELLS.get(hex.index()).copied().unwrap_or(0);
    let once = folded(low ^ start, u64::from(high) ^ 0x2545_f491_4f6c_dd1d);
    folded(once ^ start.rotate_left(32), 0x9e37_79b9_7f4a_7c15)
}

#[inline]
const fn folded(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// Mixing step on 64 bits, invertible.
#[inline]
pub(crate) const fn mix(mut value: u64) -> u64 {
    value ^= value >> 33;
    value = value.wrapping_mul(0xff51_afd7_ed55_8ccd);
    value ^= value >> 33;
    value = value.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    value ^ value >> 33
}
