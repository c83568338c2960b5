//! `barrow replay`: replays trace files through the rules and prints mismatches.

use std::process::ExitCode;

use anyhow::Result;

use crate::{progress, replay};

/// Arguments of `replay`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Trace files, one JSON object per line; `.gz` is read as such, `-` is stdin
    #[arg(required = true)]
    files: Vec<String>,
    /// Print {"files","steps","mismatches"} as the last line
    #[arg(long)]
    json: bool,
}

/// Replays the files and prints the tally.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let bar = progress::bytes_bar(&arguments.files);
    let tally = replay::files(&arguments.files, &bar)?;
    bar.finish_and_clear();
    tally.print(arguments.json)
}
