//! The `check` feature: after each propagation everything incremental is recomputed the slow way.

use super::binary::Pairs;
use super::linear::Linear;
use super::lit::Lit;
use super::propagator::Engine;
use super::store::Kind;
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
                assert!(store.is_watched(&self.heads, at), "a clause is not watched");
            }
        }
        for at in self.lists.iter() {
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
        match self.lists.kind(at) {
            Kind::Pair => {
                let lits = Pairs::lits(&self.lists, at);
                let holds = lits.iter().any(|&lit| trail.is_true(lit));
                assert!(holds || lits.iter().all(|&lit| trail.is_free(lit)), "a pair is unit or false");
            }
            Kind::AtMostOne => {
                let held = Pairs::members(&self.lists, at).filter(|&lit| trail.is_true(lit)).count();
                let free = Pairs::members(&self.lists, at).any(|lit| trail.is_free(lit));
                assert!(
                    held == 0 || held == 1 && !free,
                    "an at-most-one has two, or an unassigned consequence"
                );
            }
            Kind::Sum => {
                assert!(Linear::is_exact(&self.lists, at, trail), "a slack is off");
                let slack = Linear::slack(&self.lists, at);
                assert!(slack >= 0, "a sum cannot reach its degree");
                let missed = Linear::terms(&self.lists, at)
                    .any(|(weight, lit)| i32::from(weight) > slack && trail.is_free(lit));
                assert!(!missed, "a sum has an unassigned consequence");
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
