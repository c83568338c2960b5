//! A run of bytes read as decisions. When it has ended every decision is the first option.

use barrow_core::hex::{Hex, HexSet};

pub struct Choices<'a> {
    rest: &'a [u8],
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { rest: bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((&first, rest)) => {
                self.rest = rest;
                first
            }
            None => 0,
        }
    }

    /// A number in 0..n; `n` is at most 256, and 0 is read as 1.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n.max(1)
    }

    /// True in `times` of 16 cases.
    pub fn chance(&mut self, times: usize) -> bool {
        // The first option is "no", so that bytes that have run out change nothing.
        self.below(16) >= 16 - times
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    pub fn member(&mut self, set: HexSet) -> Option<Hex> {
        if set.is_empty() { None } else { set.iter().nth(self.below(set.len())) }
    }

    pub fn hex(&mut self) -> Hex {
        Hex::new(self.below(Hex::COUNT) as u8).expect("below a hundred")
    }

    /// A hex at most two steps away, often a neighbour.
    pub fn near(&mut self, hex: Hex) -> Hex {
        let next = self.pick(hex.neighbours()).unwrap_or(hex);
        if self.chance(4) { self.pick(next.neighbours()).unwrap_or(next) } else { next }
    }
}
