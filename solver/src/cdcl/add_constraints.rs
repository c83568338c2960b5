//! Constraints may be added at any time: the search first goes back to level 0, and literals that are facts by then
//! are taken out, since nothing would ever tell a new constraint that they were assigned.

use core::cmp::Reverse;

use super::binary::Pairs;
use super::clauses::Clauses;
use super::limits::{Capacity, Resource};
use super::linear::Linear;
use super::lit::{Lit, Var};
use super::propagator::Conflict;
use super::solver::Solver;
use super::trail::Reason;

impl Solver<'_> {
    /// At least one of these holds. No literal at all makes the problem unsatisfiable.
    pub fn add_clause(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        if let [a, b] = *lits
            && a.var() != b.var()
        {
            return self.add_pair(a, b);
        }
        self.add_clause_of(lits.iter().copied())
    }

    /// One of two literals of different variables holds: most clauses are such, and need no gathering while both
    /// are free.
    fn add_pair(&mut self, a: Lit, b: Lit) -> Result<(), Capacity> {
        self.check_lits([a, b])?;
        self.return_to_root();
        let trail = &self.engine.trail;
        if self.refuted || !trail.is_free(a) || !trail.is_free(b) {
            return self.add_clause_of([a, b].into_iter());
        }
        self.lists_room(Pairs::PAIR_SIZE)?;
        Pairs::add_pair(&mut self.engine.lists, &mut self.engine.heads, a, b);
        self.log.clause([a, b].into_iter());
        Ok(())
    }

    /// At most one of these holds. A literal that occurs twice cannot hold.
    pub fn add_at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.add_sum_of(lits.iter().map(|&lit| (-1, lit)), -1, None)
    }

    /// `sum of coefficient * literal >= degree`, for any coefficients, with literals in any number.
    pub fn add_linear(&mut self, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity> {
        if degree == 1 && terms.iter().all(|&(coefficient, _)| coefficient == 1) {
            return self.add_clause_of(terms.iter().map(|&(_, lit)| lit));
        }
        self.add_sum_of(terms.iter().copied(), degree, None)
    }

    /// When `guard` holds, `later >= earlier`, or `later > earlier` if `strict`.
    pub fn add_order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
        self.check_lits([guard])?;
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
        engine.order.add(&mut engine.heads, guard, earlier, later, strict);
        self.log.order(guard, earlier, later, strict, engine.order.clocks());
        if let Err(edge) = engine.order.settle_newest(&mut engine.trail) {
            self.refute_by(Conflict::Order(edge));
        }
        self.settle();
        Ok(())
    }

    pub(super) fn add_clause_of(&mut self, lits: impl Iterator<Item = Lit> + Clone) -> Result<(), Capacity> {
        self.check_lits(lits.clone())?;
        self.return_to_root();
        if self.refuted {
            return Ok(());
        }
        if let Some(len) = self.gather(lits.clone()) {
            self.store_clause(len)?;
        }
        self.log.clause(lits);
        Ok(())
    }

    /// Puts the free literals of a clause into `scratch`, each once. `None` when the clause holds already.
    fn gather(&mut self, lits: impl Iterator<Item = Lit>) -> Option<usize> {
        let mut len = 0;
        let mut holds = false;
        for lit in lits {
            // A mark has a bit for each of the variable's two literals.
            let mark = &mut self.marks[lit.var().index()];
            let (own, other) = if lit.is_positive() { (1, 2) } else { (2, 1) };
            holds |= self.engine.trail.is_true(lit) || *mark & other != 0;
            if holds {
                break;
            }
            if *mark & own == 0 && self.engine.trail.is_free(lit) {
                *mark |= own;
                self.scratch[len] = lit.index() as u16;
                len += 1;
            }
        }
        self.unmark(len);
        if holds { None } else { Some(len) }
    }

    /// Clears the marks of the first variables of `scratch`.
    fn unmark(&mut self, len: usize) {
        for &word in &self.scratch[..len] {
            self.marks[Lit::wrapped(u32::from(word)).var().index()] = 0;
        }
    }

    /// Stores the clause of the first literals of `scratch`, which are free and different.
    fn store_clause(&mut self, len: usize) -> Result<(), Capacity> {
        match len {
            0 => self.refute(),
            1 => {
                self.assert_fact(self.scratch_lit(0));
                self.settle();
            }
            2 => {
                let (a, b) = (self.scratch_lit(0), self.scratch_lit(1));
                self.lists_room(Pairs::PAIR_SIZE)?;
                Pairs::add_pair(&mut self.engine.lists, &mut self.engine.heads, a, b);
            }
            _ => {
                let (needed, available) = (Clauses::size(len), self.engine.clauses.room());
                if needed > available {
                    return Err(Capacity { what: Resource::Clauses, needed, available });
                }
                let engine = &mut self.engine;
                engine.clauses.add_words(&mut engine.heads, &self.scratch[..len], 0);
            }
        }
        Ok(())
    }

    /// Adds a sum that is in force when `unless` does not hold.
    pub(super) fn add_sum_of(
        &mut self,
        terms: impl Iterator<Item = (i32, Lit)> + Clone,
        degree: i32,
        unless: Option<Lit>,
    ) -> Result<(), Capacity> {
        self.check_lits(terms.clone().map(|(_, lit)| lit).chain(unless))?;
        self.return_to_root();
        if self.refuted || unless.is_some_and(|lit| self.engine.trail.is_true(lit)) {
            return Ok(());
        }
        let (merged, change) = self.merge(terms.clone(), unless)?;
        if let Some((len, least)) = self.normalise(merged, i64::from(degree) + change)? {
            self.store_sum(len, least, unless.filter(|&lit| self.engine.trail.is_free(lit)))?;
        }
        self.log.sum(terms, degree, unless);
        Ok(())
    }

    /// Adds up the coefficients of each variable: variables go to `scratch`, as their positive literals, and
    /// coefficients to `weights`, by variable, as signed numbers. Returns the number of variables and what the
    /// degree changes by.
    fn merge(
        &mut self,
        terms: impl Iterator<Item = (i32, Lit)>,
        unless: Option<Lit>,
    ) -> Result<(usize, i64), Capacity> {
        let (mut len, mut change) = (0, 0i64);
        let mut overflow = false;
        for (coefficient, lit) in terms {
            if unless.is_some_and(|unless| unless.var() == lit.var()) {
                // The sum is in force only where `unless` is false.
                change -= if unless == Some(lit) { 0 } else { i64::from(coefficient) };
                continue;
            }
            let var = lit.var().index();
            if self.marks[var] == 0 {
                self.marks[var] = 1;
                self.weights[var] = 0;
                self.scratch[len] = lit.var().positive().index() as u16;
                len += 1;
            }
            let before = self.weights[var] as i32;
            let after = if lit.is_positive() {
                before.checked_add(coefficient)
            } else {
                // c * not(x) is c - c * x.
                change -= i64::from(coefficient);
                before.checked_sub(coefficient)
            };
            overflow |= after.is_none();
            self.weights[var] = after.unwrap_or(0) as u32;
        }
        self.unmark(len);
        let (what, available) = (Resource::Coefficient, usize::from(u16::MAX));
        if overflow { Err(Capacity { what, needed: usize::MAX, available }) } else { Ok((len, change)) }
    }

    /// Brings what was merged into the form with positive coefficients, none above the degree, over free
    /// literals: literals in `scratch`, coefficients in `weights` by variable. `None` when the sum always holds.
    fn normalise(&mut self, merged: usize, degree: i64) -> Result<Option<(usize, u16)>, Capacity> {
        let mut degree = degree;
        let mut len = 0;
        for index in 0..merged {
            let var = self.scratch_lit(index).var();
            let signed = self.weights[var.index()] as i32;
            let (weight, lit) = (signed.unsigned_abs(), var.lit(signed > 0));
            if signed < 0 {
                degree += i64::from(weight);
            }
            if self.engine.trail.is_true(lit) {
                degree -= i64::from(weight);
            } else if self.engine.trail.is_free(lit) && weight > 0 {
                self.weights[var.index()] = weight;
                self.scratch[len] = lit.index() as u16;
                len += 1;
            }
        }
        if degree <= 0 {
            return Ok(None);
        }
        let degree = u16::try_from(degree).map_err(|_| Capacity {
            what: Resource::Coefficient,
            needed: usize::try_from(degree).unwrap_or(usize::MAX),
            available: usize::from(u16::MAX),
        })?;
        for index in 0..len {
            let weight = self.weight(self.scratch_lit(index).var());
            *weight = u32::from(degree).min(*weight);
        }
        Ok(Some((len, degree)))
    }

    fn weight(&mut self, var: Var) -> &mut u32 {
        &mut self.weights[var.index()]
    }

    /// Stores a normalised sum as what it is: facts, a clause, an at-most-one, or a sum.
    fn store_sum(&mut self, len: usize, degree: u16, unless: Option<Lit>) -> Result<(), Capacity> {
        let need = u32::from(degree);
        let weights = self.scratch[..len].iter().map(|&word| self.weights[usize::from(word >> 1)]);
        let reachable: u64 = weights.clone().map(u64::from).sum();
        let all = |weight: u32| weights.clone().all(|other| other == weight);
        let (is_clause, is_count) = (reachable < u64::from(need) || all(need), all(1));
        if is_clause {
            // A sum that cannot reach its degree is a clause without literals.
            let len = if reachable < u64::from(need) { 0 } else { len };
            let len = self.with(len, unless);
            return self.store_clause(len);
        }
        if reachable == u64::from(need) && unless.is_none() {
            for index in 0..len {
                self.assert_fact(self.scratch_lit(index));
            }
            self.settle();
            return Ok(());
        }
        if is_count && need as usize + 1 == len && unless.is_none() {
            self.lists_room(Pairs::group_size(len))?;
            for word in &mut self.scratch[..len] {
                *word ^= 1;
            }
            let engine = &mut self.engine;
            Pairs::add_group(&mut engine.lists, &mut engine.heads, &self.scratch[..len]);
            return Ok(());
        }
        if let Some(lit) = unless {
            *self.weight(lit.var()) = need;
        }
        let len = self.with(len, unless);
        self.lists_room(Linear::size(len))?;
        let (lits, weights) = (&mut self.scratch[..len], &*self.weights);
        let weight = |word: u16| weights[usize::from(word >> 1)] as u16;
        lits.sort_unstable_by_key(|&word| (Reverse(weight(word)), word));
        let engine = &mut self.engine;
        let at = Linear::add(&mut engine.lists, &mut engine.heads, lits, weight, degree);
        if Linear::enforce(&engine.lists, at, &mut engine.trail).is_err() {
            self.refute();
        }
        self.settle();
        Ok(())
    }

    /// Appends a literal, if there is one, to those in `scratch`.
    fn with(&mut self, len: usize, lit: Option<Lit>) -> usize {
        let Some(lit) = lit else { return len };
        self.scratch[len] = lit.index() as u16;
        len + 1
    }

    /// Goes back to level 0, where all facts have been propagated.
    fn return_to_root(&mut self) {
        if self.engine.trail.level() > 0 {
            self.backtrack(0);
        }
        self.settle();
    }

    /// Propagates at level 0.
    fn settle(&mut self) {
        if !self.refuted && self.engine.trail.head < self.engine.trail.len() {
            let propagated = self.engine.propagate();
            self.log.facts(&self.engine);
            if let Err(conflict) = propagated {
                self.refute_by(conflict);
            }
        }
    }

    fn assert_fact(&mut self, lit: Lit) {
        if self.engine.trail.is_false(lit) {
            self.refute();
        } else if self.engine.trail.is_free(lit) {
            self.engine.trail.assign(lit, Reason::None);
        }
    }

    fn lists_room(&self, needed: usize) -> Result<(), Capacity> {
        let available = self.engine.lists.room();
        if needed > available { Err(Capacity { what: Resource::Lists, needed, available }) } else { Ok(()) }
    }
}
