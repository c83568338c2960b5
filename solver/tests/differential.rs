//! The solver against an independent one on problems too large for brute force: 20 to 60 variables, every kind of
//! constraint, any order of calls.

mod oracle;
mod problems;

use barrow_core::rng::Rng;
use barrow_solver::cdcl::{Answer, Limits, Lit, Solver, Var};
use oracle::Oracle;
use problems::{Constraint, Shape, add, all_hold, check_times, holds, model_of};

/// How large the problem is, drawn from the seed.
fn shape(rng: &mut Rng) -> Shape {
    let vars = 20 + rng.below(41) as usize;
    Shape { vars, clocks: 2 + rng.below(10) as usize, lits: if rng.chance(1, 2) { (3, 3) } else { (2, 6) } }
}

/// The two solvers, and what they were given.
struct Both<'m> {
    solver: Solver<'m>,
    oracle: Oracle,
    constraints: Vec<Constraint>,
}

impl Both<'_> {
    fn add(&mut self, constraint: Constraint) {
        add(&mut self.solver, &constraint).unwrap();
        self.oracle.add(&constraint);
        self.constraints.push(constraint);
    }
}

/// A problem near the threshold where both answers are likely and neither is found without conflicts.
fn begin(rng: &mut Rng, shape: Shape, both: &mut Both<'_>) {
    let Shape { vars, clocks, .. } = shape;
    let distinct = |rng: &mut Rng, count: usize| {
        let mut lits: Vec<Lit> = Vec::new();
        while lits.len() < count {
            let lit = shape.lit(rng);
            if lits.iter().all(|other| other.var() != lit.var()) {
                lits.push(lit);
            }
        }
        lits
    };
    match rng.below(4) {
        0 => {
            for _ in 0..vars as u32 * (33 + rng.below(10)) / 10 {
                both.add(Constraint::Clause(distinct(rng, 3)));
            }
        }
        // Sums whose degree is about half of what they can reach.
        1 => {
            for _ in 0..vars as u32 * (8 + rng.below(6)) / 10 {
                let count = 4 + rng.below(5) as usize;
                let lits = distinct(rng, count);
                let terms: Vec<_> = lits.into_iter().map(|lit| (1 + rng.below(6) as i32, lit)).collect();
                let degree = terms.iter().map(|(weight, _)| weight).sum::<i32>() * 5 / 8;
                both.add(Constraint::Linear(terms, degree));
            }
        }
        // Every two clocks come one after the other, and clauses say which first.
        2 => {
            let pairs = (0..clocks as u8).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
            for ((earlier, later), index) in pairs.zip(0..vars) {
                let lit = Var::new(index).unwrap().positive();
                both.add(Constraint::Order { guard: lit, earlier, later, strict: rng.chance(1, 2) });
                both.add(Constraint::Order { guard: !lit, earlier: later, later: earlier, strict: true });
            }
            for _ in 0..vars as u32 * (10 + rng.below(15)) / 10 {
                both.add(Constraint::Clause(distinct(rng, 3)));
            }
        }
        _ => {
            for _ in 0..rng.below(40) {
                both.add(shape.constraint(rng));
            }
        }
    }
}

/// Random calls on one solver; every answer is compared with the oracle's.
fn run(seed: u64, learnt: impl Fn(usize) -> usize) {
    let mut rng = Rng::new(seed);
    let shape = shape(&mut rng);
    let Shape { vars, clocks, .. } = shape;
    let limits = Limits { vars, clocks, edges: 512, clauses: 1 << 13, lists: 1 << 15, learnt: learnt(vars) };
    let mut memory = vec![u32::MAX; limits.words()];
    let mut solver = Solver::new(&mut memory, &limits).unwrap();
    for _ in 0..vars {
        solver.new_var().unwrap();
    }
    let mut both = Both { solver, oracle: Oracle::new(vars, clocks), constraints: Vec::new() };
    begin(&mut rng, shape, &mut both);
    for _ in 0..6 + rng.below(6) {
        for _ in 0..rng.below(4) {
            both.add(shape.constraint(&mut rng));
        }
        let assumptions = if rng.chance(1, 3) { Vec::new() } else { shape.lits(&mut rng, 6) };
        let wishes = if rng.chance(1, 2) { Vec::new() } else { shape.lits(&mut rng, 8) };
        let answer = both.solver.solve_wishing(&assumptions, &wishes, u64::MAX).unwrap();
        assert_eq!(
            answer == Answer::Sat,
            both.oracle.can(&assumptions),
            "seed {seed}, under {assumptions:?}"
        );
        if answer == Answer::Sat {
            let model = model_of(&both.solver, vars);
            let is_model = all_hold(&assumptions, model) && holds(&both.constraints, clocks, model);
            assert!(is_model, "seed {seed}: not a model");
            check_times(&both.solver, &both.constraints, clocks, model);
            let mut granted = assumptions;
            for &wish in &wishes {
                granted.push(wish);
                let can = both.oracle.can(&granted);
                assert_eq!(both.solver.holds(wish), can, "seed {seed}: wish {wish:?} of {wishes:?}");
                if !can {
                    granted.pop();
                }
            }
            if rng.chance(1, 2) {
                // A part of the model is blocked, as a caller does who wants another plan.
                let some = (0..vars).filter(|_| rng.chance(1, 2));
                let block = some.map(|index| Var::new(index).unwrap().lit(model >> index & 1 == 0)).collect();
                both.add(Constraint::Clause(block));
            }
        } else {
            let core: Vec<Lit> = both.solver.core().collect();
            assert!(core.iter().all(|lit| assumptions.contains(lit)), "seed {seed}: {core:?} not assumed");
            assert!(!both.oracle.can(&core), "seed {seed}: {core:?} does not clash");
            if core.is_empty() {
                return;
            }
        }
    }
}

#[test]
fn every_answer_equals_the_oracle() {
    (0..14_000).for_each(|seed| run(seed, |_| 1 << 12));
}

#[test]
fn a_tiny_store_of_learnt_clauses_forgets_but_never_lies() {
    (14_000..20_000).for_each(|seed| run(seed, |vars| 2 * (vars + 3)));
}
