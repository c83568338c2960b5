//! An independent solver as the truth: `batsat`, with everything but clauses encoded for it. At-most-ones become
//! pairs, sums become decision diagrams, clocks become thresholds "not before tick v".

use std::collections::HashMap;

use barrow_solver::cdcl::Lit;
use batsat::{BasicSolver, SolverInterface, lbool};

use crate::problems::Constraint;

/// A solver for the same constraints.
pub(crate) struct Oracle {
    solver: BasicSolver,
    vars: Vec<batsat::Var>,
    /// For every clock the variables "not before tick 1", "not before tick 2", …
    times: Vec<Vec<batsat::Var>>,
}

impl Oracle {
    /// With as many ticks as clocks, which suffices: no chain of clocks is longer.
    pub(crate) fn new(vars: usize, clocks: usize) -> Oracle {
        let mut solver = BasicSolver::default();
        let mut fresh =
            |count: usize| -> Vec<batsat::Var> { (0..count).map(|_| solver.new_var_default()).collect() };
        let vars = fresh(vars);
        let times: Vec<_> = (0..clocks).map(|_| fresh(clocks.saturating_sub(1))).collect();
        let mut oracle = Oracle { solver, vars, times };
        for clock in 0..clocks {
            for tick in 2..clocks {
                let (later, earlier) = (oracle.not_before(clock, tick), oracle.not_before(clock, tick - 1));
                oracle.clause([later.map(|lit| !lit), earlier]);
            }
        }
        oracle
    }

    fn lit(&self, lit: Lit) -> batsat::Lit {
        batsat::Lit::new(self.vars[lit.var().index()], lit.is_positive())
    }

    /// "The clock is not before the tick": always for tick 0, `None` when it is beyond the last tick.
    fn not_before(&self, clock: usize, tick: usize) -> Option<batsat::Lit> {
        self.times[clock].get(tick - 1).map(|&var| batsat::Lit::new(var, true))
    }

    /// A clause; a missing literal is false.
    fn clause(&mut self, lits: impl IntoIterator<Item = Option<batsat::Lit>>) {
        let mut lits: Vec<batsat::Lit> = lits.into_iter().flatten().collect();
        self.solver.add_clause_reuse(&mut lits);
    }

    /// Adds a constraint.
    pub(crate) fn add(&mut self, constraint: &Constraint) {
        match constraint {
            Constraint::Clause(lits) => {
                let lits: Vec<_> = lits.iter().map(|&lit| Some(self.lit(lit))).collect();
                self.clause(lits);
            }
            Constraint::AtMostOne(lits) => {
                for (index, &a) in lits.iter().enumerate() {
                    for &b in &lits[..index] {
                        self.clause([Some(!self.lit(a)), Some(!self.lit(b))]);
                    }
                }
            }
            Constraint::Linear(terms, degree) => {
                // With positive coefficients only: c * not(l) is c - c * l.
                let mut need = i64::from(*degree);
                let mut sum = Vec::new();
                for &(weight, lit) in terms {
                    need -= i64::from(weight.min(0));
                    let lit = self.lit(lit);
                    sum.push((i64::from(weight.abs()), if weight < 0 { !lit } else { lit }));
                }
                sum.sort_by_key(|&(weight, _)| -weight);
                let top = self.diagram(&sum, need, &mut HashMap::new());
                match top {
                    Node::Met => {}
                    Node::Missed => self.clause([]),
                    Node::When(lit) => self.clause([Some(lit)]),
                }
            }
            Constraint::Order { guard, earlier, later, strict } => {
                let guard = Some(!self.lit(*guard));
                let (earlier, later) = (usize::from(*earlier), usize::from(*later));
                if *strict {
                    let first = self.not_before(later, 1);
                    self.clause([guard, first]);
                }
                for tick in 1..self.times.len() {
                    let before = self.not_before(earlier, tick).map(|lit| !lit);
                    let after = self.not_before(later, tick + usize::from(*strict));
                    self.clause([guard, before, after]);
                }
            }
        }
    }

    /// The literal that implies that the terms reach what is needed.
    fn diagram(
        &mut self,
        terms: &[(i64, batsat::Lit)],
        need: i64,
        known: &mut HashMap<(usize, i64), Node>,
    ) -> Node {
        if need <= 0 {
            return Node::Met;
        }
        let Some((&(weight, lit), rest)) = terms.split_first() else { return Node::Missed };
        if let Some(&node) = known.get(&(terms.len(), need)) {
            return node;
        }
        let with = self.diagram(rest, need - weight, known);
        let without = self.diagram(rest, need, known);
        let node = if let (Node::Missed, Node::Missed) = (with, without) {
            Node::Missed
        } else {
            let node = batsat::Lit::new(self.solver.new_var_default(), true);
            for (branch, taken) in [(with, lit), (without, !lit)] {
                match branch {
                    Node::Met => {}
                    Node::Missed => self.clause([Some(!node), Some(!taken)]),
                    Node::When(lit) => self.clause([Some(!node), Some(!taken), Some(lit)]),
                }
            }
            Node::When(node)
        };
        known.insert((terms.len(), need), node);
        node
    }

    /// Whether the literals can hold together with all constraints.
    pub(crate) fn can(&mut self, assumptions: &[Lit]) -> bool {
        let assumptions: Vec<_> = assumptions.iter().map(|&lit| self.lit(lit)).collect();
        self.solver.solve_limited(&assumptions) == lbool::TRUE
    }
}

/// Knowledge about the rest of a sum.
#[derive(Clone, Copy)]
enum Node {
    Met,
    Missed,
    When(batsat::Lit),
}
