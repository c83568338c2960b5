//! Where the lists begin that are visited when a literal becomes false: side by side, so that one look tells which of
//! them are empty.

use super::limits::Carver;
use super::lit::Lit;

/// Marks the end of a list, or an empty one.
pub(super) const END: u32 = u32::MAX;

/// Which list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum List {
    /// Pairs that contain the literal.
    Pairs,
    /// At-most-ones that contain its negation.
    AtMostOnes,
    /// Sums that contain it.
    Sums,
    /// Clauses that watch it.
    Clauses,
    /// Learnt clauses that watch it.
    Learnt,
    /// Order constraints that its negation guards.
    Edges,
}

/// Kinds of lists.
pub(super) const LISTS: usize = 6;

/// First entries of all lists of all literals.
pub(super) struct Heads<'m> {
    by_literal: &'m mut [[u32; LISTS]],
}

impl<'m> Heads<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, vars: usize) -> Self {
        let (by_literal, _) = carver.words(2 * LISTS * vars).as_chunks_mut();
        by_literal.fill([END; LISTS]);
        Heads { by_literal }
    }

    /// The first entries of the lists of a literal.
    #[inline]
    pub(super) fn of(&self, falsified: Lit) -> &[u32; LISTS] {
        &self.by_literal[falsified.index()]
    }

    /// The first entry of one list.
    #[inline]
    pub(super) fn first(&mut self, falsified: Lit, list: List) -> &mut u32 {
        &mut self.by_literal[falsified.index()][list as usize]
    }

    /// Empties one list of all literals.
    pub(super) fn clear(&mut self, list: List) {
        for heads in self.by_literal.iter_mut() {
            heads[list as usize] = END;
        }
    }
}
