//! `barrow kutulu`: the commands of Code of Kutulu.

use std::fs;
use std::io::{Read, stdin};
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::replay;
use crate::kutulu;
use crate::replay::Tally;

/// What can be asked about Code of Kutulu.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Run files of maps, scenarios and recorded games through the rules and count mismatches
    Replay(ReplayArgs),
}

/// Arguments of `kutulu replay`.
#[derive(clap::Args)]
pub(super) struct ReplayArgs {
    /// Files of maps, scenarios or recorded games; `-` is stdin
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
                kutulu::replay::text(name, &text, &mut tally).with_context(|| name.clone())?;
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
