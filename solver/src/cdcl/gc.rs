//! Garbage collection: satisfied constraints are removed when a group is released, and learnt clauses are forgotten
//! when the store is full, those with a large literal block distance first (Audemard & Simon, "Predicting learnt
//! clauses quality in modern SAT solvers", 2009). What is left is compacted in place.

use super::at_most_one;
use super::binary;
use super::clauses::Clauses;
use super::linear;
use super::lit::Lit;
use super::occurrences::{List, Occurrences};
use super::proof::Log;
use super::propagator::Propagator;
use super::store::{Kind, Store};
use super::trail::{Reason, Trail};

/// Literal block distances that are told apart when half of the learnt clauses are chosen; larger ones count as equal.
const DISTANCES: usize = 32;

/// Words of the record at a place.
fn size(store: &Store<'_>, at: u32) -> usize {
    match store.kind(at) {
        Kind::Binary => binary::SIZE,
        Kind::AtMostOne => at_most_one::size(store.number(at)),
        Kind::Linear | Kind::Learnt => linear::size(store.number(at)),
    }
}

/// Places of all records.
pub(super) fn records<'a>(store: &'a Store<'_>) -> impl Iterator<Item = u32> + 'a {
    let mut at = 0;
    core::iter::from_fn(move || {
        let here = at as u32;
        (at < store.used).then(|| {
            at += size(store, here);
            here
        })
    })
}

/// Removes all constraints that are satisfied at level 0, where the trail must be.
pub(super) fn remove_satisfied(propagator: &mut Propagator<'_>) {
    let Propagator { trail, occurrences, clauses, learnt, store, order, .. } = propagator;
    remove_satisfied_clauses(clauses, occurrences, trail);
    remove_satisfied_clauses(learnt, occurrences, trail);
    remove_satisfied_records(store, occurrences, trail);
    order.remove_satisfied(occurrences, trail);
}

/// Removes the records that are satisfied at level 0.
fn remove_satisfied_records(store: &mut Store<'_>, occurrences: &mut Occurrences<'_>, trail: &Trail<'_>) {
    compact(store, occurrences, |store, at, _| match store.kind(at) {
        Kind::Binary => !binary::lits(store, at).iter().any(|&lit| trail.is_true(lit)),
        Kind::AtMostOne => at_most_one::members(store, at).filter(|&lit| !trail.is_false(lit)).count() > 1,
        Kind::Linear | Kind::Learnt => !linear::is_satisfied(store, at, trail),
    });
}

