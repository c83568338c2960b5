//! The command line (`barrow --help`): one file per command.

mod replay;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

use crate::interrupt;

/// What can be asked of the program.
#[derive(Parser)]
#[command(name = "barrow", version, about = "An engine for the board game Minions")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run trace files through the rules and count mismatches
    Replay(replay::Arguments),
}

/// Runs the command that the arguments name and says how it ended: 0 done, 1 bad input, 2 usage.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    interrupt::install();
    match dispatch(arguments.command) {
        Ok(code) => code,
        Err(error) => {
            // The chain of causes on one line: what, where.
            eprintln!("barrow: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Option<Command>) -> Result<ExitCode> {
    match command {
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        None => {
            Arguments::command().print_help()?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
