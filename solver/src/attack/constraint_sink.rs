//! Where an encoding goes: into a solver, or into a count of the memory that the solver will need.

use crate::cdcl::{Capacity, Limits, Lit, Resource, Solver, Var};

/// Takes variables, clocks and constraints.
pub(super) trait Sink {
    fn new_var(&mut self) -> Result<Lit, Capacity>;
    fn new_clock(&mut self) -> Result<u8, Capacity>;
    fn clause(&mut self, lits: &[Lit]) -> Result<(), Capacity>;
    fn at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity>;
    /// Sum of coefficient times literal is at least the degree.
    fn at_least(&mut self, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity>;
    /// When the guard holds, `later` is not before `earlier`, or after it if `strict`.
    fn order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity>;
}

/// Counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    pub(super) limits: Limits,
}

impl Count {
    pub(super) const fn new() -> Self {
        Count { limits: Limits { vars: 0, clocks: 0, edges: 0, clauses: 0, lists: 0, learnt: 0 } }
    }
}

impl Sink for Count {
    fn new_var(&mut self) -> Result<Lit, Capacity> {
        let (needed, available) = (self.limits.vars + 1, crate::cdcl::MAX_VARS);
        let var = Var::new(self.limits.vars).ok_or(Capacity { what: Resource::Vars, needed, available })?;
        self.limits.vars += 1;
        Ok(var.positive())
    }

    fn new_clock(&mut self) -> Result<u8, Capacity> {
        let (needed, available) = (self.limits.clocks + 1, crate::cdcl::MAX_CLOCKS);
        if needed > available {
            return Err(Capacity { what: Resource::Clocks, needed, available });
        }
        self.limits.clocks = needed;
        Ok(needed as u8 - 1)
    }

    fn clause(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        match lits.len() {
            0 | 1 => {}
            2 => self.limits.lists += Limits::pair_words(),
            len => self.limits.clauses += Limits::clause_words(len),
        }
        Ok(())
    }

    fn at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.limits.lists += Limits::at_most_one_words(lits.len());
        Ok(())
    }

    fn at_least(&mut self, terms: &[(i32, Lit)], _degree: i32) -> Result<(), Capacity> {
        // A sum may turn out to be a clause, which is smaller but lives elsewhere.
        self.limits.lists += Limits::sum_words(terms.len());
        self.limits.clauses += Limits::clause_words(terms.len());
        Ok(())
    }

    fn order(&mut self, _guard: Lit, _earlier: u8, _later: u8, _strict: bool) -> Result<(), Capacity> {
        self.limits.edges += 1;
        Ok(())
    }
}

/// A solver with the clocks handed out so far.
pub(super) struct Fill<'s, 'm> {
    pub(super) solver: &'s mut Solver<'m>,
    pub(super) clocks: u8,
}

impl Sink for Fill<'_, '_> {
    fn new_var(&mut self) -> Result<Lit, Capacity> {
        self.solver.new_var().map(Var::positive)
    }

    fn new_clock(&mut self) -> Result<u8, Capacity> {
        self.clocks += 1;
        Ok(self.clocks - 1)
    }

    fn clause(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.solver.add_clause(lits)
    }

    fn at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.solver.add_at_most_one(lits)
    }

    fn at_least(&mut self, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity> {
        self.solver.add_linear(terms, degree)
    }

    fn order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
        self.solver.add_order(guard, earlier, later, strict)
    }
}
