//! `barrow manual`: manual pages, one for each command.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Command;

use crate::io::make_folder;
use crate::say;

/// Arguments of `manual`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Folder to write the pages to, made if there is none
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Write to a folder that is not empty, and replace pages that exist
    #[arg(long)]
    force: bool,
}

/// Writes `barrow.1` and `barrow-COMMAND.1` for each command.
pub(super) fn run(arguments: &Arguments, command: Command) -> Result<ExitCode> {
    let folder = &arguments.out;
    let named = || folder.display().to_string();
    make_folder(folder).with_context(named)?;
    let is_empty = fs::read_dir(folder).with_context(named)?.next().is_none();
    ensure!(
        is_empty || arguments.force,
        "{}: not empty; --force writes to it all the same",
        folder.display()
    );
    clap_mangen::generate_to(command, folder).with_context(named)?;
    say!("manual pages are in {}", folder.display());
    Ok(ExitCode::SUCCESS)
}
