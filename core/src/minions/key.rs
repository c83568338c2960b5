//! Zobrist-style keys without tables: each fact about a position hashes to 64 bits, and a key is the exclusive
//! or of its facts (Zobrist 1970; the mixer is the finaliser of MurmurHash3).

/// What a fact is about; keeps facts of different kinds apart.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum Fact {
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

/// Key of one fact: its kind, where it is, and its value.
#[inline]
pub(super) const fn fact(kind: Fact, place: u64, value: u64) -> u64 {
    let tagged = place | (kind as u64) << 56;
    mix(mix(tagged ^ 0x9e37_79b9_7f4a_7c15).wrapping_add(value.wrapping_mul(0xd1b5_4a32_d192_ed03)))
}

/// Key of a fact whose value has more than 64 bits.
#[inline]
pub(super) const fn wide_fact(kind: Fact, place: u64, value: u128) -> u64 {
    fact(kind, place, mix(value as u64 ^ 0x2545_f491_4f6c_dd1d) ^ (value >> 64) as u64)
}

/// One invertible scrambling step.
#[inline]
pub(super) const fn mix(mut value: u64) -> u64 {
    value ^= value >> 33;
    value = value.wrapping_mul(0xff51_afd7_ed55_8ccd);
    value ^= value >> 33;
    value = value.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    value ^ value >> 33
}
