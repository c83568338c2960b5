//! Propagation and explanation: the trail, and around it the constraints of all kinds.

use super::arena::Arena;
use super::at_most_one;
use super::binary;
use super::clauses::Clauses;
use super::limits::Limits;
use super::linear;
use super::lit::Lit;
use super::occurrences::{END, List, Occurrences};
use super::order::Order;
use super::store::Store;
use super::trail::{Reason, Trail};

/// A violated constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conflict {
    /// A binary clause, or two literals of an at-most-one constraint: both of these literals are false.
    Binary(Lit, Lit),
    /// A clause of the problem, by its place.
    Clause(u32),
    /// A learnt clause, by its place.
    Learnt(u32),
    /// A linear constraint, by its place.
    Linear(u32),
    /// An order edge, by its number, that leaves a clock no tick.
    Order(u16),
}

/// All constraints and the assignment.
pub(super) struct Propagator<'m> {
    pub(super) trail: Trail<'m>,
    pub(super) occurrences: Occurrences<'m>,
    /// Clauses of the problem of three and more literals.
    pub(super) clauses: Clauses<'m>,
    pub(super) learnt: Clauses<'m>,
    /// Binary clauses, at-most-one and linear constraints.
    pub(super) store: Store<'m>,
    pub(super) order: Order<'m>,
    /// Literals propagated so far.
    pub(super) propagations: u64,
}

impl<'m> Propagator<'m> {
    #[inline(never)]
    pub(super) fn new(arena: &mut Arena<'m>, limits: &Limits) -> Self {
        Propagator {
            trail: Trail::new(arena, limits.vars),
            occurrences: Occurrences::new(arena, limits.vars),
            clauses: Clauses::new(arena, limits.clauses, List::Clauses),
            learnt: Clauses::new(arena, limits.learnt, List::Learnt),
            store: Store::new(arena, limits.store),
            order: Order::new(arena, limits.clocks, limits.ticks, limits.edges),
            propagations: 0,
        }
    }

    /// Propagates all assignments up to the end of the trail, or to the first conflict.
    pub(super) fn propagate(&mut self) -> Result<(), Conflict> {
        let Propagator { trail, occurrences, clauses, learnt, store, order, propagations } = self;
        while let Some(lit) = trail.at(trail.head) {
            trail.head += 1;
            *propagations += 1;
            let falsified = !lit;
            let [binary, at_most_ones, linear, watches, learnt_watches, edges] = *occurrences.of(falsified);
            // Slacks come first, so that a literal before the head is counted even when a conflict follows.
            let tight = linear::update_slacks(store, linear, -1);
            if edges != END {
                order.insert(edges);
            }
            let conflict = |other| Conflict::Binary(falsified, other);
            binary::propagate(store, binary, falsified, trail).map_err(conflict)?;
            at_most_one::propagate(store, at_most_ones, falsified, trail).map_err(conflict)?;
            linear::propagate(store, tight, trail).map_err(Conflict::Linear)?;
            if watches != END {
                clauses.propagate(occurrences, falsified, trail).map_err(Conflict::Clause)?;
            }
            if edges != END {
                order.propagate(edges, trail).map_err(Conflict::Order)?;
            }
            if learnt_watches != END {
                learnt.propagate(occurrences, falsified, trail).map_err(Conflict::Learnt)?;
            }
        }
        Ok(())
    }

    /// Unassigns everything above a level; `unassigned` gets every literal.
    pub(super) fn backtrack(&mut self, level: usize, mut unassigned: impl FnMut(Lit)) {
        let target = self.trail.end_of(level);
        while self.trail.len() > target {
            let propagated = self.trail.len() <= self.trail.head;
            let Some(lit) = self.trail.pop() else { break };
            if propagated {
                let [_, _, linear, _, _, edges] = *self.occurrences.of(!lit);
                linear::update_slacks(&mut self.store, linear, 1);
                if edges != END {
                    self.order.restore(edges);
                }
                self.trail.head = self.trail.len();
            }
            unassigned(lit);
        }
        self.trail.drop_levels(level);
    }

    /// Visits the false literals that explain a conflict.
    pub(super) fn explain_conflict(&self, conflict: Conflict, mut visit: impl FnMut(Lit)) {
        let now = self.trail.len();
        match conflict {
            Conflict::Binary(a, b) => {
                visit(a);
                visit(b);
            }
            Conflict::Clause(at) => self.clauses.lits(at).for_each(visit),
            Conflict::Learnt(at) => self.learnt.lits(at).for_each(visit),
            Conflict::Linear(at) => linear::explain(&self.store, at, None, now, &self.trail, visit),
            Conflict::Order(edge) => {
                visit(!self.order.guard(edge));
                self.order.explain(edge, &self.trail, visit);
            }
        }
    }

    /// Visits the false literals that imply a true literal; none for decisions and facts.
    pub(super) fn explain(&self, lit: Lit, mut visit: impl FnMut(Lit)) {
        let others = |other: &Lit| *other != lit;
        match self.trail.reason_of(lit.var()) {
            Reason::None => {}
            Reason::Binary(other) => visit(other),
            Reason::Clause(at) => self.clauses.lits(at).filter(others).for_each(visit),
            Reason::Learnt(at) => self.learnt.lits(at).filter(others).for_each(visit),
            Reason::Linear(at) => {
                let position = self.trail.position_of(lit.var());
                linear::explain(&self.store, at, Some(lit), position, &self.trail, visit);
            }
            Reason::Order(edge) => self.order.explain(edge, &self.trail, visit),
            Reason::Decisions => {
                let level = self.trail.level_of(lit.var());
                self.trail.decisions(level).map(|decision| !decision).for_each(visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::super::lit::Var;
    use super::*;

    #[test]
    fn what_decisions_imply_is_explained_by_what_is_false() {
        let limits = Limits { vars: 4, clocks: 0, ticks: 0, edges: 0, clauses: 0, store: 0, learnt: 0 };
        let mut memory = std::vec![0; limits.words()];
        let mut propagator = Propagator::new(&mut Arena::new(&mut memory), &limits);
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| Var::new(index).unwrap().positive());
        for decision in [a, !b] {
            propagator.trail.push_level();
            propagator.trail.assign(decision, Reason::None);
        }
        propagator.trail.assign(c, Reason::Decisions);
        propagator.trail.push_level();
        propagator.trail.assign(d, Reason::None);
        let mut visited = Vec::new();
        propagator.explain(c, |lit| visited.push(lit));
        visited.sort_unstable();
        assert_eq!(visited, [!a, b]);
        assert!(visited.iter().all(|&lit| propagator.trail.is_false(lit)));
        propagator.explain(d, |lit| panic!("{lit:?} implies a decision"));
    }
}
