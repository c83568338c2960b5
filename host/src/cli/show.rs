//! `barrow show`: draws a position, in text and as SVG, and marks where a piece can go or a unit can be placed.

use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, UnitLabel};
use schemars::JsonSchema;
use serde::Serialize;

use super::position::Position;
use super::rules::unit;
use super::usage::{UsageError, require};
use crate::io::OutputFile;
use crate::say_part;
use crate::text::board_svg::board_svg;
use crate::text::marks::Marks;
use crate::text::output::{is_colored, print_json};
use crate::text::picture::Picture;

/// Arguments of `show`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    position: Position,
    /// Draw this board only, from 0
    #[arg(long, value_name = "N")]
    board: Option<usize>,
    /// Mark where the piece on a hex can walk and whom it can attack in this turn
    #[arg(long, value_name = "HEX", value_parser = hex, conflicts_with = "place")]
    from: Option<Hex>,
    /// Mark where a unit of this type can be placed as the position stands
    #[arg(long, value_name = "UNIT", value_parser = unit)]
    place: Option<UnitLabel>,
    /// Draw the boards to an SVG file too
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
    /// Replace the SVG file if it exists
    #[arg(long, requires = "svg")]
    force: bool,
    /// Print {"fen"}, the position with all that belongs to it, and nothing else on standard output
    #[arg(long)]
    json: bool,
}

fn hex(name: &str) -> Result<Hex> {
    Hex::named(name).ok_or_else(|| anyhow!("no such hex: a letter a to j and a digit 0 to 9, such as c2"))
}

/// Position that `show` draws.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownPosition {
    /// Position in the extended form of FEN, with all that belongs to it.
    fen: String,
}

/// Draws the position, or the start position.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let game = arguments.position.game()?;
    let boards = game.config().num_boards();
    if let Some(board) = arguments.board {
        require(board < boards, format_args!("--board {board}: there are {boards} boards, from 0"))?;
    }
    let marks = marks(arguments, &game)?;
    let svg = arguments.svg.as_deref();
    let svg = svg.map(|name| OutputFile::create(name, arguments.force).with_context(|| name.to_owned()));
    let svg = svg.transpose()?;
    let picture = Picture::new(&game).only(arguments.board).marked(marks.as_ref());
    say_part!("{}", picture.colored(is_colored()));
    if let (Some(mut file), Some(name)) = (svg, &arguments.svg) {
        file.save_text(&board_svg(&game, arguments.board, marks.as_ref())).with_context(|| name.clone())?;
    }
    if arguments.json {
        print_json(&ShownPosition { fen: fen::Extended(&game).to_string() })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The marks that the arguments ask for, on the board they name or the only one.
fn marks(arguments: &Arguments, game: &Game) -> Result<Option<Marks>> {
    if arguments.from.is_none() && arguments.place.is_none() {
        return Ok(None);
    }
    let board = match arguments.board {
        Some(board) => board,
        None if game.config().num_boards() == 1 => 0,
        None => {
            let wrong = "--from and --place mark one board: say which with --board";
            return Err(UsageError(wrong.to_owned()).into());
        }
    };
    let marks = match (arguments.from, arguments.place) {
        (Some(from), _) => Marks::of_piece(game, board, from)?,
        (None, Some(unit)) => Marks::of_placing(game, board, unit)?,
        (None, None) => return Ok(None),
    };
    Ok(Some(marks))
}
