//! Clauses of two literals and at-most-one constraints. An at-most-one over k literals is one record and k list
//! entries, never its k(k-1)/2 clauses; both kinds explain a literal by a single other one.

use super::lit::Lit;
use super::occurrences::{END, Heads, List};
use super::store::{Kind, Lists};
use super::trail::{Reason, Trail};

/// What is done with the records of pairs and at-most-ones. An entry in a list is a link, and in a pair the other
/// literal before it, in an at-most-one the record after it.
pub(super) struct Pairs;

impl Pairs {
    /// Words that a pair takes: for either literal its number and a link.
    pub(super) const PAIR_SIZE: usize = 4;

    /// Words that an at-most-one over this many literals takes: the length, the literals, and for each an entry.
    pub(super) const fn group_size(len: usize) -> usize {
        1 + 3 * len
    }

    /// Adds the clause `a` or `b`.
    pub(super) fn add_pair(lists: &mut Lists<'_>, heads: &mut Heads<'_>, a: Lit, b: Lit) {
        let at = lists.append([Kind::Pair.word(b.index()), END, a.index() as u32, END]);
        Pairs::link_pair(lists, heads, at);
    }

    /// Adds: at most one of these, given by their numbers, holds.
    pub(super) fn add_group(lists: &mut Lists<'_>, heads: &mut Heads<'_>, lits: &[u16]) {
        let members = lits.iter().map(|&lit| u32::from(lit));
        let entries = lits.iter().flat_map(|_| [END, END]);
        let at =
            lists.append(core::iter::once(Kind::AtMostOne.word(lits.len())).chain(members).chain(entries));
        Pairs::link_group(lists, heads, at);
    }

    /// Puts a pair into the lists.
    pub(super) fn link_pair(lists: &mut Lists<'_>, heads: &mut Heads<'_>, at: u32) {
        let [a, b] = Pairs::lits(lists, at);
        lists.link(heads.first(a, List::Pairs), at as usize + 1);
        lists.link(heads.first(b, List::Pairs), at as usize + 3);
    }

    /// Puts an at-most-one into the lists.
    pub(super) fn link_group(lists: &mut Lists<'_>, heads: &mut Heads<'_>, at: u32) {
        let len = lists.number(at);
        for index in 0..len {
            let entry = at as usize + 1 + len + 2 * index;
            let lit = lists.lit(at, 1 + index);
            lists.words[entry + 1] = at;
            lists.link(heads.first(!lit, List::AtMostOnes), entry);
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

    /// What follows from pairs with a literal that has become false. On conflict returns the other one.
    pub(super) fn propagate_pairs(
        lists: &Lists<'_>,
        first: u32,
        falsified: Lit,
        trail: &mut Trail<'_>,
    ) -> Result<(), Lit> {
        let mut entry = first;
        while entry != END {
            let other = lists.lit(entry - 1, 0);
            if trail.is_false(other) {
                return Err(other);
            }
            if trail.is_free(other) {
                trail.assign(other, Reason::Binary(falsified));
            }
            entry = lists.word(entry, 0);
        }
        Ok(())
    }

    /// What follows from at-most-ones whose member has become true, which is its negation false. On conflict returns
    /// the negation of another true one.
    pub(super) fn propagate_groups(
        lists: &Lists<'_>,
        first: u32,
        falsified: Lit,
        trail: &mut Trail<'_>,
    ) -> Result<(), Lit> {
        let mut entry = first;
        while entry != END {
            for other in Pairs::members(lists, lists.word(entry, 1)) {
                if other != !falsified && !trail.is_false(other) {
                    if trail.is_true(other) {
                        return Err(!other);
                    }
                    trail.assign(!other, Reason::Binary(falsified));
                }
            }
            entry = lists.word(entry, 0);
        }
        Ok(())
    }
}
