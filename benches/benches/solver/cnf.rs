//! Encoding of the problems in clauses, for solvers without native constraints: at-most-ones as ladders (Gent &
//! Nightingale 2004), other sums as decision diagrams (Eén & Sörensson 2006).

use std::collections::HashMap;

use barrow_solver_testing::opb::Problem;

/// Largest number of literals of an at-most-one in pairwise encoding.
const PAIRWISE: usize = 6;

/// A formula in conjunctive normal form over the variables 1, 2, …; those of the problem come first.
pub(crate) struct Cnf {
    pub(crate) vars: usize,
    pub(crate) clauses: Vec<Vec<i32>>,
}

impl Cnf {
    /// Encodes a problem: the models of the formula, cut to the variables of the problem, are its models.
    pub(crate) fn new(problem: &Problem) -> Cnf {
        let mut cnf = Cnf { vars: problem.vars, clauses: Vec::new() };
        for (terms, degree) in &problem.constraints {
            let terms: Vec<(i64, i32)> =
                terms.iter().map(|&(weight, lit)| (i64::from(weight), lit.to_dimacs())).collect();
            cnf.sum(&terms, i64::from(*degree));
        }
        cnf
    }

    fn fresh(&mut self) -> i32 {
        self.vars += 1;
        self.vars as i32
    }

    fn sum(&mut self, terms: &[(i64, i32)], degree: i64) {
        let mut degree = degree;
        let mut positive: Vec<(i64, i32)> = Vec::new();
        for &(weight, lit) in terms {
            degree -= weight.min(0);
            positive.push(if weight < 0 { (-weight, -lit) } else { (weight, lit) });
        }
        let counts = positive.iter().all(|&(weight, _)| weight == 1);
        if degree == 1 {
            self.clauses.push(positive.iter().map(|&(_, lit)| lit).collect());
        } else if counts && degree + 1 == positive.len() as i64 {
            self.at_most_one(&positive.iter().map(|&(_, lit)| -lit).collect::<Vec<_>>());
        } else {
            positive.sort_by_key(|&(weight, _)| -weight);
            match self.reaches(&positive, degree, &mut HashMap::new()) {
                Node::Always => {}
                Node::Never => self.clauses.push(Vec::new()),
                Node::If(lit) => self.clauses.push(vec![lit]),
            }
        }
    }

    fn at_most_one(&mut self, lits: &[i32]) {
        if lits.len() <= PAIRWISE {
            for (index, a) in lits.iter().enumerate() {
                self.clauses.extend(lits[..index].iter().map(|b| vec![-a, -b]));
            }
            return;
        }
        // A step of the ladder is true if one of the literals so far is.
        let mut before: Option<i32> = None;
        for &lit in lits {
            let step = self.fresh();
            self.clauses.push(vec![-lit, step]);
            if let Some(before) = before {
                self.clauses.extend([vec![-before, step], vec![-before, -lit]]);
            }
            before = Some(step);
        }
    }

    fn reaches(
        &mut self,
        terms: &[(i64, i32)],
        degree: i64,
        known: &mut HashMap<(usize, i64), Node>,
    ) -> Node {
        if degree <= 0 {
            return Node::Always;
        }
        let Some((&(weight, lit), rest)) = terms.split_first() else { return Node::Never };
        if let Some(&node) = known.get(&(terms.len(), degree)) {
            return node;
        }
        let with = self.reaches(rest, degree - weight, known);
        let without = self.reaches(rest, degree, known);
        let node = if matches!(with, Node::Never) {
            Node::Never
        } else {
            let node = self.fresh();
            // Where the rest does without the literal it does with it, so the literal is left out there.
            match with {
                Node::If(with) => self.clauses.push(vec![-node, with]),
                Node::Always | Node::Never => {}
            }
            match without {
                Node::If(without) => self.clauses.push(vec![-node, lit, without]),
                Node::Never => self.clauses.push(vec![-node, lit]),
                Node::Always => {}
            }
            Node::If(node)
        };
        known.insert((terms.len(), degree), node);
        node
    }
}

/// Whether the remaining degree of a sum is already reached.
#[derive(Clone, Copy)]
enum Node {
    Always,
    Never,
    If(i32),
}
