//! Propagation and explanation: the constraint stores around one trail.

use super::binary::Pairs;
use super::clauses::Clauses;
use super::limits::{Carver, Limits};
use super::linear::Linear;
use super::lit::Lit;
use super::occurrences::{END, Heads, List};
use super::order::Order;
use super::store::Lists;
use super::trail::{Reason, Trail};

/// Which constraint is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conflict {
    /// Both literals of a pair are false.
    Pair(Lit, Lit),
    /// A clause of the problem.
    Clause(u32),
    /// A learnt clause.
    Learnt(u32),
    /// A sum.
    Linear(u32),
    /// The order edge closes a cycle.
    Order(u16),
}

/// All constraints and the assignment.
pub(super) struct Engine<'m> {
    pub(super) trail: Trail<'m>,
    pub(super) heads: Heads<'m>,
    pub(super) clauses: Clauses<'m>,
    pub(super) learnt: Clauses<'m>,
    pub(super) lists: Lists<'m>,
    pub(super) order: Order<'m>,
}

impl<'m> Engine<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, limits: &Limits) -> Self {
        Engine {
            trail: Trail::new(carver, limits.vars),
            heads: Heads::new(carver, limits.vars),
            clauses: Clauses::new(carver, limits.clauses, List::Clauses),
            learnt: Clauses::new(carver, limits.learnt, List::Learnt),
            lists: Lists::new(carver, limits.lists),
            order: Order::new(carver, limits.clocks, limits.edges),
        }
    }

    /// Draws all consequences of what was assigned. Stops at the first conflict.
    pub(super) fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(lit) = self.trail.at(self.trail.head) {
            self.trail.head += 1;
            let falsified = !lit;
            let [pairs, at_most_ones, sums, clauses, learnt, edges] = *self.heads.of(falsified);
            // Counting comes first, so that a literal before the head is counted even when a conflict follows.
            Linear::count(&mut self.lists, sums, -1);
            if edges != END {
                self.order.insert(edges);
            }
            let (heads, trail) = (&mut self.heads, &mut self.trail);
            let conflict = |other| Conflict::Pair(falsified, other);
            Pairs::propagate_pairs(&self.lists, pairs, falsified, trail).map_err(conflict)?;
            Pairs::propagate_groups(&self.lists, at_most_ones, falsified, trail).map_err(conflict)?;
            Linear::propagate(&self.lists, sums, trail).map_err(Conflict::Linear)?;
            if clauses != END {
                self.clauses.propagate(heads, falsified, trail).map_err(Conflict::Clause)?;
            }
            if edges != END {
                self.order.propagate(edges, trail).map_err(Conflict::Order)?;
            }
            if learnt != END {
                self.learnt.propagate(heads, falsified, trail).map_err(Conflict::Learnt)?;
            }
        }
        Ok(())
    }

    /// Takes back everything above a level; `freed` is told every literal.
    pub(super) fn backtrack(&mut self, level: usize, mut freed: impl FnMut(Lit)) {
        let target = self.trail.end_of(level);
        while self.trail.len() > target {
            let propagated = self.trail.len() <= self.trail.head;
            let Some(lit) = self.trail.pop() else { break };
            if propagated {
                let [_, _, sums, _, _, edges] = *self.heads.of(!lit);
                Linear::count(&mut self.lists, sums, 1);
                if edges != END {
                    self.order.restore(edges);
                }
                self.trail.head = self.trail.len();
            }
            freed(lit);
        }
        self.trail.drop_levels(level);
    }

    /// Forgets all constraints that hold whatever happens above level 0, where the trail must be.
    pub(super) fn sweep(&mut self) {
        let (heads, trail) = (&mut self.heads, &self.trail);
        self.clauses.sweep(heads, trail);
        self.learnt.sweep(heads, trail);
        self.lists.sweep(heads, trail);
        self.order.sweep(heads, trail);
    }

    /// Visits the false literals that explain a conflict.
    pub(super) fn explain_conflict(&self, conflict: Conflict, mut visit: impl FnMut(Lit)) {
        let now = self.trail.len();
        match conflict {
            Conflict::Pair(a, b) => {
                visit(a);
                visit(b);
            }
            Conflict::Clause(at) => self.clauses.lits(at).for_each(visit),
            Conflict::Learnt(at) => self.learnt.lits(at).for_each(visit),
            Conflict::Linear(at) => Linear::explain(&self.lists, at, None, now, &self.trail, visit),
            Conflict::Order(edge) => {
                visit(!self.order.guard(edge));
                self.order.explain(edge, now, &self.trail, visit);
            }
        }
    }

    /// Visits the false literals that made a true literal follow; none for decisions and facts.
    pub(super) fn explain(&self, lit: Lit, mut visit: impl FnMut(Lit)) {
        let others = |other: &Lit| *other != lit;
        match self.trail.reason_of(lit.var()) {
            Reason::None => {}
            Reason::Binary(other) => visit(other),
            Reason::Clause(at) => self.clauses.lits(at).filter(others).for_each(visit),
            Reason::Learnt(at) => self.learnt.lits(at).filter(others).for_each(visit),
            Reason::Linear(at) => {
                let position = self.trail.position_of(lit.var());
                Linear::explain(&self.lists, at, Some(lit), position, &self.trail, visit);
            }
            Reason::Order(edge) => {
                self.order.explain(edge, self.trail.position_of(lit.var()), &self.trail, visit);
            }
            Reason::Decisions => {
                let level = self.trail.level_of(lit.var());
                self.trail.decisions(level).map(|decision| !decision).for_each(visit);
            }
        }
    }
}
