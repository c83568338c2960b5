//! Linear (pseudo-Boolean) constraints `c1 l1 + c2 l2 + … >= degree` with positive coefficients, cardinality
//! constraints among them, by counters (Roussel & Manquinho, Handbook of Satisfiability, ch. 28).
//!
//! A constraint keeps its slack: what its literals that are not yet false could reach beyond the degree. Coefficients
//! are sorted, largest first, so that implied literals are found at the front. Explanations are weakened to clauses:
//! as few false literals as make the sum miss its degree, the largest coefficients first.

use barrow_core::sort::sort_by_key;

use super::lit::Lit;
use super::occurrences::{END, List, Occurrences};
use super::store::{Kind, Store};
use super::trail::{Reason, Trail};

/// Words of a record before its terms: length, degree, slack; a proof also needs a number.
const HEADER: usize = if cfg!(feature = "proof") { 4 } else { 3 };
/// Offset of the degree in a record.
const DEGREE: usize = 1;
/// Offset of the slack in a record.
const SLACK: usize = 2;
/// Words of a term: coefficient and literal in one, then its entry in an occurrence list, which is the link and the place
/// of the record.
const TERM: usize = 3;
/// Bits of a term's first word that hold its literal; the coefficient lies above them.
const LIT_BITS: u32 = 16;
/// Place of the literal block distance in the first word of a learnt record, and the largest.
const LBD_SHIFT: u32 = 16;
const MOST_LBD: u16 = (1 << 14) - 1;

/// A term: coefficient and literal.
pub(super) type Term = (u16, Lit);

const fn term(word: u32) -> Term {
    ((word >> LIT_BITS) as u16, Lit::wrapped(word & ((1 << LIT_BITS) - 1)))
}

const fn word((coefficient, lit): Term) -> u32 {
    (coefficient as u32) << LIT_BITS | lit.index() as u32
}

/// Words of a record with this many terms.
pub(super) const fn size(len: usize) -> usize {
    HEADER + TERM * len
}

/// Adds a constraint over free literals, given by their numbers, with weights that fall and stay within the degree.
/// Returns its place.
pub(super) fn add(
    store: &mut Store<'_>,
    occurrences: &mut Occurrences<'_>,
    lits: &[u16],
    weight: impl Fn(u16) -> u16,
    degree: u16,
) -> u32 {
    let slack = lits.iter().map(|&lit| i32::from(weight(lit))).sum::<i32>() - i32::from(degree);
    let terms = lits.iter().map(|&lit| (weight(lit), Lit::wrapped(u32::from(lit))));
    let at = append(store, Kind::Linear.word(lits.len()), i32::from(degree), slack, terms);
    link(store, occurrences, at);
    at
}

/// Appends a record that is in no occurrence list yet, and returns its place.
fn append(
    store: &mut Store<'_>,
    first: u32,
    degree: i32,
    slack: i32,
    terms: impl Iterator<Item = Term>,
) -> u32 {
    let header = [first, degree as u32, slack as u32, 0];
    let terms = terms.flat_map(|term| [word(term), END, END]);
    store.append(header.into_iter().take(HEADER).chain(terms))
}

/// Adds a learnt constraint over literals that may be assigned, all of which have been propagated. Returns its place.
pub(super) fn add_learnt(
    store: &mut Store<'_>,
    occurrences: &mut Occurrences<'_>,
    trail: &Trail<'_>,
    terms: impl Iterator<Item = Term> + Clone,
    (degree, lbd): (i32, u16),
) -> u32 {
    let open = terms.clone().filter(|&(_, lit)| !trail.is_false(lit));
    let slack = open.map(|(weight, _)| i32::from(weight)).sum::<i32>() - degree;
    let len = terms.clone().count();
    let first = Kind::Learnt.word(len) | u32::from(lbd.min(MOST_LBD)) << LBD_SHIFT;
    let at = append(store, first, degree, slack, terms);
    let begin = at as usize + HEADER;
    let words = store.words.get_mut(begin..begin + TERM * len).unwrap_or_default();
    // Falling weights, rising literals.
    sort_by_key(words.as_chunks_mut::<TERM>().0, |words| words[0] ^ u32::MAX << LIT_BITS);
    link(store, occurrences, at);
    at
}

/// Literal block distance of a learnt constraint.
pub(super) fn lbd(store: &Store<'_>, at: u32) -> u16 {
    (store.word(at, 0) >> LBD_SHIFT) as u16 & MOST_LBD
}

/// Degree of a constraint.
pub(super) fn degree(store: &Store<'_>, at: u32) -> i32 {
    store.word(at, DEGREE) as i32
}

/// Stores the number of a constraint in the proof.
pub(super) fn set_proof_number(store: &mut Store<'_>, at: u32, number: u32) {
    if cfg!(feature = "proof") {
        store.words[at as usize + HEADER - 1] = number;
    }
}

