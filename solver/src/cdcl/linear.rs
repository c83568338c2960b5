//! Linear (pseudo-Boolean) constraints `c1 l1 + c2 l2 + … >= degree` with positive coefficients, cardinality
//! constraints among them, by counters (Roussel & Manquinho, Handbook of Satisfiability, ch. 28).
//!
//! A constraint keeps its slack: what its literals that are not yet false could reach beyond the degree. Coefficients
//! are sorted, largest first, so that implied literals are found at the front. Explanations are weakened to clauses:
//! as few false literals as make the sum miss its degree, the largest coefficients first.

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

/// Bits of a term's first word that are inverted in keys by which terms are sorted: falling weights, rising literals.
const FALLING: u32 = u32::MAX << LIT_BITS;

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
    len.saturating_mul(TERM).saturating_add(HEADER)
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

/// Adds a learnt constraint over literals that may be assigned, all of which have been propagated. Returns its place. The
/// caller has made sure of room.
pub(super) fn add_learnt(
    store: &mut Store<'_>,
    occurrences: &mut Occurrences<'_>,
    trail: &Trail<'_>,
    terms: impl Iterator<Item = Term>,
    (degree, lbd): (i32, u16),
) -> u32 {
    let at = store.used;
    let words = store.words.get_mut(at + HEADER..).unwrap_or_default();
    let (mut slack, mut len) = (-degree, 0);
    for ((coefficient, lit), key) in terms.zip(words.iter_mut()) {
        slack += if trail.is_false(lit) { 0 } else { i32::from(coefficient) };
        *key = word((coefficient, lit)) ^ FALLING;
        len += 1;
    }
    sort_keys(words.get_mut(..len).unwrap_or_default());
    // From the last one on, since they move to the right.
    for index in (0..len).rev() {
        let key = words.get(index).copied().unwrap_or(END);
        if let Some(term) = words.get_mut(TERM * index..).and_then(|words| words.first_chunk_mut()) {
            *term = [key ^ FALLING, END, END];
        }
    }
    let first = Kind::Learnt.word(len) | u32::from(lbd.min(MOST_LBD)) << LBD_SHIFT;
    for (word, slot) in [first, degree as u32, slack as u32, 0].into_iter().take(HEADER).zip(at..) {
        store.words[slot] = word;
    }
    store.used += size(len);
    link(store, occurrences, at as u32);
    at as u32
}

