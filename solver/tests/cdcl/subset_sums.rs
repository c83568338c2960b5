//! Equations over the same variables, each as two sums: problems of nothing but long linear constraints, from which cutting
//! planes learn. With the feature `check` every implication that is missed is found.

use barrow_core::rng::Rng;
use barrow_solver::cdcl::{Answer, Budget, Limits, Lit, Solver, Var};
use barrow_testing::rounds;

#[cfg(feature = "proof")]
use crate::proofs::{Folder, Proof, has_checker};

/// Terms, and their sum.
type Equation = (Vec<(i32, Lit)>, i32);

fn lit(number: i32) -> Lit {
    Var::new(number.unsigned_abs() as usize - 1).unwrap().lit(number > 0)
}

/// An equation of coefficients and numbers of literals.
fn equation(terms: &[(i32, i32)], sum: i32) -> Equation {
    (terms.iter().map(|&(coefficient, number)| (coefficient, lit(number))).collect(), sum)
}

/// A random equation of some of the variables.
fn random_equation(rng: &mut Rng, vars: i32, largest: u32) -> Equation {
    let mut terms = Vec::new();
    for var in 1..=vars {
        if rng.chance(4, 5) {
            let sign = if rng.chance(1, 2) { 1 } else { -1 };
            terms.push((1 + rng.below(largest) as i32, sign * var));
        }
    }
    let some: i32 = terms.iter().map(|term| term.0).filter(|_| rng.chance(1, 2)).sum();
    equation(&terms, some)
}

fn add((terms, sum): &Equation, solver: &mut Solver<'_>) {
    for sign in [1, -1] {
        let terms: Vec<(i32, Lit)> =
            terms.iter().map(|&(coefficient, lit)| (sign * coefficient, lit)).collect();
        solver.add_linear(&terms, sign * sum).unwrap();
    }
}

/// Sum that the terms of an equation reach under an assignment, a bit for each variable.
fn reached(assignment: u64, (terms, _): &Equation) -> i32 {
    let holds = |lit: Lit| ((assignment >> lit.var().index()) & 1 == 1) == lit.is_positive();
    terms.iter().filter(|term| holds(term.1)).map(|term| term.0).sum()
}

const fn limits(vars: usize, store: usize) -> Limits {
    Limits { vars, clocks: 0, ticks: 0, edges: 0, clauses: 400, store, learnt: 0 }
}

fn memory(limits: &Limits) -> Vec<u32> {
    vec![u32::MAX; limits.words()]
}

/// A solver that learns by cutting planes only.
fn solver_in<'m>(memory: &'m mut [u32], limits: &Limits, vars: usize) -> Solver<'m> {
    let mut solver = Solver::new(memory, limits).unwrap();
    for _ in 0..vars {
        solver.new_var().unwrap();
    }
    solver.use_cutting_planes(0);
    solver
}

/// Equations that made a constraint imply nothing at one level of the trail and something at a lower one.
fn two_equations() -> [Equation; 2] {
    let of = |coefficients: [i32; 14], sum| {
        let terms: Vec<(i32, i32)> = coefficients.into_iter().zip(1..).collect();
        equation(&terms, sum)
    };
    [
        of([3209, 2925, 3045, 2680, 2123, 4068, 2147, 3563, 1253, 1983, 1557, 898, 4953, 4855], 18059),
        of([2504, 1336, 2953, 895, 4901, 2134, 2869, 3733, 4951, 2146, 1876, 4885, 3914, 4307], 19097),
    ]
}

