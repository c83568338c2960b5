//! Interface shared by all solvers of the comparison.

use barrow_solver::cdcl::{Answer, Limits, Lit, Solver};
use varisat::ExtendFormula;

use crate::cnf::Cnf;
use barrow_solver_testing::opb::Problem;

/// A solver of the comparison; literals are numbers as in the DIMACS format.
pub(crate) trait Ask {
    /// Whether the formula is satisfiable under assumptions.
    fn solve(&mut self, assumptions: &[i32]) -> bool;
    /// Whether a literal is true in the last model.
    fn holds(&self, lit: i32) -> bool;
    /// Adds a clause.
    fn clause(&mut self, lits: &[i32]);
}

/// Solves a prophecy preference by preference: keeps each preference that is satisfiable together with those kept so far. Returns a digit
/// per preference, 1 for a kept one.
pub(crate) fn prophecy(solver: &mut impl Ask, preferences: &[i32]) -> String {
    let mut kept = Vec::new();
    let mut digits = String::new();
    for &preference in preferences {
        kept.push(preference);
        if solver.solve(&kept) {
            digits.push('1');
        } else {
            digits.push('0');
            kept.pop();
        }
    }
    digits
}

/// Blocks the values of some variables in the last model and solves again, up to `times` times. Returns the number of
/// models found.
pub(crate) fn next_models(solver: &mut impl Ask, vars: &[i32], times: usize) -> usize {
    let mut found = 0;
    while found < times {
        let block: Vec<i32> = vars.iter().map(|&var| if solver.holds(var) { -var } else { var }).collect();
        solver.clause(&block);
        if !solver.solve(&[]) {
            break;
        }
        found += 1;
    }
    found
}

/// Barrow's solver, with buffers for literals.
pub(crate) struct Barrow<'m> {
    pub(crate) solver: Solver<'m>,
    lits: Vec<Lit>,
}

/// Returns limits with ample memory for a problem.
pub(crate) fn limits(problem: &Problem) -> Limits {
    Limits {
        vars: problem.vars,
        clocks: 0,
        ticks: 0,
        edges: 0,
        clauses: 1 << 15,
        store: 1 << 15,
        learnt: 1 << 13,
    }
}

impl<'m> Barrow<'m> {
    pub(crate) fn new(problem: &Problem, memory: &'m mut [u32]) -> Self {
        let mut solver = Solver::new(memory, &limits(problem)).expect("as many words as the limits need");
        problem.fill(&mut solver).expect("ample limits");
        Barrow { solver, lits: Vec::new() }
    }

    /// Solves a prophecy in one search, with the preferences as first decisions.
    pub(crate) fn prefer(&mut self, preferences: &[Lit]) -> bool {
        self.solver.solve_preferring(&[], preferences, u64::MAX) == Ok(Answer::Sat)
    }
}

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("a variable of the problem")
}

impl Ask for Barrow<'_> {
    fn solve(&mut self, assumptions: &[i32]) -> bool {
        self.lits.clear();
        self.lits.extend(assumptions.iter().map(|&number| lit(number)));
        self.solver.solve(&self.lits) == Ok(Answer::Sat)
    }

    fn holds(&self, number: i32) -> bool {
        self.solver.holds(lit(number))
    }

    fn clause(&mut self, lits: &[i32]) {
        self.lits.clear();
        self.lits.extend(lits.iter().map(|&number| lit(number)));
        self.solver.add_clause(&self.lits).expect("ample limits");
    }
}

/// Another solver, which takes clauses.
pub(crate) trait Peer: Ask + Sized {
    /// Creates a solver without clauses.
    fn new(vars: usize) -> Self;

    /// Creates a solver with the clauses of a formula.
    fn with(cnf: &Cnf) -> Self {
        let mut solver = Self::new(cnf.vars);
        for clause in &cnf.clauses {
            solver.clause(clause);
        }
        solver
    }
}

/// The solver Varisat.
pub(crate) struct Varisat {
    solver: varisat::Solver<'static>,
    model: Vec<bool>,
}

impl Peer for Varisat {
    fn new(vars: usize) -> Self {
        Varisat { solver: varisat::Solver::new(), model: vec![false; vars] }
    }
}

impl Ask for Varisat {
    fn solve(&mut self, assumptions: &[i32]) -> bool {
        let lits: Vec<varisat::Lit> =
            assumptions.iter().map(|&number| varisat::Lit::from_dimacs(number as isize)).collect();
        self.solver.assume(&lits);
        let found = self.solver.solve().expect("no limit is set");
        for lit in self.solver.model().into_iter().flatten() {
            if let Some(value) = self.model.get_mut(lit.var().index()) {
                *value = lit.is_positive();
            }
        }
        found
    }

    fn holds(&self, lit: i32) -> bool {
        self.model[lit.unsigned_abs() as usize - 1] == (lit > 0)
    }

    fn clause(&mut self, lits: &[i32]) {
        let lits: Vec<varisat::Lit> =
            lits.iter().map(|&number| varisat::Lit::from_dimacs(number as isize)).collect();
        self.solver.add_clause(&lits);
    }
}

/// The solver BatSat, a port of MiniSat.
pub(crate) struct Batsat {
    solver: batsat::BasicSolver,
    vars: Vec<batsat::Var>,
}

impl Batsat {
    fn lit(&self, number: i32) -> batsat::Lit {
        batsat::Lit::new(self.vars[number.unsigned_abs() as usize - 1], number > 0)
    }
}

impl Peer for Batsat {
    fn new(vars: usize) -> Self {
        let mut solver = batsat::BasicSolver::default();
        let vars = (0..vars).map(|_| batsat::SolverInterface::new_var_default(&mut solver)).collect();
        Batsat { solver, vars }
    }
}

impl Ask for Batsat {
    fn solve(&mut self, assumptions: &[i32]) -> bool {
        let lits: Vec<batsat::Lit> = assumptions.iter().map(|&number| self.lit(number)).collect();
        batsat::SolverInterface::solve_limited(&mut self.solver, &lits) == batsat::lbool::TRUE
    }

    fn holds(&self, lit: i32) -> bool {
        batsat::SolverInterface::value_lit(&self.solver, self.lit(lit)) == batsat::lbool::TRUE
    }

    fn clause(&mut self, lits: &[i32]) {
        let mut lits: Vec<batsat::Lit> = lits.iter().map(|&number| self.lit(number)).collect();
        batsat::SolverInterface::add_clause_reuse(&mut self.solver, &mut lits);
    }
}

/// The solver CaDiCaL, behind the feature `cadical`, since it takes minutes to compile.
#[cfg(feature = "cadical")]
impl Peer for cadical::Solver {
    fn new(_vars: usize) -> Self {
        cadical::Solver::new()
    }
}

#[cfg(feature = "cadical")]
impl Ask for cadical::Solver {
    fn solve(&mut self, assumptions: &[i32]) -> bool {
        self.solve_with(assumptions.iter().copied()) == Some(true)
    }

    fn holds(&self, lit: i32) -> bool {
        self.value(lit) == Some(true)
    }

    fn clause(&mut self, lits: &[i32]) {
        self.add_clause(lits.iter().copied());
    }
}
