//! `barrow umi`: the engine for a host, on standard input and output.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::umi;

/// Runs a session.
pub(super) fn run() -> Result<ExitCode> {
    umi::run(stdin(), stdout()).context("standard output")?;
    Ok(ExitCode::SUCCESS)
}
