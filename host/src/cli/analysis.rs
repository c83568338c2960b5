//! `barrow analysis`: the analysis engine on standard input and output.

use std::io::{stdin, stdout};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use super::network::open_network;
use super::streams::at_stream;
use crate::analysis::{self, Caps, Settings};
use crate::configuration::Configuration;
use crate::engine::{DEFAULT_MIB, MAX_MIB};
use crate::quantity::{mebibytes, milliseconds};

/// Arguments of `analysis`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Positions to search at the same time; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
    /// Threads of each search
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of each search
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MIB as u64, value_parser = mebibytes(1..=MAX_MIB as u64))]
    hash: u64,
    /// Time for a position whose query names no limit
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = milliseconds(0))]
    movetime: u64,
    /// Network file to think with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Print the JSON schemas of all lines, and end
    #[arg(long)]
    schema: bool,
}

/// Answers the queries of standard input.
pub(super) fn run(arguments: &Arguments, configuration: &Configuration) -> Result<ExitCode> {
    if arguments.schema {
        println!("{:#}", analysis::schemas());
        return Ok(ExitCode::SUCCESS);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = Settings {
        workers: arguments.workers.map_or(cores, usize::from),
        threads: usize::from(arguments.threads),
        hash: arguments.hash as usize,
        movetime: Duration::from_millis(arguments.movetime),
        network: open_network(arguments.net.as_deref(), configuration)?,
        caps: Caps::default(),
    };
    analysis::run(settings, stdin(), stdout()).map_err(at_stream)?;
    Ok(ExitCode::SUCCESS)
}
