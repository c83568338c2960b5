//! Sums of cutting planes: a linear constraint under construction, with what it implied at earlier positions of the trail.

use super::arena::Arena;
use super::array::Array;
use super::lit::{Lit, Var};
use super::proof::Log;
use super::trail::Trail;

/// Degree above which a sum is divided.
const MOST_DEGREE: i32 = 1 << 12;

/// Place of a variable that is not listed, and position of a literal that has none on the trail.
const NOWHERE: u16 = u16::MAX;

/// A linear constraint under construction: variables that have coefficients, or had some, each with a
/// place in the arrays.
pub(super) struct Sum<'m> {
    /// Place by variable, or [`NOWHERE`].
    places: Array<'m, u16>,
    vars: Array<'m, u16>,
    /// Coefficients, as signed numbers: negative for a variable's negation.
    coefficients: Array<'m, u32>,
    /// Positions of the variables on the trail, or [`NOWHERE`].
    positions: Array<'m, u16>,
    /// The same where the literal is false, and [`NOWHERE`] otherwise.
    falsified: Array<'m, u16>,
    len: usize,
    pub(super) degree: i32,
    /// No coefficient is larger.
    largest: i32,
}

impl<'m> Sum<'m> {
    pub(super) fn new(arena: &mut Arena<'m>, vars: usize) -> Self {
        let mut places = arena.halves(vars);
        places.fill(NOWHERE);
        Sum {
            places,
            vars: arena.halves(vars),
            coefficients: arena.words(vars),
            positions: arena.halves(vars),
            falsified: arena.halves(vars),
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

    /// Begins anew, without terms.
    pub(super) const fn clear(&mut self) {
        (self.len, self.degree, self.largest) = (0, 0, 0);
    }

    /// Ends adding: no variable is listed any more.
    pub(super) fn end(&mut self) {
        for &var in &self.vars[..self.len] {
            self.places[usize::from(var)] = NOWHERE;
        }
    }

    /// Variables of the terms that were false when they were added.
    pub(super) fn false_vars(&self) -> impl Iterator<Item = Var> + '_ {
        let falsified = self.falsified[..self.len].iter().zip(&self.vars[..self.len]);
        falsified.filter(|&(&at, _)| at != NOWHERE).filter_map(|(_, &var)| Var::new(usize::from(var)))
    }

    /// Position of the newest literal before `end` whose negation has a coefficient.
    pub(super) fn newest(&self, end: usize) -> Option<usize> {
        // One more than the position, and nothing where there is none: a maximum that needs no branches.
        let end = end as u16;
        let mut newest = 0;
        for (&word, &at) in self.coefficients[..self.len].iter().zip(&self.falsified[..self.len]) {
            newest = newest.max(if at < end && word != 0 { at + 1 } else { 0 });
        }
        usize::from(newest).checked_sub(1)
    }

    /// Coefficient of a literal.
    pub(super) fn coefficient(&self, lit: Lit) -> i32 {
        let place = self.places[lit.var().index()];
        if place == NOWHERE {
            return 0;
        }
        let signed = self.coefficients[usize::from(place)] as i32;
        if lit.is_positive() { signed.max(0) } else { (-signed).max(0) }
    }

    /// Adds a term; what cancels is taken off the degree.
    #[inline]
    pub(super) fn add(&mut self, trail: &Trail<'_>, coefficient: i32, lit: Lit) {
        let var = lit.var();
        let change = if lit.is_positive() { coefficient } else { -coefficient };
        let place = self.places[var.index()];
        if place == NOWHERE {
            let at = self.len;
            self.len += 1;
            self.places[var.index()] = at as u16;
            self.vars[at] = var.index() as u16;
            self.coefficients[at] = change as u32;
            (self.positions[at], self.falsified[at]) = trail.place_of(lit);
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
            self.falsified[at] = trail.place_of(lit).1;
        }
        self.coefficients[at] = sum as u32;
        self.largest = self.largest.max(sum.abs());
    }

    /// Lowers coefficients to the degree, and divides all where that is too large; what is not false before a position
    /// is rounded down.
    pub(super) fn round(&mut self, log: &mut Log<'_>, position: usize) {
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
                    log.weaken(self.lit(at), i64::from(amount % divisor));
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
            *word = (*word as i32).max(-degree).min(degree) as u32;
        }
        self.largest = degree;
    }

