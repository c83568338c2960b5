//! Adding constraints, at any time. The trail goes back to level 0 first, and a constraint is simplified by the
//! facts found there: a literal that is already false must not be watched, nor counted twice.

use super::clauses::Clauses;
use super::engine::Conflict;
use super::linear::Linear;
use super::lit::Lit;
use super::memory::{Capacity, Resource};
use super::pairs::Pairs;
use super::solver::Solver;
use super::trail::Reason;

impl Solver<'_> {
    /// At least one of these holds. No literal at all makes the problem unsatisfiable.
    pub fn add_clause(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.check_lits(lits)?;
        self.return_to_root();
        if self.refuted {
            return Ok(());
        }
        let mut len = 0;
        for &lit in lits {
            let is_new = !self.scratch[..len].contains(&(lit.index() as u16));
            if self.engine.trail.is_true(lit) || self.scratch[..len].contains(&((!lit).index() as u16)) {
                return Ok(());
            }
            if is_new && !self.engine.trail.is_false(lit) {
                self.scratch[len] = lit.index() as u16;
                len += 1;
            }
        }
        let lit = |index: usize| Lit::wrapped(u32::from(self.scratch[index]));
        match len {
            0 => self.refuted = true,
            1 => {
                let fact = lit(0);
                self.assert_fact(fact);
            }
            2 => {
                let (a, b) = (lit(0), lit(1));
                self.lists_room(Pairs::PAIR_SIZE)?;
                self.engine.pairs.add_pair(&mut self.engine.lists, a, b);
            }
            _ => {
                let (needed, available) = (Clauses::size(len), self.engine.clauses.room());
                if needed > available {
                    return Err(Capacity { what: Resource::Clauses, needed, available });
                }
                self.engine.clauses.add_words(&self.scratch[..len], 0);
            }
        }
        Ok(())
    }

    /// At most one of these holds. A literal that occurs twice cannot hold.
    pub fn add_at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.check_lits(lits)?;
        self.return_to_root();
        if self.refuted {
            return Ok(());
        }
        let mut len = 0;
        for (index, &lit) in lits.iter().enumerate() {
            let repeated = lits.iter().take(index).any(|other| other.var() == lit.var());
            if repeated || self.engine.trail.is_true(lit) {
                // Rare, and as a sum all its cases are one.
                return self.add_at_most_one_as_sum(lits);
            }
            if self.engine.trail.is_free(lit) {
                self.scratch[len] = lit.index() as u16;
                len += 1;
            }
        }
        self.lists_room(Pairs::group_size(len))?;
        if len >= 2 {
            let engine = &mut self.engine;
            engine.pairs.add_group(&mut engine.lists, &self.scratch[..len]);
        }
        Ok(())
    }

    fn add_at_most_one_as_sum(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        let mut terms = heapless::Vec::<(i32, Lit), { super::SHORT }>::new();
        for &lit in lits {
            let full = Capacity { what: Resource::Vars, needed: lits.len(), available: super::SHORT };
            terms.push((-1, lit)).map_err(|_| full)?;
        }
        self.add_linear(&terms, -1)
    }

    /// `sum of coefficient * literal >= degree`, for any coefficients, with literals in any number.
    pub fn add_linear(&mut self, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity> {
        for (_, lit) in terms {
            self.check_lits(&[*lit])?;
        }
        self.return_to_root();
        if self.refuted {
            return Ok(());
        }
        let Some((len, degree)) = self.normalise(terms, i64::from(degree))? else { return Ok(()) };
        // A sum that any one term fulfils is a clause; one that bears a single false literal is an at-most-one.
        let weights = &self.weights[..len];
        let all = |weight: u32| weights.iter().all(|&other| other == weight);
        if all(u32::from(degree)) {
            let mut lits = heapless::Vec::<Lit, { super::SHORT }>::new();
            if self.scratch[..len].iter().all(|&word| lits.push(Lit::wrapped(u32::from(word))).is_ok()) {
                return self.add_clause(&lits);
            }
        } else if all(1) && usize::from(degree) + 1 == len {
            let mut lits = heapless::Vec::<Lit, { super::SHORT }>::new();
            if self.scratch[..len].iter().all(|&word| lits.push(!Lit::wrapped(u32::from(word))).is_ok()) {
                return self.add_at_most_one(&lits);
            }
        }
        self.lists_room(Linear::size(len))?;
        let engine = &mut self.engine;
        let at = engine.linear.add(&mut engine.lists, &self.scratch[..len], &self.weights[..len], degree);
        if Linear::enforce(&engine.lists, at, &mut engine.trail).is_err() {
            self.refuted = true;
        }
        self.settle();
        Ok(())
    }

    /// Brings a sum into the form with positive, falling coefficients, none above the degree, each variable once
    /// and free. The result is in `scratch` and `weights`. `None` when it always holds, or never, which refutes.
    fn normalise(&mut self, terms: &[(i32, Lit)], degree: i64) -> Result<Option<(usize, u16)>, Capacity> {
        let mut degree = degree;
        let mut len = 0;
        let too_big = |needed: i64| Capacity {
            what: Resource::Coefficient,
            needed: usize::try_from(needed).unwrap_or(usize::MAX),
            available: usize::from(u16::MAX),
        };
        for (index, &(_, lit)) in terms.iter().enumerate() {
            let same = |&(_, other): &(i32, Lit)| other.var() == lit.var();
            if terms.iter().take(index).any(same) {
                continue;
            }
            let mut weight = 0i64;
            for &(coefficient, other) in terms.iter().filter(|term| same(term)) {
                if other == lit {
                    weight += i64::from(coefficient);
                } else {
                    // c * not(l) is c - c * l.
                    weight -= i64::from(coefficient);
                    degree -= i64::from(coefficient);
                }
            }
            let (weight, lit) = if weight < 0 {
                degree -= weight;
                (-weight, !lit)
            } else {
                (weight, lit)
            };
            if self.engine.trail.is_true(lit) {
                degree -= weight;
            } else if self.engine.trail.is_free(lit) && weight > 0 {
                self.scratch[len] = lit.index() as u16;
                self.weights[len] = u32::try_from(weight).map_err(|_| too_big(weight))?;
                len += 1;
            }
        }
        if degree <= 0 {
            return Ok(None);
        }
        let degree = u16::try_from(degree).map_err(|_| too_big(degree))?;
        let mut reachable = 0u64;
        for weight in &mut self.weights[..len] {
            *weight = (*weight).min(u32::from(degree));
            reachable += u64::from(*weight);
        }
        if reachable < u64::from(degree) {
            self.refuted = true;
            return Ok(None);
        }
        // Insertion sort: sums are short, and both arrays move together.
        for index in 1..len {
            let mut place = index;
            while place > 0 && self.weights[place - 1] < self.weights[place] {
                self.weights.swap(place - 1, place);
                self.scratch.swap(place - 1, place);
                place -= 1;
            }
        }
        Ok(Some((len, degree)))
    }

    /// When `guard` holds, `later >= earlier`, or `later > earlier` if `strict`.
    pub fn add_order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
        self.check_lits(&[guard])?;
        let (needed, available) = (usize::from(earlier.max(later)) + 1, self.engine.order.clocks());
        if needed > available {
            return Err(Capacity { what: Resource::Clocks, needed, available });
        }
        self.return_to_root();
        if earlier == later {
            return if strict { self.add_clause(&[!guard]) } else { Ok(()) };
        }
        if self.refuted || self.engine.trail.is_false(guard) {
            return Ok(());
        }
        let (needed, available) = (self.engine.order.len() + 1, self.engine.order.capacity());
        if needed > available {
            return Err(Capacity { what: Resource::Edges, needed, available });
        }
        let engine = &mut self.engine;
        engine.order.add(guard, earlier, later, strict);
        if engine.order.settle_newest(&mut engine.trail).is_err() {
            self.refuted = true;
        }
        self.settle();
        Ok(())
    }

    /// Goes back to level 0, where all facts have been propagated.
    fn return_to_root(&mut self) {
        self.backtrack(0);
        self.settle();
    }

    /// Propagates at level 0.
    fn settle(&mut self) {
        if !self.refuted {
            let conflict: Result<(), Conflict> = self.engine.propagate();
            self.refuted = conflict.is_err();
        }
    }

    fn assert_fact(&mut self, lit: Lit) {
        if self.engine.trail.is_false(lit) {
            self.refuted = true;
        } else if self.engine.trail.is_free(lit) {
            self.engine.trail.assign(lit, Reason::None);
        }
        self.settle();
    }

    fn lists_room(&self, needed: usize) -> Result<(), Capacity> {
        let available = self.engine.lists.room();
        if needed > available { Err(Capacity { what: Resource::Lists, needed, available }) } else { Ok(()) }
    }
}
