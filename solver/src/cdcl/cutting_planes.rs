//! Cutting planes: conflict analysis over linear constraints instead of clauses (Elffers & Nordström, "Divide and conquer:
//! towards faster pseudo-Boolean solving", 2018).
//!
//! The constraint that is violated is added to the reasons of its false literals, the newest first, each rounded so that
//! the sum is violated as well, until the sum implies a literal on an earlier level.

use super::arena::{Arena, words_of_bytes, words_of_halves};
use super::array::Array;
use super::at_most_one;
use super::linear;
use super::lit::{Lit, Var};
use super::occurrences::{END, List};
use super::proof::Log;
use super::propagator::{Conflict, Propagator};
use super::scores::Scores;
use super::store::{Kind, Store};
use super::trail::{Reason, Trail};

/// Whether there is memory for this.
pub(super) const ENABLED: bool = cfg!(feature = "every-board");

/// Degree above which a sum is divided.
const MOST_DEGREE: i32 = 1 << 12;

/// Place of a variable that is not listed, and position of a literal that has none on the trail.
const NOWHERE: u16 = u16::MAX;

/// What is added to a sum, as a proof calls it.
// Without the feature `proof` nobody asks for the numbers.
#[cfg_attr(not(feature = "proof"), allow(dead_code))]
#[derive(Clone, Copy, Debug)]
pub(super) enum Premise {
    /// The clause stated last.
    Clause,
    /// An at-most-one or a linear constraint of the problem, by its number.
    Record(u32),
    /// A learnt constraint, by its number.
    Learnt(u32),
}

impl Premise {
    fn linear(store: &Store<'_>, at: u32) -> Premise {
        let number = linear::proof_number(store, at);
        if store.kind(at) == Kind::Learnt { Premise::Learnt(number) } else { Premise::Record(number) }
    }
}

/// The constraint that a conflict led to, and scratch memory for it: variables that have coefficients, or had some, each
/// with a place in the arrays.
pub(super) struct CuttingPlanes<'m> {
    /// Place by variable, or [`NOWHERE`].
    places: Array<'m, u16>,
    vars: Array<'m, u16>,
    /// Coefficients, as signed numbers: negative for a variable's negation.
    coefficients: Array<'m, u32>,
    /// Positions of the variables on the trail, or [`NOWHERE`].
    positions: Array<'m, u16>,
    /// The same where the literal is false, and [`NOWHERE`] otherwise.
    falsified: Array<'m, u16>,
    /// By variable, whether its score was raised.
    bumped: Array<'m, u8>,
    len: usize,
    degree: i32,
    /// No coefficient is larger.
    largest: i32,
}

impl<'m> CuttingPlanes<'m> {
    /// Words that [`CuttingPlanes::new`] takes.
    pub(super) const fn words(vars: usize) -> usize {
        let n = CuttingPlanes::capacity(vars);
        n + 4 * words_of_halves(n) + words_of_bytes(n)
    }

    const fn capacity(vars: usize) -> usize {
        if ENABLED { vars } else { 0 }
    }

    pub(super) fn new(arena: &mut Arena<'m>, vars: usize) -> Self {
        let n = CuttingPlanes::capacity(vars);
        let mut places = arena.halves(n);
        places.fill(NOWHERE);
        CuttingPlanes {
            places,
            vars: arena.halves(n),
            coefficients: arena.words(n),
            positions: arena.halves(n),
            falsified: arena.halves(n),
            bumped: arena.zero_bytes(n),
            len: 0,
            degree: 0,
            largest: 0,
        }
    }

    /// Literal at a place.
    fn lit(&self, at: usize) -> Lit {
        Lit::wrapped(2 * u32::from(self.vars[at]) + u32::from((self.coefficients[at] as i32) < 0))
    }

