//! `barrow replay`: replays trace files and recorded games through the rules and prints mismatches.

use std::process::ExitCode;

use anyhow::Result;

use super::recorded::WebServerForm;
use super::usage::refuse_second_stdin;
use crate::{progress, replay};

/// Arguments of `replay`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Trace files, one JSON object per line, and recorded games in any form that `convert` knows; `.gz` is read as such,
    /// `-` is stdin
    #[arg(required = true)]
    files: Vec<String>,
    #[command(flatten)]
    web_server: WebServerForm,
    /// Print {"files","steps","mismatches"} and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Replays the files and prints the tally.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    refuse_second_stdin(&arguments.files)?;
    let bar = progress::bytes_bar(&arguments.files);
    let tally = replay::files(&arguments.files, &arguments.web_server.settings()?, &bar)?;
    bar.finish_and_clear();
    tally.print(arguments.json)
}
