//! Occurrence lists: the constraints to visit when a literal becomes false. The first entries of a literal's lists lie
//! side by side, so that one cache line says which of them are empty.

use super::arena::Arena;
use super::array::Array;
use super::lit::Lit;

/// End of an occurrence list, or an empty one.
pub(super) const END: u32 = u32::MAX;

/// Kind of an occurrence list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum List {
    /// Binary clauses that contain the literal.
    Binary,
    /// At-most-one constraints that contain the negation.
    AtMostOnes,
    /// Linear constraints that contain the literal.
    Linear,
    /// Clauses that watch the literal.
    Clauses,
    /// Learnt clauses that watch the literal.
    Learnt,
    /// Order constraints that the negation guards.
    Edges,
}

/// Number of occurrence lists of each literal.
pub(super) const LISTS: usize = 6;

/// First entries of the occurrence lists of all literals; the entries themselves lie in the constraints.
pub(super) struct Occurrences<'m> {
    by_literal: Array<'m, [u32; LISTS]>,
}

impl<'m> Occurrences<'m> {
    pub(super) fn new(arena: &mut Arena<'m>, vars: usize) -> Self {
        let mut by_literal = arena.chunks(2 * vars);
        by_literal.fill([END; LISTS]);
        Occurrences { by_literal }
    }

    /// First entries of all occurrence lists of a literal.
    #[inline]
    pub(super) fn of(&self, falsified: Lit) -> &[u32; LISTS] {
        &self.by_literal[falsified.index()]
    }

    /// First entry of one occurrence list of a literal.
    #[inline]
    pub(super) fn first(&mut self, falsified: Lit, list: List) -> &mut u32 {
        &mut self.by_literal[falsified.index()][list as usize]
    }

    /// Empties the occurrence lists of one kind.
    pub(super) fn clear(&mut self, list: List) {
        for first in self.by_literal.iter_mut() {
            first[list as usize] = END;
        }
    }
}
