//! The `check` feature: after each propagation everything incremental is recomputed the slow way.

use super::engine::Engine;
use super::linear::Linear;
use super::lit::Lit;
use super::trail::Reason;

impl Engine<'_> {
    /// Recomputes counters, watches, pairs, at-most-ones and reasons after a propagation without conflict.
    ///
    /// # Panics
    /// When one of them is wrong, which is a defect of the solver.
    pub(super) fn check(&self) {
        assert_eq!(self.trail.head, self.trail.len(), "something is left to propagate");
        for store in [&self.clauses, &self.learnt] {
            for at in store.iter() {
                let holds = store.lits(at).any(|lit| self.trail.is_true(lit));
                let free = store.lits(at).filter(|&lit| self.trail.is_free(lit)).count();
                assert!(holds || free >= 2, "a clause is unit or false");
            }
        }
        self.linear.records(&self.lists, |at| {
            assert!(Linear::is_exact(&self.lists, at, &self.trail), "a slack is off");
            let slack = Linear::slack(&self.lists, at);
            assert!(slack >= 0, "a sum cannot reach its degree");
            let missed = Linear::terms(&self.lists, at)
                .any(|(weight, lit)| i32::from(weight) > slack && self.trail.is_free(lit));
            assert!(!missed, "a sum has an unassigned consequence");
        });
        for position in 0..self.trail.len() {
            if let Some(lit) = self.trail.at(position) {
                self.check_reason(lit, position);
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
        assert_eq!(highest, level, "a literal was found later than it could");
    }
}
