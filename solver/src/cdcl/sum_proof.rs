//! Cutting planes in the proof log: sums, as steps of VeriPB.
//!
//! The constraint under construction is called `@p`, and a reason that is a clause `@r`: it follows by reverse unit
//! propagation from what it is a case of.

use super::lit::Lit;
use super::premise::Premise;
use super::proof::{Log, Name};
use super::trail::Trail;

/// Name of a premise, as it is written in a step.
struct Called(Premise);

impl core::fmt::Display for Called {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            Premise::Clause => write!(f, "@r"),
            Premise::Record(number) => write!(f, "@c{number}"),
            Premise::Learnt(number) => write!(f, "@l{number}"),
        }
    }
}

impl Log<'_> {
    /// Logs the constraint of the problem that was written last as it is stored, without what was a fact before a position
    /// of the trail. Returns its number.
    pub(super) fn record(
        &mut self,
        (trail, facts): (&Trail<'_>, usize),
        (terms, degree): (impl Iterator<Item = (i32, Lit)> + Clone, i32),
        unless: Option<Lit>,
    ) -> u32 {
        self.records += 1;
        let (number, constraint) = (self.records, self.constraints);
        self.step(format_args!("@p pol {constraint} ;\n"));
        let least: i64 = terms.clone().map(|(coefficient, _)| i64::from(coefficient.min(0))).sum();
        let unless = unless.map(|lit| ((i64::from(degree) - least).max(0), lit));
        let terms = terms.map(|(coefficient, lit)| (i64::from(coefficient), lit)).chain(unless);
        let positive =
            terms.map(|(coefficient, lit)| (coefficient.abs(), if coefficient < 0 { !lit } else { lit }));
        for (amount, lit) in positive.clone().filter(|&(_, lit)| trail.is_false_before(lit, facts)) {
            self.drop_fact(!lit, amount);
        }
        // Without lowering coefficients in between: it would leave less of a literal than is taken off.
        self.begin_round();
        for (amount, lit) in positive.filter(|&(_, lit)| trail.is_false_before(!lit, facts)) {
            self.weaken(lit, amount);
        }
        self.end_round();
        self.step(format_args!("@c{number} pol @p s ;\ndel id @p ;\n"));
        number
    }

    /// Begins to state a reason that is a clause.
    pub(super) fn begin_clause(&mut self) {
        self.step(format_args!("@r rup "));
    }

    /// States a literal of a clause.
    pub(super) fn state(&mut self, lit: Lit) {
        self.step(format_args!("+1 {} ", Name(lit)));
    }

    /// Ends a clause.
    pub(super) fn end_clause(&mut self) {
        self.step(format_args!(">= 1 ;\n"));
    }

    /// Begins a sum with the constraint that is violated.
    pub(super) fn begin_sum(&mut self, premise: Premise) {
        self.step(format_args!("@p pol {} s ;\n", Called(premise)));
        self.forget_premise(premise);
    }

    /// Begins to add a reason.
    pub(super) fn add_premise(&mut self, premise: Premise) {
        self.step(format_args!("@p pol @p {} ", Called(premise)));
    }

    /// Ends a reason that is added so many times.
    pub(super) fn end_premise(&mut self, premise: Premise, times: i32) {
        self.step(format_args!("s {times} * + s ;\n"));
        self.forget_premise(premise);
    }

    fn forget_premise(&mut self, premise: Premise) {
        if matches!(premise, Premise::Clause) {
            self.step(format_args!("del id @r ;\n"));
        }
    }

    /// Begins to round the sum.
    pub(super) fn begin_round(&mut self) {
        self.step(format_args!("@p pol @p "));
    }

    /// Weakens by so many of a literal.
    pub(super) fn weaken(&mut self, lit: Lit, amount: i64) {
        if amount > 0 {
            self.step(format_args!("{} {amount} * + ", Name(!lit)));
        }
    }

    /// Divides, rounding up.
    pub(super) fn divide(&mut self, divisor: i32) {
        self.step(format_args!("{divisor} d "));
    }

    /// Ends a round.
    pub(super) fn end_round(&mut self) {
        self.step(format_args!("s ;\n"));
    }

    /// Drops so many of a literal that is false by a fact.
    pub(super) fn drop_fact(&mut self, fact: Lit, amount: i64) {
        if amount > 0 {
            self.step(format_args!("@r rup +1 {} >= 1 ;\n@p pol @p @r {amount} * + ;\n", Name(fact)));
            self.forget_premise(Premise::Clause);
        }
    }

    /// Keeps the sum as a learnt constraint, and returns its number.
    pub(super) fn keep_sum(&mut self) -> u32 {
        self.learnt = self.learnt.wrapping_add(1);
        let number = self.learnt;
        self.step(format_args!("@l{number} pol @p s ;\n"));
        self.forget_sum();
        number
    }

    /// Forgets the sum.
    pub(super) fn forget_sum(&mut self) {
        self.step(format_args!("del id @p ;\n"));
        self.forget_cycles();
    }
}
