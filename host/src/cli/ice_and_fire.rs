//! `barrow ice-and-fire`: the commands of A Code of Ice and Fire.

use std::fs;
use std::io::{Read, stdin};
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::replay;
use crate::ice_and_fire;
use crate::replay::Tally;

/// What can be asked about A Code of Ice and Fire.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Run scenario, map, trace and cut files through the rules and count mismatches
    Replay(ReplayArgs),
}

/// Arguments of `ice-and-fire replay`.
#[derive(clap::Args)]
pub(super) struct ReplayArgs {
    /// Scenario, map, trace or cut files; `-` is stdin
    #[arg(required = true)]
    files: Vec<String>,
    /// Print {"files","steps","mismatches"} as the last line
    #[arg(long)]
    json: bool,
}

/// Runs a command.
pub(super) fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Replay(arguments) => {
            let mut tally = Tally::default();
            for name in &arguments.files {
                let text = read(name).with_context(|| name.clone())?;
                ice_and_fire::replay::text(name, &text, &mut tally).with_context(|| name.clone())?;
                tally.files += 1;
            }
            replay::report(&tally, arguments.json)
        }
    }
}

fn read(name: &str) -> Result<String> {
    if name == "-" {
        let mut text = String::new();
        stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    Ok(fs::read_to_string(name)?)
}
