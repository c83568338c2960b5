//! Constraints that come late: over literals that are facts already, in groups that come and go, and blocked models.

use crate::problems::{Constraint, Shape, add, all_hold, check_times, holds, model_of};
use barrow_core::rng::Rng;
use barrow_solver::cdcl::{Answer, Capacity, Group, Limits, Lit, Resource, Solver, Var};
use barrow_testing::rounds;

const CLOCKS: usize = 4;

fn lit(index: usize, positive: bool) -> Lit {
    Var::new(index).unwrap().lit(positive)
}

fn with_solver<T>(vars: usize, limits: Limits, body: impl FnOnce(&mut Solver<'_>) -> T) -> T {
    let mut memory = vec![u32::MAX; limits.words()];
    let mut solver = Solver::new(&mut memory, &limits).unwrap();
    for _ in 0..vars {
        solver.new_var().unwrap();
    }
    body(&mut solver)
}

/// Nothing tells a new constraint that a literal was assigned before it came. So all kinds are added over all
/// combinations of true, false and free literals.
#[test]
fn a_constraint_looks_at_literals_that_are_facts_already() {
    const VARS: usize = 4;
    let limits =
        Limits { vars: VARS, clocks: CLOCKS, ticks: CLOCKS, edges: 8, clauses: 64, store: 256, learnt: 64 };
    let all: Vec<Lit> = (0..VARS).map(|index| lit(index, true)).collect();
    let order = |guard: usize, earlier, later, strict| Constraint::Order {
        guard: lit(guard, true),
        earlier,
        later,
        strict,
    };
    let sum = |weights: [i32; VARS], degree| {
        Constraint::Linear(weights.into_iter().zip(all.iter().copied()).collect(), degree)
    };
    let ring = [order(0, 0, 1, true), order(1, 1, 2, false), order(2, 2, 3, false), order(3, 3, 0, false)];
    let late = [
        vec![Constraint::Clause(all.clone())],
        vec![Constraint::Clause(all[..2].to_vec())],
        vec![Constraint::AtMostOne(all.clone())],
        vec![Constraint::AtMostOne(all[1..].to_vec())],
        vec![sum([1, 1, 1, 1], 2)],
        vec![sum([3, 2, 2, 1], 4)],
        vec![sum([5, -3, -2, 1], 2)],
        vec![sum([-1, -1, -1, -1], -2)],
        ring.to_vec(),
    ];
    for facts in 0..3usize.pow(VARS as u32) {
        let state = |index: usize| facts / 3usize.pow(index as u32) % 3;
        let known: Vec<Lit> =
            (0..VARS).filter(|&index| state(index) < 2).map(|index| lit(index, state(index) == 1)).collect();
        for constraints in &late {
            with_solver(VARS, limits, |solver| {
                for &fact in &known {
                    solver.add_clause(&[fact]).unwrap();
                }
                for constraint in constraints {
                    add(solver, constraint).unwrap();
                }
                for model in 0..1 << VARS {
                    let assumptions: Vec<Lit> = all
                        .iter()
                        .map(|&lit| if model >> lit.var().index() & 1 == 1 { lit } else { !lit })
                        .collect();
                    let fits = all_hold(&known, model) && holds(constraints, CLOCKS, model);
                    let answer = solver.solve(&assumptions).unwrap();
                    assert_eq!(answer == Answer::Sat, fits, "{known:?}, then {constraints:?} at {model:b}");
                }
            });
        }
    }
}

/// The same after a search, whose decisions must not be taken for facts.
#[test]
fn a_constraint_may_contradict_the_model_found_last() {
    let limits = Limits { vars: 3, clocks: 0, ticks: 0, edges: 0, clauses: 64, store: 64, learnt: 64 };
    with_solver(3, limits, |solver| {
        let [a, b, c] = [0, 1, 2].map(|index| lit(index, true));
        assert_eq!(solver.solve(&[a, b]), Ok(Answer::Sat));
        solver.add_at_most_one(&[a, b, c]).unwrap();
        assert_eq!(solver.solve(&[a]), Ok(Answer::Sat));
        assert!(!solver.holds(b) && !solver.holds(c));
        solver.add_linear(&[(2, b), (1, c), (1, a)], 1).unwrap();
        solver.add_clause(&[!a]).unwrap();
        assert_eq!(solver.solve(&[c]), Ok(Answer::Sat));
        assert_eq!(solver.solve(&[!c, !b]), Ok(Answer::Unsat));
    });
}

/// A cycle of two orders is met at the second level of two variables, where the levels of the clause are counted.
#[test]
fn a_conflict_may_be_at_as_many_levels_as_there_are_variables() {
    let limits = Limits { vars: 2, clocks: 2, ticks: 200, edges: 2, clauses: 64, store: 64, learnt: 64 };
    with_solver(2, limits, |solver| {
        let [a, b] = [0, 1].map(|index| lit(index, true));
        solver.add_order(a, 0, 1, true).unwrap();
        solver.add_order(b, 1, 0, true).unwrap();
        assert_eq!(solver.solve_preferring(&[], &[a, b], u64::MAX), Ok(Answer::Sat));
        assert!(solver.holds(a) && !solver.holds(b));
        assert_eq!(solver.statistics().conflicts, 1);
    });
}

/// Lent memory may hold anything.
#[test]
fn nothing_is_kept_before_a_model_was() {
    let limits = Limits { vars: 2, clocks: 0, ticks: 0, edges: 0, clauses: 64, store: 64, learnt: 64 };
    for word in [0, u32::MAX, 0x0101_0101] {
        let mut memory = vec![word; limits.words()];
        let mut solver = Solver::new(&mut memory, &limits).unwrap();
        solver.new_var().unwrap();
        assert!(!solver.is_kept(lit(0, true)) && solver.is_kept(lit(0, false)), "{word:x}");
    }
}

const VARS: usize = 7;
const SHAPE: Shape = Shape { vars: VARS, clocks: CLOCKS, lits: (1, 4) };
const GROUPS: usize = 4;

fn add_in(solver: &mut Solver<'_>, group: Group, constraint: &Constraint) {
    match constraint {
        Constraint::Clause(lits) => solver.add_clause_in(group, lits),
        Constraint::AtMostOne(lits) => solver.add_at_most_one_in(group, lits),
        Constraint::Linear(terms, degree) => solver.add_linear_in(group, terms, *degree),
        Constraint::Order { guard, earlier, later, strict } => {
            solver.add_order_in(group, *guard, *earlier, *later, *strict)
        }
    }
    .unwrap();
}

/// Groups begin, grow, are assumed in any combination and are released; brute force agrees with every answer.
fn groups_come_and_go(seed: u64) {
    let mut rng = Rng::new(seed);
    let limits = Limits {
        vars: VARS + 64,
        clocks: CLOCKS,
        ticks: CLOCKS,
        edges: 64,
        clauses: 2048,
        store: 4096,
        learnt: 512,
    };
    with_solver(VARS, limits, |solver| {
        if seed.is_multiple_of(2) {
            solver.use_cutting_planes(0);
        }
        let mut groups: Vec<(Option<Group>, Vec<Constraint>)> = vec![(None, Vec::new())];
        for _ in 0..40 {
            match rng.below(8) {
                0 if groups.len() <= GROUPS => groups.push((Some(solver.new_group().unwrap()), Vec::new())),
                1 if groups.len() > 1 => {
                    let index = 1 + rng.below(groups.len() as u32 - 1) as usize;
                    solver.release(groups.swap_remove(index).0.unwrap()).unwrap();
                }
                2..5 => {
                    let index = rng.below(groups.len() as u32) as usize;
                    let (group, constraints) = &mut groups[index];
                    let constraint = SHAPE.constraint(&mut rng);
                    match *group {
                        Some(group) => add_in(solver, group, &constraint),
                        None => add(solver, &constraint).unwrap(),
                    }
                    constraints.push(constraint);
                }
                _ => {
                    let mut assumptions = SHAPE.lits(&mut rng, 3);
                    let mut force = Vec::new();
                    for (group, constraints) in &groups {
                        if group.is_none_or(|_| rng.chance(2, 3)) {
                            assumptions.extend(group.map(Group::lit));
                            force.extend(constraints.iter().cloned());
                        }
                    }
                    rng.shuffle(&mut assumptions);
                    let own: Vec<Lit> =
                        assumptions.iter().copied().filter(|lit| lit.var().index() < VARS).collect();
                    let fits = |model: u64| all_hold(&own, model) && holds(&force, CLOCKS, model);
                    let answer = solver.solve(&assumptions).unwrap();
                    assert_eq!(answer == Answer::Sat, (0..1 << VARS).any(fits), "seed {seed}");
                    if answer == Answer::Sat {
                        let model = model_of(solver, VARS);
                        assert!(fits(model), "seed {seed}: not a model");
                        check_times(solver, &force, CLOCKS, model);
                    } else {
                        assert!(solver.core().all(|lit| assumptions.contains(&lit)), "seed {seed}");
                    }
                }
            }
        }
    });
}

#[test]
fn groups_hold_when_assumed_and_never_after_release() {
    (0..rounds(6_000)).for_each(groups_come_and_go);
}

/// A released group leaves nothing behind but its variable, whatever was learnt while it was in force.
#[test]
fn a_released_group_gives_its_memory_back() {
    let rounds = 200;
    let limits = Limits {
        vars: VARS + 6 * rounds,
        clocks: CLOCKS,
        ticks: CLOCKS,
        edges: 12,
        clauses: 512,
        store: 1024,
        learnt: 256,
    };
    with_solver(VARS, limits, |solver| {
        let mut rng = Rng::new(11);
        solver.add_clause(&[lit(0, true), lit(1, true), lit(2, true)]).unwrap();
        solver.add_at_most_one(&[lit(3, true), lit(4, true), lit(5, true)]).unwrap();
        let [clauses, store, _] = solver.used_words();
        for _ in 0..rounds {
            let group = solver.new_group().unwrap();
            for _ in 0..8 {
                let constraint = SHAPE.constraint(&mut rng);
                if !matches!(constraint, Constraint::Order { .. }) {
                    add_in(solver, group, &constraint);
                }
            }
            solver.add_order(group.lit(), rng.below(4) as u8, rng.below(4) as u8, true).unwrap();
            solver.add_order_in(group, lit(6, true), rng.below(4) as u8, rng.below(4) as u8, true).unwrap();
            assert_ne!(solver.solve(&[group.lit()]), Ok(Answer::Unknown));
            solver.release(group).unwrap();
            let [now_clauses, now_store, _] = solver.used_words();
            assert!(now_clauses <= clauses && now_store <= store, "{:?}", solver.used_words());
            assert_eq!(solver.solve(&[lit(3, true), lit(0, false), lit(1, false)]), Ok(Answer::Sat));
        }
    });
}

/// Clauses of two literals are stored as they are only when their variables differ.
#[test]
fn two_literals_of_one_variable_take_no_room() {
    let limits = Limits { vars: 4, clocks: 0, ticks: 0, edges: 0, clauses: 64, store: 64, learnt: 64 };
    with_solver(4, limits, |solver| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| lit(index, true));
        solver.add_clause(&[a, !a]).unwrap();
        solver.add_clause(&[b, b]).unwrap();
        assert_eq!(solver.used_words(), [0; 3]);
        assert!(solver.holds(b) && !solver.holds(a) && !solver.holds(!a));
        solver.add_clause(&[c, d]).unwrap();
        assert_ne!(solver.used_words()[1], 0);
    });
}

