//! The command line (`barrow --help`).

use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
#[command(name = "barrow", version, about = "An engine for the board game Minions")]
struct Arguments {}

/// Runs the command that the arguments name and says how it ended: 0 done, 1 bad input, 2 usage.
pub fn run() -> ExitCode {
    Arguments::parse();
    ExitCode::SUCCESS
}
