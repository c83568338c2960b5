//! RoboRally: recorded races, their scenes, and races between built-in bots.

pub mod findings;
mod fixtures;
mod live;
pub mod record;
pub mod robot_text;
mod scene;

use anyhow::Result;
use barrow_core::contests::roborally::{Board, COURSES, Course, Profile, State};

pub(super) use live::{BOTS, RoborallyMatch};

use super::{first_game, named};
use crate::messages::{Contest, WatchedGame};
use findings::{Findings, Moment};

/// Number of robots of a race between bots.
pub(super) const SEATS: usize = 4;

/// Names of all courses of the classic rules.
pub(super) fn courses() -> Vec<String> {
    let classic = COURSES.iter().filter(|course| course.profile() == Profile::Classic);
    classic.map(|course| Course::name(course).to_owned()).collect()
}

/// Race before its first moment.
fn race(title: String, players: Vec<String>, board: &Board) -> WatchedGame {
    WatchedGame {
        contest: Contest::Roborally,
        title,
        players,
        width: board.width().into(),
        height: board.height().into(),
        fixtures: fixtures::fixtures(board),
        scenes: Vec::new(),
        is_live: false,
        mismatch: None,
    }
}

/// Scenes of a race that is replayed.
struct Watcher {
    names: Vec<String>,
    title: String,
    watched: Option<WatchedGame>,
    mismatch: Option<String>,
}

impl Findings for Watcher {
    fn count(&mut self, line: usize, difference: Option<String>) {
        if let Some(difference) = difference {
            self.mismatch.get_or_insert(format!("line {line}: {difference}"));
        }
    }

    fn moment(&mut self, board: &Board, state: &State, moment: Moment) {
        if moment == Moment::Start {
            // The number of robots is usual until it is said.
            self.watched = None;
        }
        let (title, names) = (&self.title, &self.names);
        let watched =
            self.watched.get_or_insert_with(|| race(title.clone(), named(names, state.robots()), board));
        watched.scenes.push(scene::scene(state, moment));
    }
}

/// The first recorded race of a text with its scenes.
pub(super) fn watched(text: &str, names: &[String]) -> Result<WatchedGame> {
    let text = first_game(text, &["COURSE", "BOARD"]);
    let head =
        text.lines().find_map(|line| line.strip_prefix("COURSE ").or_else(|| line.strip_prefix("BOARD ")));
    let title = head.unwrap_or_default().trim().to_owned();
    let mut watcher = Watcher { names: names.to_vec(), title, watched: None, mismatch: None };
    record::replay(text, &mut watcher)?;
    let mut watched = watcher.watched.ok_or_else(|| anyhow::anyhow!("a race without robots"))?;
    watched.mismatch = watcher.mismatch;
    Ok(watched)
}
