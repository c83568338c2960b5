//! `barrow show`: draws a position.

use std::process::ExitCode;

use anyhow::Result;
use barrow_core::minions::text::fen;
use serde_json::json;

use super::position::Position;
use crate::say_part;
use crate::text::output::is_colored;
use crate::text::picture::Picture;

/// Arguments of `show`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    position: Position,
    /// Print {"fen"}, the position with all that belongs to it, and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Draws the position, or the start position.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let game = arguments.position.game()?;
    say_part!("{}", Picture::new(&game).colored(is_colored()));
    if arguments.json {
        println!("{}", json!({ "fen": fen::Extended(&game).to_string() }));
    }
    Ok(ExitCode::SUCCESS)
}
