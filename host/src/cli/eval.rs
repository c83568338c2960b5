//! `barrow eval`: the net report of a position, without a search.

use std::process::ExitCode;

use anyhow::{Context, Result};

use super::network::open_network;
use super::position::Position;
use crate::configuration::Configuration;
use crate::engine::network::EngineNetwork;
use crate::text::material::material_line;
use crate::text::output::{is_colored, print_json};
use crate::text::picture::Picture;
use crate::{say, say_part};

/// Arguments of `eval`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    position: Position,
    /// Network file to ask instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Print the report as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Prints the report, and the hand-written count of material.
pub(super) fn run(arguments: &Arguments, configuration: &Configuration) -> Result<ExitCode> {
    let game = arguments.position.game()?;
    let network = match open_network(arguments.net.as_deref(), configuration)? {
        Some(network) => network,
        None => EngineNetwork::embedded().context("the built-in network is damaged")?,
    };
    let report = network.report(&game);
    say_part!("{}", Picture::new(&game).colored(is_colored()));
    say_part!("\n{report}");
    say!("{}", material_line(&game));
    if arguments.json {
        print_json(&report)?;
    }
    Ok(ExitCode::SUCCESS)
}
