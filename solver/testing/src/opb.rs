//! Problems of the attack-planning yardstick: constraints in the OPB format of the pseudo-Boolean competitions
//! (`NAME.opb`) and preferences, a signed number per line (`NAME.qry`). Both files may be gzip-compressed.

use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use barrow_solver::cdcl::{Capacity, Lit, Solver};

/// An error that names the file, and the line if there is one.
pub type Failure = Box<dyn Error>;

/// A linear constraint: terms of coefficient and literal, and the degree that the sum of the true terms must reach.
pub type Sum = (Vec<(i32, Lit)>, i32);

/// A problem: hard linear constraints and preferences.
pub struct Problem {
    /// Number of variables, the largest index in constraints and preferences plus one.
    pub vars: usize,
    /// Constraints that every solution satisfies.
    pub constraints: Vec<Sum>,
    /// Preferences, the most important first.
    pub preferences: Vec<Lit>,
}

impl Problem {
    /// Adds the variables and the constraints of the problem to a solver that has none; an error when the solver's
    /// capacity runs out.
    pub fn fill(&self, solver: &mut Solver<'_>) -> Result<(), Capacity> {
        for _ in 0..self.vars {
            solver.new_var()?;
        }
        self.constraints.iter().try_for_each(|(terms, degree)| solver.add_linear(terms, *degree))
    }
}

/// Returns the name of a problem: the file name up to the first dot.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// Returns the paths of the problem files in a folder, sorted: those that end in `.opb` or `.opb.gz`.
pub fn problems_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|path| is_problem(path));
    files.sort();
    Ok(files)
}

/// Reads a problem from `NAME.opb` and `NAME.qry` in the same folder, or from both with `.gz` at the end.
pub fn load(opb: &Path) -> Result<Problem, Failure> {
    let mut constraints = Vec::new();
    for (index, line) in read(opb)?.lines().enumerate().filter(|(_, line)| !line.starts_with('*')) {
        let parsed =
            constraint(line).ok_or_else(|| format!("{}:{}: no constraint", opb.display(), index + 1))?;
        constraints.push(parsed);
    }
    let qry = PathBuf::from(opb.display().to_string().replace(".opb", ".qry"));
    let mut preferences = Vec::new();
    for (index, line) in read(&qry)?.lines().enumerate() {
        let lit = line.trim().parse().ok().and_then(Lit::from_dimacs);
        preferences.push(lit.ok_or_else(|| format!("{}:{}: no literal", qry.display(), index + 1))?);
    }
    let lits = constraints.iter().flat_map(|(terms, _)| terms.iter().map(|(_, lit)| lit)).chain(&preferences);
    let vars = lits.map(|lit| lit.var().index() + 1).max().unwrap_or(0);
    Ok(Problem { vars, constraints, preferences })
}

/// Reads a text file, compressed if its name ends in `.gz`.
pub fn read(path: &Path) -> Result<String, Failure> {
    let file = fs::File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(file).read_to_string(&mut text)?;
    } else {
        (&file).read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Parses a literal, `x12` or `~x12`; variables are counted from 1.
fn literal(word: &str) -> Option<Lit> {
    let (sign, name) = match word.strip_prefix('~') {
        Some(name) => (-1, name),
        None => (1, word),
    };
    Lit::from_dimacs(sign * name.strip_prefix('x')?.parse::<i32>().ok()?)
}

/// Parses a constraint such as `2 x1 -1 ~x3 >= 1 ;`.
fn constraint(line: &str) -> Option<Sum> {
    let (sum, degree) = line.trim_end_matches([';', ' ']).split_once(">=")?;
    let words: Vec<&str> = sum.split_whitespace().collect();
    let terms = words.chunks(2).map(|pair| match pair {
        [weight, name] => Some((weight.parse().ok()?, literal(name)?)),
        _ => None,
    });
    Some((terms.collect::<Option<_>>()?, degree.trim().parse().ok()?))
}

/// Whether a path ends in `.opb` or `.opb.gz`.
fn is_problem(path: &Path) -> bool {
    let has = |path: &Path, ending: &str| {
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
    };
    has(path, "opb") || has(path, "gz") && has(&path.with_extension(""), "opb")
}
