//! The `check` feature: after propagations slacks, bounds, watches and reasons are recomputed the slow way.

use super::at_most_one;
use super::binary;
use super::gc;
use super::linear;
use super::lit::Lit;
use super::propagator::Propagator;
use super::solver::Solver;
use super::store::Kind;
use super::trail::Reason;

/// Number of variables up to which every propagation is checked.
const SMALL: u64 = 64;

impl Solver<'_> {
    /// Whether the propagation just done is checked: each one of a small problem, of a larger one as many fewer as it
    /// is larger, so that a fuzzer's time does not all go into checks.
    pub(super) fn is_check_due(&self) -> bool {
        let period = self.max_vars as u64 / SMALL + 1;
        (self.statistics.decisions + self.statistics.conflicts).is_multiple_of(period)
    }
}

impl Propagator<'_> {
    /// Checks all constraints and reasons after a propagation without conflict.
    ///
    /// # Panics
    /// When a constraint was not propagated or a reason is wrong, which is a defect of the solver.
    pub(super) fn check(&self) {
        assert_eq!(self.trail.head, self.trail.len(), "something is left to propagate");
        for clauses in [&self.clauses, &self.learnt] {
            for at in clauses.iter() {
                let holds = clauses.lits(at).any(|lit| self.trail.is_true(lit));
                let free = clauses.lits(at).filter(|&lit| self.trail.is_free(lit)).count();
                assert!(holds || free >= 2, "a clause is unit or false");
                assert!(clauses.is_watched(&self.occurrences, at), "a clause is not watched");
            }
        }
        for at in gc::records(&self.store) {
            self.check_record(at);
        }
        self.order.check(&self.trail);
        for position in 0..self.trail.len() {
            if let Some(lit) = self.trail.at(position) {
                self.check_reason(lit, position);
            }
        }
    }

    fn check_record(&self, at: u32) {
        let trail = &self.trail;
        match self.store.kind(at) {
            Kind::Binary => {
                let lits = binary::lits(&self.store, at);
                let holds = lits.iter().any(|&lit| trail.is_true(lit));
                assert!(
                    holds || lits.iter().all(|&lit| trail.is_free(lit)),
                    "a binary clause is unit or false"
                );
            }
            Kind::AtMostOne => {
                let held = at_most_one::members(&self.store, at).filter(|&lit| trail.is_true(lit)).count();
                let free = at_most_one::members(&self.store, at).any(|lit| trail.is_free(lit));
                assert!(
                    held == 0 || held == 1 && !free,
                    "an at-most-one constraint has two, or an unassigned consequence"
                );
            }
            Kind::Linear | Kind::Learnt => {
                assert!(linear::is_exact(&self.store, at, trail), "a slack is off");
                let slack = linear::slack(&self.store, at);
                assert!(slack >= 0, "a linear constraint cannot reach its degree");
                let missed = linear::terms(&self.store, at)
                    .any(|(weight, lit)| i32::from(weight) > slack && trail.is_free(lit));
                assert!(!missed, "a linear constraint has an unassigned consequence");
            }
        }
    }

    fn check_reason(&self, lit: Lit, position: usize) {
        let level = self.trail.level_of(lit.var());
        if level == 0 || self.trail.reason_of(lit.var()) == Reason::None {
            return;
        }
        let mut highest = 0;
        self.explain(lit, |other| {
            assert!(self.trail.is_false_before(other, position), "a reason is not false, or too young");
            highest = highest.max(self.trail.level_of(other.var()));
        });
        assert_eq!(highest, level, "a literal was implied later than it could be");
    }
}
