//! Files of maps, scenarios and recorded games against the rules (rules §10).
//!
//! The first word of a file says what it holds: `MAP`, `SCENARIO` or `SEED`; lines that begin with `//` are remarks.

mod lines;
mod maps;
mod scenario;
mod trace;

use std::fmt::Write as _;

use anyhow::{Context, Result, anyhow};
use barrow_core::contests::kutulu::{Action, Actions, EXPLORERS, Map, Maze, State};

use self::lines::Lines;
pub use self::trace::state_at;
use crate::replay::Tally;

/// Replays the text of a file; a step is a turn of a game, or a map. Fails where the text is not of the form of these
/// files.
pub fn text(name: &str, text: &str, tally: &mut Tally) -> Result<()> {
    let mut lines = Lines::new(text);
    let outcome = match lines.peek().and_then(|line| line.split(' ').next()) {
        Some("MAP") => maps::replay(&mut lines, name, tally),
        Some("SCENARIO") => scenario::replay(&mut lines, name, tally),
        Some("SEED") => trace::replay(&mut lines, name, tally),
        _ => Err(anyhow!("expected MAP, SCENARIO or SEED")),
    };
    outcome.with_context(|| format!("line {}", lines.number()))
}

/// Reads the answers `ACT id command` of those who are in the game.
fn read_actions(lines: &mut Lines<'_>, maze: &Maze, state: &State) -> Result<Actions> {
    let mut actions = [None; EXPLORERS];
    while let Some(rest) = lines.after("ACT") {
        let (id, answer) = rest.split_once(' ').context("expected an explorer and its answer")?;
        let id: usize = id.parse()?;
        let slot = actions.get_mut(id).context("no such explorer")?;
        *slot = Action::read(answer, maze, state.explorers[id].cell);
    }
    Ok(actions)
}

/// The lines of a state in the order of ids.
fn shown(state: &State, map: &Map) -> String {
    let mut text = String::new();
    for entity in state.entities(map, 0).iter() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{entity}");
    }
    text
}

/// What is the first line in which two texts differ, if they do.
fn difference(expected: &str, found: &str) -> Option<String> {
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
