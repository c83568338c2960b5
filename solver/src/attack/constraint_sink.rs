//! Constraint sinks: an encoding goes into a solver, or into a count of the memory that the solver will need.

use crate::cdcl::{Capacity, ClockSet, Limits, Lit, MAX_CLOCKS, Resource, Solver, Var};

/// Sink of an encoding: takes variables, clocks and constraints.
pub(super) trait ConstraintSink {
    /// Makes a variable and returns its positive literal.
    fn new_var(&mut self) -> Result<Lit, Capacity>;
    /// Makes so many variables.
    fn new_vars(&mut self, count: usize) -> Result<(), Capacity> {
        (0..count).try_for_each(|_| self.new_var().map(|_| ()))
    }
    /// Makes so many clocks.
    fn new_clocks(&mut self, count: usize) -> Result<(), Capacity>;
    /// Adds the constraint that at least one of the literals holds.
    fn clause(&mut self, lits: &[Lit]) -> Result<(), Capacity>;
    /// Adds the constraint that at most one of the literals holds.
    fn at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity>;
    /// Adds the constraint that the sum of coefficient times literal is at least the degree.
    fn at_least(&mut self, terms: &[(i32, Lit)], degree: i32) -> Result<(), Capacity>;
    /// Adds the constraint that `later` is not before `earlier`, or after it if `strict`, when the guard holds.
    fn order(&mut self, guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity>;
}

/// Sink that counts the memory a solver will need.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountingSink {
    pub(super) limits: Limits,
    /// Clocks with strict order constraints from them, and to them.
    sources: ClockSet,
    targets: ClockSet,
}

impl CountingSink {
    pub(super) const fn new() -> Self {
        CountingSink {
            limits: Limits { vars: 0, clocks: 0, ticks: 0, edges: 0, clauses: 0, store: 0, learnt: 0 },
            sources: ClockSet::EMPTY,
            targets: ClockSet::EMPTY,
        }
    }
}

impl ConstraintSink for CountingSink {
    fn new_var(&mut self) -> Result<Lit, Capacity> {
        let (needed, available) = (self.limits.vars + 1, crate::cdcl::MAX_VARS);
        let var = Var::new(self.limits.vars).ok_or(Capacity { what: Resource::Vars, needed, available })?;
        self.limits.vars += 1;
        Ok(var.positive())
    }

    fn new_clocks(&mut self, count: usize) -> Result<(), Capacity> {
        let (needed, available) = (self.limits.clocks + count, MAX_CLOCKS);
        if needed > available {
            return Err(Capacity { what: Resource::Clocks, needed, available });
        }
        self.limits.clocks = needed;
        self.limits.ticks = 1;
        Ok(())
    }

    fn clause(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        match lits.len() {
            0 | 1 => {}
            2 => self.limits.store += Limits::binary_words(),
            len => self.limits.clauses += Limits::clause_words(len),
        }
        Ok(())
    }

    fn at_most_one(&mut self, lits: &[Lit]) -> Result<(), Capacity> {
        self.limits.store += Limits::at_most_one_words(lits.len());
        Ok(())
    }

    fn at_least(&mut self, terms: &[(i32, Lit)], _degree: i32) -> Result<(), Capacity> {
        // A linear constraint may turn out to be a clause, which takes fewer words but of the other kind.
        self.limits.store += Limits::linear_words(terms.len());
        self.limits.clauses += Limits::clause_words(terms.len());
        Ok(())
    }

    fn order(&mut self, _guard: Lit, earlier: u8, later: u8, strict: bool) -> Result<(), Capacity> {
        self.limits.edges += 1;
        if strict {
            self.sources.insert(earlier);
            self.targets.insert(later);
            self.limits.ticks = 1 + self.sources.len().min(self.targets.len());
        }
        Ok(())
    }
}

/// Sink that adds constraints to a solver.
pub(super) struct SolverSink<'s, 'm> {
    pub(super) solver: &'s mut Solver<'m>,
}

impl ConstraintSink for SolverSink<'_, '_> {
    fn new_var(&mut self) -> Result<Lit, Capacity> {
        self.solver.new_var().map(Var::positive)
    }

    fn new_clocks(&mut self, _count: usize) -> Result<(), Capacity> {
        // A solver has as many as its limits say.
        Ok(())
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

#[cfg(test)]
mod tests {
    use crate::cdcl::MAX_VARS;

    use super::*;

    #[test]
    fn a_count_goes_as_far_as_a_solver() {
        let mut sink = CountingSink::new();
        sink.new_vars(MAX_VARS).unwrap();
        let (what, needed, available) = (Resource::Vars, MAX_VARS + 1, MAX_VARS);
        assert_eq!(sink.new_var(), Err(Capacity { what, needed, available }));
        sink.new_clocks(MAX_CLOCKS).unwrap();
        let (what, needed, available) = (Resource::Clocks, MAX_CLOCKS + 3, MAX_CLOCKS);
        assert_eq!(sink.new_clocks(3), Err(Capacity { what, needed, available }));
        assert_eq!((sink.limits.vars, sink.limits.clocks), (MAX_VARS, MAX_CLOCKS));
    }
}