/// Sorts keys that differ (Shell, "A high-speed sorting procedure", 1959): they are a few to some hundred.
fn sort_keys(keys: &mut [u32]) {
    for gap in [301, 132, 57, 23, 10, 4, 1] {
        for end in gap..keys.len() {
            let key = keys.get(end).copied().unwrap_or(0);
            let mut at = end;
            while let Some(before) = at.checked_sub(gap)
                && let Some(&other) = keys.get(before)
                && other > key
            {
                if let Some(slot) = keys.get_mut(at) {
                    *slot = other;
                }
                at = before;
            }
            if let Some(slot) = keys.get_mut(at) {
                *slot = key;
            }
        }
    }
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

/// Propagates the constraints of an occurrence list from an entry on. Its literal has become false, and their slacks are up
/// to date. On conflict returns the violated constraint.
pub(super) fn propagate(store: &Store<'_>, first: u32, trail: &mut Trail<'_>) -> Result<(), u32> {
    let mut entry = first;
    while entry != END {
        let [word, next, at] = store.term(entry);
        propagate_more(store, at, i32::from(term(word).0), trail)?;
        entry = next;
    }
    Ok(())
}

/// Assigns every literal without which the sum misses its degree now that the slack is less by so much: those with larger
/// coefficients were assigned before. On conflict returns the constraint.
#[inline]
fn propagate_more(store: &Store<'_>, at: u32, change: i32, trail: &mut Trail<'_>) -> Result<(), u32> {
    let Some((head, rest)) =
        store.words.get(at as usize..).and_then(|words| words.split_first_chunk::<HEADER>())
    else {
        return Ok(());
    };
    let slack = head[SLACK] as i32;
    if slack < 0 {
        return Err(at);
    }
    let largest = rest.first().map_or(0, |&word| term(word).0);
    if i32::from(largest) <= slack {
        return Ok(());
    }
    let len = usize::from(head[0] as u16);
    let terms = rest.get(..TERM * len).unwrap_or_default().as_chunks::<TERM>().0;
    let before = slack + change;
    if terms.last().is_some_and(|words| i32::from(term(words[0]).0) > before) {
        return Ok(());
    }
    let is_known = |words: &[u32; TERM]| i32::from(term(words[0]).0) > before;
    let known = if i32::from(largest) > before { terms.partition_point(is_known) } else { 0 };
    for words in terms.get(known..).unwrap_or_default() {
        let (coefficient, lit) = term(words[0]);
        if i32::from(coefficient) <= slack {
            break;
        }
        if trail.is_free(lit) {
            trail.assign(lit, Reason::Linear(at));
        }
    }
    Ok(())
}

/// Updates the slacks of an occurrence list's constraints: `sign` is -1 when its literal has become false, 1 when the
/// literal becomes free again. Returns the first entry whose constraint has a coefficient above its slack, so that it may
/// imply something; [`END`] if none has.
#[inline]
pub(super) fn update_slacks(store: &mut Store<'_>, first: u32, sign: i32) -> u32 {
    let mut entry = first;
    let mut tight = END;
    while entry != END {
        let [word, next, at] = store.term(entry);
        let (coefficient, _) = term(word);
        let mut largest = 0;
        let mut slack = 0;
        if let Some(record) = store.head_mut::<{ HEADER + 1 }>(at) {
            slack = record[SLACK] as i32 + sign * i32::from(coefficient);
            record[SLACK] = slack as u32;
            largest = i32::from(term(record[HEADER]).0);
        }
        if largest > slack && tight == END {
            tight = entry;
        }
        entry = next;
    }
    tight
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

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use barrow_core::rng::Rng;

    use super::super::arena::Arena;
    use super::super::lit::Var;
    use super::*;

    const VARS: usize = 24;

    /// Oracle by a look at all terms: whether the sum can reach its degree, and which free literals it needs.
    fn needed(terms: &[(u16, Lit)], degree: i32, trail: &Trail<'_>) -> (bool, Vec<Lit>) {
        let open = terms.iter().filter(|term| !trail.is_false(term.1));
        let slack = open.clone().map(|term| i32::from(term.0)).sum::<i32>() - degree;
        let lits = open.filter(|term| trail.is_free(term.1) && i32::from(term.0) > slack).map(|term| term.1);
        (slack >= 0, lits.collect())
    }

    #[test]
    fn what_is_implied_is_what_a_look_at_all_terms_finds() {
        let (mut rng, mut memory) = (Rng::new(3), std::vec![0; 4096]);
        let (mut implied, mut violated) = (0, 0);
        for round in 0..2_000 {
            let arena = &mut Arena::new(&mut memory);
            let (mut occurrences, mut trail) = (Occurrences::new(arena, VARS), Trail::new(arena, VARS));
            let mut store = Store::new(arena, 512);
            let heaviest = 1 + rng.below(9) as u16;
            let mut lits: Vec<Lit> =
                (0..VARS).filter_map(Var::new).map(|var| var.lit(rng.chance(1, 2))).collect();
            rng.shuffle(&mut lits);
            lits.truncate(2 + rng.below(VARS as u32 - 2) as usize);
            let terms: Vec<Term> =
                lits.iter().map(|&lit| (1 + rng.below(u32::from(heaviest)) as u16, lit)).collect();
            let all: i32 = terms.iter().map(|term| i32::from(term.0)).sum();
            let degree = 1 + rng.below(all as u32) as i32;
            let at = add_learnt(&mut store, &mut occurrences, &trail, terms.iter().copied(), (degree, 2));
            let sorted: Vec<Term> = super::terms(&store, at).collect();
            assert!(sorted.is_sorted_by_key(|&(weight, lit)| (core::cmp::Reverse(weight), lit.index())));
            assert!(sorted.len() == terms.len() && terms.iter().all(|term| sorted.contains(term)));
            trail.push_level();
            let _ = propagate_one(&store, at, &mut trail);
            rng.shuffle(&mut lits);
            for lit in lits {
                if !trail.is_free(lit) {
                    continue;
                }
                trail.assign(!lit, Reason::None);
                let (possible, wanted) = needed(&terms, degree, &trail);
                let first = *occurrences.first(lit, List::Linear);
                let tight = update_slacks(&mut store, first, -1);
                let from = trail.len();
                let done = propagate(&store, tight, &mut trail);
                assert_eq!(done.is_ok(), possible, "{round}");
                if !possible {
                    violated += 1;
                    break;
                }
                let mut found: Vec<Lit> = (from..trail.len()).filter_map(|place| trail.at(place)).collect();
                implied += found.len();
                for lits in [&mut found, &mut wanted.clone()] {
                    lits.sort_unstable_by_key(|lit| lit.index());
                }
                let mut wanted = wanted;
                wanted.sort_unstable_by_key(|lit| lit.index());
                assert_eq!(found, wanted, "{round}");
            }
        }
        // What is implied is true from then on, so that nothing is violated.
        assert!(implied > 5_000 && violated == 0, "{implied} {violated}");
    }

    #[test]
    fn keys_of_all_lengths_are_sorted() {
        let mut rng = Rng::new(8);
        for len in (0..80).chain([131, 132, 133, 300, 301, 302, 999]) {
            let mut keys: Vec<u32> = (0..len).map(|_| rng.below(u32::MAX)).collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            sort_keys(&mut keys);
            assert_eq!(keys, expected, "{len}");
        }
    }
}
