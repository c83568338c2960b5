//! Cutting planes: conflict analysis over linear constraints instead of clauses (Elffers & Nordström, "Divide and conquer:
//! towards faster pseudo-Boolean solving", 2018).
//!
//! The constraint that is violated is added to the reasons of its false literals, the newest first, each rounded so that
//! the sum is violated as well, until the sum implies a literal on an earlier level.

use super::arena::Arena;
use super::array::Array;
use super::at_most_one;
use super::linear;
use super::lit::{Lit, Var};
use super::occurrences::{END, List};
use super::propagator::{Conflict, Propagator};
use super::scores::Scores;
use super::trail::{Reason, Trail};

/// Degree above which a sum is divided.
const MOST_DEGREE: i32 = 1 << 12;

/// Mark of a variable that is listed, and of one whose score was raised.
const LISTED: u8 = 1;
const BUMPED: u8 = 2;

/// The constraint that a conflict led to, and scratch memory for it.
pub(super) struct CuttingPlanes<'m> {
    /// Coefficient by variable, as a signed number: negative for the variable's negation.
    coefficients: Array<'m, u32>,
    /// Variables with coefficients, or that had some.
    vars: Array<'m, u16>,
    /// By variable: [`LISTED`], [`BUMPED`], all zero between calls.
    marks: Array<'m, u8>,
    len: usize,
    degree: i32,
}

impl<'m> CuttingPlanes<'m> {
    pub(super) fn new(arena: &mut Arena<'m>, vars: usize) -> Self {
        CuttingPlanes {
            coefficients: arena.words(vars),
            vars: arena.halves(vars),
            marks: arena.zero_bytes(vars),
            len: 0,
            degree: 0,
        }
    }

