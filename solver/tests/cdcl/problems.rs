//! Constraints as data: random ones, and what it means that a model fulfils them.

use barrow_core::rng::Rng;
use barrow_solver::cdcl::{Capacity, Lit, Solver, Var};

/// Constraint of a problem.
#[derive(Clone, Debug)]
pub(crate) enum Constraint {
    /// At least one holds.
    Clause(Vec<Lit>),
    /// At most one holds.
    AtMostOne(Vec<Lit>),
    /// The coefficients of those that hold add up to the degree or more.
    Linear(Vec<(i32, Lit)>, i32),
    /// When the guard holds, `later` is not before `earlier`, or after it if `strict`.
    Order { guard: Lit, earlier: u8, later: u8, strict: bool },
}

/// Whether a literal holds in a model, which has a bit per variable.
pub(crate) fn lit_holds(lit: Lit, model: u64) -> bool {
    (model >> lit.var().index() & 1 == 1) == lit.is_positive()
}

/// Whether all literals hold.
pub(crate) fn all_hold(lits: &[Lit], model: u64) -> bool {
    lits.iter().all(|&lit| lit_holds(lit, model))
}

/// The slow reading: counts, sums, and longest ways by relaxation.
pub(crate) fn holds(constraints: &[Constraint], clocks: usize, model: u64) -> bool {
    let simple = constraints.iter().all(|constraint| match constraint {
        Constraint::Clause(lits) => lits.iter().any(|&lit| lit_holds(lit, model)),
        Constraint::AtMostOne(lits) => lits.iter().filter(|&&lit| lit_holds(lit, model)).count() <= 1,
        Constraint::Linear(terms, degree) => {
            let held = terms.iter().filter(|(_, lit)| lit_holds(*lit, model));
            held.map(|(weight, _)| weight).sum::<i32>() >= *degree
        }
        Constraint::Order { .. } => true,
    });
    if !simple {
        return false;
    }
    let mut times = vec![0usize; clocks];
    // Without a strict cycle no clock is lifted more than clocks - 1 times; with one, some clock is in each round.
    loop {
        let mut changed = false;
        for constraint in constraints {
            if let Constraint::Order { guard, earlier, later, strict } = *constraint
                && lit_holds(guard, model)
            {
                let least = times[usize::from(earlier)] + usize::from(strict);
                if times[usize::from(later)] < least {
                    times[usize::from(later)] = least;
                    changed = true;
                }
            }
        }
        if times.iter().any(|&time| time >= clocks) {
            return false;
        }
        if !changed {
            return true;
        }
    }
}

/// Gives a constraint to the solver.
pub(crate) fn add(solver: &mut Solver<'_>, constraint: &Constraint) -> Result<(), Capacity> {
    match constraint {
        Constraint::Clause(lits) => solver.add_clause(lits),
        Constraint::AtMostOne(lits) => solver.add_at_most_one(lits),
        Constraint::Linear(terms, degree) => solver.add_linear(terms, *degree),
        Constraint::Order { guard, earlier, later, strict } => {
            solver.add_order(*guard, *earlier, *later, *strict)
        }
    }
}

/// The solver's model, a bit per variable.
pub(crate) fn model_of(solver: &Solver<'_>, vars: usize) -> u64 {
    (0..vars).fold(0, |model, index| {
        let holds = Var::new(index).is_some_and(|var| solver.holds(var.positive()));
        model | u64::from(holds) << index
    })
}

/// Fails when the solver's times contradict an order constraint that is in force.
pub(crate) fn check_times(solver: &Solver<'_>, constraints: &[Constraint], clocks: usize, model: u64) {
    let mut times = vec![0; clocks];
    solver.times(&mut times);
    for constraint in constraints {
        if let Constraint::Order { guard, earlier, later, strict } = *constraint
            && lit_holds(guard, model)
        {
            assert!(times[usize::from(later)] >= times[usize::from(earlier)] + u8::from(strict));
        }
    }
}

