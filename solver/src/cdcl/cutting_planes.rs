//! Cutting planes: conflict analysis over linear constraints instead of clauses (Elffers & Nordström, "Divide and conquer:
//! towards faster pseudo-Boolean solving", 2018).
//!
//! The constraint that is violated is added to the reasons of its false literals, the newest first, each rounded so that
//! the sum is violated as well, until the sum implies a literal on an earlier level.

use super::arena::Arena;
use super::array::Array;
use super::at_most_one;
use super::linear;
use super::lit::Lit;
use super::occurrences::{END, List};
use super::premise::Premise;
use super::proof::Log;
use super::propagator::{Conflict, Propagator};
use super::scores::Scores;
use super::sum::{Sum, ceil};
use super::trail::{Reason, Trail};

/// Whether there is memory for this. Where there is not, clauses are learnt.
pub(super) const ENABLED: bool = cfg!(feature = "every-board");

/// The sum that a conflict leads to.
pub(super) struct CuttingPlanes<'m> {
    pub(super) sum: Sum<'m>,
    /// Marks by variable, whether its score was raised, all zero between calls.
    bumped: Array<'m, u8>,
}

impl<'m> CuttingPlanes<'m> {
    const fn capacity(vars: usize) -> usize {
        if ENABLED { vars } else { 0 }
    }

    pub(super) fn new(arena: &mut Arena<'m>, vars: usize) -> Self {
        let n = CuttingPlanes::capacity(vars);
        CuttingPlanes { sum: Sum::new(arena, n), bumped: arena.zero_bytes(n) }
    }

    /// Derives a constraint from a conflict above level 0. Returns the lowest level to which one can go back so that it implies
    /// a literal; none if facts violate it.
    pub(super) fn learn(
        &mut self,
        propagator: &Propagator<'_>,
        scores: &mut Scores<'_>,
        log: &mut Log<'_>,
        conflict: Conflict,
    ) -> Option<usize> {
        let trail = &propagator.trail;
        self.sum.clear();
        let mut position = trail.len();
        self.add_conflict(propagator, scores, log, conflict);
        self.sum.round(log, position);
        let level = loop {
            let Some(at) = self.sum.newest(position) else { break None };
            position = at;
            let Some(lit) = trail.at(position) else { break None };
            let level = trail.level_of(lit.var());
            if level == 0 {
                break None;
            }
            let start = trail.end_of(level - 1);
            let (slack, most) = self.sum.slack(start);
            if slack < 0 {
                position = start;
                continue;
            }
            if slack < most {
                break Some(self.sum.lowest(trail, level - 1));
            }
            self.resolve(propagator, scores, log, (lit, position));
            self.sum.round(log, position);
        };
        scores.decay();
        self.bumped.fill(0);
        self.sum.end();
        level.map(|level| {
            self.sum.weaken(log, trail.end_of(level));
            self.sum.simplify(log, trail.end_of(0));
            // Lower coefficients may imply something at a lower level yet.
            self.sum.lowest(trail, level)
        })
    }

    /// Begins with a violated constraint.
    fn add_conflict(
        &mut self,
        propagator: &Propagator<'_>,
        scores: &mut Scores<'_>,
        log: &mut Log<'_>,
        conflict: Conflict,
    ) {
        let Propagator { trail, store, .. } = propagator;
        let at_most_one = match conflict {
            Conflict::Binary(a, b) => find_at_most_one(propagator, a, b),
            _ => None,
        };
        match (conflict, at_most_one) {
            (Conflict::Linear(at), _) => {
                self.sum.degree += linear::degree(store, at);
                for (coefficient, lit) in linear::terms(store, at) {
                    self.sum.add(trail, i32::from(coefficient), lit);
                    if trail.is_false(lit) {
                        self.bump(scores, lit);
                    }
                }
                log.begin_sum(Premise::linear(store, at));
            }
            (Conflict::Binary(a, b), Some(at)) => {
                self.add_at_most_one(propagator, at, 1);
                self.bump(scores, a);
                self.bump(scores, b);
                log.begin_sum(Premise::Record(at_most_one::proof_number(store, at)));
            }
            _ => {
                log.conflict(propagator, conflict);
                log.begin_clause();
                self.sum.degree += 1;
                propagator.explain_conflict(conflict, |lit| {
                    log.state(lit);
                    self.sum.add(trail, 1, lit);
                    self.bump(scores, lit);
                });
                log.end_clause();
                log.begin_sum(Premise::Clause);
            }
        }
    }

