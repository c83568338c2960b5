//! The search loop: propagate, learn from conflicts, restart, decide.
//!
//! The search is incremental (Eén & Sörensson, "Temporal induction by incremental SAT solving", 2003): every call of
//! [`Solver::solve`] may assume other literals, learnt clauses are kept, and the part of the trail that belongs to a
//! common prefix of two lists of assumptions is not propagated again.

use core::cmp::Reverse;

use barrow_core::sort::sort_by_key;

use super::binary;
use super::capacity::{Capacity, Resource};
use super::clauses::Clauses;
use super::cutting_planes;
use super::gc;
use super::linear;
use super::lit::{Lit, Var};
use super::propagator::{Conflict, Propagator};
use super::restart::Restart;
use super::solver::{Answer, ModelPlace, Solver};
use super::trail::Reason;

/// Budget of a search: it ends without an answer after the first conflict at which one of these is used up. So a search
/// without a conflict ends with an answer however small its budget is, and none ends before its first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Conflicts.
    pub conflicts: u64,
    /// Literals propagated, a measure of time that is equal on every target.
    pub propagations: u64,
}

impl Budget {
    /// A search that ends with an answer.
    pub const UNLIMITED: Budget = Budget { conflicts: u64::MAX, propagations: u64::MAX };

    /// A search of so many conflicts.
    pub const fn conflicts(conflicts: u64) -> Budget {
        Budget { conflicts, ..Budget::UNLIMITED }
    }

    /// A search of so many propagations.
    pub const fn propagations(propagations: u64) -> Budget {
        Budget { propagations, ..Budget::UNLIMITED }
    }
}

/// Outcome of a decision.
enum Decision {
    /// A level has begun.
    Made,
    /// An assumption is false.
    Failed(Lit),
    /// All variables are assigned.
    Complete,
}