/// Removes the records that `keep`, given their places before and after, refuses, and links the others anew.
fn compact(
    store: &mut Store<'_>,
    occurrences: &mut Occurrences<'_>,
    mut keep: impl FnMut(&Store<'_>, u32, u32) -> bool,
) {
    for list in [List::Binary, List::AtMostOnes, List::Linear] {
        occurrences.clear(list);
    }
    let (mut from, end) = (0, store.used);
    store.used = 0;
    while from < end {
        let (at, to) = (from as u32, store.used as u32);
        let size = size(store, at);
        if keep(store, at, to) {
            store.words.move_down(from..from + size, store.used);
            store.used += size;
            match store.kind(to) {
                Kind::Binary => binary::link(store, occurrences, to),
                Kind::AtMostOne => at_most_one::link(store, occurrences, to),
                Kind::Linear | Kind::Learnt => linear::link(store, occurrences, to),
            }
        }
        from += size;
    }
}

/// Forgets learnt linear constraints until there is room for `size` words: first the worse half, then all that are not
/// reasons. Returns whether that was enough.
pub(super) fn reduce_linear(propagator: &mut Propagator<'_>, log: &mut Log<'_>, size: usize) -> bool {
    let store = &propagator.store;
    let learnt = records(store).filter(|&at| store.kind(at) == Kind::Learnt);
    let Some(worst) = worse_half(learnt.map(|at| linear::lbd(store, at))) else { return false };
    forget_linear(propagator, log, |lbd| lbd < worst);
    if propagator.store.room() < size {
        forget_linear(propagator, log, |_| false);
    }
    propagator.store.room() >= size
}

/// Forgets the learnt linear constraints with a literal block distance that `keep` refuses, and compacts what is left.
/// Reasons are kept, and the trail learns their new places.
fn forget_linear(propagator: &mut Propagator<'_>, log: &mut Log<'_>, keep: impl Fn(u16) -> bool) {
    let Propagator { trail, occurrences, store, .. } = propagator;
    compact(store, occurrences, |store, at, to| {
        let kind = store.kind(at);
        if !matches!(kind, Kind::Linear | Kind::Learnt) {
            return true;
        }
        let mut kept = kind == Kind::Linear || keep(linear::lbd(store, at));
        for (_, lit) in linear::terms(store, at) {
            let var = lit.var();
            if trail.is_true(lit) && trail.level_of(var) > 0 && trail.reason_of(var) == Reason::Linear(at) {
                trail.move_linear_reason(var, to);
                kept = true;
            }
        }
        if !kept {
            log.forget(linear::proof_number(store, at));
        }
        kept
    });
}

/// Removes the clauses that are satisfied at level 0.
fn remove_satisfied_clauses(clauses: &mut Clauses<'_>, occurrences: &mut Occurrences<'_>, trail: &Trail<'_>) {
    let mut walk = begin(clauses, occurrences);
    while let Some(at) = walk.here() {
        let kept = !clauses.lits(at).any(|lit| trail.is_true(lit));
        move_or_forget(clauses, occurrences, &mut walk, kept);
    }
}

/// Least literal block distance of the worse half of these; none of none.
fn worse_half(distances: impl Iterator<Item = u16>) -> Option<u16> {
    let mut counts = [0u32; DISTANCES];
    let mut total = 0;
    for distance in distances {
        counts[usize::from(distance).min(DISTANCES - 1)] += 1;
        total += 1;
    }
    let mut kept = 0;
    let worst = counts.iter().position(|&count| {
        kept += count;
        kept > total / 2
    });
    worst.map(|worst| worst as u16)
}

/// Forgets learnt clauses until there is room for one of `size` words: first the worse half, then
/// all that are not reasons. Returns whether that was enough.
pub(super) fn reduce(
    learnt: &mut Clauses<'_>,
    occurrences: &mut Occurrences<'_>,
    trail: &mut Trail<'_>,
    log: &mut Log<'_>,
    size: usize,
) -> bool {
    let worst = worse_half(learnt.iter().map(|at| learnt.lbd(at))).unwrap_or(0);
    forget(learnt, occurrences, trail, log, |lbd| lbd < worst);
    if learnt.room() < size {
        forget(learnt, occurrences, trail, log, |_| false);
    }
    learnt.room() >= size
}

/// Forgets the learnt clauses with a literal block distance that `keep` refuses, and compacts the others. A clause
/// that is the reason of a literal above level 0 is kept, and the trail learns its new place.
fn forget(
    learnt: &mut Clauses<'_>,
    occurrences: &mut Occurrences<'_>,
    trail: &mut Trail<'_>,
    log: &mut Log<'_>,
    keep: impl Fn(u16) -> bool,
) {
    let mut walk = begin(learnt, occurrences);
    while let Some(at) = walk.here() {
        let implied = implied(learnt, at, trail);
        let kept = implied.is_some() || keep(learnt.lbd(at));
        if !kept {
            log.forget(learnt.proof_number(at));
        }
        let to = move_or_forget(learnt, occurrences, &mut walk, kept);
        if let Some(lit) = implied {
            trail.move_learnt_reason(lit.var(), to);
        }
    }
}

/// The literal above level 0 whose reason this clause is, if any; it is one of the two watched.
fn implied(learnt: &Clauses<'_>, at: u32, trail: &Trail<'_>) -> Option<Lit> {
    learnt.watched(at).into_iter().find(|&lit| {
        let var = lit.var();
        trail.is_true(lit) && trail.level_of(var) > 0 && trail.reason_of(var) == Reason::Learnt(at)
    })
}

/// Position of a compaction among the clauses of a store.
struct Walk {
    from: usize,
    end: usize,
}

impl Walk {
    fn here(&self) -> Option<u32> {
        (self.from < self.end).then_some(self.from as u32)
    }
}

fn begin(clauses: &mut Clauses<'_>, occurrences: &mut Occurrences<'_>) -> Walk {
    occurrences.clear(clauses.list);
    let end = clauses.used;
    clauses.used = 0;
    Walk { from: 0, end }
}

/// Moves the next clause of a compaction behind those kept before it, and returns its new place.
fn move_or_forget(
    clauses: &mut Clauses<'_>,
    occurrences: &mut Occurrences<'_>,
    walk: &mut Walk,
    kept: bool,
) -> u32 {
    let (to, size) = (clauses.used, Clauses::size(clauses.len(walk.from as u32)));
    if kept {
        clauses.words.move_down(walk.from..walk.from + size, to);
        clauses.watch(occurrences, to as u32);
        clauses.used += size;
    }
    walk.from += size;
    to as u32
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::super::arena::Arena;
    use super::super::lit::Var;
    use super::*;

    /// Literal block distances of the clauses that are kept of those with these distances, if there has to be so much
    /// room; the literals of some are true because of their clause, on level 0 or above it.
    fn kept(distances: &[u16], room: usize, facts: &[usize], implied: &[usize]) -> Vec<u16> {
        let mut memory = std::vec![0; 4096];
        let arena = &mut Arena::new(&mut memory);
        let vars = 3 * distances.len();
        let (mut occurrences, mut trail) = (Occurrences::new(arena, vars), Trail::new(arena, vars));
        let mut learnt = Clauses::new(arena, distances.len() * Clauses::size(3), List::Learnt);
        let lit = |index: usize| Var::new(index).unwrap().positive();
        for (index, &distance) in distances.iter().enumerate() {
            let lits = [0, 1, 2].map(|offset| lit(3 * index + offset).index() as u16);
            let at = learnt.append(&lits, distance);
            learnt.watch(&mut occurrences, at);
        }
        let places: Vec<u32> = learnt.iter().collect();
        for &index in facts {
            trail.assign(lit(3 * index), Reason::Learnt(places[index]));
        }
        trail.push_level();
        for &index in implied {
            trail.assign(lit(3 * index), Reason::Learnt(places[index]));
        }
        let words = room * Clauses::size(3);
        let enough = reduce(&mut learnt, &mut occurrences, &mut trail, &mut Log::new(), words);
        assert_eq!(enough, learnt.room() >= words);
        for &index in implied {
            let Reason::Learnt(at) = trail.reason_of(lit(3 * index).var()) else { panic!("another reason") };
            assert_eq!(learnt.lit(at, 0), lit(3 * index));
        }
        learnt.iter().map(|at| learnt.lbd(at)).collect()
    }

    #[test]
    fn the_worse_half_is_forgotten_and_then_all() {
        let distances = [5, 2, 3, 40, 3, 4, 50, 31];
        assert_eq!(kept(&distances, 1, &[], &[]), [2, 3, 3, 4]);
        assert_eq!(kept(&distances, 4, &[], &[]), [2, 3, 3, 4]);
        assert_eq!(kept(&distances, 5, &[], &[]), []);
        // Reasons are kept, those of facts are not.
        assert_eq!(kept(&distances, 1, &[0, 6], &[3, 7]), [2, 3, 40, 3, 4, 31]);
        assert_eq!(kept(&distances, 8, &[0, 6], &[3, 7]), [40, 31]);
        // Beyond so many all distances are alike.
        assert_eq!(kept(&[31, 32, 33, 700], 1, &[], &[]), []);
        assert_eq!(kept(&[30, 30, 30, 700, 65], 1, &[], &[]), []);
        assert_eq!(kept(&[30, 30, 31, 700, 65], 1, &[], &[]), [30, 30]);
    }
}
