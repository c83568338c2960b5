//! The input of players in the protocol (rules §3).

use std::fmt::Write as _;

use barrow_core::contests::kutulu::{Map, State};

/// The lines that players are sent before the first turn: map and constants.
pub fn greeting(map: &Map, state: &State) -> String {
    let mut text = format!("{}\n{}\n", map.width(), map.height());
    for y in 0..map.height() as i16 {
        text.extend((0..map.width() as i16).map(|x| map.sent(x, y)));
        text.push('\n');
    }
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}", state.constants);
    text
}

/// The lines that the player of explorer `own` is sent in a turn.
pub fn turn(map: &Map, state: &State, own: usize) -> String {
    let entities = state.entities(map, own);
    let mut text = format!("{}\n", entities.len());
    for entity in entities.iter() {
        let _ = writeln!(text, "{entity}");
    }
    text
}
