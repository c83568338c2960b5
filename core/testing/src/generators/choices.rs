//! Decisions read from bytes.

use barrow_core::hex::{Hex, HexSet};

/// A source of decisions: a slice of bytes, each byte one decision. After the last byte every decision is the first
/// option.
pub struct Choices<'a> {
    rest: &'a [u8],
}

impl<'a> Choices<'a> {
    /// Creates a source of decisions from bytes.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { rest: bytes }
    }

    /// Whether all bytes have been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads a byte, 0 after the last one.
    pub fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((&first, rest)) => {
                self.rest = rest;
                first
            }
            None => 0,
        }
    }

    /// Reads a number in 0..n; `n` is at most 256, and an `n` of 0 means 1.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n.max(1)
    }

    /// Reads a truth value that is true with probability `times` / 16.
    pub fn chance(&mut self, times: usize) -> bool {
        // The first option is "no", so that bytes that have run out change nothing.
        self.below(16) >= 16 - times
    }

    /// Reads an index and returns that item; `None` from an empty slice.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    /// Reads an index and returns that member of a set; `None` from an empty set.
    pub fn member(&mut self, set: HexSet) -> Option<Hex> {
        if set.is_empty() { None } else { set.iter().nth(self.below(set.len())) }
    }

    /// Reads any of the 100 hexes.
    pub fn hex(&mut self) -> Hex {
        Hex::new(self.below(Hex::COUNT) as u8).expect("below a hundred")
    }

    /// Reads a hex at most two steps from another hex, a neighbour in three of four cases.
    pub fn near(&mut self, hex: Hex) -> Hex {
        let next = self.pick(hex.neighbours()).unwrap_or(hex);
        if self.chance(4) { self.pick(next.neighbours()).unwrap_or(next) } else { next }
    }
}
