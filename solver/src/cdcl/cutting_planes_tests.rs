extern crate std;
use std::vec::Vec;

use barrow_core::rng::Rng;

use super::super::gc;
use super::super::limits::Limits;
use super::super::lit::Var;
use super::super::solver::{Answer, Solver};
use super::super::store::Kind;
use super::*;

/// A linear constraint: terms and degree.
type Row = (Vec<(i32, Lit)>, i32);

const VARS: usize = 9;

fn limits(store: usize) -> Limits {
    Limits { vars: VARS, clocks: 0, ticks: 0, edges: 0, clauses: 400, store, learnt: 200 }
}

fn holds((terms, degree): &Row, values: usize) -> bool {
    let is_true = |lit: Lit| (values >> lit.var().index() & 1 != 0) == lit.is_positive();
    terms.iter().map(|&(amount, lit)| if is_true(lit) { amount } else { 0 }).sum::<i32>() >= *degree
}

/// Random rows: sums, at-most-ones and clauses.
fn rows(rng: &mut Rng, vars: &[Var; VARS]) -> Vec<Row> {
    let mut row = |_| {
        let mut chosen = *vars;
        rng.shuffle(&mut chosen);
        let len = 3 + rng.below(4) as usize;
        let kind = rng.below(4);
        let terms: Vec<(i32, Lit)> = chosen[..len]
            .iter()
            .map(|var| match kind {
                0 => (1, var.lit(rng.chance(1, 2))),
                1 => (-1, var.positive()),
                _ => (1 + rng.below(9) as i32, var.lit(rng.chance(1, 2))),
            })
            .collect();
        let most: i32 = terms.iter().map(|term| term.0).sum();
        let degree = match kind {
            0 => 1,
            1 => -1,
            _ => most / 2,
        };
        (terms, degree)
    };
    (0..7).map(&mut row).collect()
}

/// Every answer is that of all assignments tried, whatever the room, and every constraint that is learnt follows.
#[test]
fn what_is_learnt_follows_and_answers_are_right() {
    let mut rng = Rng::new(3);
    let (mut answers, mut learnt) = ([0; 2], 0);
    for round in 0..600 {
        let limits = limits(if round % 3 == 0 { 460 } else { 4_000 });
        let mut memory = std::vec![0; limits.words()];
        let mut solver = Solver::new(&mut memory, &limits).unwrap();
        let vars = [(); VARS].map(|()| solver.new_var().unwrap());
        let rows = rows(&mut rng, &vars);
        for (terms, degree) in &rows {
            solver.add_linear(terms, *degree).unwrap();
        }
        solver.use_cutting_planes(0);
        let models: Vec<usize> =
            (0..1 << VARS).filter(|&values| rows.iter().all(|row| holds(row, values))).collect();
        for _ in 0..6 {
            let assumed: Vec<Lit> = vars[..3].iter().map(|var| var.lit(rng.chance(1, 2))).collect();
            let unit = |lit: Lit, values| holds(&(std::vec![(1, lit)], 1), values);
            let possible = models.iter().any(|&values| assumed.iter().all(|&lit| unit(lit, values)));
            assert_eq!(solver.solve(&assumed).unwrap() == Answer::Sat, possible, "{round}");
            answers[usize::from(possible)] += 1;
        }
        let store = &solver.propagator.store;
        for at in gc::records(store).filter(|&at| store.kind(at) == Kind::Learnt) {
            let terms = linear::terms(store, at).map(|(amount, lit)| (i32::from(amount), lit)).collect();
            let row = (terms, linear::degree(store, at));
            assert!(models.iter().all(|&values| holds(&row, values)), "{round}: {row:?}");
            learnt += 1;
        }
    }
    assert!(answers.iter().all(|&count| count > 300) && learnt > 100, "{answers:?} {learnt}");
}

/// Conflicts that it takes to see that one pigeon too many has no hole of its own.
fn conflicts_of_pigeons(holes: usize, cuts: bool) -> u64 {
    let vars = holes * (holes + 1);
    let limits =
        Limits { vars, clocks: 0, ticks: 0, edges: 0, clauses: 4_000, store: 20_000, learnt: 40_000 };
    let mut memory = std::vec![0; limits.words()];
    let mut solver = Solver::new(&mut memory, &limits).unwrap();
    let all: Vec<Lit> = (0..vars).map(|_| solver.new_var().unwrap().positive()).collect();
    all.chunks(holes).for_each(|pigeon| solver.add_clause(pigeon).unwrap());
    for hole in 0..holes {
        let inside: Vec<Lit> = all.iter().skip(hole).step_by(holes).copied().collect();
        solver.add_at_most_one(&inside).unwrap();
    }
    if cuts {
        solver.use_cutting_planes(0);
    }
    assert_eq!(solver.solve(&[]), Ok(Answer::Unsat));
    solver.statistics().conflicts
}

#[test]
fn pigeons_are_counted() {
    // Clauses say case by case what a sum says at once.
    for holes in [6, 8, 10] {
        let conflicts = conflicts_of_pigeons(holes, true);
        assert!(conflicts < 40 * holes as u64, "{holes}: {conflicts}");
    }
}