    /// What the literals not false before a position of the trail reach beyond the degree, and the largest coefficient of
    /// one that is free there; a bound of that where it makes no difference.
    pub(super) fn slack(&self, end: usize) -> (i32, i32) {
        let end = end as u16;
        let coefficients = &self.coefficients[..self.len];
        let mut slack = -self.degree;
        for (&word, &falsified) in coefficients.iter().zip(&self.falsified[..self.len]) {
            slack += if falsified >= end { (word as i32).abs() } else { 0 };
        }
        if slack < 0 || slack >= self.largest {
            return (slack, self.largest);
        }
        let mut most = 0;
        for (&word, &position) in coefficients.iter().zip(&self.positions[..self.len]) {
            most = most.max(if position >= end { (word as i32).abs() } else { 0 });
        }
        (slack, most)
    }

    /// The lowest level to which one can go back from this one, where the constraint implies something, so that it implies
    /// something there. It need not at all levels between: what it implies at a lower one may be true by then.
    pub(super) fn lowest(&self, trail: &Trail<'_>, level: usize) -> usize {
        let (mut low, mut below) = (level, level);
        loop {
            let end = trail.end_of(below);
            let newest = self.newest(end).and_then(|at| trail.at(at));
            // Down to the level of the newest false literal it implies the more, as fewer literals are true.
            let level = newest.map_or(0, |lit| trail.level_of(lit.var()));
            let (slack, most) = self.slack(trail.end_of(level));
            if slack < most {
                low = level;
            }
            if level == 0 || slack >= self.largest {
                return low;
            }
            below = level - 1;
        }
    }

    /// Weakens the constraint by all literals not false before a position of the trail that it does not imply there.
    pub(super) fn weaken(&mut self, log: &mut Log<'_>, end: usize) {
        let (slack, _) = self.slack(end);
        log.begin_round();
        for at in 0..self.len {
            let amount = (self.coefficients[at] as i32).abs();
            if usize::from(self.falsified[at]) >= end && amount <= slack {
                log.weaken(self.lit(at), i64::from(amount));
                self.degree -= amount;
                self.coefficients[at] = 0;
            }
        }
        log.end_round();
        self.saturate();
    }

    /// Drops what was assigned before a position of the trail, where facts end, and divides coefficients that have a
    /// common divisor.
    pub(super) fn simplify(&mut self, log: &mut Log<'_>, facts: usize) {
        let mut kept = 0;
        self.log_facts(log, facts);
        for at in 0..self.len {
            let signed = self.coefficients[at] as i32;
            let fact = usize::from(self.positions[at]) < facts;
            if fact && self.falsified[at] == NOWHERE {
                self.degree -= signed.abs();
            } else if !fact && signed != 0 {
                self.vars[kept] = self.vars[at];
                self.coefficients[kept] = signed as u32;
                self.positions[kept] = self.positions[at];
                self.falsified[kept] = self.falsified[at];
                kept += 1;
            }
        }
        self.len = kept;
        self.saturate();
        let divisor = self.common_divisor();
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

    /// Logs that literals assigned before a position of the trail, where facts end, are dropped: all false ones, and then
    /// the true ones without lowering coefficients in between, which would leave less of a literal than is taken off.
    fn log_facts(&self, log: &mut Log<'_>, facts: usize) {
        if !Log::WRITES {
            return;
        }
        let dropped = (0..self.len).filter(|&at| usize::from(self.positions[at]) < facts);
        let amount = |at: usize| i64::from((self.coefficients[at] as i32).abs());
        for at in dropped.clone().filter(|&at| self.falsified[at] != NOWHERE) {
            log.drop_fact(!self.lit(at), amount(at));
        }
        log.begin_round();
        for at in dropped.filter(|&at| self.falsified[at] == NOWHERE) {
            log.weaken(self.lit(at), amount(at));
        }
        log.end_round();
    }

    /// Greatest common divisor of the coefficients.
    fn common_divisor(&self) -> i32 {
        let mut divisor = 0;
        for (coefficient, _) in self.terms() {
            divisor = greatest_common_divisor(coefficient, divisor);
            if divisor == 1 {
                break;
            }
        }
        divisor.max(1)
    }
}

/// Quotient of positive numbers, rounded up.
pub(super) const fn ceil(number: i32, divisor: i32) -> i32 {
    (number + divisor - 1) / divisor
}

const fn greatest_common_divisor(a: i32, b: i32) -> i32 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::super::trail::Reason;
    use super::*;

