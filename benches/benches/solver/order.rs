//! Order: how long does order reasoning take? For every two clocks a variable chooses the order, and so many random
//! clauses restrict the choices that there is no solution.

use std::hint::black_box;
use std::time::{Duration, Instant};

use barrow_core::rng::Rng;
use barrow_solver::cdcl::{Answer, Limits, Lit, Solver, Var};
use criterion::Criterion;

const CLOCKS: u8 = 14;
const PAIRS: usize = CLOCKS as usize * (CLOCKS as usize - 1) / 2;
const LIMITS: Limits = Limits {
    vars: PAIRS,
    clocks: CLOCKS as usize,
    ticks: CLOCKS as usize,
    edges: 2 * PAIRS,
    clauses: 1 << 11,
    store: 1 << 11,
    learnt: 1 << 13,
};

/// A clause of three literals, each the choice of the order of two clocks.
type Clause = [Lit; 3];

fn clauses(seed: u64) -> Vec<Clause> {
    let mut rng = Rng::new(seed);
    let mut lit = || Var::new(rng.below(PAIRS as u32) as usize).expect("few variables").lit(rng.chance(1, 2));
    (0..PAIRS * 5 / 2).map(|_| core::array::from_fn(|_| lit())).collect()
}

fn build<'m>(clauses: &[Clause], memory: &'m mut [u32]) -> Solver<'m> {
    let mut solver = Solver::new(memory, &LIMITS).expect("as many words as the limits need");
    for later in 0..CLOCKS {
        for earlier in 0..later {
            let first = solver.new_var().expect("a variable for each pair").positive();
            solver.add_order(first, earlier, later, true).expect("ample limits");
            solver.add_order(!first, later, earlier, true).expect("ample limits");
        }
    }
    for clause in clauses {
        solver.add_clause(clause).expect("ample limits");
    }
    solver
}

/// Generates twenty problems.
pub(crate) fn order(criterion: &mut Criterion) {
    let problems: Vec<Vec<Clause>> = (1..=20).map(clauses).collect();
    let mut memory = vec![0; LIMITS.words()];
    let mut conflicts = 0;
    for problem in &problems {
        let mut solver = build(problem, &mut memory);
        assert_eq!(solver.solve(&[]), Ok(Answer::Unsat));
        conflicts += solver.statistics().conflicts;
    }
    println!("conflicts per problem: {}", conflicts / problems.len() as u64);
    let mut group = criterion.benchmark_group("order");
    group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    group.bench_function("barrow", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut total = Duration::ZERO;
            for _ in 0..rounds {
                for problem in &problems {
                    let mut solver = build(problem, &mut memory);
                    let start = Instant::now();
                    assert_eq!(black_box(solver.solve(&[])), Ok(Answer::Unsat));
                    total += start.elapsed();
                }
            }
            total / problems.len() as u32
        });
    });
    group.finish();
}