/// Number of a constraint in the proof; 0 when no proof is written.
pub(super) fn proof_number(store: &Store<'_>, at: u32) -> u32 {
    if cfg!(feature = "proof") { store.word(at, HEADER - 1) } else { 0 }
}

/// Puts a constraint into the occurrence lists of its literals.
pub(super) fn link(store: &mut Store<'_>, occurrences: &mut Occurrences<'_>, at: u32) {
    for index in 0..store.number(at) {
        let entry = at as usize + HEADER + TERM * index + 1;
        let (_, lit) = term(store.words[entry - 1]);
        store.words[entry + 1] = at;
        store.link(occurrences.first(lit, List::Linear), entry);
    }
}

/// Whether the true literals alone reach the degree.
pub(super) fn is_satisfied(store: &Store<'_>, at: u32, trail: &Trail<'_>) -> bool {
    let held = terms(store, at).filter(|&(_, lit)| trail.is_true(lit));
    held.map(|(weight, _)| u32::from(weight)).sum::<u32>() >= store.word(at, DEGREE)
}

/// Slack of a constraint; negative when it is violated.
pub(super) fn slack(store: &Store<'_>, at: u32) -> i32 {
    store.word(at, SLACK) as i32
}

/// All terms of a constraint, the largest coefficients first.
pub(super) fn terms<'a>(store: &'a Store<'_>, at: u32) -> impl Iterator<Item = Term> + 'a {
    let first = at as usize + HEADER;
    store.words[first..first + TERM * store.number(at)].iter().step_by(TERM).map(|&word| term(word))
}

/// Assigns every literal without which the sum misses its degree. On conflict returns the constraint.
pub(super) fn propagate_one(store: &Store<'_>, at: u32, trail: &mut Trail<'_>) -> Result<(), u32> {
    let slack = slack(store, at);
    if slack < 0 {
        return Err(at);
    }
    for (coefficient, lit) in terms(store, at) {
        if i32::from(coefficient) <= slack {
            break;
        }
        if trail.is_free(lit) {
            trail.assign(lit, Reason::Linear(at));
        }
    }
    Ok(())
}

/// Propagates the constraints of an occurrence list. On conflict returns the violated constraint.
pub(super) fn propagate(store: &Store<'_>, first: u32, trail: &mut Trail<'_>) -> Result<(), u32> {
    let mut entry = first;
    while entry != END {
        propagate_one(store, store.word(entry, 1), trail)?;
        entry = store.word(entry, 0);
    }
    Ok(())
}

/// Updates the slacks of an occurrence list's constraints: `sign` is -1 when its literal has become false, 1 when the
/// literal becomes free again. Returns whether one of them has a coefficient above its slack, so that it may imply
/// something.
#[inline]
pub(super) fn update_slacks(store: &mut Store<'_>, first: u32, sign: i32) -> bool {
    let mut entry = first;
    let mut is_tight = false;
    while entry != END {
        let (coefficient, _) = term(store.word(entry - 1, 0));
        let (next, at, coefficient) = (store.word(entry, 0), store.word(entry, 1), i32::from(coefficient));
        let slack = slack(store, at) + sign * coefficient;
        store.words[at as usize + SLACK] = slack as u32;
        let (largest, _) = term(store.word(at, HEADER));
        is_tight |= i32::from(largest) > slack;
        entry = next;
    }
    is_tight
}

/// Visits false literals, assigned before `position`, that make the sum miss its degree without `implied`;
/// for a conflict there is no implied literal and the position is the length of the trail.
pub(super) fn explain(
    store: &Store<'_>,
    at: u32,
    implied: Option<Lit>,
    position: usize,
    trail: &Trail<'_>,
    mut visit: impl FnMut(Lit),
) {
    let degree = store.word(at, DEGREE) as i32;
    let others = terms(store, at).filter(|&(_, lit)| Some(lit) != implied);
    let mut reachable: i32 = others.map(|(coefficient, _)| i32::from(coefficient)).sum();
    for (coefficient, lit) in terms(store, at) {
        if reachable < degree {
            return;
        }
        if Some(lit) != implied && trail.is_false_before(lit, position) {
            reachable -= i32::from(coefficient);
            visit(lit);
        }
    }
}

/// Whether the stored slack equals the slack computed from scratch over the literals propagated so far.
#[cfg(feature = "check")]
pub(super) fn is_exact(store: &Store<'_>, at: u32, trail: &Trail<'_>) -> bool {
    let open = terms(store, at).filter(|&(_, lit)| !trail.is_false_before(lit, trail.head));
    let reachable: i32 = open.map(|(coefficient, _)| i32::from(coefficient)).sum();
    slack(store, at) == reachable - store.word(at, DEGREE) as i32
}