    /// Terms of the constraint.
    pub(super) fn terms(&self) -> impl Iterator<Item = (i32, Lit)> + Clone + '_ {
        self.vars[..self.len].iter().zip(&self.coefficients[..self.len]).filter_map(|(&var, &word)| {
            let coefficient = word as i32;
            let var = Var::new(usize::from(var))?;
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
        log: &mut Log<'_>,
        conflict: Conflict,
    ) -> Option<usize> {
        let trail = &propagator.trail;
        (self.len, self.degree, self.largest) = (0, 0, 0);
        let mut position = trail.len();
        self.add_conflict(propagator, scores, log, conflict);
        self.round(log, position);
        let level = loop {
            let Some(at) = self.newest(trail, position) else { break None };
            position = at;
            let Some(lit) = trail.at(position) else { break None };
            let level = trail.level_of(lit.var());
            if level == 0 {
                break None;
            }
            let start = trail.end_of(level - 1);
            let (slack, most) = self.slack(start);
            if slack < 0 {
                position = start;
                continue;
            }
            if slack < most {
                break Some(self.lowest(trail, level - 1));
            }
            self.resolve(propagator, scores, log, (lit, position));
            self.round(log, position);
        };
        scores.decay();
        for &var in &self.vars[..self.len] {
            self.places[usize::from(var)] = NOWHERE;
            self.bumped[usize::from(var)] = 0;
        }
        if let Some(level) = level {
            self.weaken(log, trail.end_of(level));
            self.simplify(log, trail.end_of(0));
        }
        level
    }

    /// Position of the newest literal before `end` whose negation has a coefficient.
    fn newest(&self, trail: &Trail<'_>, end: usize) -> Option<usize> {
        (0..end).rev().find(|&position| trail.at(position).is_some_and(|lit| self.coefficient(!lit) > 0))
    }

    /// Coefficient of a literal.
    fn coefficient(&self, lit: Lit) -> i32 {
        let place = self.places[lit.var().index()];
        if place == NOWHERE {
            return 0;
        }
        let signed = self.coefficients[usize::from(place)] as i32;
        if lit.is_positive() { signed.max(0) } else { (-signed).max(0) }
    }

    /// Adds a term; what cancels is taken off the degree.
    #[inline]
    fn add(&mut self, trail: &Trail<'_>, coefficient: i32, lit: Lit) {
        let var = lit.var();
        let change = if lit.is_positive() { coefficient } else { -coefficient };
        let place = self.places[var.index()];
        if place == NOWHERE {
            let at = self.len;
            self.len += 1;
            self.places[var.index()] = at as u16;
            self.vars[at] = var.index() as u16;
            self.coefficients[at] = change as u32;
            self.positions[at] = if trail.is_free(lit) { NOWHERE } else { trail.position_of(var) as u16 };
            self.falsified[at] = if trail.is_false(lit) { self.positions[at] } else { NOWHERE };
            self.largest = self.largest.max(coefficient);
            return;
        }
        let at = usize::from(place);
        let old = self.coefficients[at] as i32;
        let sum = old + change;
        if (old ^ change) < 0 {
            self.degree -= old.abs().min(coefficient);
        }
        if (old ^ sum) < 0 || old == 0 {
            self.falsified[at] = if trail.is_false(lit) { self.positions[at] } else { NOWHERE };
        }
        self.coefficients[at] = sum as u32;
        self.largest = self.largest.max(sum.abs());
    }

    fn bump(&mut self, scores: &mut Scores<'_>, lit: Lit) {
        let bumped = &mut self.bumped[lit.var().index()];
        if *bumped == 0 {
            *bumped = 1;
            scores.bump(lit.var());
        }
    }

    /// Begins with a violated constraint.
    fn add_conflict(
        &mut self,
        propagator: &Propagator<'_>,
        scores: &mut Scores<'_>,
        log: &mut Log<'_>,
        conflict: Conflict,
    ) {
        let Propagator { trail, store, .. } = propagator;
        let at_most_one = match conflict {
            Conflict::Binary(a, b) => find_at_most_one(propagator, a, b),
            _ => None,
        };
        match (conflict, at_most_one) {
            (Conflict::Linear(at), _) => {
                self.degree += linear::degree(store, at);
                for (coefficient, lit) in linear::terms(store, at) {
                    self.add(trail, i32::from(coefficient), lit);
                    if trail.is_false(lit) {
                        self.bump(scores, lit);
                    }
                }
                log.begin_sum(Premise::linear(store, at));
            }
            (Conflict::Binary(a, b), Some(at)) => {
                self.add_at_most_one(propagator, at, 1);
                self.bump(scores, a);
                self.bump(scores, b);
                log.begin_sum(Premise::Record(at_most_one::proof_number(store, at)));
            }
            _ => {
                log.conflict(propagator, conflict);
                log.begin_clause();
                self.degree += 1;
                propagator.explain_conflict(conflict, |lit| {
                    log.state(lit);
                    self.add(trail, 1, lit);
                    self.bump(scores, lit);
                });
                log.end_clause();
                log.begin_sum(Premise::Clause);
            }
        }
    }

    /// Adds the reason of a true literal at a position of the trail as often as its negation is counted.
    fn resolve(
        &mut self,
        propagator: &Propagator<'_>,
        scores: &mut Scores<'_>,
        log: &mut Log<'_>,
        (lit, position): (Lit, usize),
    ) {
        let Propagator { trail, store, .. } = propagator;
        let times = self.coefficient(!lit);
        let reason = trail.reason_of(lit.var());
        let at_most_one = match reason {
            Reason::Binary(other) => find_at_most_one(propagator, other, lit),
            _ => None,
        };
        match (reason, at_most_one) {
            (Reason::Linear(at), _) => {
                log.add_premise(Premise::linear(store, at));
                self.add_rounded(propagator, scores, log, at, (lit, position));
                log.end_premise(Premise::linear(store, at), times);
            }
            (Reason::Binary(other), Some(at)) => {
                self.add_at_most_one(propagator, at, times);
                self.bump(scores, other);
                let premise = Premise::Record(at_most_one::proof_number(store, at));
                log.add_premise(premise);
                log.end_premise(premise, times);
            }
            _ => {
                log.explained(propagator, lit);
                log.begin_clause();
                log.state(lit);
                self.degree += times;
                self.add(trail, times, lit);
                propagator.explain(lit, |other| {
                    log.state(other);
                    self.add(trail, times, other);
                    self.bump(scores, other);
                });
                log.end_clause();
                log.add_premise(Premise::Clause);
                log.end_premise(Premise::Clause, times);
            }
        }
    }

    /// Adds the linear constraint that implied a literal at a position of the trail, divided by the literal's coefficient:
    /// what was not false there is rounded down.
    fn add_rounded(
        &mut self,
        propagator: &Propagator<'_>,
        scores: &mut Scores<'_>,
        log: &mut Log<'_>,
        at: u32,
        (lit, position): (Lit, usize),
    ) {
        let Propagator { trail, store, .. } = propagator;
        let times = self.coefficient(!lit);
        let terms = || linear::terms(store, at).map(|(coefficient, other)| (i32::from(coefficient), other));
        let divisor = terms().find(|term| term.1 == lit).map_or(1, |term| term.0);
        let mut degree = linear::degree(store, at);
        if divisor > 1 {
            for (coefficient, other) in terms().filter(|term| !trail.is_false_before(term.1, position)) {
                degree -= coefficient % divisor;
                log.weaken(other, coefficient % divisor);
            }
            log.divide(divisor);
        }
        let degree = ceil(degree, divisor);
        self.degree += times * degree;
        for (coefficient, other) in terms() {
            let is_false = trail.is_false_before(other, position);
            if is_false {
                self.bump(scores, other);
            }
            // A division takes longer than all the rest.
            let share = match divisor {
                1 => coefficient,
                _ if is_false => ceil(coefficient, divisor),
                _ => coefficient / divisor,
            };
            if share > 0 {
                self.add(trail, times * share.min(degree), other);
            }
        }
    }

    /// Adds an at-most-one constraint so many times.
    fn add_at_most_one(&mut self, propagator: &Propagator<'_>, at: u32, times: i32) {
        let mut count = 0;
        for member in at_most_one::members(&propagator.store, at) {
            self.add(&propagator.trail, times, !member);
            count += 1;
        }
        self.degree += times * (count - 1);
    }

    /// Lowers coefficients to the degree, and divides all where that is too large; what is not false before a position
    /// is rounded down.
    fn round(&mut self, log: &mut Log<'_>, position: usize) {
        if self.degree > MOST_DEGREE {
            let divisor = ceil(self.degree, MOST_DEGREE);
            log.begin_round();
            for at in 0..self.len {
                let signed = self.coefficients[at] as i32;
                let amount = signed.abs();
                let share = if usize::from(self.falsified[at]) < position {
                    ceil(amount, divisor)
                } else {
                    self.degree -= amount % divisor;
                    log.weaken(self.lit(at), amount % divisor);
                    amount / divisor
                };
                self.coefficients[at] = (share * signed.signum()) as u32;
            }
            log.divide(divisor);
            log.end_round();
            self.degree = ceil(self.degree, divisor);
            self.largest = ceil(self.largest, divisor);
        }
        if self.largest > self.degree {
            self.saturate();
        }
    }

    /// Lowers coefficients to the degree.
    fn saturate(&mut self) {
        let (len, degree) = (self.len, self.degree);
        for word in &mut self.coefficients[..len] {
            *word = (*word as i32).clamp(-degree, degree) as u32;
        }
        self.largest = degree;
    }

    /// What the literals not false before a position of the trail reach beyond the degree, and the largest coefficient of
    /// one that is free there.
    fn slack(&self, end: usize) -> (i32, i32) {
        let end = end as u16;
        let (mut slack, mut most) = (-self.degree, 0);
        let coefficients = &self.coefficients[..self.len];
        for ((&word, &position), &falsified) in
            coefficients.iter().zip(&self.positions[..self.len]).zip(&self.falsified[..self.len])
        {
            let amount = (word as i32).abs();
            slack += if falsified >= end { amount } else { 0 };
            most = most.max(if position >= end { amount } else { 0 });
        }
        (slack, most)
    }

    /// The lowest level to which one can go back from this one, where the constraint implies something, so that it still
    /// does.
    fn lowest(&self, trail: &Trail<'_>, level: usize) -> usize {
        let mut low = level;
        loop {
            let end = trail.end_of(low);
            let falsified = self.falsified[..self.len].iter().zip(&self.coefficients[..self.len]);
            let before = falsified.filter(|&(&at, &word)| usize::from(at) < end && word != 0);
            let Some(lit) = before.map(|(&at, _)| at).max().and_then(|at| trail.at(usize::from(at))) else { return 0 };
            // Below the newest level of a false literal it implies no more than with it.
            low = trail.level_of(lit.var());
            if low == 0 {
                return 0;
            }
            let (slack, most) = self.slack(trail.end_of(low - 1));
            if slack >= most {
                return low;
            }
            low -= 1;
        }
    }

    /// Weakens the constraint by all literals not false before a position of the trail that it does not imply there.
    fn weaken(&mut self, log: &mut Log<'_>, end: usize) {
        let (slack, _) = self.slack(end);
        log.begin_round();
        for at in 0..self.len {
            let amount = (self.coefficients[at] as i32).abs();
            if usize::from(self.falsified[at]) >= end && amount <= slack {
                log.weaken(self.lit(at), amount);
                self.degree -= amount;
                self.coefficients[at] = 0;
            }
        }
        log.end_round();
        self.saturate();
    }

    /// Drops what was assigned before a position of the trail, where facts end, and divides coefficients that have a
    /// common divisor.
    fn simplify(&mut self, log: &mut Log<'_>, facts: usize) {
        let mut kept = 0;
        for at in 0..self.len {
            let signed = self.coefficients[at] as i32;
            let fact = usize::from(self.positions[at]) < facts;
            if fact && self.falsified[at] == NOWHERE {
                self.degree -= signed.abs();
                log.begin_round();
                log.weaken(self.lit(at), signed.abs());
                log.end_round();
            } else if fact {
                log.drop_fact(!self.lit(at), signed.abs());
            } else if signed != 0 {
                self.vars[kept] = self.vars[at];
                self.coefficients[kept] = signed as u32;
                self.falsified[kept] = self.falsified[at];
                kept += 1;
            }
        }
        self.len = kept;
        self.saturate();
        let divisor = self.terms().map(|term| term.0).fold(0, greatest_common_divisor).max(1);
        if divisor > 1 {
            for word in &mut self.coefficients[..kept] {
                *word = (*word as i32 / divisor) as u32;
            }
            self.degree = ceil(self.degree, divisor);
        }
        log.begin_round();
        log.divide(divisor);
        log.end_round();
    }

    /// Number of decision levels above those of assumptions of its false literals, these counted as one.
    pub(super) fn lbd(&mut self, trail: &Trail<'_>, assumed: usize) -> u16 {
        let mut count = 0;
        for clear in [false, true] {
            for at in 0..self.len {
                if self.falsified[at] != NOWHERE
                    && let Some(var) = Var::new(usize::from(self.vars[at]))
                {
                    // Levels beyond the assumptions are no more than variables, whose marks are free between calls.
                    let mark = &mut self.bumped[trail.level_of(var).saturating_sub(assumed)];
                    count += u16::from(!clear && *mark == 0);
                    *mark = u8::from(!clear);
                }
            }
        }
        count
    }
}

/// The at-most-one constraint over the negations of both literals, if there is one.
fn find_at_most_one(propagator: &Propagator<'_>, a: Lit, b: Lit) -> Option<u32> {
    let store = &propagator.store;
    let mut entry = propagator.occurrences.of(a)[List::AtMostOnes as usize];
    while entry != END {
        let at = store.word(entry, 1);
        if at_most_one::members(store, at).any(|member| member == !b) {
            return Some(at);
        }
        entry = store.word(entry, 0);
    }
    None
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
