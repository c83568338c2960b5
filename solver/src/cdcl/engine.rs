//! Propagation and explanation: the constraint stores around one trail.

use super::clauses::Clauses;
use super::linear::Linear;
use super::lists::Lists;
use super::lit::Lit;
use super::memory::{Carver, Limits};
use super::order::Order;
use super::pairs::Pairs;
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
    pub(super) clauses: Clauses<'m>,
    pub(super) learnt: Clauses<'m>,
    pub(super) lists: Lists<'m>,
    pub(super) pairs: Pairs<'m>,
    pub(super) linear: Linear<'m>,
    pub(super) order: Order<'m>,
}

impl<'m> Engine<'m> {
    pub(super) fn new(carver: &mut Carver<'m>, limits: &Limits) -> Self {
        Engine {
            trail: Trail::new(carver, limits.vars),
            clauses: Clauses::new(carver, limits.vars, limits.clauses, false),
            learnt: Clauses::new(carver, limits.vars, limits.learnt, true),
            lists: Lists::new(carver, limits.lists),
            pairs: Pairs::new(carver, limits.vars),
            linear: Linear::new(carver, limits.vars),
            order: Order::new(carver, limits.vars, limits.clocks, limits.edges),
        }
    }

    /// Draws all consequences of what was assigned. Stops at the first conflict.
    pub(super) fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(lit) = self.trail.at(self.trail.head) {
            self.trail.head += 1;
            // Counting comes first, so that a literal before the head is counted even when a conflict follows.
            self.linear.count(&mut self.lists, !lit);
            self.order.insert(lit);
            let trail = &mut self.trail;
            self.pairs.propagate(&self.lists, lit, trail).map_err(|(a, b)| Conflict::Pair(a, b))?;
            self.linear.propagate(&self.lists, !lit, trail).map_err(Conflict::Linear)?;
            self.clauses.propagate(!lit, trail).map_err(Conflict::Clause)?;
            self.order.propagate(lit, trail).map_err(Conflict::Order)?;
            self.learnt.propagate(!lit, trail).map_err(Conflict::Learnt)?;
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
                self.linear.restore(&mut self.lists, !lit);
                self.order.restore(lit);
                self.trail.head = self.trail.len();
            }
            freed(lit);
        }
        self.trail.drop_levels(level);
    }

    /// Forgets all constraints that hold whatever happens above level 0, where the trail must be.
    pub(super) fn sweep(&mut self) {
        self.clauses.sweep(&self.trail);
        self.learnt.sweep(&self.trail);
        self.lists.sweep(&mut self.pairs, &mut self.linear, &self.trail);
        self.order.sweep(&self.trail);
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
        }
    }
}
