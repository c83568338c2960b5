//! At-most-one constraints: over k literals one record and k entries in occurrence lists, never k(k-1)/2 clauses.
//! The reason of a false literal is the single true one.

use super::lit::Lit;
use super::occurrences::{END, List, Occurrences};
use super::store::{Kind, Store};
use super::trail::{Reason, Trail};

/// Words of a record over this many literals: the length, the literals, and for each an entry, which is the link of an
/// occurrence list and the place of the record; a proof also needs a number.
pub(super) const fn size(len: usize) -> usize {
    let number = if cfg!(feature = "proof") { 1 } else { 0 };
    len.saturating_mul(3).saturating_add(1 + number)
}

/// Adds the constraint that at most one of these literals, given by their numbers, holds. Returns its place.
pub(super) fn add(store: &mut Store<'_>, occurrences: &mut Occurrences<'_>, lits: &[u16]) -> u32 {
    let members = lits.iter().map(|&lit| u32::from(lit));
    let entries = lits.iter().flat_map(|_| [END, END]);
    let first = core::iter::once(Kind::AtMostOne.word(lits.len()));
    let words = first.chain(members).chain(entries).chain([0]);
    let at = store.append(words.take(size(lits.len())));
    link(store, occurrences, at);
    at
}

/// Stores the number of a constraint in the proof.
pub(super) fn set_proof_number(store: &mut Store<'_>, at: u32, number: u32) {
    if cfg!(feature = "proof") {
        let last = at as usize + size(store.number(at)) - 1;
        store.words[last] = number;
    }
}

/// Number of a constraint in the proof; 0 when no proof is written.
pub(super) fn proof_number(store: &Store<'_>, at: u32) -> u32 {
    if cfg!(feature = "proof") { store.word(at, size(store.number(at)) - 1) } else { 0 }
}

/// Puts a constraint into the occurrence lists of its literals' negations.
pub(super) fn link(store: &mut Store<'_>, occurrences: &mut Occurrences<'_>, at: u32) {
    let len = store.number(at);
    for index in 0..len {
        let entry = at as usize + 1 + len + 2 * index;
        let lit = store.lit(at, 1 + index);
        store.words[entry + 1] = at;
        store.link(occurrences.first(!lit, List::AtMostOnes), entry);
    }
}

/// The literals of a constraint.
#[inline]
pub(super) fn members<'a>(store: &'a Store<'_>, at: u32) -> impl Iterator<Item = Lit> + 'a {
    let first = at as usize + 1;
    store.words[first..first + store.number(at)].iter().map(|&word| Lit::wrapped(word))
}

/// Propagates the constraints of an occurrence list, one literal of which has become true: `falsified` is its negation.
/// On conflict returns the negation of another true literal.
pub(super) fn propagate(
    store: &Store<'_>,
    first: u32,
    falsified: Lit,
    trail: &mut Trail<'_>,
) -> Result<(), Lit> {
    let mut entry = first;
    while entry != END {
        for other in members(store, store.word(entry, 1)) {
            if other != !falsified && !trail.is_false(other) {
                if trail.is_true(other) {
                    return Err(!other);
                }
                trail.assign(!other, Reason::Binary(falsified));
            }
        }
        entry = store.word(entry, 0);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::super::arena::Arena;
    use super::super::lit::Var;
    use super::*;

    #[test]
    fn all_others_become_false_and_a_second_true_one_is_told() {
        let mut memory = std::vec![0; 256];
        let arena = &mut Arena::new(&mut memory);
        let (mut occurrences, mut trail) = (Occurrences::new(arena, 4), Trail::new(arena, 4));
        let mut store = Store::new(arena, 64);
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| Var::new(index).unwrap().positive());
        add(&mut store, &mut occurrences, &[a, !b, c].map(|lit| lit.index() as u16));
        let first = *occurrences.first(!a, List::AtMostOnes);
        trail.assign(a, Reason::None);
        assert_eq!(propagate(&store, first, !a, &mut trail), Ok(()));
        assert!(trail.is_false(!b) && trail.is_false(c) && trail.is_free(d));
        assert_eq!(trail.reason_of(c.var()), Reason::Binary(!a));
        // With two true ones the other is named by its negation, which is false.
        for true_lit in [!b, c] {
            while trail.pop().is_some() {}
            trail.assign(true_lit, Reason::None);
            trail.assign(a, Reason::None);
            assert_eq!(propagate(&store, first, !a, &mut trail), Err(!true_lit));
        }
    }
}
