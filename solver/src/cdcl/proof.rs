//! The proof log: problem and derivation as text for the proof checker VeriPB (Gocht & Nordström).
//!
//! Learnt clauses follow by reverse unit propagation, learnt linear constraints by sums, which are in `sum_proof`. An
//! order constraint is written over thresholds "clock c is not before tick v", with as many ticks as strict edges can need.
//! Propagation over these refutes a cycle whose guards all hold, but not yet the guard that would close one; so every
//! cycle that takes part in an argument is first stated as a clause over its guards.

use core::fmt::{self, Write};

use super::clock_set::ClockSet;
use super::lit::Lit;
use super::propagator::{Conflict, Propagator};
use super::trail::Reason;

/// A proof log; it writes nothing before [`super::Solver::prove`].
pub(super) struct Log<'m> {
    pub(super) texts: Option<Texts<'m>>,
    /// Bit set of the clocks whose thresholds the problem declares.
    declared: ClockSet,
    /// Facts before this position of the trail are logged.
    facts: usize,
    /// Cycles stated for the next learnt clause.
    cycles: u32,
    /// Number of learnt constraints so far.
    pub(super) learnt: u32,
    /// Number of constraints of the problem so far.
    pub(super) constraints: u32,
    /// Number of at-most-one and linear constraints among them that are stored, without facts, under names of their own.
    pub(super) records: u32,
    /// Whether something could not be written.
    pub(super) failed: bool,
}

/// Problem and derivation, as the caller lends them.
pub(super) struct Texts<'m> {
    pub(super) problem: &'m mut dyn Write,
    pub(super) steps: &'m mut dyn Write,
}

