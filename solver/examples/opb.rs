//! Runs the attack-planning yardstick: for every `NAME.opb` with its `NAME.qry` in a folder (gzip-compressed or
//! not) keeps each preference that is satisfiable together with those kept so far, prints the answers, and the median
//! time of a whole prophecy per size class.
//!
//!     cargo run --release -p barrow-solver --example opb -- DIR

use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::time::Instant;

use barrow_solver::cdcl::{Answer, Limits, Lit, Solver};
use barrow_solver_testing::opb::{Failure, load, name_of, problems_in};

/// Repetitions of a board's plan; the median is reported.
const ROUNDS: usize = 15;

/// Prophecy in digits: a digit per preference, 1 when it is kept.
fn prophecy(solver: &mut Solver<'_>, preferences: &[Lit]) -> Result<String, Failure> {
    if solver.solve_preferring(&[], preferences, u64::MAX)? != Answer::Sat {
        return Err("the model has no solution".into());
    }
    Ok(preferences.iter().map(|&preference| if solver.holds(preference) { '1' } else { '0' }).collect())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

fn main() -> Result<(), Failure> {
    let folder = env::args().nth(1).ok_or("usage: opb DIR")?;
    let mut classes: BTreeMap<char, [Vec<f64>; 3]> = BTreeMap::new();
    for path in &problems_in(Path::new(&folder))? {
        let problem = load(path)?;
        let limits = Limits {
            vars: problem.vars,
            clocks: 0,
            ticks: 0,
            edges: 0,
            clauses: 1 << 17,
            store: 1 << 17,
            learnt: 1 << 14,
        };
        let mut memory = vec![0; limits.words()];
        let mut times = [Vec::new(), Vec::new(), Vec::new()];
        let mut answers = String::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let mut solver = Solver::new(&mut memory, &limits)?;
            problem.fill(&mut solver)?;
            times[0].push(start.elapsed().as_secs_f64() * 1e6);
            let start = Instant::now();
            answers = prophecy(&mut solver, &problem.preferences)?;
            times[1].push(start.elapsed().as_secs_f64() * 1e6);
            let start = Instant::now();
            let again = prophecy(&mut solver, &problem.preferences)?;
            times[2].push(start.elapsed().as_secs_f64() * 1e6);
            if again != answers {
                return Err("a second prophecy differs".into());
            }
        }
        let name = name_of(path);
        println!("{name} {answers}");
        let class = classes.entry(name.chars().next().unwrap_or('?')).or_default();
        for (all, own) in class.iter_mut().zip(times) {
            all.push(median(own));
        }
    }
    for (class, [built, first, again]) in classes {
        let (built, first, again) = (median(built), median(first), median(again));
        println!(
            "* class {class}: build {built:.1} us, cand {first:.1} us, cand again {again:.1} us (medians)"
        );
    }
    Ok(())
}
