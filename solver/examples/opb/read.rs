//! Problems in the OPB format with their wishes, a literal per line, as the attack-planning yardstick has them; files
//! may be gzip-compressed.

use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use barrow_solver::cdcl::{Capacity, Lit, Solver};

/// What went wrong, with the place.
pub(crate) type Failure = Box<dyn Error>;

/// A sum of coefficients times literals, and what it must reach.
pub(crate) type Sum = (Vec<(i32, Lit)>, i32);

/// Constraints, and wishes in falling order of importance.
pub(crate) struct Problem {
    pub(crate) vars: usize,
    pub(crate) constraints: Vec<Sum>,
    pub(crate) wishes: Vec<Lit>,
}

impl Problem {
    /// Gives variables and constraints to a new solver.
    pub(crate) fn fill(&self, solver: &mut Solver<'_>) -> Result<(), Capacity> {
        for _ in 0..self.vars {
            solver.new_var()?;
        }
        self.constraints.iter().try_for_each(|(terms, degree)| solver.add_linear(terms, *degree))
    }
}

/// A problem's name: its file's, without endings.
pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// The problem files of a folder, sorted: those whose names end in `.opb` or `.opb.gz`.
pub(crate) fn problems_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|path| is_problem(path));
    files.sort();
    Ok(files)
}

/// Reads a problem and its wishes: `NAME.qry` beside `NAME.opb`, compressed or not like it.
pub(crate) fn load(opb: &Path) -> Result<Problem, Failure> {
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

fn constraint(line: &str) -> Option<Sum> {
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
