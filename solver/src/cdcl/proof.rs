//! The proof log: problem and derivation as text for VeriPB (Gocht & Nordström), which checks every refutation
//! without knowing how the solver works.
//!
//! Learnt clauses follow by reverse unit propagation. An order constraint is written over thresholds "clock c is not
//! before tick v", with as many ticks as there are clocks. Propagation over these refutes a cycle whose guards all
//! hold, but not yet the guard that would close one; so every cycle that takes part in an argument is first stated as
//! a clause over its guards.

use core::fmt::{self, Write};

use super::lit::Lit;
use super::propagator::{Conflict, Engine};
use super::solver::Solver;
use super::trail::Reason;

/// The two texts, once the caller has lent them.
pub(super) struct Log<'m> {
    texts: Option<Texts<'m>>,
    /// Clocks whose thresholds the problem declares.
    declared: u128,
    /// Facts before this position of the trail have been looked at.
    facts: usize,
    /// Cycles stated for the clause in preparation.
    cycles: u32,
    /// Learnt clauses so far.
    learnt: u32,
    failed: bool,
}

struct Texts<'m> {
    problem: &'m mut dyn Write,
    steps: &'m mut dyn Write,
}

impl Log<'_> {
    pub(super) const fn new() -> Self {
        Log { texts: None, declared: 0, facts: 0, cycles: 0, learnt: 0, failed: false }
    }

    fn problem(&mut self, text: fmt::Arguments<'_>) {
        if let Some(texts) = &mut self.texts {
            self.failed |= texts.problem.write_fmt(text).is_err();
        }
    }

    fn step(&mut self, text: fmt::Arguments<'_>) {
        if let Some(texts) = &mut self.texts {
            self.failed |= texts.steps.write_fmt(text).is_err();
        }
    }

    /// A clause of the problem.
    pub(super) fn clause(&mut self, lits: impl Iterator<Item = Lit> + Clone) {
        self.problem(format_args!("{}>= 1 ;\n", Terms(lits)));
    }

    /// A sum of the problem, in force when `unless` does not hold.
    pub(super) fn sum(
        &mut self,
        terms: impl Iterator<Item = (i32, Lit)> + Clone,
        degree: i32,
        unless: Option<Lit>,
    ) {
        for (coefficient, lit) in terms.clone() {
            self.problem(format_args!("{coefficient:+} {} ", Name(lit)));
        }
        if let Some(lit) = unless {
            // As much as the sum lacks when all is against it.
            let least: i64 = terms.map(|(coefficient, _)| i64::from(coefficient.min(0))).sum();
            self.problem(format_args!("+{} {} ", (i64::from(degree) - least).max(0), Name(lit)));
        }
        self.problem(format_args!(">= {degree} ;\n"));
    }

    /// An order constraint of the problem over this many clocks.
    pub(super) fn order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool, clocks: usize) {
        for clock in [earlier, later] {
            if self.declared >> clock & 1 == 0 {
                self.declared |= 1 << clock;
                for tick in 2..clocks {
                    self.problem(format_args!("+1 t{clock}_{} +1 ~t{clock}_{tick} >= 1 ;\n", tick - 1));
                }
            }
        }
        let unless = Name(!guard);
        let step = usize::from(strict);
        for tick in 1 - step..clocks {
            self.problem(format_args!("+1 {unless} "));
            if tick > 0 {
                self.problem(format_args!("+1 ~t{earlier}_{tick} "));
            }
            if tick + step < clocks {
                self.problem(format_args!("+1 t{later}_{} ", tick + step));
            }
            self.problem(format_args!(">= 1 ;\n"));
        }
    }

    /// States the cycle behind a literal, if there is one, for the clause in preparation.
    pub(super) fn explained(&mut self, engine: &Engine<'_>, lit: Lit) {
        if let Reason::Order(edge) = engine.trail.reason_of(lit.var()) {
            self.cycle(engine, edge, engine.trail.position_of(lit.var()), true);
        }
    }

    /// States the cycle that a conflict consists of, if it does.
    pub(super) fn conflict(&mut self, engine: &Engine<'_>, conflict: Conflict) {
        if let Conflict::Order(edge) = conflict {
            self.cycle(engine, edge, engine.trail.len(), true);
        }
    }

    fn cycle(&mut self, engine: &Engine<'_>, edge: u16, position: usize, passing: bool) {
        if self.texts.is_none() {
            return;
        }
        if passing {
            let number = self.cycles;
            self.step(format_args!("@o{number} "));
            self.cycles += 1;
        }
        self.step(format_args!("rup +1 {} ", Name(!engine.order.guard(edge))));
        engine
            .order
            .explain(edge, position, &engine.trail, |lit| self.step(format_args!("+1 {} ", Name(lit))));
        self.step(format_args!(">= 1 ;\n"));
    }

    fn forget_cycles(&mut self) {
        for cycle in 0..core::mem::take(&mut self.cycles) {
            self.step(format_args!("del id @o{cycle} ;\n"));
        }
    }

    /// States the cycles behind new facts, for good, and the facts that rest on clauses which may be forgotten.
    pub(super) fn facts(&mut self, engine: &Engine<'_>) {
        while self.facts < engine.trail.end_of(0) {
            let fact = engine.trail.at(self.facts);
            if let Some(fact) = fact {
                match engine.trail.reason_of(fact.var()) {
                    Reason::Order(edge) => self.cycle(engine, edge, self.facts, false),
                    Reason::Learnt(_) => self.step(format_args!("rup +1 {} >= 1 ;\n", Name(fact))),
                    _ => {}
                }
            }
            self.facts += 1;
        }
    }

    /// A learnt clause. Returns its number.
    pub(super) fn learn(&mut self, lits: impl Iterator<Item = Lit> + Clone) -> u32 {
        self.learnt = self.learnt.wrapping_add(1);
        let number = self.learnt;
        self.step(format_args!("@l{number} rup {}>= 1 ;\n", Terms(lits)));
        self.forget_cycles();
        number
    }

    /// A learnt clause, by number, is forgotten.
    pub(super) fn forget(&mut self, number: u32) {
        self.step(format_args!("del id @l{number} ;\n"));
    }

    /// Assumptions clash.
    pub(super) fn core(&mut self, core: impl Iterator<Item = Lit> + Clone) {
        self.step(format_args!("@u rup {}>= 1 ;\ndel id @u ;\n", Terms(core.map(|lit| !lit))));
        self.forget_cycles();
    }

    /// The constraints clash.
    pub(super) fn refuted(&mut self) {
        self.step(format_args!("rup >= 1 ;\n"));
    }
}