/// Models as many as brute force counts, each given once.
#[test]
fn blocking_enumerates_every_model_once() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let constraints: Vec<Constraint> = (0..6).map(|_| SHAPE.constraint(&mut rng)).collect();
        let limits = Limits {
            vars: VARS + 1,
            clocks: CLOCKS,
            ticks: CLOCKS,
            edges: 64,
            clauses: 4096,
            store: 4096,
            learnt: 512,
        };
        with_solver(VARS, limits, |solver| {
            for constraint in &constraints {
                add(solver, constraint).unwrap();
            }
            // Twice, as the first list of models is a group's.
            for _ in 0..2 {
                let group = solver.new_group();
                let mut left: Vec<u64> =
                    (0..1 << VARS).filter(|&model| holds(&constraints, CLOCKS, model)).collect();
                let assumed: Vec<Lit> = group.iter().map(|group| group.lit()).collect();
                while solver.solve(&assumed) == Ok(Answer::Sat) {
                    let model = model_of(solver, VARS);
                    let place = left.iter().position(|&other| other == model);
                    left.swap_remove(place.expect("a model that is not a model, or is given again"));
                    let lits: Vec<Lit> = (0..VARS).map(|index| lit(index, model >> index & 1 == 1)).collect();
                    match group {
                        Ok(group) => solver.block_in(group, &lits),
                        Err(_) => solver.block(&lits),
                    }
                    .unwrap();
                }
                assert!(left.is_empty(), "seed {seed}: {left:?} not given");
                if let Ok(group) = group {
                    solver.release(group).unwrap();
                }
            }
        });
    }
}

