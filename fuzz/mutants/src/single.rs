//! Mutants one by one: the file changed, the tests built again.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Options;
use crate::build::{self, Program};
use crate::cargo::{self, Build};
use crate::mutant::{self, Mutant};
use crate::process::{self, End};
use crate::results::{Outcome, Results};
use crate::tree::Tree;

/// Tries mutants in a copy without any others.
pub fn try_all(
    options: &Options,
    tree: &Tree,
    all: &[Mutant],
    numbers: &[usize],
    results: &Results,
) -> Result<(), String> {
    if numbers.is_empty() {
        return Ok(());
    }
    let copy = options.copy.with_extension("single");
    let tree = Tree::copied(&tree.source, &copy, &[])?;
    println!("{} mutants one by one", numbers.len());
    for (index, &number) in numbers.iter().enumerate() {
        let mutant = &all[number];
        let started = Instant::now();
        let text = tree.read(&mutant.file)?;
        let (start, end) = (mutant::offset(&text, mutant.start), mutant::offset(&text, mutant.end));
        let changed = format!("{}{}{}", &text[..start], mutant.replacement, &text[end..]);
        tree.write(&mutant.file, changed.as_bytes())?;
        let outcome = try_one(options, &tree)?;
        tree.write(&mutant.file, text.as_bytes())?;
        println!("{} of {}: {} {outcome:?} {:?}", index + 1, numbers.len(), mutant.name, started.elapsed());
        results.add(&mutant.name, outcome)?;
    }
    Ok(())
}

fn try_one(options: &Options, tree: &Tree) -> Result<Outcome, String> {
    let recipe = &options.recipe;
    if !cargo::run(recipe, tree, Build::Check)?.status.success() {
        return Ok(Outcome::Unviable);
    }
    // Most are noticed by tests next to them, with a share of their rounds.
    let shares = [options.shares.first(), options.shares.last()].map(|share| share.copied().unwrap_or(1));
    for (build, share) in [Build::Quick, Build::Whole].into_iter().zip(shares) {
        let output = cargo::run(recipe, tree, build)?;
        if !output.status.success() {
            return Ok(Outcome::Unviable);
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        let values = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        for program in values.filter_map(|value| build::program(&value)) {
            let outcome = asked(options, &program, share)?;
            if outcome != Outcome::Missed {
                return Ok(outcome);
            }
        }
    }
    Ok(Outcome::Missed)
}

/// Asks the tests of a program with a share of their rounds.
fn asked(options: &Options, program: &Program, share: u64) -> Result<Outcome, String> {
    let names = process::tests(program)?;
    let names: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| !options.skipped.iter().any(|part| name.contains(part.as_str())))
        .collect();
    Ok(match process::run(program, &names, &process::settings(share), Duration::from_secs(600)).0 {
        End::Passed => Outcome::Missed,
        End::Failed => Outcome::Caught(program.name.clone()),
        End::Late => Outcome::Late(program.name.clone()),
    })
}
