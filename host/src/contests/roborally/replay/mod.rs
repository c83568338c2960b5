//! Replay of RoboRally's data files against the rules (rules §13): scenarios, recorded games of both profiles, vectors
//! of action numbers, and boards, which are compared with the built-in ones.

mod findings;
mod numbering;
mod scenario;
mod trace;

use std::path::Path;

use anyhow::{Context, Result, bail};
use barrow_core::contests::roborally::{COURSES, Course};

use self::findings::{Findings, lines};
pub use self::trace::state_after;
use super::board_text;
use crate::replay::Tally;

/// Replays the text of a file; the name of a board file is that of its course.
pub fn text(name: &str, text: &str, tally: &mut Tally) -> Result<()> {
    let first = lines(text).next().context("an empty file")?;
    let mut findings = Findings { name, tally };
    match first.words[0] {
        "SCENARIO" => scenario::replay(text, &mut findings),
        "COURSE" | "BOARD" => trace::replay(text, &mut findings),
        "HAND" => numbering::replay(text, &mut findings),
        "size" => compare_board(name, text, &mut findings),
        word => bail!("line {}: no file of RoboRally begins with {word}", first.number),
    }
}

/// Compares a board file with the built-in course of its name.
fn compare_board(name: &str, text: &str, findings: &mut Findings<'_>) -> Result<()> {
    let board = board_text::read(text)?;
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    let Some(course) = Course::named(stem) else {
        let names: Vec<&str> = COURSES.iter().map(Course::name).collect();
        bail!("no built-in course {stem}; there are {}", names.join(" "));
    };
    findings.compare(1, &board_text::write(&board), &board_text::write(&course.board()?));
    Ok(())
}
