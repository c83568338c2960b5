//! The solver against an independent one on problems too large for brute force: 20 to 60 variables, every kind of
//! constraint, any order of calls.

use crate::oracle::Oracle;
use crate::problems::{Constraint, Shape, add, all_hold, check_times, holds, model_of};
use barrow_core::rng::Rng;
use barrow_solver::cdcl::{Answer, Limits, Lit, Solver, Var};
use barrow_testing::rounds;

/// Size of the problem, drawn from the seed.
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

/// Random calls on one solver; every answer is compared with the oracle's.
fn run(seed: u64, learnt: impl Fn(usize) -> usize) {
    let mut rng = Rng::new(seed);
    let shape = shape(&mut rng);
    let Shape { vars, clocks, .. } = shape;
    let limits = Limits {
        vars,
        clocks,
        ticks: clocks,
        edges: 512,
        clauses: 1 << 13,
        store: 1 << 15,
        learnt: learnt(vars),
    };
    let mut memory = vec![u32::MAX; limits.words()];
    let mut solver = Solver::new(&mut memory, &limits).unwrap();
    for _ in 0..vars {
        solver.new_var().unwrap();
    }
    if seed.is_multiple_of(2) {
        solver.use_cutting_planes(0);
    }
    let mut both = Both { solver, oracle: Oracle::new(vars, clocks), constraints: Vec::new() };
    shape.problem(&mut rng).into_iter().for_each(|constraint| both.add(constraint));
    for _ in 0..6 + rng.below(6) {
        for _ in 0..rng.below(4) {
            both.add(shape.constraint(&mut rng));
        }
        let assumptions = if rng.chance(1, 3) { Vec::new() } else { shape.lits(&mut rng, 6) };
        let preferences = if rng.chance(1, 2) { Vec::new() } else { shape.lits(&mut rng, 8) };
        let answer = both.solver.solve_preferring(&assumptions, &preferences, u64::MAX).unwrap();
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
            for &preference in &preferences {
                granted.push(preference);
                let can = both.oracle.can(&granted);
                assert_eq!(
                    both.solver.holds(preference),
                    can,
                    "seed {seed}: preference {preference:?} of {preferences:?}"
                );
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
    (0..rounds(14_000)).for_each(|seed| run(seed, |_| 1 << 12));
}

#[test]
fn a_tiny_store_of_learnt_clauses_forgets_but_never_lies() {
    (14_000..14_000 + rounds(6_000)).for_each(|seed| run(seed, |vars| 2 * (vars + 3)));
}

/// Wishes that cannot be kept are asserted all the same: no answer takes forever.
#[test]
fn without_a_store_for_learnt_clauses_every_search_ends() {
    (20_000..20_000 + rounds(2_000)).for_each(|seed| run(seed, |_| 0));
}
