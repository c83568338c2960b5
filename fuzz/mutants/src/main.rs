//! Mutation testing in one build. cargo-mutants changes one expression and builds, thousands of times; here all changes of
//! its list are compiled in, each behind a condition that a variable of the environment switches on ("mutant schemata",
//! Untch, Offutt and Harrold, 1993). A first run of each test notes which mutants it reaches, so that a mutant meets only
//! the tests that can notice it.
//!
//! Changes that do not compile beside the others, and those in code that the compiler evaluates, are tried one by one.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod build;
mod cargo;
mod mutant;
mod nodes;
mod process;
mod recording;
mod render;
mod results;
mod single;
mod tree;
mod trial;
mod viable;

use std::path::PathBuf;
use std::process::ExitCode;

use build::Recipe;

/// Options of the command line.
pub struct Options {
    /// List of mutants, as cargo-mutants prints it.
    pub list: PathBuf,
    /// Root of the repository.
    pub source: PathBuf,
    /// Folder for the copy.
    pub copy: PathBuf,
    /// File of results.
    pub results: PathBuf,
    /// Parts of names of tests that are not asked.
    pub skipped: Vec<String>,
    /// Part of the mutants that are tried, and the number of parts.
    pub shard: (usize, usize),
    /// Shares of the rounds of long tests; survivors of one are tried with the next.
    pub shares: Vec<u64>,
    /// Processes at once.
    pub threads: usize,
    /// Most mutants that are tried one by one.
    pub singles: usize,
    /// Whether those that are not in the build are checked for whether they compile.
    pub viable: bool,
    /// Per cent of the viable mutants that must be noticed.
    pub least: f64,
    /// Whether survivors of earlier runs are tried again.
    pub again: bool,
    /// How tests are built.
    pub recipe: Recipe,
}

const USAGE: &str = "usage: barrow-mutants --list FILE --package NAME --folder FOLDER --copy FOLDER --results FILE \
    [--skip=PART].. [--shard K/N] [--shares A,B,..] [--threads N] [--singles N] [--viable] [--least PERCENT] [--again] -- ARGUMENTS OF CARGO TEST";

fn options() -> Option<Options> {
    let mut options = Options {
        list: PathBuf::new(),
        source: std::env::current_dir().ok()?,
        copy: PathBuf::new(),
        results: PathBuf::new(),
        skipped: Vec::new(),
        shard: (0, 1),
        shares: vec![40],
        threads: 2,
        singles: usize::MAX,
        viable: false,
        least: 100.0,
        again: false,
        recipe: Recipe { package: String::new(), folder: String::new(), arguments: Vec::new() },
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if let Some(part) = word.strip_prefix("--skip=") {
            options.skipped.push(part.to_owned());
            continue;
        }
        match word.as_str() {
            "--" => options.recipe.arguments = words.by_ref().collect(),
            "--again" => options.again = true,
            "--viable" => options.viable = true,
            _ => {
                let value = words.next()?;
                match word.as_str() {
                    "--list" => options.list = value.into(),
                    "--package" => options.recipe.package = value,
                    "--folder" => options.recipe.folder = value,
                    "--copy" => options.copy = value.into(),
                    "--results" => options.results = value.into(),
                    "--shard" => {
                        let (part, parts) = value.split_once('/')?;
                        options.shard = (part.parse().ok()?, part_count(parts)?);
                    }
                    "--shares" => {
                        options.shares =
                            value.split(',').map(|share| share.parse().ok()).collect::<Option<_>>()?;
                    }
                    "--threads" => options.threads = value.parse().ok()?,
                    "--least" => options.least = value.parse().ok()?,
                    "--singles" => options.singles = value.parse().ok()?,
                    _ => return None,
                }
            }
        }
    }
    let named = !options.recipe.package.is_empty() && !options.copy.as_os_str().is_empty();
    (named && !options.results.as_os_str().is_empty()).then_some(options)
}

fn part_count(text: &str) -> Option<usize> {
    text.parse().ok().filter(|&count| count > 0)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match trial::run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
