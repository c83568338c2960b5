//! Memory that the caller lends, and the error that says what ran out.
//!
//! A solver lives in one slice of 32-bit words, carved once into arrays. Nothing is allocated later: what does not
//! fit is a [`Capacity`] error, except learnt clauses, which are forgotten instead.

use core::fmt;

use super::occurrences::LISTS;
use super::order::Order;

/// What a problem may hold, at most. Sizes of the arrays that are carved from the lent slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Boolean variables, up to [`super::MAX_VARS`].
    pub vars: usize,
    /// Clocks that order constraints speak of, up to [`MAX_CLOCKS`].
    pub clocks: usize,
    /// Order constraints.
    pub edges: usize,
    /// 32-bit words for clauses of three and more literals: three and one per literal each.
    pub clauses: usize,
    /// 32-bit words for pairs (four each), at-most-ones (one and three per literal) and sums (three and four per
    /// term).
    pub lists: usize,
    /// 32-bit words for learnt clauses. The search ends with any number, but without enough of them it learns the
    /// same again and again.
    pub learnt: usize,
}

/// Most clocks of a problem.
pub const MAX_CLOCKS: usize = 128;

/// What ran out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Resource {
    /// The lent slice is shorter than the limits need.
    Memory,
    /// Variables.
    Vars,
    /// Clocks.
    Clocks,
    /// Order constraints.
    Edges,
    /// Words for clauses.
    Clauses,
    /// Words for pairs, at-most-ones and sums.
    Lists,
    /// Pieces of a side that take part in an attack.
    Pieces,
    /// Pairs of pieces, or of a piece and a hex, in an attack.
    Pairs,
    /// A coefficient or degree above 65,535.
    Coefficient,
}

/// A fixed capacity is exhausted. The problem is as it was before the call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Capacity {
    /// What ran out.
    pub what: Resource,
    /// How much was needed, in units of that resource.
    pub needed: usize,
    /// How much there is.
    pub available: usize,
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} exhausted: {} needed, {} available", self.what, self.needed, self.available)
    }
}

impl core::error::Error for Capacity {}

impl Limits {
    /// Words of `lists` that a clause of two literals takes.
    pub const fn pair_words() -> usize {
        super::binary::Pairs::PAIR_SIZE
    }

    /// Words of `clauses`, or of `learnt`, that a longer clause takes.
    pub const fn clause_words(len: usize) -> usize {
        super::clauses::Clauses::size(len)
    }

    /// Words of `lists` that an at-most-one takes.
    pub const fn at_most_one_words(len: usize) -> usize {
        super::binary::Pairs::group_size(len)
    }

    /// Words of `lists` that a sum takes.
    pub const fn sum_words(terms: usize) -> usize {
        super::linear::Linear::size(terms)
    }

    /// Length in words of the slice that a solver with these limits needs.
    pub const fn words(&self) -> usize {
        let n = self.vars;
        let by_literal = 2 * n * LISTS + bytes(2 * n);
        let trail = n + 3 * halves(n) + halves(2 * n + 2);
        let queue = n + 2 * halves(n);
        let search = 3 * bytes(n) + 4 * halves(n) + halves(n + 1) + n;
        let order = Order::words(self.clocks, self.edges);
        by_literal + trail + queue + search + order + self.clauses + self.lists + self.learnt
    }
}

pub(super) const fn halves(count: usize) -> usize {
    count.div_ceil(2)
}

pub(super) const fn bytes(count: usize) -> usize {
    count.div_ceil(4)
}

/// Hands out parts of the lent slice, front to back, with whatever they contain.
pub(super) struct Carver<'m> {
    rest: &'m mut [u32],
}

impl<'m> Carver<'m> {
    pub(super) fn new(memory: &'m mut [u32]) -> Self {
        Carver { rest: memory }
    }

    /// The next `count` words; fewer when the slice ends, which [`Limits::words`] rules out.
    pub(super) fn words(&mut self, count: usize) -> &'m mut [u32] {
        let rest = core::mem::take(&mut self.rest);
        let (taken, left) = rest.split_at_mut(count.min(rest.len()));
        self.rest = left;
        taken
    }

    /// The next `count` half words.
    pub(super) fn halves(&mut self, count: usize) -> &'m mut [u16] {
        let words: &mut [u16] = bytemuck::cast_slice_mut(self.words(halves(count)));
        let len = count.min(words.len());
        &mut words[..len]
    }

    /// The next `count` bytes.
    pub(super) fn bytes(&mut self, count: usize) -> &'m mut [u8] {
        let words: &mut [u8] = bytemuck::cast_slice_mut(self.words(bytes(count)));
        let len = count.min(words.len());
        &mut words[..len]
    }

    /// The next `count` bytes, made zero.
    pub(super) fn zero_bytes(&mut self, count: usize) -> &'m mut [u8] {
        let bytes = self.bytes(count);
        bytes.fill(0);
        bytes
    }
}
