//! Cargo in a copy of the tree: builds of one package's tests.

use std::process::{Command, Output, Stdio};

use crate::build::{self, Recipe};
use crate::tree::Tree;

/// Checks the library of a copy, or builds its tests.
pub fn run(recipe: &Recipe, tree: &Tree, build: Build) -> Result<Output, String> {
    let mut command = Command::new("cargo");
    let verb = if build == Build::Check { "check" } else { "test" };
    command.args([verb, "--package", &recipe.package, "--message-format=json", "--quiet"]);
    match build {
        Build::Check => command.arg("--lib").args(build::check_arguments(&recipe.arguments)),
        Build::Quick => {
            command.args(["--no-run", "--lib"]).args(build::check_arguments(&recipe.arguments));
            // Of two settings the later one holds.
            command.args(["--config", "profile.mutants.opt-level=0"]);
            command.args(["--config", "profile.mutants.incremental=true"])
        }
        Build::Whole => command.arg("--no-run").args(&recipe.arguments),
    };
    command.current_dir(&tree.copy).stderr(Stdio::null()).output().map_err(|error| format!("cargo: {error}"))
}

/// Kind of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// Only whether the library compiles.
    Check,
    /// The library's own tests, as quickly built as can be.
    Quick,
    /// All tests.
    Whole,
}
