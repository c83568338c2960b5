//! Mutants one by one: the file changed, the tests built again.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Options;
use crate::build::{self, Program, Recipe};
use crate::mutant::{self, Mutant};
use crate::process::{self, End};
use crate::results::{Outcome, Results};
use crate::tree::Tree;
use crate::trial;

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

/// Checks the library of a copy, or builds its tests.
pub fn cargo(recipe: &Recipe, tree: &Tree, verb: &str) -> Result<Output, String> {
    let mut command = Command::new("cargo");
    command.args([verb, "--package", &recipe.package, "--message-format=json", "--quiet"]);
    if verb == "check" {
        command.arg("--lib").args(build::check_arguments(&recipe.arguments));
    } else {
        command.arg("--no-run").args(&recipe.arguments);
    }
    command.current_dir(&tree.copy).stderr(Stdio::null()).output().map_err(|error| format!("cargo: {error}"))
}

fn try_one(options: &Options, tree: &Tree) -> Result<Outcome, String> {
    let build = |verb: &str| cargo(&options.recipe, tree, verb);
    if !build("check")?.status.success() {
        return Ok(Outcome::Unviable);
    }
    let output = build("test")?;
    if !output.status.success() {
        return Ok(Outcome::Unviable);
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let values = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let programs: Vec<Program> = values.filter_map(|value| build::program(&value)).collect();
    let settings = trial::settings(options.shares.last().copied().unwrap_or(1));
    for program in &programs {
        let names = process::tests(program)?;
        let names: Vec<&str> = names
            .iter()
            .map(String::as_str)
            .filter(|name| !options.skipped.iter().any(|part| name.contains(part.as_str())))
            .collect();
        match process::run(program, &names, &settings, Duration::from_secs(600)).0 {
            End::Passed => {}
            End::Failed => return Ok(Outcome::Caught(program.name.clone())),
            End::Late => return Ok(Outcome::Late(program.name.clone())),
        }
    }
    Ok(Outcome::Missed)
}
