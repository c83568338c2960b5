//! Clauses of two literals and at-most-one constraints. An at-most-one over k literals is one record and k list
//! entries, never its k(k-1)/2 clauses; both kinds explain a literal by a single other one.

use super::lit::Lit;
use super::memory::Carver;
use super::trail::{Reason, Trail};

const END: u32 = u32::MAX;

/// Pairs and at-most-ones, in lists by literal.
pub(super) struct Pairs<'m> {
    /// First entry of the pairs that contain a literal.
    pairs: &'m mut [u32],
    /// First entry of the at-most-ones that contain a literal.
    groups: &'m mut [u32],
}

/// List entries and records of pairs, at-most-ones and sums, in order of arrival.
pub(super) struct Lists<'m> {
    pub(super) words: &'m mut [u32],
    used: usize,
}

impl<'m> Lists<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, words: usize) -> Self {
        Lists { words: carver.words(words), used: 0 }
    }

    pub(super) const fn room(&self) -> usize {
        self.words.len() - self.used
    }

    pub(super) fn capacity(&self) -> usize {
        self.words.len()
    }

    /// Appends words and returns where; the caller has made sure of room.
    pub(super) fn append(&mut self, words: impl IntoIterator<Item = u32>) -> u32 {
        let at = self.used;
        for word in words {
            self.words[self.used] = word;
            self.used += 1;
        }
        at as u32
    }

    #[inline]
    pub(super) fn word(&self, at: u32, offset: usize) -> u32 {
        self.words[at as usize + offset]
    }
}

impl<'m> Pairs<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, vars: usize) -> Self {
        let (pairs, groups) = (carver.words(2 * vars), carver.words(2 * vars));
        pairs.fill(END);
        groups.fill(END);
        Pairs { pairs, groups }
    }

    /// Words that a pair takes.
    pub(super) const PAIR_SIZE: usize = 4;

    /// Words that an at-most-one over this many literals takes.
    pub(super) const fn group_size(len: usize) -> usize {
        1 + 3 * len
    }

    /// Adds the clause `a` or `b`.
    pub(super) fn add_pair(&mut self, lists: &mut Lists<'_>, a: Lit, b: Lit) {
        for (lit, other) in [(a, b), (b, a)] {
            let head = &mut self.pairs[lit.index()];
            *head = lists.append([*head, other.index() as u32]);
        }
    }

    /// Adds: at most one of these, given by their numbers, holds.
    pub(super) fn add_group(&mut self, lists: &mut Lists<'_>, lits: &[u16]) {
        let members = lits.iter().map(|&lit| u32::from(lit));
        let record = lists.append(core::iter::once(lits.len() as u32).chain(members));
        for &lit in lits {
            let head = &mut self.groups[usize::from(lit)];
            *head = lists.append([*head, record]);
        }
    }

    /// What follows from a literal that has become true. On conflict returns two false literals of a pair.
    pub(super) fn propagate(
        &self,
        lists: &Lists<'_>,
        lit: Lit,
        trail: &mut Trail<'_>,
    ) -> Result<(), (Lit, Lit)> {
        let falsified = !lit;
        let mut entry = self.pairs[falsified.index()];
        while entry != END {
            let other = Lit::wrapped(lists.word(entry, 1));
            if trail.is_false(other) {
                return Err((falsified, other));
            }
            if trail.is_free(other) {
                trail.assign(other, Reason::Binary(falsified));
            }
            entry = lists.word(entry, 0);
        }
        let mut entry = self.groups[lit.index()];
        while entry != END {
            let record = lists.word(entry, 1);
            for member in 1..=lists.word(record, 0) as usize {
                let other = Lit::wrapped(lists.word(record, member));
                if other != lit && !trail.is_false(other) {
                    if trail.is_true(other) {
                        return Err((falsified, !other));
                    }
                    trail.assign(!other, Reason::Binary(falsified));
                }
            }
            entry = lists.word(entry, 0);
        }
        Ok(())
    }
}