    /// Adds the reason of a true literal at a position of the trail as often as its negation is counted.
    fn resolve(
        &mut self,
        propagator: &Propagator<'_>,
        scores: &mut Scores<'_>,
        log: &mut Log<'_>,
        (lit, position): (Lit, usize),
    ) {
        let Propagator { trail, store, .. } = propagator;
        let times = self.sum.coefficient(!lit);
        let reason = trail.reason_of(lit.var());
        let at_most_one = match reason {
            Reason::Binary(other) => find_at_most_one(propagator, other, lit),
            _ => None,
        };
        match (reason, at_most_one) {
            (Reason::Linear(at), _) => {
                log.add_premise(Premise::linear(store, at));
                self.add_rounded(propagator, scores, log, at, (lit, position));
                log.end_premise(Premise::linear(store, at), times);
            }
            (Reason::Binary(other), Some(at)) => {
                self.add_at_most_one(propagator, at, times);
                self.bump(scores, other);
                let premise = Premise::Record(at_most_one::proof_number(store, at));
                log.add_premise(premise);
                log.end_premise(premise, times);
            }
            _ => {
                log.explained(propagator, lit);
                log.begin_clause();
                log.state(lit);
                self.sum.degree += times;
                self.sum.add(trail, times, lit);
                propagator.explain(lit, |other| {
                    log.state(other);
                    self.sum.add(trail, times, other);
                    self.bump(scores, other);
                });
                log.end_clause();
                log.add_premise(Premise::Clause);
                log.end_premise(Premise::Clause, times);
            }
        }
    }

    /// Adds the linear constraint that implied a literal at a position of the trail, divided by the literal's coefficient:
    /// what was not false there is rounded down.
    fn add_rounded(
        &mut self,
        propagator: &Propagator<'_>,
        scores: &mut Scores<'_>,
        log: &mut Log<'_>,
        at: u32,
        (lit, position): (Lit, usize),
    ) {
        let Propagator { trail, store, .. } = propagator;
        let times = self.sum.coefficient(!lit);
        let terms = || linear::terms(store, at).map(|(coefficient, other)| (i32::from(coefficient), other));
        let divisor = terms().find(|term| term.1 == lit).map_or(1, |term| term.0).max(1);
        let mut degree = linear::degree(store, at);
        if divisor > 1 {
            for (coefficient, other) in terms().filter(|term| !trail.is_false_before(term.1, position)) {
                degree -= coefficient % divisor;
                log.weaken(other, i64::from(coefficient % divisor));
            }
            log.divide(divisor);
        }
        let degree = ceil(degree, divisor);
        self.sum.degree += times * degree;
        for (coefficient, other) in terms() {
            let is_false = trail.is_false_before(other, position);
            if is_false {
                self.bump(scores, other);
            }
            // A division takes longer than all the rest.
            let share = match divisor {
                1 => coefficient,
                _ if is_false => ceil(coefficient, divisor),
                _ => coefficient / divisor,
            };
            if share > 0 {
                self.sum.add(trail, times * share.min(degree), other);
            }
        }
    }

    /// Adds an at-most-one constraint so many times.
    fn add_at_most_one(&mut self, propagator: &Propagator<'_>, at: u32, times: i32) {
        let mut count = 0;
        for member in at_most_one::members(&propagator.store, at) {
            self.sum.add(&propagator.trail, times, !member);
            count += 1;
        }
        self.sum.degree += times * (count - 1);
    }

    /// Raises the score of a variable that takes part, once.
    fn bump(&mut self, scores: &mut Scores<'_>, lit: Lit) {
        let bumped = &mut self.bumped[lit.var().index()];
        if *bumped == 0 {
            *bumped = 1;
            scores.bump(lit.var());
        }
    }

    /// Literal block distance: the number of decision levels of the constraint's false literals, where all levels of
    /// assumptions count as one.
    pub(super) fn lbd(&mut self, trail: &Trail<'_>, assumed: usize) -> u16 {
        // Levels from the first one beyond the assumptions on are no more than variables, whose marks are free between calls.
        let mut count = 0;
        for var in self.sum.false_vars() {
            let mark = &mut self.bumped[trail.level_of(var).saturating_sub(assumed.max(1))];
            count += u16::from(*mark == 0);
            *mark = 1;
        }
        self.bumped.fill(0);
        count
    }
}

/// The at-most-one constraint over the negations of both literals, if there is one.
fn find_at_most_one(propagator: &Propagator<'_>, a: Lit, b: Lit) -> Option<u32> {
    let store = &propagator.store;
    let mut entry = propagator.occurrences.of(a)[List::AtMostOnes as usize];
    while entry != END {
        let at = store.word(entry, 1);
        if at_most_one::members(store, at).any(|member| member == !b) {
            return Some(at);
        }
        entry = store.word(entry, 0);
    }
    None
}

#[cfg(test)]
#[path = "cutting_planes_tests.rs"]
mod tests;
