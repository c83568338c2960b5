//! The solver against brute force: random problems of every kind of constraint, in any order of calls.

use barrow_core::rng::Rng;
use barrow_solver::cdcl::{Answer, Limits, Lit, Solver, Var};

const VARS: usize = 10;
const CLOCKS: usize = 5;

#[derive(Clone, Debug)]
enum Constraint {
    Clause(Vec<Lit>),
    AtMostOne(Vec<Lit>),
    Linear(Vec<(i32, Lit)>, i32),
    Order { guard: Lit, earlier: u8, later: u8, strict: bool },
}

fn lit_holds(lit: Lit, model: u32) -> bool {
    (model >> lit.var().index() & 1 == 1) == lit.is_positive()
}

/// The slow reading: counts, sums, and longest ways by relaxation.
fn holds(constraints: &[Constraint], model: u32) -> bool {
    let simple = constraints.iter().all(|constraint| match constraint {
        Constraint::Clause(lits) => lits.iter().any(|&lit| lit_holds(lit, model)),
        Constraint::AtMostOne(lits) => lits.iter().filter(|&&lit| lit_holds(lit, model)).count() <= 1,
        Constraint::Linear(terms, degree) => {
            let held = terms.iter().filter(|(_, lit)| lit_holds(*lit, model));
            held.map(|(weight, _)| weight).sum::<i32>() >= *degree
        }
        Constraint::Order { .. } => true,
    });
    let mut times = [0usize; CLOCKS];
    // A strict cycle lifts its clocks by at least one every CLOCKS rounds, so this many end above any bound.
    for _ in 0..=CLOCKS * CLOCKS {
        for constraint in constraints {
            if let Constraint::Order { guard, earlier, later, strict } = *constraint
                && lit_holds(guard, model)
            {
                let least = times[usize::from(earlier)] + usize::from(strict);
                times[usize::from(later)] = times[usize::from(later)].max(least);
            }
        }
    }
    simple && times.iter().all(|&time| time < CLOCKS)
}

fn random_lit(rng: &mut Rng) -> Lit {
    Var::new(rng.below(VARS as u32) as usize).unwrap().lit(rng.chance(1, 2))
}

fn random_lits(rng: &mut Rng, most: u32) -> Vec<Lit> {
    (0..=rng.below(most)).map(|_| random_lit(rng)).collect()
}

fn random_constraint(rng: &mut Rng) -> Constraint {
    match rng.below(8) {
        0..3 => Constraint::Clause(random_lits(rng, 4)),
        3 => Constraint::AtMostOne(random_lits(rng, 5)),
        4 | 5 => {
            let terms: Vec<_> =
                (0..=rng.below(6)).map(|_| (rng.below(9) as i32 - 2, random_lit(rng))).collect();
            let degree = rng.below(10) as i32 - 2;
            Constraint::Linear(terms, degree)
        }
        _ => Constraint::Order {
            guard: random_lit(rng),
            earlier: rng.below(CLOCKS as u32) as u8,
            later: rng.below(CLOCKS as u32) as u8,
            strict: rng.chance(1, 2),
        },
    }
}

fn add(solver: &mut Solver<'_>, constraint: &Constraint) {
    match constraint {
        Constraint::Clause(lits) => solver.add_clause(lits),
        Constraint::AtMostOne(lits) => solver.add_at_most_one(lits),
        Constraint::Linear(terms, degree) => solver.add_linear(terms, *degree),
        Constraint::Order { guard, earlier, later, strict } => {
            solver.add_order(*guard, *earlier, *later, *strict)
        }
    }
    .unwrap();
}

/// Random calls on one solver; every answer is compared with all 1,024 assignments.
fn run(seed: u64, learnt: usize) {
    let mut rng = Rng::new(seed);
    let limits = Limits { vars: VARS, clocks: CLOCKS, edges: 64, clauses: 4096, lists: 16384, learnt };
    let mut memory = vec![u32::MAX; limits.words()];
    let mut solver = Solver::new(&mut memory, &limits).unwrap();
    for _ in 0..VARS {
        solver.new_var().unwrap();
    }
    let mut constraints = Vec::new();
    for _ in 0..24 {
        if rng.chance(3, 5) {
            let constraint = random_constraint(&mut rng);
            add(&mut solver, &constraint);
            constraints.push(constraint);
            continue;
        }
        let assumptions = if rng.chance(1, 3) { Vec::new() } else { random_lits(&mut rng, 4) };
        let meets = |lits: &[Lit], model: u32| lits.iter().all(|&lit| lit_holds(lit, model));
        let wishes = if rng.chance(1, 2) { Vec::new() } else { random_lits(&mut rng, 6) };
        let answer = solver.solve_wishing(&assumptions, &wishes, u64::MAX).unwrap();
        let satisfiable =
            (0..1u32 << VARS).any(|model| meets(&assumptions, model) && holds(&constraints, model));
        assert_eq!(answer == Answer::Sat, satisfiable, "seed {seed}: {constraints:?} under {assumptions:?}");
        if satisfiable {
            let lit = |index| Var::new(index).unwrap().positive();
            let model =
                (0..VARS).fold(0, |model, index| model | u32::from(solver.holds(lit(index))) << index);
            assert!(meets(&assumptions, model) && holds(&constraints, model), "seed {seed}: not a model");
            check_times(&solver, &constraints, model);
            let mut granted = assumptions.clone();
            for &wish in &wishes {
                granted.push(wish);
                let can = (0..1u32 << VARS).any(|model| meets(&granted, model) && holds(&constraints, model));
                assert_eq!(solver.holds(wish), can, "seed {seed}: wish {wish:?} of {wishes:?}");
                if !can {
                    granted.pop();
                }
            }
            if rng.chance(1, 2) {
                let block: Vec<Lit> =
                    (0..VARS).map(|index| Var::new(index).unwrap().lit(!solver.holds(lit(index)))).collect();
                add(&mut solver, &Constraint::Clause(block.clone()));
                constraints.push(Constraint::Clause(block));
            }
        } else {
            let core: Vec<Lit> = solver.core().collect();
            assert!(core.iter().all(|lit| assumptions.contains(lit)), "seed {seed}: {core:?} not assumed");
            let clash = !(0..1u32 << VARS).any(|model| meets(&core, model) && holds(&constraints, model));
            assert!(clash, "seed {seed}: {core:?} does not clash");
        }
    }
}

fn check_times(solver: &Solver<'_>, constraints: &[Constraint], model: u32) {
    let mut times = [0; CLOCKS];
    solver.times(&mut times);
    for constraint in constraints {
        if let Constraint::Order { guard, earlier, later, strict } = *constraint
            && lit_holds(guard, model)
        {
            assert!(times[usize::from(later)] >= times[usize::from(earlier)] + u8::from(strict));
        }
    }
}

#[test]
fn every_answer_equals_brute_force() {
    (0..6_000).for_each(|seed| run(seed, 4096));
}

#[test]
fn a_tiny_store_of_learnt_clauses_forgets_but_never_lies() {
    (0..3_000).for_each(|seed| run(seed, 3 * (VARS + 3)));
}
