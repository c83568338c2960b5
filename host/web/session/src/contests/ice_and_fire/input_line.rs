//! The input of a turn on one line, the form of the data files (rules §9):
//! `gold income oppGold oppIncome | rows joined by / | buildings joined by ; | units joined by ;`.

use std::fmt::Write as _;

use barrow_core::contests::ice_and_fire::input::TurnInput;
use barrow_core::contests::ice_and_fire::{Game, Player, SIZE};

/// The input of a player's turn on one line.
pub fn input_line(game: &Game, player: Player) -> String {
    let input = TurnInput::new(game, player);
    let numbers = input.numbers().map(|number| number.to_string()).join(" ");
    let rows: Vec<String> = (0..SIZE).map(|y| input.row(y).iter().collect()).collect();
    let mut text = format!("{numbers} | {} | ", rows.join("/"));
    let buildings = input.buildings();
    let buildings =
        buildings.map(|(owner, kind, cell)| format!("{owner} {} {} {}", kind as u8, cell.x(), cell.y()));
    text.push_str(&buildings.collect::<Vec<_>>().join(";"));
    let units = input.units();
    let units = units
        .map(|(owner, id, level, cell)| format!("{owner} {id} {} {} {}", level.number(), cell.x(), cell.y()));
    // Writing to a string does not fail.
    let _ = write!(text, " | {}", units.collect::<Vec<_>>().join(";"));
    text
}

/// The difference of one line between a file and the engine; nothing if they agree up to blanks at their ends.
pub fn differ(what: &str, file: &str, engine: &str) -> Option<String> {
    (file.trim_end() != engine.trim_end()).then(|| format!("{what}: file {file}, engine {engine}"))
}
