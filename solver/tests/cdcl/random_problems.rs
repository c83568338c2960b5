//! The solver against brute force: random problems of every kind of constraint, in any order of calls.

use crate::problems::{Constraint, Shape, add, all_hold, check_times, holds, model_of};
use barrow_core::rng::Rng;
use barrow_solver::cdcl::{Answer, Limits, Lit, Solver, Var};
use barrow_testing::rounds;

const VARS: usize = 10;
const CLOCKS: usize = 5;
const SHAPE: Shape = Shape { vars: VARS, clocks: CLOCKS, lits: (1, 4) };

/// Random calls on one solver; every answer is compared with all 1,024 assignments.
fn run(seed: u64, learnt: usize) {
    let mut rng = Rng::new(seed);
    let limits =
        Limits { vars: VARS, clocks: CLOCKS, ticks: CLOCKS, edges: 64, clauses: 4096, store: 16384, learnt };
    let mut memory = vec![u32::MAX; limits.words()];
    let mut solver = Solver::new(&mut memory, &limits).unwrap();
    for _ in 0..VARS {
        solver.new_var().unwrap();
    }
    if seed.is_multiple_of(2) {
        solver.use_cutting_planes(0);
    }
    let mut constraints = Vec::new();
    // The models that are left.
    let mut models: Vec<u64> = (0..1 << VARS).collect();
    for _ in 0..24 {
        if rng.chance(3, 5) {
            let constraint = SHAPE.constraint(&mut rng);
            add(&mut solver, &constraint).unwrap();
            constraints.push(constraint);
            models.retain(|&model| holds(&constraints, CLOCKS, model));
            continue;
        }
        let assumptions = if rng.chance(1, 3) { Vec::new() } else { SHAPE.lits(&mut rng, 4) };
        let preferences = if rng.chance(1, 2) { Vec::new() } else { SHAPE.lits(&mut rng, 6) };
        let can = |lits: &[Lit]| models.iter().any(|&model| all_hold(lits, model));
        let answer = solver.solve_preferring(&assumptions, &preferences, u64::MAX).unwrap();
        let satisfiable = can(&assumptions);
        assert_eq!(answer == Answer::Sat, satisfiable, "seed {seed}: {constraints:?} under {assumptions:?}");
        if satisfiable {
            let model = model_of(&solver, VARS);
            assert!(models.contains(&model) && all_hold(&assumptions, model), "seed {seed}: not a model");
            check_times(&solver, &constraints, CLOCKS, model);
            let mut granted = assumptions.clone();
            for &preference in &preferences {
                granted.push(preference);
                let can = can(&granted);
                assert_eq!(
                    solver.holds(preference),
                    can,
                    "seed {seed}: preference {preference:?} of {preferences:?}"
                );
                if !can {
                    granted.pop();
                }
            }
            if rng.chance(1, 2) {
                let lit = |index| Var::new(index).unwrap().lit(model >> index & 1 == 0);
                let block = Constraint::Clause((0..VARS).map(lit).collect());
                add(&mut solver, &block).unwrap();
                constraints.push(block);
                models.retain(|&other| other != model);
            }
        } else {
            let core: Vec<Lit> = solver.core().collect();
            assert!(core.iter().all(|lit| assumptions.contains(lit)), "seed {seed}: {core:?} not assumed");
            assert!(!can(&core), "seed {seed}: {core:?} does not clash");
        }
    }
}

#[test]
fn every_answer_equals_brute_force() {
    (0..rounds(6_000)).for_each(|seed| run(seed, 4096));
}

#[test]
fn a_tiny_store_of_learnt_clauses_forgets_but_never_lies() {
    (0..rounds(3_000)).for_each(|seed| run(seed, 3 * (VARS + 3)));
}
