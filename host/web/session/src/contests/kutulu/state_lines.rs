//! States and answers of a turn as lines of text, and how two texts differ.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use barrow_core::contests::kutulu::{Action, Actions, EXPLORERS, Map, MapTables, State};

use crate::contests::lines::LineReader;

/// Reads the lines `ACT id command`, the answers of a turn. Explorers without a line have none.
pub fn read_actions(lines: &mut LineReader<'_>, tables: &MapTables, state: &State) -> Result<Actions> {
    let mut actions = [None; EXPLORERS];
    while let Some(rest) = lines.after("ACT") {
        let (id, answer) = rest.split_once(' ').context("expected an explorer and its answer")?;
        let id: usize = id.parse()?;
        let slot = actions.get_mut(id).context("no such explorer")?;
        *slot = Action::read(answer, tables, state.explorers[id].cell);
    }
    Ok(actions)
}

/// The lines of a state as sent to explorer 0: explorers in the order of ids.
pub fn state_lines(state: &State, map: &Map) -> String {
    let mut text = String::new();
    for entity in state.entities(map, 0).iter() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{entity}");
    }
    text
}

/// The first line in which two texts differ; nothing if the texts are equal.
pub fn difference(expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let (mut expected, mut found) = (expected.lines(), found.lines());
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return Some("the ends of lines differ".to_owned()),
            (one, other) if one == other => {}
            (one, other) => {
                let quoted =
                    |line: Option<&str>| line.map_or("nothing".to_owned(), |line| format!("{line:?}"));
                return Some(format!("expected {}, found {}", quoted(one), quoted(other)));
            }
        }
    }
}