/// Mixture of random constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) vars: usize,
    pub(crate) clocks: usize,
    /// Literals of a clause: at least and at most. Sums have up to twice as many terms.
    pub(crate) lits: (u32, u32),
}

impl Shape {
    pub(crate) fn lit(&self, rng: &mut Rng) -> Lit {
        Var::new(rng.below(self.vars as u32) as usize).expect("few variables").lit(rng.chance(1, 2))
    }

    /// At least one literal, repetitions and contradictions included.
    pub(crate) fn lits(&self, rng: &mut Rng, most: u32) -> Vec<Lit> {
        (0..=rng.below(most)).map(|_| self.lit(rng)).collect()
    }

    pub(crate) fn clause(&self, rng: &mut Rng) -> Constraint {
        let (least, most) = self.lits;
        Constraint::Clause((0..least + rng.below(most + 1 - least)).map(|_| self.lit(rng)).collect())
    }

    /// Any kind of constraint.
    pub(crate) fn constraint(&self, rng: &mut Rng) -> Constraint {
        match rng.below(8) {
            0..3 => self.clause(rng),
            3 => Constraint::AtMostOne(self.lits(rng, self.lits.1 + 1)),
            4 | 5 => {
                let count = 1 + rng.below(2 * self.lits.1);
                let terms = (0..count).map(|_| (rng.below(9) as i32 - 2, self.lit(rng))).collect();
                Constraint::Linear(terms, rng.below(10) as i32 - 2)
            }
            _ => Constraint::Order {
                guard: self.lit(rng),
                earlier: rng.below(self.clocks as u32) as u8,
                later: rng.below(self.clocks as u32) as u8,
                strict: rng.chance(1, 2),
            },
        }
    }

    /// Literals of different variables.
    fn distinct(&self, rng: &mut Rng, count: usize) -> Vec<Lit> {
        let mut lits: Vec<Lit> = Vec::new();
        while lits.len() < count {
            let lit = self.lit(rng);
            if lits.iter().all(|other| other.var() != lit.var()) {
                lits.push(lit);
            }
        }
        lits
    }

    /// A problem near the threshold where both answers are likely and neither is found without conflicts.
    pub(crate) fn problem(&self, rng: &mut Rng) -> Vec<Constraint> {
        let tenths = |rng: &mut Rng, least: u32, more: u32| self.vars as u32 * (least + rng.below(more)) / 10;
        let triples = |rng: &mut Rng, count: u32| -> Vec<Constraint> {
            (0..count).map(|_| Constraint::Clause(self.distinct(rng, 3))).collect()
        };
        match rng.below(4) {
            0 => {
                let count = tenths(rng, 33, 10);
                triples(rng, count)
            }
            // Sums whose degree is somewhat more than half of what they can reach.
            1 => {
                let count = tenths(rng, 8, 6);
                let sum = |_| {
                    let count = 4 + rng.below(5) as usize;
                    let lits = self.distinct(rng, count);
                    let terms: Vec<_> = lits.into_iter().map(|lit| (1 + rng.below(6) as i32, lit)).collect();
                    let degree = terms.iter().map(|(weight, _)| weight).sum::<i32>() * 5 / 8;
                    Constraint::Linear(terms, degree)
                };
                (0..count).map(sum).collect()
            }
            // Every two clocks come one after the other, and clauses say which first.
            2 => {
                let pairs =
                    (0..self.clocks as u8).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
                let mut constraints = Vec::new();
                for ((earlier, later), index) in pairs.zip(0..self.vars) {
                    let guard = Var::new(index).expect("few variables").positive();
                    let strict = rng.chance(1, 2);
                    constraints.push(Constraint::Order { guard, earlier, later, strict });
                    let (earlier, later) = (later, earlier);
                    constraints.push(Constraint::Order { guard: !guard, earlier, later, strict: true });
                }
                let count = tenths(rng, 10, 15);
                constraints.extend(triples(rng, count));
                constraints
            }
            _ => (0..rng.below(40)).map(|_| self.constraint(rng)).collect(),
        }
    }
}