    const VARS: usize = 9;

    /// Scratch memory with the constraint of these terms, over a trail on which some of the literals are false.
    fn with(terms: &[(i32, usize)], degree: i32, falses: &[usize], check: impl FnOnce(&mut Sum<'_>)) {
        let mut memory = std::vec![0; 400];
        let arena = &mut Arena::new(&mut memory);
        let (mut trail, mut sum) = (Trail::new(arena, VARS), Sum::new(arena, VARS));
        let lit = |index: usize| Var::new(index).unwrap().positive();
        for &index in falses {
            trail.assign(!lit(index), Reason::None);
        }
        sum.degree = degree;
        for &(amount, index) in terms {
            sum.add(&trail, amount, lit(index));
        }
        check(&mut sum);
    }

    fn listed(sum: &Sum<'_>) -> (Vec<(i32, usize)>, i32) {
        let signed = |(amount, lit): (i32, Lit)| if lit.is_positive() { amount } else { -amount };
        (sum.terms().map(|term| (signed(term), term.1.var().index())).collect(), sum.degree)
    }

    #[test]
    fn terms_of_opposite_signs_cancel() {
        with(&[(5, 0), (2, 1)], 6, &[1], |sum| {
            let mut memory = std::vec![0; 100];
            let trail = Trail::new(&mut Arena::new(&mut memory), VARS);
            let lit = Var::new(0).unwrap().positive();
            sum.add(&trail, 3, !lit);
            assert_eq!(listed(sum), (std::vec![(2, 0), (2, 1)], 3));
            sum.add(&trail, 4, !lit);
            assert_eq!(listed(sum), (std::vec![(-2, 0), (2, 1)], 1));
            sum.add(&trail, 2, lit);
            assert_eq!(listed(sum), (std::vec![(2, 1)], -1));
        });
    }

    #[test]
    fn what_is_not_implied_is_weakened() {
        // The first two are false; 9 are open, which is 4 beyond the degree: only what is larger is implied.
        let terms = [(3, 0), (2, 1), (5, 2), (4, 3)];
        with(&terms, 5, &[0, 1], |sum| {
            assert_eq!(sum.slack(2), (4, 5));
            assert_eq!(sum.slack(1), (6, 5));
            // No coefficient is larger than what is left: which is the largest does not matter.
            assert!(sum.slack(0).1 >= 5);
            sum.weaken(&mut Log::new(), 2);
            // The degree falls to 1, and no coefficient is larger.
            assert_eq!(listed(sum), (std::vec![(1, 0), (1, 1), (1, 2)], 1));
        });
    }

    #[test]
    fn large_sums_are_divided_and_stay_violated() {
        let terms = [(9_000, 0), (4_000, 1), (5_000, 2), (2_999, 3)];
        with(&terms, 12_000, &[0, 1], |sum| {
            assert_eq!(sum.slack(2).0, 7_999 - 12_000);
            sum.round(&mut Log::new(), 2);
            // By three: false ones are rounded up, the others down, which takes what they lose off the degree.
            assert_eq!(listed(sum), (std::vec![(3_000, 0), (1_334, 1), (1_666, 2), (999, 3)], 4_000 - 1));
            assert!(sum.slack(2).0 < 0);
        });
    }
}
