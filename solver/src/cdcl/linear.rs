//! Sums: `c1 l1 + c2 l2 + … >= degree` with positive coefficients, cardinality constraints among them, by
//! counters (Roussel & Manquinho, Handbook of Satisfiability, ch. 28).
//!
//! A sum keeps its slack: what its literals that are not yet false could reach beyond the degree. Coefficients are
//! sorted, largest first, so that what must hold is found at the front. Explanations are weakened to clauses: as
//! few false literals as make the sum miss its degree, the largest coefficients first.

use super::lit::Lit;
use super::occurrences::{END, Heads, List};
use super::store::{Kind, Lists};
use super::trail::{Reason, Trail};

const HEADER: usize = 3;
const LIT_BITS: u32 = 16;

/// What is done with the records of sums. An entry in a list is a link, the record, and the coefficient.
pub(super) struct Linear;

/// A term: coefficient and literal.
pub(super) type Term = (u16, Lit);

const fn term(word: u32) -> Term {
    ((word >> LIT_BITS) as u16, Lit::wrapped(word & ((1 << LIT_BITS) - 1)))
}

impl Linear {
    /// Words a sum of this many terms takes: length, degree, slack, the terms, and for each an entry.
    pub(super) const fn size(len: usize) -> usize {
        HEADER + 4 * len
    }

    /// Adds a sum over free literals, given by their numbers, with weights that fall and stay within the degree.
    /// Returns its place.
    pub(super) fn add(
        lists: &mut Lists<'_>,
        heads: &mut Heads<'_>,
        lits: &[u16],
        weight: impl Fn(u16) -> u16,
        degree: u16,
    ) -> u32 {
        let weight = |lit: u16| u32::from(weight(lit));
        let slack = lits.iter().map(|&lit| weight(lit)).sum::<u32>() as i32 - i32::from(degree);
        let header = [Kind::Sum.word(lits.len()), u32::from(degree), slack as u32];
        let words = lits.iter().map(|&lit| weight(lit) << LIT_BITS | u32::from(lit));
        let entries = lits.iter().flat_map(|_| [END; 3]);
        let at = lists.append(header.into_iter().chain(words).chain(entries));
        Linear::link(lists, heads, at);
        at
    }

    /// Puts a sum into the lists.
    pub(super) fn link(lists: &mut Lists<'_>, heads: &mut Heads<'_>, at: u32) {
        let len = lists.number(at);
        for index in 0..len {
            let (weight, lit) = term(lists.word(at, HEADER + index));
            let entry = at as usize + HEADER + len + 3 * index;
            lists.words[entry + 1] = at;
            lists.words[entry + 2] = u32::from(weight);
            lists.link(heads.first(lit, List::Sums), entry);
        }
    }

    /// Whether the literals that are true by now reach the degree.
    pub(super) fn holds(lists: &Lists<'_>, at: u32, trail: &Trail<'_>) -> bool {
        let held = Linear::terms(lists, at).filter(|&(_, lit)| trail.is_true(lit));
        held.map(|(weight, _)| u32::from(weight)).sum::<u32>() >= lists.word(at, 1)
    }

    pub(super) fn slack(lists: &Lists<'_>, at: u32) -> i32 {
        lists.word(at, 2) as i32
    }

    pub(super) fn terms<'a>(lists: &'a Lists<'_>, at: u32) -> impl Iterator<Item = Term> + 'a {
        let first = at as usize + HEADER;
        lists.words[first..first + lists.number(at)].iter().map(|&word| term(word))
    }

    /// Assigns every literal without which the sum misses its degree. On conflict returns the sum.
    pub(super) fn enforce(lists: &Lists<'_>, at: u32, trail: &mut Trail<'_>) -> Result<(), u32> {
        let slack = Linear::slack(lists, at);
        if slack < 0 {
            return Err(at);
        }
        for (coefficient, lit) in Linear::terms(lists, at) {
            if i32::from(coefficient) <= slack {
                break;
            }
            if trail.is_free(lit) {
                trail.assign(lit, Reason::Linear(at));
            }
        }
        Ok(())
    }

    /// Draws the consequences in all sums of a list. On conflict returns the sum.
    pub(super) fn propagate(lists: &Lists<'_>, first: u32, trail: &mut Trail<'_>) -> Result<(), u32> {
        let mut entry = first;
        while entry != END {
            Linear::enforce(lists, lists.word(entry, 1), trail)?;
            entry = lists.word(entry, 0);
        }
        Ok(())
    }

    /// Accounts for the list's literal: `sign` is -1 when it has become false, 1 when it becomes free again.
    #[inline]
    pub(super) fn count(lists: &mut Lists<'_>, first: u32, sign: i32) {
        let mut entry = first;
        while entry != END {
            let (next, at, coefficient) =
                (lists.word(entry, 0), lists.word(entry, 1), lists.word(entry, 2) as i32);
            let slack = Linear::slack(lists, at) + sign * coefficient;
            lists.words[at as usize + 2] = slack as u32;
            entry = next;
        }
    }

    /// Visits false literals, assigned before `position`, that make the sum miss its degree without `implied`;
    /// for a conflict there is no implied literal and the position is the length of the trail.
    pub(super) fn explain(
        lists: &Lists<'_>,
        at: u32,
        implied: Option<Lit>,
        position: usize,
        trail: &Trail<'_>,
        mut visit: impl FnMut(Lit),
    ) {
        let degree = lists.word(at, 1) as i32;
        let others = Linear::terms(lists, at).filter(|&(_, lit)| Some(lit) != implied);
        let mut reachable: i32 = others.map(|(coefficient, _)| i32::from(coefficient)).sum();
        for (coefficient, lit) in Linear::terms(lists, at) {
            if reachable < degree {
                return;
            }
            if Some(lit) != implied && trail.is_false_before(lit, position) {
                reachable -= i32::from(coefficient);
                visit(lit);
            }
        }
    }

    /// The slack computed from scratch over literals propagated so far; equals the counter.
    #[cfg(feature = "check")]
    pub(super) fn is_exact(lists: &Lists<'_>, at: u32, trail: &Trail<'_>) -> bool {
        let open = Linear::terms(lists, at).filter(|&(_, lit)| !trail.is_false_before(lit, trail.head));
        let reachable: i32 = open.map(|(coefficient, _)| i32::from(coefficient)).sum();
        Linear::slack(lists, at) == reachable - lists.word(at, 1) as i32
    }
}