    /// Terms of the constraint.
    pub(super) fn terms(&self) -> impl Iterator<Item = (i32, Lit)> + Clone + '_ {
        self.vars[..self.len].iter().filter_map(|&word| {
            let var = Var::new(usize::from(word))?;
            let coefficient = self.coefficients[var.index()] as i32;
            (coefficient != 0).then(|| (coefficient.abs(), var.lit(coefficient > 0)))
        })
    }

    /// Degree of the constraint.
    pub(super) const fn degree(&self) -> i32 {
        self.degree
    }

    /// Derives a constraint from a conflict above level 0. Returns the lowest level on which it implies a literal; none if it is
    /// violated by facts.
    pub(super) fn learn(
        &mut self,
        propagator: &Propagator<'_>,
        scores: &mut Scores<'_>,
        conflict: Conflict,
    ) -> Option<usize> {
        let trail = &propagator.trail;
        (self.len, self.degree) = (0, 0);
        let mut position = trail.len();
        self.add_conflict(propagator, scores, conflict);
        self.round(trail, position);
        let level = loop {
            let Some(at) = self.newest(trail, position) else { break None };
            position = at;
            let Some(lit) = trail.at(position) else { break None };
            let level = trail.level_of(lit.var());
            if level == 0 {
                break None;
            }
            let start = trail.end_of(level - 1);
            let (slack, most) = self.slack(trail, start);
            if slack < 0 {
                position = start;
                continue;
            }
            if slack < most {
                break Some(self.lowest(trail, level - 1));
            }
            self.resolve(propagator, scores, lit, position);
            self.round(trail, position);
        };
        scores.decay();
        for &var in &self.vars[..self.len] {
            self.marks[usize::from(var)] = 0;
        }
        if level.is_some() {
            self.simplify(trail);
        }
        level
    }

    /// Position of the newest literal before `end` whose negation has a coefficient.
    fn newest(&self, trail: &Trail<'_>, end: usize) -> Option<usize> {
        (0..end).rev().find(|&position| trail.at(position).is_some_and(|lit| self.coefficient(!lit) > 0))
    }

    /// Coefficient of a literal.
    fn coefficient(&self, lit: Lit) -> i32 {
        let var = lit.var().index();
        if self.marks[var] & LISTED == 0 {
            return 0;
        }
        let signed = self.coefficients[var] as i32;
        if lit.is_positive() { signed.max(0) } else { (-signed).max(0) }
    }

    /// Adds a term; what cancels is taken off the degree.
    fn add(&mut self, coefficient: i32, lit: Lit) {
        let var = lit.var().index();
        if self.marks[var] & LISTED == 0 {
            self.marks[var] |= LISTED;
            self.coefficients[var] = 0;
            self.vars[self.len] = var as u16;
            self.len += 1;
        }
        let old = self.coefficients[var] as i32;
        let change = if lit.is_positive() { coefficient } else { -coefficient };
        if (old > 0) != (change > 0) {
            self.degree -= old.abs().min(coefficient);
        }
        self.coefficients[var] = (old + change) as u32;
    }

    fn bump(&mut self, scores: &mut Scores<'_>, lit: Lit) {
        let mark = &mut self.marks[lit.var().index()];
        if *mark & BUMPED == 0 {
            *mark |= BUMPED;
            scores.bump(lit.var());
        }
    }

    /// Begins with a violated constraint.
    fn add_conflict(&mut self, propagator: &Propagator<'_>, scores: &mut Scores<'_>, conflict: Conflict) {
        match conflict {
            Conflict::Linear(at) => {
                self.degree += linear::degree(&propagator.store, at);
                for (coefficient, lit) in linear::terms(&propagator.store, at) {
                    self.add(i32::from(coefficient), lit);
                    if propagator.trail.is_false(lit) {
                        self.bump(scores, lit);
                    }
                }
            }
            Conflict::Binary(a, b) if self.add_at_most_one(propagator, (a, b), 1) => {
                self.bump(scores, a);
                self.bump(scores, b);
            }
            _ => {
                self.degree += 1;
                propagator.explain_conflict(conflict, |lit| {
                    self.add(1, lit);
                    self.bump(scores, lit);
                });
            }
        }
    }

    /// Adds the reason of a true literal at a position of the trail as often as its negation is counted.
    fn resolve(&mut self, propagator: &Propagator<'_>, scores: &mut Scores<'_>, lit: Lit, position: usize) {
        let times = self.coefficient(!lit);
        match propagator.trail.reason_of(lit.var()) {
            Reason::Linear(at) => {
                let trail = &propagator.trail;
                let terms = || linear::terms(&propagator.store, at);
                let divisor = terms().find(|term| term.1 == lit).map_or(1, |term| i32::from(term.0));
                let mut degree = linear::degree(&propagator.store, at);
                for (coefficient, other) in terms() {
                    if !trail.is_false_before(other, position) {
                        degree -= i32::from(coefficient) % divisor;
                    }
                }
                let degree = ceil(degree, divisor);
                self.degree += times * degree;
                for (coefficient, other) in terms() {
                    let share = if trail.is_false_before(other, position) {
                        self.bump(scores, other);
                        ceil(i32::from(coefficient), divisor)
                    } else {
                        i32::from(coefficient) / divisor
                    };
                    if share > 0 {
                        self.add(times * share.min(degree), other);
                    }
                }
            }
            Reason::Binary(other) if self.add_at_most_one(propagator, (other, lit), times) => {
                self.bump(scores, other);
            }
            _ => {
                self.degree += times;
                self.add(times, lit);
                propagator.explain(lit, |other| {
                    self.add(times, other);
                    self.bump(scores, other);
                });
            }
        }
    }

    /// Adds the at-most-one constraint in which the negations of both literals are, if there is one.
    fn add_at_most_one(&mut self, propagator: &Propagator<'_>, (a, b): (Lit, Lit), times: i32) -> bool {
        let store = &propagator.store;
        let mut entry = propagator.occurrences.of(a)[List::AtMostOnes as usize];
        while entry != END {
            let at = store.word(entry, 1);
            if at_most_one::members(store, at).any(|member| member == !b) {
                let mut count = 0;
                for member in at_most_one::members(store, at) {
                    self.add(times, !member);
                    count += 1;
                }
                self.degree += times * (count - 1);
                return true;
            }
            entry = store.word(entry, 0);
        }
        false
    }

    /// Lowers coefficients to the degree, and divides all where that is too large; what is not false before a position
    /// is rounded down.
    fn round(&mut self, trail: &Trail<'_>, position: usize) {
        if self.degree > MOST_DEGREE {
            let divisor = ceil(self.degree, MOST_DEGREE);
            for index in 0..self.len {
                let var = usize::from(self.vars[index]);
                let signed = self.coefficients[var] as i32;
                let Some(lit) = Var::new(var).map(|var| var.lit(signed > 0)) else { continue };
                let amount = signed.abs();
                let share = if trail.is_false_before(lit, position) {
                    ceil(amount, divisor)
                } else {
                    self.degree -= amount % divisor;
                    amount / divisor
                };
                self.coefficients[var] = (share * signed.signum()) as u32;
            }
            self.degree = ceil(self.degree, divisor);
        }
        self.saturate();
    }

    /// Lowers coefficients to the degree.
    fn saturate(&mut self) {
        for &var in &self.vars[..self.len] {
            let signed = self.coefficients[usize::from(var)] as i32;
            if signed.abs() > self.degree {
                self.coefficients[usize::from(var)] = (signed.signum() * self.degree) as u32;
            }
        }
    }

    /// What the literals not false before a position of the trail reach beyond the degree, and the largest coefficient of
    /// one that is free there.
    fn slack(&self, trail: &Trail<'_>, end: usize) -> (i32, i32) {
        let (mut slack, mut most) = (-self.degree, 0);
        for (coefficient, lit) in self.terms() {
            if trail.is_free(lit) || trail.position_of(lit.var()) >= end {
                slack += coefficient;
                most = most.max(coefficient);
            } else if trail.is_true(lit) {
                slack += coefficient;
            }
        }
        (slack, most)
    }

    /// The lowest level up to this one on which the constraint implies something.
    fn lowest(&self, trail: &Trail<'_>, level: usize) -> usize {
        let mut low = 0;
        while low < level {
            let (slack, most) = self.slack(trail, trail.end_of(low));
            if slack < most {
                break;
            }
            // Nothing changes before the next level of a false literal.
            let levels = self.terms().filter(|&(_, lit)| trail.is_false(lit));
            let above = levels.map(|(_, lit)| trail.level_of(lit.var())).filter(|&other| other > low);
            low = above.min().unwrap_or(level).min(level);
        }
        low
    }

    /// Drops facts, and divides coefficients that are all equal.
    fn simplify(&mut self, trail: &Trail<'_>) {
        let mut kept = 0;
        for index in 0..self.len {
            let var = self.vars[index];
            let signed = self.coefficients[usize::from(var)] as i32;
            let Some(lit) = Var::new(usize::from(var)).map(|var| var.lit(signed > 0)) else { continue };
            let fact = !trail.is_free(lit) && trail.level_of(lit.var()) == 0;
            if fact && trail.is_true(lit) {
                self.degree -= signed.abs();
            }
            if signed != 0 && !fact {
                self.vars[kept] = var;
                kept += 1;
            }
        }
        self.len = kept;
        self.saturate();
        let divisor = self.terms().map(|term| term.0).fold(0, greatest_common_divisor).max(1);
        for &var in &self.vars[..self.len] {
            let signed = self.coefficients[usize::from(var)] as i32;
            self.coefficients[usize::from(var)] = (signed / divisor) as u32;
        }
        self.degree = ceil(self.degree, divisor);
    }

    /// Number of decision levels above those of assumptions of its false literals, these counted as one.
    pub(super) fn lbd(&mut self, trail: &Trail<'_>, assumed: usize) -> u16 {
        let mut count = 0;
        for index in 0..self.len {
            if let Some(at) = self.place(trail, index, assumed) {
                count += u16::from(self.marks[at] == 0);
                self.marks[at] = LISTED;
            }
        }
        for index in 0..self.len {
            if let Some(at) = self.place(trail, index, assumed) {
                self.marks[at] = 0;
            }
        }
        count
    }

    fn place(&self, trail: &Trail<'_>, index: usize, assumed: usize) -> Option<usize> {
        let var = Var::new(usize::from(self.vars[index]))?;
        let lit = var.lit(self.coefficients[var.index()] as i32 > 0);
        trail.is_false(lit).then(|| trail.level_of(var).saturating_sub(assumed))
    }
}

/// Quotient of positive numbers, rounded up.
const fn ceil(number: i32, divisor: i32) -> i32 {
    (number + divisor - 1) / divisor
}

const fn greatest_common_divisor(a: i32, b: i32) -> i32 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
