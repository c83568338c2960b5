//! Adding constraints, at any time: the search first backtracks to level 0, and constraints are normalised over the
//! literals that are still free there, since no propagation visits a new constraint for an assignment of the past.

use core::cmp::Reverse;

use barrow_core::sort::sort_by_key;

use super::at_most_one;
use super::binary;
use super::capacity::{Capacity, Resource};
use super::clauses::Clauses;
use super::gc;
use super::linear;
use super::lit::{Lit, Var};
use super::propagator::{Conflict, Propagator};
use super::solver::{ModelPlace, Solver};
use super::store::Kind;
use super::trail::Reason;

/// Mark of a variable whose positive literal is in the constraint that is being added.
const POSITIVE: u8 = 1;
/// Mark of a variable whose negative literal is in the constraint that is being added.
const NEGATIVE: u8 = 2;

impl Solver<'_> {
    /// Adds the clause that at least one of these literals holds. Without literals it makes the problem unsatisfiable.
    ///
    /// # Errors
    ///
    /// When there is no room for it, or the solver has no such variable; what was added before stays.
    pub fn add_clause(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        if let [a, b] = *lits
            && a.var() != b.var()
        {
            return self.add_binary(a, b);
        }
        self.add_clause_of(lits.iter().copied())
    }

    /// Adds a clause of two literals of different variables without normalising it, if both are free: most clauses are
    /// such.
    fn add_binary(&mut self, a: Lit, b: Lit) -> Result<(), Capacity> {
        self.check_lits([a, b])?;
        self.backtrack_to_root();
        let trail = &self.propagator.trail;
        if self.refuted || !trail.is_free(a) || !trail.is_free(b) {
            return self.add_clause_of([a, b].into_iter());
        }
        self.check_store_room(binary::SIZE)?;
        binary::add(&mut self.propagator.store, &mut self.propagator.occurrences, a, b);
        self.log.clause([a, b].into_iter());
        Ok(())
    }

    /// Adds the constraint that at most one of these literals holds. A literal that occurs twice cannot hold.
    ///
    /// # Errors
    ///
    /// When there is no room for it, or the solver has no such variable; what was added before stays.
    pub fn add_at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        if self.add_plain_at_most_one(lits)? {
            return Ok(());
        }
        self.add_linear_unless(lits.iter().map(|&lit| (-1, lit)), -1, None)
    }

    /// Adds an at-most-one constraint without normalising it, if it has three literals or more, all of which are free and of
    /// different variables: nearly all are such. Returns whether it has.
    fn add_plain_at_most_one(&mut self, lits: &[Lit]) -> Result<bool, Capacity> {
        self.check_lits(lits.iter().copied())?;
        self.backtrack_to_root();
        if self.refuted || lits.len() < 3 {
            return Ok(false);
        }
        let mut len = 0;
        for &lit in lits {
            let mark = &mut self.marks[lit.var().index()];
            if *mark != 0 || !self.propagator.trail.is_free(lit) {
                break;
            }
            *mark = POSITIVE;
            self.scratch[len] = lit.index() as u16;
            len += 1;
        }
        self.unmark(len);
        if len < lits.len() {
            return Ok(false);
        }
        let facts = self.propagator.trail.len();
        self.check_store_room(at_most_one::size(len))?;
        let Propagator { store, occurrences, .. } = &mut self.propagator;
        let at = at_most_one::add(store, occurrences, &self.scratch[..len]);
        let terms = lits.iter().map(|&lit| (-1, lit));
        self.log.linear(terms.clone(), -1, None);
        let number = self.log.record((&self.propagator.trail, facts), (terms, -1), None);
        at_most_one::set_proof_number(&mut self.propagator.store, at, number);
        Ok(true)
    }

    /// Adds the linear constraint `sum of coefficient * literal >= degree`, for coefficients of any sign; literals may
    /// repeat.
    ///
    /// # Errors
    ///
    /// When there is no room for it, the solver has no such variable, or its degree exceeds 65,535 after it is written with
    /// positive coefficients ([`Resource::Coefficient`](super::capacity::Resource::Coefficient)); what was added before stays.
    pub fn add_linear(&mut self, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity> {
        if degree == 1 && terms.iter().all(|&(coefficient, _)| coefficient == 1) {
            return self.add_clause_of(terms.iter().map(|&(_, lit)| lit));
        }
        self.add_linear_unless(terms.iter().copied(), degree, None)
    }

    /// Adds the order constraint that `later >= earlier`, or `later > earlier` if `strict`, when `guard` holds.
    ///
    /// # Errors
    ///
    /// When there is no room for it, or the solver has no such clock or variable; what was added before stays.
    pub fn add_order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
        self.check_lits([guard])?;
        self.check_clocks(earlier, later)?;
        self.backtrack_to_root();
        if earlier == later {
            return if strict { self.add_clause(&[!guard]) } else { Ok(()) };
        }
        if self.refuted || self.propagator.trail.is_false(guard) {
            return Ok(());
        }
        self.check_order_room(earlier, later, strict)?;
        let propagator = &mut self.propagator;
        propagator.order.add(&mut propagator.occurrences, guard, earlier, later, strict);
        self.log.order(guard, earlier, later, strict, propagator.order.ticks());
        if let Err(edge) = propagator.order.propagate_newest(&mut propagator.trail) {
            self.refute_by(Conflict::Order(edge));
        }
        self.propagate_facts();
        Ok(())
    }

    /// Checks that there are these clocks.
    pub(super) fn check_clocks(&self, earlier: u8, later: u8) -> Result<(), Capacity> {
        let (needed, available) = (usize::from(earlier.max(later)) + 1, self.propagator.order.clocks());
        if needed > available {
            return Err(Capacity { what: Resource::Clocks, needed, available });
        }
        Ok(())
    }

    /// Checks that there is room for an order constraint between different clocks.
    pub(super) fn check_order_room(&self, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
        let order = &self.propagator.order;
        let (needed, available) = (order.len() + 1, order.capacity());
        if needed > available {
            return Err(Capacity { what: Resource::Edges, needed, available });
        }
        match order.missing_ticks(earlier, later, strict) {
            Some(needed) => Err(Capacity { what: Resource::Ticks, needed, available: order.ticks() }),
            None => Ok(()),
        }
    }

    pub(super) fn add_clause_of(&mut self, lits: impl Iterator<Item = Lit> + Clone) -> Result<(), Capacity> {
        self.check_lits(lits.clone())?;
        self.backtrack_to_root();
        if self.refuted {
            return Ok(());
        }
        if let Some(len) = self.normalise_clause(lits.clone()) {
            self.store_clause(len)?;
        }
        self.log.clause(lits);
        Ok(())
    }

    /// Puts the free literals of a clause into `scratch`, each once. `None` when the clause is satisfied.
    fn normalise_clause(&mut self, lits: impl Iterator<Item = Lit>) -> Option<usize> {
        let mut len = 0;
        let mut holds = false;
        for lit in lits {
            let mark = &mut self.marks[lit.var().index()];
            let (own, other) = if lit.is_positive() { (POSITIVE, NEGATIVE) } else { (NEGATIVE, POSITIVE) };
            holds |= self.propagator.trail.is_true(lit) || *mark & other != 0;
            if holds {
                break;
            }
            if *mark & own == 0 && self.propagator.trail.is_free(lit) {
                *mark |= own;
                self.scratch[len] = lit.index() as u16;
                len += 1;
            }
        }
        self.unmark(len);
        if holds { None } else { Some(len) }
    }

    /// Clears the marks of the variables of the first `len` literals of `scratch`.
    fn unmark(&mut self, len: usize) {
        for &word in &self.scratch[..len] {
            self.marks[Lit::wrapped(u32::from(word)).var().index()] = 0;
        }
    }

    /// Stores the clause of the first `len` literals of `scratch`, which are free and of different variables.
    fn store_clause(&mut self, len: usize) -> Result<(), Capacity> {
        match len {
            0 => self.refute(),
            1 => {
                self.assign_fact(self.scratch_lit(0));
                self.propagate_facts();
            }
            2 => {
                let (a, b) = (self.scratch_lit(0), self.scratch_lit(1));
                self.check_store_room(binary::SIZE)?;
                binary::add(&mut self.propagator.store, &mut self.propagator.occurrences, a, b);
            }
            _ => {
                self.check_clause_room(len)?;
                let propagator = &mut self.propagator;
                let at = propagator.clauses.append(&self.scratch[..len], 0);
                propagator.clauses.watch(&mut propagator.occurrences, at);
            }
        }
        Ok(())
    }

    /// Adds a linear constraint that is in force when `unless` does not hold.
    pub(super) fn add_linear_unless(
        &mut self,
        terms: impl Iterator<Item = (i32, Lit)> + Clone,
        degree: i32,
        unless: Option<Lit>,
    ) -> Result<(), Capacity> {
        self.check_lits(terms.clone().map(|(_, lit)| lit).chain(unless))?;
        self.backtrack_to_root();
        if self.refuted || unless.is_some_and(|lit| self.propagator.trail.is_true(lit)) {
            return Ok(());
        }
        let (merged, change) = self.merge(terms.clone(), unless)?;
        let facts = self.propagator.trail.len();
        let mut stored = None;
        if let Some((len, least)) = self.normalise_linear(merged, i64::from(degree) + change)? {
            stored =
                self.store_linear(len, least, unless.filter(|&lit| self.propagator.trail.is_free(lit)))?;
        }
        self.log.linear(terms.clone(), degree, unless);
        if let Some(at) = stored {
            let number = self.log.record((&self.propagator.trail, facts), (terms, degree), unless);
            let store = &mut self.propagator.store;
            match store.kind(at) {
                Kind::AtMostOne => at_most_one::set_proof_number(store, at, number),
                _ => linear::set_proof_number(store, at, number),
            }
        }
        Ok(())
    }

    /// Merges terms of the same variable: variables go to `scratch`, as their positive literals, and coefficients to
    /// `weights`, by variable, as signed numbers. Returns the number of variables and the change of the degree.
    fn merge(
        &mut self,
        terms: impl Iterator<Item = (i32, Lit)>,
        unless: Option<Lit>,
    ) -> Result<(usize, i64), Capacity> {
        let (mut len, mut change) = (0, 0i64);
        let mut overflow = false;
        for (coefficient, lit) in terms {
            if unless.is_some_and(|unless| unless.var() == lit.var()) {
                // The constraint is in force only where `unless` is false.
                change -= if unless == Some(lit) { 0 } else { i64::from(coefficient) };
                continue;
            }
            let var = lit.var().index();
            if self.marks[var] == 0 {
                self.marks[var] = POSITIVE;
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

    /// Normalises merged terms: positive coefficients, none above the degree, over free literals, with literals in
    /// `scratch` and coefficients in `weights` by variable. Returns the number of literals and the degree; `None` when
    /// the constraint is satisfied.
    fn normalise_linear(&mut self, merged: usize, degree: i64) -> Result<Option<(usize, u16)>, Capacity> {
        let mut degree = degree;
        let mut len = 0;
        for index in 0..merged {
            let var = self.scratch_lit(index).var();
            let signed = self.weights[var.index()] as i32;
            let (weight, lit) = (signed.unsigned_abs(), var.lit(!signed.is_negative()));
            if signed.is_negative() {
                degree += i64::from(weight);
            }
            if self.propagator.trail.is_true(lit) {
                degree -= i64::from(weight);
            } else if self.propagator.trail.is_free(lit) && weight > 0 {
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

    /// Coefficient of a variable in the constraint that is being added.
    fn weight(&mut self, var: Var) -> &mut u32 {
        &mut self.weights[var.index()]
    }

    /// Stores a normalised linear constraint in its simplest form: facts, a clause, an at-most-one or a linear
    /// constraint. Returns the place of an at-most-one or a linear constraint.
    fn store_linear(
        &mut self,
        len: usize,
        degree: u16,
        unless: Option<Lit>,
    ) -> Result<Option<u32>, Capacity> {
        let need = u32::from(degree);
        let weights = self.scratch[..len].iter().map(|&word| self.weights[usize::from(word >> 1)]);
        let reachable: u64 = weights.clone().map(u64::from).sum();
        let all = |weight: u32| weights.clone().all(|other| other == weight);
        let (is_clause, is_count) = (reachable < u64::from(need) || all(need), all(1));
        if is_clause {
            // A constraint that cannot reach its degree is a clause without literals.
            let len = if reachable < u64::from(need) { 0 } else { len };
            let len = self.append(len, unless);
            return self.store_clause(len).map(|()| None);
        }
        if reachable == u64::from(need) && unless.is_none() {
            for index in 0..len {
                self.assign_fact(self.scratch_lit(index));
            }
            self.propagate_facts();
            return Ok(None);
        }
        if is_count && need as usize + 1 == len && unless.is_none() {
            self.check_store_room(at_most_one::size(len))?;
            for word in &mut self.scratch[..len] {
                *word ^= 1;
            }
            let propagator = &mut self.propagator;
            let (store, occurrences) = (&mut propagator.store, &mut propagator.occurrences);
            return Ok(Some(at_most_one::add(store, occurrences, &self.scratch[..len])));
        }
        if let Some(lit) = unless {
            *self.weight(lit.var()) = need;
        }
        let len = self.append(len, unless);
        self.check_store_room(linear::size(len))?;
        let (lits, weights) = (&mut self.scratch[..len], &self.weights);
        let weight = |word: u16| weights[usize::from(word >> 1)] as u16;
        sort_by_key(lits, |&word| (Reverse(weight(word)), word));
        let propagator = &mut self.propagator;
        let at = linear::add(&mut propagator.store, &mut propagator.occurrences, lits, weight, degree);
        if linear::propagate_one(&propagator.store, at, &mut propagator.trail).is_err() {
            self.refute();
        }
        self.propagate_facts();
        Ok(Some(at))
    }

    /// Appends a literal, if there is one, to the first `len` of `scratch`, and returns their number.
    fn append(&mut self, len: usize, lit: Option<Lit>) -> usize {
        let Some(lit) = lit else { return len };
        self.scratch[len] = lit.index() as u16;
        len + 1
    }

    /// Backtracks to level 0 and propagates all facts.
    pub(super) fn backtrack_to_root(&mut self) {
        // A model of nothing but facts stays on the trail.
        if self.propagator.trail.level() > 0 {
            if self.model == ModelPlace::OnTrail {
                self.forget_model();
            }
            self.backtrack(0);
        }
        self.propagate_facts();
    }

    /// Propagates new facts; the trail must be at level 0.
    fn propagate_facts(&mut self) {
        if !self.refuted && self.propagator.trail.head < self.propagator.trail.len() {
            let propagated = self.propagator.propagate();
            self.log.facts(&self.propagator);
            if let Err(conflict) = propagated {
                self.refute_by(conflict);
            }
        }
    }

    /// Makes a literal true at level 0.
    fn assign_fact(&mut self, lit: Lit) {
        if self.propagator.trail.is_false(lit) {
            self.refute();
        } else if self.propagator.trail.is_free(lit) {
            self.propagator.trail.assign(lit, Reason::None);
        }
    }

    /// An error if there is no room for a clause of three or more literals.
    pub(super) fn check_clause_room(&self, len: usize) -> Result<(), Capacity> {
        let (needed, available) = (Clauses::size(len), self.propagator.clauses.room());
        if needed > available { Err(Capacity { what: Resource::Clauses, needed, available }) } else { Ok(()) }
    }

    /// An error if the store has no room for a record of `needed` words, learnt ones forgotten.
    pub(super) fn check_store_room(&mut self, needed: usize) -> Result<(), Capacity> {
        if self.propagator.store.room() < needed {
            gc::reduce_linear(&mut self.propagator, &mut self.log, needed);
        }
        let available = self.propagator.store.room();
        if needed > available { Err(Capacity { what: Resource::Store, needed, available }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use barrow_core::rng::Rng;

    use super::super::limits::Limits;
    use super::super::solver::Answer;
    use super::*;

    const LIMITS: Limits =
        Limits { vars: 6, clocks: 0, ticks: 0, edges: 0, clauses: 500, store: 500, learnt: 200 };

    /// Linear constraints that are in force unless a literal holds, which may be in them: each assignment is asked.
    #[test]
    fn a_constraint_holds_unless_its_literal_does() {
        let mut rng = Rng::new(8);
        let mut memory = std::vec![0; LIMITS.words()];
        let (mut allowed, mut denied) = (0, 0);
        for round in 0..400 {
            let mut solver = Solver::new(&mut memory, &LIMITS).unwrap();
            let vars = [(); 4].map(|()| solver.new_var().unwrap());
            let any = |rng: &mut Rng| rng.choose(&vars).unwrap().lit(rng.chance(1, 2));
            let unless = any(&mut rng);
            let terms: std::vec::Vec<(i32, Lit)> =
                (0..rng.below(7)).map(|_| (rng.below(7) as i32 - 3, any(&mut rng))).collect();
            let degree = rng.below(9) as i32 - 3;
            solver.add_linear_unless(terms.iter().copied(), degree, Some(unless)).unwrap();
            for values in 0..16 {
                let lits = [0, 1, 2, 3].map(|index| vars[index].lit(values >> index & 1 != 0));
                let sum: i32 = terms.iter().filter(|term| lits.contains(&term.1)).map(|term| term.0).sum();
                let holds = lits.contains(&unless) || sum >= degree;
                assert_eq!(solver.solve(&lits).unwrap() == Answer::Sat, holds, "{round}: {values:b}");
                *if holds { &mut allowed } else { &mut denied } += 1;
            }
        }
        assert!(allowed > 1_000 && denied > 1_000, "{allowed} {denied}");
    }

    #[test]
    fn coefficients_are_added_up_as_far_as_they_fit() {
        let mut memory = std::vec![0; LIMITS.words()];
        let mut solver = Solver::new(&mut memory, &LIMITS).unwrap();
        let [a, b] = [(); 2].map(|()| solver.new_var().unwrap().positive());
        let error = Capacity { what: Resource::Coefficient, needed: usize::MAX, available: u16::MAX.into() };
        assert_eq!(solver.add_linear(&[(i32::MAX, a), (1, a), (1, b)], 2), Err(error));
        assert_eq!(solver.add_linear(&[(i32::MIN, a), (1, !a), (1, b)], 2), Err(error));
        // What fits after all is taken: a and b.
        assert_eq!(solver.add_linear(&[(i32::MAX, a), (1 - i32::MAX, a), (1, b)], 2), Ok(()));
        assert_eq!(solver.solve(&[]), Ok(Answer::Sat));
        assert!(solver.holds(a) && solver.holds(b));
    }
}