impl Log<'_> {
    /// Whether a log can be written at all.
    pub(super) const WRITES: bool = true;

    pub(super) const fn new() -> Self {
        Log {
            texts: None,
            declared: ClockSet::EMPTY,
            facts: 0,
            cycles: 0,
            learnt: 0,
            constraints: 0,
            records: 0,
            failed: false,
        }
    }

    /// Ends a constraint of the problem.
    fn end_constraint(&mut self, degree: i32) {
        self.problem(format_args!(">= {degree} ;\n"));
        self.constraints += 1;
    }

    /// Writes a part of the problem.
    fn problem(&mut self, text: fmt::Arguments<'_>) {
        if let Some(texts) = &mut self.texts {
            self.failed |= texts.problem.write_fmt(text).is_err();
        }
    }

    /// Writes a step of the derivation.
    pub(super) fn step(&mut self, text: fmt::Arguments<'_>) {
        if let Some(texts) = &mut self.texts {
            self.failed |= texts.steps.write_fmt(text).is_err();
        }
    }

    /// Logs a clause of the problem.
    pub(super) fn clause(&mut self, lits: impl Iterator<Item = Lit> + Clone) {
        self.problem(format_args!("{}", Terms(lits)));
        self.end_constraint(1);
    }

    /// Logs a linear constraint of the problem, in force when `unless` does not hold.
    pub(super) fn linear(
        &mut self,
        terms: impl Iterator<Item = (i32, Lit)> + Clone,
        degree: i32,
        unless: Option<Lit>,
    ) {
        for (coefficient, lit) in terms.clone() {
            self.problem(format_args!("{coefficient:+} {} ", Name(lit)));
        }
        if let Some(lit) = unless {
            // The coefficient that makes up for the sum at its least.
            let least: i64 = terms.map(|(coefficient, _)| i64::from(coefficient.min(0))).sum();
            self.problem(format_args!("+{} {} ", (i64::from(degree) - least).max(0), Name(lit)));
        }
        self.end_constraint(degree);
    }

    /// Logs an order constraint of the problem over this many ticks.
    pub(super) fn order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool, ticks: usize) {
        for clock in [earlier, later] {
            if self.declared.insert(clock) {
                for tick in 2..ticks {
                    self.problem(format_args!("+1 t{clock}_{} +1 ~t{clock}_{tick} ", tick - 1));
                    self.end_constraint(1);
                }
            }
        }
        let unless = Name(!guard);
        let step = usize::from(strict);
        for tick in 1 - step..ticks {
            self.problem(format_args!("+1 {unless} "));
            if tick > 0 {
                self.problem(format_args!("+1 ~t{earlier}_{tick} "));
            }
            if tick + step < ticks {
                self.problem(format_args!("+1 t{later}_{} ", tick + step));
            }
            self.end_constraint(1);
        }
    }

    /// Logs the cycle that implies a literal, if there is one, for the next learnt clause.
    pub(super) fn explained(&mut self, propagator: &Propagator<'_>, lit: Lit) {
        if let Reason::Order(edge) = propagator.trail.reason_of(lit.var()) {
            self.cycle(propagator, edge, true);
        }
    }

    /// Logs the cycle that a conflict consists of, if there is one, for the next learnt clause.
    pub(super) fn conflict(&mut self, propagator: &Propagator<'_>, conflict: Conflict) {
        if let Conflict::Order(edge) = conflict {
            self.cycle(propagator, edge, true);
        }
    }

    /// Logs the cycle that an edge would close. A passing one is deleted after the next learnt clause.
    fn cycle(&mut self, propagator: &Propagator<'_>, edge: u16, passing: bool) {
        if self.texts.is_none() {
            return;
        }
        if passing {
            let number = self.cycles;
            self.step(format_args!("@o{number} "));
            self.cycles += 1;
        }
        self.step(format_args!("rup +1 {} ", Name(!propagator.order.guard(edge))));
        propagator.order.explain(edge, &propagator.trail, |lit| self.step(format_args!("+1 {} ", Name(lit))));
        self.step(format_args!(">= 1 ;\n"));
    }

    /// Deletes the passing cycles.
    pub(super) fn forget_cycles(&mut self) {
        for cycle in 0..core::mem::take(&mut self.cycles) {
            self.step(format_args!("del id @o{cycle} ;\n"));
        }
    }

    /// Logs the cycles that imply new facts, for good, and the facts implied by constraints that may be forgotten.
    pub(super) fn facts(&mut self, propagator: &Propagator<'_>) {
        while self.facts < propagator.trail.end_of(0) {
            let fact = propagator.trail.at(self.facts);
            if let Some(fact) = fact {
                match propagator.trail.reason_of(fact.var()) {
                    Reason::Order(edge) => self.cycle(propagator, edge, false),
                    Reason::Learnt(_) | Reason::Linear(_) => {
                        self.step(format_args!("rup +1 {} >= 1 ;\n", Name(fact)));
                    }
                    _ => {}
                }
            }
            self.facts += 1;
        }
    }

    /// Logs a learnt clause and returns its number.
    pub(super) fn learn(&mut self, lits: impl Iterator<Item = Lit> + Clone) -> u32 {
        self.learnt = self.learnt.wrapping_add(1);
        let number = self.learnt;
        self.step(format_args!("@l{number} rup {}>= 1 ;\n", Terms(lits)));
        self.forget_cycles();
        number
    }

    /// Deletes a learnt clause, by number.
    pub(super) fn forget(&mut self, number: u32) {
        self.step(format_args!("del id @l{number} ;\n"));
    }

    /// Logs that these assumptions clash.
    pub(super) fn core(&mut self, core: impl Iterator<Item = Lit> + Clone) {
        self.step(format_args!("@u rup {}>= 1 ;\ndel id @u ;\n", Terms(core.map(|lit| !lit))));
        self.forget_cycles();
    }

    /// Logs that the constraints are unsatisfiable.
    pub(super) fn refuted(&mut self) {
        self.step(format_args!("rup >= 1 ;\n"));
    }
}

/// A literal, as VeriPB writes it.
pub(super) struct Name(pub(super) Lit);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0.is_positive() { "" } else { "~" };
        write!(f, "{sign}x{}", self.0.var().index() + 1)
    }
}

/// The left side of a clause, as VeriPB writes it.
struct Terms<I>(I);

impl<I: Iterator<Item = Lit> + Clone> fmt::Display for Terms<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.clone().try_for_each(|lit| write!(f, "+1 {} ", Name(lit)))
    }
}
