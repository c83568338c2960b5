//! Signatures of whole runs: "equal seed and budget give an equal turn on every target" holds for every step of a search,
//! so answers, models, cores, times, counters, words in use and refusals are known numbers. They change when a heuristic
//! does, and then the new ones are written down; on another target, or without such a change, they never do.

use barrow_core::rng::Rng;
use barrow_solver::cdcl::{Answer, Budget, Group, Limits, Lit, Solver, Var};
use barrow_testing::Signature;

use crate::problems::{Constraint, Shape, add};

/// Mixes in everything that can be asked of a solver after an answer.
fn mix_state(signature: &mut Signature, solver: &Solver<'_>, limits: &Limits) {
    signature.mix((solver.statistics(), solver.used_words()));
    let lits = (0..limits.vars).map(|index| Var::new(index).unwrap().positive());
    signature.mix(lits.map(|lit| (solver.value(lit), solver.is_kept(lit))).collect::<Vec<_>>());
    signature.mix(solver.core().collect::<Vec<_>>());
    for room in [limits.clocks, limits.clocks.saturating_sub(1)] {
        let mut times = vec![u8::MAX; room];
        solver.times(&mut times);
        signature.mix(times);
    }
}

/// Any calls in any order, on a solver with so little room that many are refused.
fn run(seed: u64, signature: &mut Signature) {
    const SHAPE: Shape = Shape { vars: 24, clocks: 7, lits: (1, 4) };
    let mut rng = Rng::new(seed);
    let mut little = |most: u32| rng.below(most) as usize;
    let limits = Limits {
        vars: SHAPE.vars + 6,
        clocks: SHAPE.clocks,
        ticks: 4 + little(4),
        edges: 6 + little(20),
        clauses: 40 + little(400),
        store: 60 + little(800),
        learnt: little(300),
    };
    let mut memory = vec![u32::MAX; limits.words()];
    let mut solver = Solver::new(&mut memory, &limits).unwrap();
    for _ in 0..SHAPE.vars {
        solver.new_var().unwrap();
    }
    signature.mix(limits.words());
    let mut groups: Vec<Group> = Vec::new();
    for _ in 0..40 {
        match rng.below(16) {
            0..6 => {
                let constraint = SHAPE.constraint(&mut rng);
                signature.mix(add(&mut solver, &constraint));
            }
            6 => match solver.new_group() {
                Ok(group) => groups.push(group),
                Err(error) => signature.mix(error),
            },
            7 | 8 if !groups.is_empty() => {
                let group = *rng.choose(&groups).unwrap();
                signature.mix(match SHAPE.constraint(&mut rng) {
                    Constraint::Clause(lits) if rng.chance(1, 2) => solver.block_in(group, &lits),
                    Constraint::Clause(lits) => solver.add_clause_in(group, &lits),
                    Constraint::AtMostOne(lits) => solver.add_at_most_one_in(group, &lits),
                    Constraint::Linear(terms, degree) => solver.add_linear_in(group, &terms, degree),
                    Constraint::Order { guard, earlier, later, strict } => {
                        solver.add_order_in(group, guard, earlier, later, strict)
                    }
                });
            }
            9 if !groups.is_empty() => {
                let group = groups.swap_remove(rng.below(groups.len() as u32) as usize);
                signature.mix(solver.release(group));
            }
            10 => {
                solver.keep_model();
                solver.return_to_kept();
            }
            _ => {
                let mut assumptions = if rng.chance(1, 3) { Vec::new() } else { SHAPE.lits(&mut rng, 4) };
                assumptions.extend(groups.iter().filter(|_| rng.chance(2, 3)).map(|group| group.lit()));
                let preferences = SHAPE.lits(&mut rng, 6);
                let budget = match rng.below(4) {
                    0 => Budget::conflicts(rng.below(4).into()),
                    1 => Budget::propagations(rng.below(100).into()),
                    _ => Budget::UNLIMITED,
                };
                signature.mix(solver.solve_within(&assumptions, &preferences, budget));
                mix_state(signature, &solver, &limits);
            }
        }
    }
    mix_state(signature, &solver, &limits);
}

#[test]
#[cfg_attr(feature = "proof", ignore = "clauses are longer")]
fn small_runs_have_their_known_signature() {
    let mut signature = Signature::default();
    (0..400).for_each(|seed| run(seed, &mut signature));
    signature.check(0x7678_ec4b_4850_9c7d);
}

/// Problems that take hundreds of conflicts, with so little room for what is learnt that it is forgotten many times. What is
/// asked later begins with what was learnt before.
fn long_run(seed: u64, learnt: usize, signature: &mut Signature) -> Answer {
    const SHAPE: Shape = Shape { vars: 130, clocks: 12, lits: (2, 5) };
    let mut rng = Rng::new(seed);
    let limits = Limits {
        vars: SHAPE.vars,
        clocks: SHAPE.clocks,
        ticks: SHAPE.clocks,
        edges: 400,
        clauses: 1 << 13,
        store: 1 << 14,
        learnt,
    };
    let mut memory = vec![0; limits.words()];
    let mut solver = Solver::new(&mut memory, &limits).unwrap();
    for _ in 0..SHAPE.vars {
        solver.new_var().unwrap();
    }
    for constraint in SHAPE.problem(&mut rng) {
        add(&mut solver, &constraint).unwrap();
    }
    let preferences: Vec<Lit> = (0..10).map(|_| SHAPE.lit(&mut rng)).collect();
    let answer = solver.solve_within(&[], &preferences, Budget::conflicts(2_500)).unwrap();
    signature.mix(answer);
    mix_state(signature, &solver, &limits);
    for _ in 0..3 {
        let assumptions = SHAPE.lits(&mut rng, 5);
        signature.mix(solver.solve_within(&assumptions, &[], Budget::conflicts(200)));
        mix_state(signature, &solver, &limits);
    }
    answer
}

#[test]
#[cfg_attr(feature = "proof", ignore = "clauses are longer")]
fn long_runs_have_their_known_signature() {
    let mut signature = Signature::default();
    let mut answers = [0; 3];
    for seed in 0..24 {
        for learnt in [400, 4_000] {
            answers[long_run(seed, learnt, &mut signature) as usize] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count > 2), "{answers:?}");
    signature.check(0x21db_75b1_0336_6111);
}