#[test]
fn searches_in_pieces_find_what_trying_all_assignments_finds() {
    let mut answers = [0; 2];
    for seed in 0..rounds(200) {
        let mut rng = Rng::new(seed);
        let equations =
            if seed == 0 { two_equations() } else { [(); 2].map(|()| random_equation(&mut rng, 14, 5_000)) };
        let mut equations = equations;
        if seed % 2 == 1 {
            // The second has a solution that the first has, too.
            for equation in &mut equations {
                equation.1 = reached(seed * 40_503, equation);
            }
        }
        let solves = |all| equations.iter().all(|equation| reached(all, equation) == equation.1);
        let possible = (0..1 << 14).any(solves);
        for store in [260, 400, 20_000] {
            let limits = limits(16, store);
            let mut memory = memory(&limits);
            let mut solver = solver_in(&mut memory, &limits, 14);
            for equation in &equations {
                add(equation, &mut solver);
            }
            let one = solver.solve_within(&[lit(9)], &[], Budget::conflicts(2_000)).unwrap();
            if one == Answer::Unsat {
                let core: Vec<Lit> = solver.core().collect();
                assert_eq!(solver.solve(&core), Ok(Answer::Unsat), "seed {seed}");
            }
            let mut answer = Answer::Unknown;
            for _ in 0..400 {
                if answer == Answer::Unknown {
                    answer = solver.solve_within(&[], &[], Budget::conflicts(7)).unwrap();
                }
            }
            if answer == Answer::Unknown {
                answer = solver.solve(&[]).unwrap();
            }
            assert_eq!(answer == Answer::Sat, possible, "seed {seed}, {store} words");
            answers[usize::from(possible)] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count >= 6) || rounds(200) < 200, "{answers:?}");
}

/// Facts true and false in one constraint: what is logged must be what is stored, however much each is lowered.
#[cfg(feature = "proof")]
#[test]
fn refutations_with_facts_in_sums_are_accepted() {
    if !has_checker() {
        return;
    }
    let folder = Folder::new("subset_sums");
    let a = [
        (7, -1),
        (16, -2),
        (16, -3),
        (22, 4),
        (16, 7),
        (17, -9),
        (21, -11),
        (2, 12),
        (39, 13),
        (40, -14),
        (32, 16),
    ];
    let b = [
        (5, -1),
        (34, -4),
        (14, 5),
        (26, -6),
        (7, 7),
        (1, -9),
        (38, 10),
        (30, -11),
        (19, -12),
        (36, -13),
        (35, 14),
        (31, 15),
        (9, -16),
    ];
    let known = (vec![lit(-12), lit(-7), lit(14)], [equation(&a, 139), equation(&b, 136)]);
    let mut refuted = 0;
    for seed in 0..rounds(600) {
        let mut rng = Rng::new(seed);
        let vars = 16;
        let (facts, equations) = if seed == 0 {
            known.clone()
        } else {
            let facts: Vec<Lit> = (1..=vars)
                .filter(|_| rng.chance(1, 6))
                .map(|var| lit(if seed % 2 == 0 { var } else { -var }))
                .collect();
            (facts, [(); 2].map(|()| random_equation(&mut rng, vars, 40)))
        };
        let mut proof = Proof::default();
        let limits = limits(vars as usize, 40_000);
        let mut memory = memory(&limits);
        let mut solver = solver_in(&mut memory, &limits, vars as usize);
        solver.prove(&mut proof.problem, &mut proof.steps);
        for &fact in &facts {
            solver.add_clause(&[fact]).unwrap();
        }
        for equation in &equations {
            add(equation, &mut solver);
        }
        refuted += u32::from(solver.solve(&[]).unwrap() == Answer::Unsat);
        solver.conclude().unwrap();
        folder.check(&proof).unwrap_or_else(|complaint| panic!("seed {seed}: {complaint}"));
    }
    assert!(refuted > 50 || rounds(600) < 600, "{refuted}");
}

/// A coefficient without an absolute value of its type, on a fact: it is taken off in full.
#[cfg(feature = "proof")]
#[test]
fn the_least_coefficient_on_a_fact_is_logged_in_full() {
    let folder = has_checker().then(|| Folder::new("least_coefficient"));
    for fact in [1, -1] {
        let mut proof = Proof::default();
        let limits = limits(4, 400);
        let mut memory = memory(&limits);
        let mut solver = solver_in(&mut memory, &limits, 4);
        solver.prove(&mut proof.problem, &mut proof.steps);
        solver.add_clause(&[lit(fact)]).unwrap();
        let rest = if fact > 0 { i32::MIN + 2 } else { 2 };
        solver.add_linear(&[(i32::MIN, lit(1)), (1, lit(2)), (1, lit(3)), (1, lit(4))], rest).unwrap();
        for number in [-2, -3] {
            solver.add_clause(&[lit(number), lit(-4)]).unwrap();
        }
        solver.add_clause(&[lit(-2), lit(-3)]).unwrap();
        assert_eq!(solver.solve(&[]), Ok(Answer::Unsat));
        solver.conclude().unwrap();
        if let Some(folder) = &folder {
            folder.check(&proof).unwrap();
        }
    }
}
