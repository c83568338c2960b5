//! Binary clauses, in occurrence lists of their own: the reason of a literal is the other literal of the clause.

use super::lit::Lit;
use super::occurrences::{END, List, Occurrences};
use super::store::{Kind, Store};
use super::trail::{Reason, Trail};

/// Words of a record: for either literal the number of the other one, then the link of its occurrence list.
pub(super) const SIZE: usize = 4;

/// Adds the clause `a` or `b`.
pub(super) fn add(store: &mut Store<'_>, occurrences: &mut Occurrences<'_>, a: Lit, b: Lit) {
    let at = store.append([Kind::Binary.word(b.index()), END, a.index() as u32, END]);
    link(store, occurrences, at);
}

/// Puts a clause into the occurrence lists of its literals.
pub(super) fn link(store: &mut Store<'_>, occurrences: &mut Occurrences<'_>, at: u32) {
    let [a, b] = lits(store, at);
    store.link(occurrences.first(a, List::Binary), at as usize + 1);
    store.link(occurrences.first(b, List::Binary), at as usize + 3);
}

/// The two literals of a clause.
pub(super) fn lits(store: &Store<'_>, at: u32) -> [Lit; 2] {
    [store.lit(at, 2), store.lit(at, 0)]
}

/// Propagates the clauses of an occurrence list, whose literal has become false. On conflict returns the other
/// literal of the violated clause.
pub(super) fn propagate(
    store: &Store<'_>,
    first: u32,
    falsified: Lit,
    trail: &mut Trail<'_>,
) -> Result<(), Lit> {
    let mut entry = first;
    while entry != END {
        let other = store.lit(entry - 1, 0);
        if trail.is_false(other) {
            return Err(other);
        }
        if trail.is_free(other) {
            trail.assign(other, Reason::Binary(falsified));
        }
        entry = store.word(entry, 0);
    }
    Ok(())
}