/// A literal as VeriPB names it.
struct Name(Lit);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0.is_positive() { "" } else { "~" };
        write!(f, "{sign}x{}", self.0.var().index() + 1)
    }
}

/// The left side of a clause.
struct Terms<I>(I);

impl<I: Iterator<Item = Lit> + Clone> fmt::Display for Terms<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.clone().try_for_each(|lit| write!(f, "+1 {} ", Name(lit)))
    }
}

impl<'m> Solver<'m> {
    /// From now on writes all constraints to `problem`, in the OPB format, and a derivation to `steps`, for
    /// `veripb PROBLEM STEPS`. Call it before the first constraint, and [`Solver::conclude`] at the end.
    ///
    /// Every clash of assumptions is a step, too. The checker knows all constraints from the start, those that were
    /// added later than that step among them.
    pub fn prove(&mut self, problem: &'m mut dyn Write, steps: &'m mut dyn Write) {
        self.log.texts = Some(Texts { problem, steps });
        self.log.step(format_args!("pseudo-Boolean proof version 3.0\n"));
    }

    /// Ends the proof: the constraints clash if that was found, otherwise nothing is claimed beyond the steps. An
    /// error means that something could not be written.
    pub fn conclude(&mut self) -> fmt::Result {
        let conclusion = if self.refuted { "UNSAT" } else { "NONE" };
        self.log.step(format_args!("output NONE ;\nconclusion {conclusion} ;\nend pseudo-Boolean proof ;\n"));
        if self.log.failed { Err(fmt::Error) } else { Ok(()) }
    }
}