impl Solver<'_> {
    /// Searches for a model under assumptions.
    ///
    /// # Errors
    /// When there are more assumptions than variables, or one of an unknown variable.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<Answer, Capacity> {
        self.solve_within(assumptions, &[], Budget::UNLIMITED)
    }

    /// Searches for the best model under assumptions by preferences, the most important first, within a budget. In the lexicographically best model a preference is false only if those granted before it exclude
    /// it (seed 000, "iterate through the sorted list"). After [`Answer::Sat`] the preferences that hold are those
    /// granted.
    ///
    /// One search suffices (Di Rosa, Giunchiglia & Maratea, "Solving satisfiability problems with preferences", 2010):
    /// preferences are decided in order before anything else, and one that is false when its turn comes is implied to
    /// be so by those before it. Should these clash after all, learning denies the last of them that matters, and the
    /// later ones are decided again.
    ///
    /// # Errors
    /// When there are more assumptions or preferences than variables, or one of an unknown variable.
    pub fn solve_preferring(
        &mut self,
        assumptions: &[Lit],
        preferences: &[Lit],
        conflicts: u64,
    ) -> Result<Answer, Capacity> {
        self.solve_within(assumptions, preferences, Budget::conflicts(conflicts))
    }

    /// Searches as [`Solver::solve_preferring`] does, within a budget.
    ///
    /// # Errors
    /// When there are more assumptions or preferences than variables, or one of an unknown variable.
    pub fn solve_within(
        &mut self,
        assumptions: &[Lit],
        preferences: &[Lit],
        budget: Budget,
    ) -> Result<Answer, Capacity> {
        self.core_len = 0;
        self.forget_model();
        for lits in [assumptions, preferences] {
            self.check_lits(lits.iter().copied())?;
            let (needed, available) = (lits.len(), self.max_vars);
            if needed > available {
                return Err(Capacity { what: Resource::Vars, needed, available });
            }
        }
        if self.refuted {
            return Ok(Answer::Unsat);
        }
        self.set_assumptions(assumptions);
        for (slot, lit) in self.preferred.iter_mut().zip(preferences) {
            *slot = lit.index() as u16;
        }
        self.num_preferred = preferences.len();
        let answer = self.search(Budget {
            conflicts: self.statistics.conflicts.saturating_add(budget.conflicts),
            propagations: self.propagator.propagations.saturating_add(budget.propagations),
        });
        if answer == Answer::Sat {
            self.model = ModelPlace::OnTrail;
        }
        Ok(answer)
    }

    /// Searches until there has been so much since the solver was made.
    fn search(&mut self, end: Budget) -> Answer {
        let mut restart = Restart::default();
        self.scores.clear_targets();
        loop {
            let propagated = self.propagator.propagate();
            self.log.facts(&self.propagator);
            #[cfg(feature = "check")]
            if propagated.is_ok() && self.is_check_due() {
                self.propagator.check();
            }
            if let Err(conflict) = propagated {
                self.statistics.conflicts += 1;
                if self.propagator.trail.level() == 0 {
                    self.refute_by(conflict);
                    return Answer::Unsat;
                }
                self.learn(conflict);
                if self.refuted {
                    return Answer::Unsat;
                }
                let propagations = self.propagator.propagations;
                if self.statistics.conflicts >= end.conflicts || propagations >= end.propagations {
                    return Answer::Unknown;
                }
                restart.count();
                continue;
            }
            if restart.is_due() && self.propagator.trail.level() > self.num_assumed {
                self.statistics.restarts += 1;
                self.backtrack(self.num_assumed);
            }
            match self.decide() {
                Decision::Made => {}
                Decision::Failed(lit) => {
                    self.find_core(lit);
                    return Answer::Unsat;
                }
                Decision::Complete => return Answer::Sat,
            }
        }
    }

    /// Replaces the assumptions, and keeps the levels of those with which the last call began as well.
    fn set_assumptions(&mut self, assumptions: &[Lit]) {
        let old = self.assumed.iter().take(self.num_assumed);
        let same = old.zip(assumptions).take_while(|&(&word, lit)| usize::from(word) == lit.index()).count();
        self.backtrack(same);
        for (slot, lit) in self.assumed.iter_mut().zip(assumptions) {
            *slot = lit.index() as u16;
        }
        self.num_assumed = assumptions.len();
    }

    /// Decides the next assumption, then the next free preference, then the next variable of the queue by its phase.
    fn decide(&mut self) -> Decision {
        let trail = &mut self.propagator.trail;
        let level = trail.level();
        if level < self.num_assumed {
            let lit = Lit::wrapped(u32::from(self.assumed[level]));
            if trail.is_false(lit) {
                return Decision::Failed(lit);
            }
            trail.push_level();
            if trail.is_free(lit) {
                trail.assign(lit, Reason::None);
            }
            return Decision::Made;
        }
        while self.next_preference < self.num_preferred {
            let lit = Lit::wrapped(u32::from(self.preferred[self.next_preference]));
            self.next_preference += 1;
            if self.propagator.trail.is_free(lit) {
                return self.decide_for(lit);
            }
        }
        let trail = &self.propagator.trail;
        let next = if self.scores.is_on() { self.scores.pop(trail) } else { self.queue.pop(trail) };
        match next {
            Some(var) => self.decide_for(var.lit(self.phase(var))),
            None => Decision::Complete,
        }
    }

    /// Value of a variable that is tried first.
    fn phase(&self, var: Var) -> bool {
        self.scores.target(var).unwrap_or(self.phases[var.index()] != 0)
    }

    /// Has scores choose decisions from now on: for searches that are known to be long.
    pub(crate) fn choose_by_scores(&mut self) {
        if !self.scores.is_on() {
            self.scores.start(self.queue.iter());
        }
    }

    /// After so many conflicts since the solver was made scores choose decisions, and from then on linear constraints are
    /// learnt by cutting planes instead of clauses: for searches that sums decide. What is learnt takes what
    /// [`Limits::store`](super::Limits::store) has left. Without the feature `every-board` clauses are learnt as before.
    pub const fn use_cutting_planes(&mut self, conflicts: u64) {
        self.patience = conflicts;
        self.cuts_planes = cutting_planes::ENABLED;
    }

    /// Begins a level with a free literal.
    fn decide_for(&mut self, lit: Lit) -> Decision {
        self.statistics.decisions += 1;
        self.propagator.trail.push_level();
        self.propagator.trail.assign(lit, Reason::None);
        Decision::Made
    }

    /// Finds the assumptions that clash with one that is false.
    fn find_core(&mut self, failed: Lit) {
        let (core, len) = (&mut self.core, &mut self.core_len);
        self.analysis.core(&self.propagator, failed, &mut self.log, |lit| {
            if let Some(slot) = core.get_mut(*len) {
                *slot = lit.index() as u16;
                *len += 1;
            }
        });
        self.log.core(self.core.iter().take(self.core_len).map(|&word| Lit::wrapped(u32::from(word))));
    }

    /// Learns a clause from a conflict, backtracks to where it asserts a literal, and asserts that literal.
    ///
    /// Without room the clause is not kept, but the literal is asserted all the same, by the decisions that imply it.
    /// So every conflict brings the search further, and it ends however small the store.
    fn learn(&mut self, conflict: Conflict) {
        if self.statistics.conflicts > self.patience {
            self.choose_by_scores();
        }
        self.scores.save_targets(&self.propagator.trail);
        if self.cuts_planes && self.scores.is_on() {
            self.learn_linear(conflict);
            return;
        }
        let (queue, scores) = (&mut self.queue, &mut self.scores);
        let level = self.analysis.learn(&self.propagator, (queue, scores), &mut self.log, conflict);
        let number = self.log.learn(self.analysis.clause());
        let lbd = self.analysis.lbd(&self.propagator, self.num_assumed);
        let mut len = 0;
        for (slot, lit) in self.scratch.iter_mut().zip(self.analysis.clause()) {
            *slot = lit.index() as u16;
            len += 1;
        }
        self.backtrack(level);
        let first = self.scratch_lit(0);
        let kept = self.keep(len, lbd, number);
        let reason = kept.unwrap_or_else(|| {
            // Only a proof reads which decisions these are.
            if cfg!(feature = "proof") {
                self.analysis.reduce_to_decisions(&self.propagator, &mut self.log);
                self.log.learn(self.analysis.clause());
                self.log.forget(number);
            }
            Reason::Decisions
        });
        self.propagator.trail.assign(first, reason);
    }

    /// Learns a linear constraint from a conflict by cutting planes, backtracks to where it implies something, and has it do
    /// so. Without room for it, a clause that follows from it is learnt.
    fn learn_linear(&mut self, conflict: Conflict) {
        let Some(level) = self.cuts.learn(&self.propagator, &mut self.scores, &mut self.log, conflict) else {
            self.refute();
            self.log.forget_sum();
            return;
        };
        let lbd = self.cuts.lbd(&self.propagator.trail, self.num_assumed);
        let number = self.log.keep_sum();
        self.backtrack(level);
        let degree = self.cuts.sum.degree;
        let len = self.cuts.sum.terms().count();
        if degree > 1 && self.has_room_for_linear(linear::size(len)) {
            let Propagator { store, occurrences, trail, .. } = &mut self.propagator;
            let terms = self.cuts.sum.terms().map(|(coefficient, lit)| (coefficient as u16, lit));
            let at = linear::add_learnt(store, occurrences, trail, terms, (degree, lbd));
            linear::set_proof_number(store, at, number);
            let _ = linear::propagate_one(store, at, trail);
            return;
        }
        for ((coefficient, lit), slot) in self.cuts.sum.terms().zip(self.scratch.iter_mut()) {
            self.weights[lit.var().index()] = coefficient as u32;
            *slot = lit.index() as u16;
        }
        if degree > 1 {
            let len = self.weaken_to_clause(len, degree);
            let clause = self.scratch[..len].iter().map(|&word| Lit::wrapped(u32::from(word)));
            let weaker = self.log.learn(clause);
            self.log.forget(number);
            self.keep_clause(len, (lbd, weaker));
        } else {
            self.keep_clause(len, (lbd, number));
        }
    }

    /// Whether there is room for a learnt linear constraint of `size` words, if necessary after forgetting others.
    fn has_room_for_linear(&mut self, size: usize) -> bool {
        if self.propagator.store.room() >= size {
            return true;
        }
        self.statistics.reductions += 1;
        gc::reduce_linear(&mut self.propagator, &mut self.log, size)
    }

    /// Weakens the constraint in `scratch` to a clause: one literal that it implies and as many false ones as it takes.
    fn weaken_to_clause(&mut self, len: usize, degree: i32) -> usize {
        let trail = &self.propagator.trail;
        let weights = &self.weights;
        let weight = |word: u16| weights[usize::from(word >> 1)] as i32;
        let lits = &mut self.scratch[..len];
        let is_free = |word: u16| trail.is_free(Lit::wrapped(u32::from(word)));
        let is_false = |word: u16| trail.is_false(Lit::wrapped(u32::from(word)));
        sort_by_key(lits, |&word| {
            (Reverse(is_free(word)), Reverse(is_false(word)), Reverse(weight(word)), word)
        });
        let mut reachable: i32 = lits.iter().skip(1).map(|&word| weight(word)).sum();
        let falses = lits.iter().skip(1).position(|&word| is_false(word)).map_or(len, |index| index + 1);
        let mut kept = 1;
        for from in falses..len {
            let Some(&word) = lits.get(from).filter(|_| reachable >= degree) else { break };
            reachable -= weight(word);
            if let Some(slot) = lits.get_mut(kept) {
                *slot = word;
            }
            kept += 1;
        }
        kept
    }

    /// Keeps the clause of the first literals of `scratch`, one of which is free and all others false, and asserts that
    /// literal.
    fn keep_clause(&mut self, len: usize, (lbd, number): (u16, u32)) {
        let trail = &self.propagator.trail;
        let free = (0..len).find(|&index| trail.is_free(self.scratch_lit(index)));
        self.scratch.swap(0, free.unwrap_or(0));
        let highest = (1..len).max_by_key(|&index| trail.level_of(self.scratch_lit(index).var()));
        self.scratch.swap(1.min(len - 1), highest.unwrap_or(0));
        let first = self.scratch_lit(0);
        let reason = self.keep(len, lbd, number).unwrap_or(Reason::Decisions);
        self.propagator.trail.assign(first, reason);
    }

    /// Keeps the clause of the first literals of `scratch`, of which the first is to be asserted and the second was false last.
    /// Returns the reason that it is for the first; `None` where there is no room.
    fn keep(&mut self, len: usize, lbd: u16, number: u32) -> Option<Reason> {
        let first = self.scratch_lit(0);
        match len {
            1 => Some(Reason::None),
            2 if self.propagator.store.room() >= binary::SIZE => {
                let other = self.scratch_lit(1);
                binary::add(&mut self.propagator.store, &mut self.propagator.occurrences, first, other);
                Some(Reason::Binary(other))
            }
            _ if self.has_room_to_learn(Clauses::size(len)) => {
                let learnt = &mut self.propagator.learnt;
                let at = learnt.append(&self.scratch[..len], lbd);
                learnt.set_proof_number(at, number);
                learnt.watch(&mut self.propagator.occurrences, at);
                Some(Reason::Learnt(at))
            }
            _ => None,
        }
    }

    /// Whether there is room for a learnt clause of `size` words, if necessary after forgetting others.
    fn has_room_to_learn(&mut self, size: usize) -> bool {
        let propagator = &mut self.propagator;
        if propagator.learnt.room() >= size {
            return true;
        }
        self.statistics.reductions += 1;
        let (learnt, occurrences) = (&mut propagator.learnt, &mut propagator.occurrences);
        gc::reduce(learnt, occurrences, &mut propagator.trail, &mut self.log, size)
    }
}
