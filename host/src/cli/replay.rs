//! `barrow replay`: trace files against the rules.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::replay::{self, Tally};
use crate::{io, progress};

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

/// Replays the files.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let bar = progress::bytes_bar(&arguments.files);
    let tally = replay::files(&arguments.files, &bar)?;
    bar.finish_and_clear();
    report(&tally, arguments.json)
}

/// Runs whole files, read as text, through a game's rules: `check` counts what it compares. `-` is stdin.
pub(super) fn texts(
    files: &[String],
    json: bool,
    check: impl Fn(&str, &str, &mut Tally) -> Result<()>,
) -> Result<ExitCode> {
    let mut tally = Tally::default();
    for name in files {
        let text = io::read_text(name).with_context(|| name.clone())?;
        check(name, &text, &mut tally).with_context(|| name.clone())?;
        tally.files += 1;
    }
    report(&tally, json)
}

/// Prints what a replay counted. Mismatches end the program with exit code 1.
pub(super) fn report(tally: &Tally, json: bool) -> Result<ExitCode> {
    for line in &tally.described {
        println!("{line}");
    }
    let described = tally.described.len() as u64;
    if tally.mismatches > described {
        println!("and {} more", tally.mismatches - described);
    }
    if json {
        println!("{}", serde_json::to_string(tally)?);
    } else {
        println!("{} files, {} steps, {} mismatches", tally.files, tally.steps, tally.mismatches);
    }
    Ok(if tally.mismatches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
