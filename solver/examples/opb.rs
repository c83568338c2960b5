//! Runs the attack-planning yardstick: for every `NAME.opb` with its `NAME.qry` in a folder (gzip-compressed or
//! not) keeps each wish that is satisfiable together with those kept so far, prints the answers, and the median
//! time of a whole prophecy per size class.
//!
//!     cargo run --release -p barrow-solver --example opb -- DIR

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use barrow_solver::cdcl::{Answer, Capacity, Limits, Lit, Solver};

type Failure = Box<dyn Error>;

/// How often a board is planned; the median is reported.
const ROUNDS: usize = 15;

struct Problem {
    vars: usize,
    constraints: Vec<(Vec<(i32, Lit)>, i32)>,
    wishes: Vec<Lit>,
}

fn read(path: &Path) -> Result<String, Failure> {
    let file = fs::File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(file).read_to_string(&mut text)?;
    } else {
        (&file).read_to_string(&mut text)?;
    }
    Ok(text)
}

fn literal(word: &str) -> Option<Lit> {
    let (sign, name) = match word.strip_prefix('~') {
        Some(name) => (-1, name),
        None => (1, word),
    };
    Lit::from_dimacs(sign * name.strip_prefix('x')?.parse::<i32>().ok()?)
}

fn constraint(line: &str) -> Option<(Vec<(i32, Lit)>, i32)> {
    let (sum, degree) = line.trim_end_matches([';', ' ']).split_once(">=")?;
    let words: Vec<&str> = sum.split_whitespace().collect();
    let terms = words.chunks(2).map(|pair| match pair {
        [weight, name] => Some((weight.parse().ok()?, literal(name)?)),
        _ => None,
    });
    Some((terms.collect::<Option<_>>()?, degree.trim().parse().ok()?))
}

/// Whether a file's name ends in `.opb` or `.opb.gz`.
fn is_problem(path: &Path) -> bool {
    let has = |path: &Path, ending: &str| {
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
    };
    has(path, "opb") || has(path, "gz") && has(&path.with_extension(""), "opb")
}

fn load(opb: &Path) -> Result<Problem, Failure> {
    let mut constraints = Vec::new();
    for (index, line) in read(opb)?.lines().enumerate().filter(|(_, line)| !line.starts_with('*')) {
        let parsed =
            constraint(line).ok_or_else(|| format!("{}:{}: no constraint", opb.display(), index + 1))?;
        constraints.push(parsed);
    }
    let qry = PathBuf::from(opb.display().to_string().replace(".opb", ".qry"));
    let mut wishes = Vec::new();
    for (index, line) in read(&qry)?.lines().enumerate() {
        let lit = line.trim().parse().ok().and_then(Lit::from_dimacs);
        wishes.push(lit.ok_or_else(|| format!("{}:{}: no literal", qry.display(), index + 1))?);
    }
    let lits = constraints.iter().flat_map(|(terms, _)| terms.iter().map(|(_, lit)| lit)).chain(&wishes);
    let vars = lits.map(|lit| lit.var().index() + 1).max().unwrap_or(0);
    Ok(Problem { vars, constraints, wishes })
}

fn build<'m>(problem: &Problem, memory: &'m mut [u32], limits: &Limits) -> Result<Solver<'m>, Capacity> {
    let mut solver = Solver::new(memory, limits)?;
    for _ in 0..problem.vars {
        solver.new_var()?;
    }
    for (terms, degree) in &problem.constraints {
        solver.add_linear(terms, *degree)?;
    }
    Ok(solver)
}

/// One whole prophecy: a digit per wish, 1 when it is kept.
fn prophecy(solver: &mut Solver<'_>, wishes: &[Lit]) -> Result<String, Failure> {
    if solver.solve_wishing(&[], wishes, u64::MAX)? != Answer::Sat {
        return Err("the model has no solution".into());
    }
    Ok(wishes.iter().map(|&wish| if solver.holds(wish) { '1' } else { '0' }).collect())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

fn main() -> Result<(), Failure> {
    let folder = env::args().nth(1).ok_or("usage: opb DIR")?;
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .map_err(|error| format!("{folder}: {error}"))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| is_problem(path))
        .collect();
    files.sort();
    let mut classes: BTreeMap<char, [Vec<f64>; 3]> = BTreeMap::new();
    for path in &files {
        let problem = load(path)?;
        let limits = Limits {
            vars: problem.vars,
            clocks: 0,
            edges: 0,
            clauses: 1 << 17,
            lists: 1 << 17,
            learnt: 1 << 14,
        };
        let mut memory = vec![0; limits.words()];
        let mut times = [Vec::new(), Vec::new(), Vec::new()];
        let mut answers = String::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let mut solver = build(&problem, &mut memory, &limits)?;
            times[0].push(start.elapsed().as_secs_f64() * 1e6);
            let start = Instant::now();
            answers = prophecy(&mut solver, &problem.wishes)?;
            times[1].push(start.elapsed().as_secs_f64() * 1e6);
            let start = Instant::now();
            let again = prophecy(&mut solver, &problem.wishes)?;
            times[2].push(start.elapsed().as_secs_f64() * 1e6);
            if again != answers {
                return Err("a second prophecy differs".into());
            }
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name = name.split('.').next().unwrap_or_default().to_owned();
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