/// Constraints that do not fit are refused, and the solver goes on as if nothing had been asked.
#[test]
fn a_full_store_refuses_and_stays_as_it_was() {
    let limits = Limits {
        vars: 6,
        clocks: 2,
        ticks: 2,
        edges: 1,
        clauses: Limits::clause_words(3),
        store: 4,
        learnt: 64,
    };
    with_solver(6, limits, |solver| {
        let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(|index| lit(index, true));
        // What a refusal needs is more than what there is.
        let refused = |result: Result<(), Capacity>, what| {
            let error = result.unwrap_err();
            assert!(error.what == what && error.needed > error.available, "{error}");
        };
        solver.add_clause(&[a, b, c]).unwrap();
        solver.add_clause(&[!a, !b]).unwrap();
        solver.add_order(e, 0, 1, true).unwrap();
        refused(solver.add_clause(&[d, e, f]), Resource::Clauses);
        refused(solver.add_clause(&[d, e]), Resource::Store);
        refused(solver.add_at_most_one(&[d, e, f]), Resource::Store);
        refused(solver.add_linear(&[(2, d), (1, e), (1, f)], 2), Resource::Store);
        refused(solver.add_order(f, 1, 0, true), Resource::Edges);
        refused(solver.add_order(f, 1, 2, true), Resource::Clocks);
        assert!(solver.add_linear(&[(3, d), (1, d)], 2).is_ok(), "a fact takes no room");
        refused(solver.add_linear(&[(40_000, e), (40_000, f)], 70_000), Resource::Coefficient);
        refused(solver.add_linear(&[(i32::MIN, e), (i32::MIN, !e)], i32::MAX), Resource::Coefficient);
        refused(solver.new_var().map(drop), Resource::Vars);
        refused(solver.new_group().map(drop), Resource::Vars);
        refused(solver.solve(&[lit(6, true)]).map(drop), Resource::Vars);
        assert_eq!(solver.solve(&[!d]), Ok(Answer::Unsat));
        assert_eq!(solver.solve(&[a, e, f]), Ok(Answer::Sat));
        assert_eq!(solver.solve(&[a, b]), Ok(Answer::Unsat));
        assert_eq!(solver.solve(&[!a, !b, !c]), Ok(Answer::Unsat));
    });
}
