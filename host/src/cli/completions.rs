//! `barrow completions`: the completions of the command line for a shell.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Shell to complete in
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completions, to be put where the shell looks for them.
pub(super) fn run(arguments: &Arguments, mut command: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "barrow", &mut script);
    stdout().write_all(&script).context("standard output")?;
    Ok(ExitCode::SUCCESS)
}
