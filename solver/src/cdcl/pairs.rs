//! Clauses of two literals and at-most-one constraints. An at-most-one over k literals is one record and k list
//! entries, never its k(k-1)/2 clauses; both kinds explain a literal by a single other one.

use super::lists::{END, Kind, Lists};
use super::lit::Lit;
use super::memory::Carver;
use super::trail::{Reason, Trail};

/// Pairs and at-most-ones, in lists by literal.
pub(super) struct Pairs<'m> {
    /// First entry of the pairs that contain a literal. An entry is a link and the record.
    pairs: &'m mut [u32],
    /// First entry of the at-most-ones that contain a literal.
    groups: &'m mut [u32],
}

impl<'m> Pairs<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, vars: usize) -> Self {
        let mut pairs = Pairs { pairs: carver.words(2 * vars), groups: carver.words(2 * vars) };
        pairs.unlink_all();
        pairs
    }

    /// Empties the lists.
    pub(super) fn unlink_all(&mut self) {
        self.pairs.fill(END);
        self.groups.fill(END);
    }

    /// Words that a pair takes: for either literal its number and a link.
    pub(super) const PAIR_SIZE: usize = 4;

    /// Words that an at-most-one over this many literals takes: the length, the literals, and for each an entry.
    pub(super) const fn group_size(len: usize) -> usize {
        1 + 3 * len
    }

    /// Adds the clause `a` or `b`.
    pub(super) fn add_pair(&mut self, lists: &mut Lists<'_>, a: Lit, b: Lit) {
        let at = lists.append([Kind::Pair.word(b.index()), END, a.index() as u32, END]);
        self.link_pair(lists, at);
    }

    /// Adds: at most one of these, given by their numbers, holds.
    pub(super) fn add_group(&mut self, lists: &mut Lists<'_>, lits: &[u16]) {
        let members = lits.iter().map(|&lit| u32::from(lit));
        let entries = lits.iter().flat_map(|_| [END, END]);
        let at =
            lists.append(core::iter::once(Kind::AtMostOne.word(lits.len())).chain(members).chain(entries));
        self.link_group(lists, at);
    }

    /// Puts a pair into the lists: its two halves are the entries, each with the other literal before the link.
    pub(super) fn link_pair(&mut self, lists: &mut Lists<'_>, at: u32) {
        let [a, b] = Pairs::lits(lists, at);
        lists.link(&mut self.pairs[a.index()], at as usize + 1);
        lists.link(&mut self.pairs[b.index()], at as usize + 3);
    }

    /// Puts an at-most-one into the lists.
    pub(super) fn link_group(&mut self, lists: &mut Lists<'_>, at: u32) {
        let len = lists.number(at);
        for index in 0..len {
            let entry = at as usize + 1 + len + 2 * index;
            let lit = lists.lit(at, 1 + index);
            lists.words[entry + 1] = at;
            lists.link(&mut self.groups[lit.index()], entry);
        }
    }

    /// The two literals of a pair.
    pub(super) fn lits(lists: &Lists<'_>, at: u32) -> [Lit; 2] {
        [lists.lit(at, 2), lists.lit(at, 0)]
    }

    /// The literals of an at-most-one.
    #[inline]
    pub(super) fn members<'a>(lists: &'a Lists<'_>, at: u32) -> impl Iterator<Item = Lit> + 'a {
        let first = at as usize + 1;
        lists.words[first..first + lists.number(at)].iter().map(|&word| Lit::wrapped(word))
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
            let other = lists.lit(entry - 1, 0);
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
            for other in Pairs::members(lists, lists.word(entry, 1)) {
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
