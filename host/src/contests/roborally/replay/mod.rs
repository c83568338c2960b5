//! Replay of RoboRally's data files against the rules (rules §13): scenarios, recorded games of both profiles, vectors
//! of action numbers, and boards, which are compared with the built-in ones.

mod numbering;
mod scenario;

use std::path::Path;

use anyhow::{Context, Result, bail};
use barrow_core::contests::roborally::{COURSES, Course};

use barrow_session::contests::roborally::findings::{Findings, lines};
use barrow_session::contests::roborally::record;
pub use barrow_session::contests::roborally::record::state_after;

use super::board_text;
use crate::replay::Tally;

/// Comparisons of one file, counted in the tally of all files.
struct FileFindings<'t> {
    name: &'t str,
    tally: &'t mut Tally,
}

impl Findings for FileFindings<'_> {
    fn count(&mut self, line: usize, difference: Option<String>) {
        self.tally.count(difference.map(|difference| format!("{}:{line}: {difference}", self.name)));
    }
}

/// Replays the text of a file; the name of a board file is that of its course.
pub fn text(name: &str, text: &str, tally: &mut Tally) -> Result<()> {
    let first = lines(text).next().context("an empty file")?;
    let mut findings = FileFindings { name, tally };
    match first.words[0] {
        "SCENARIO" => scenario::replay(text, &mut findings),
        "COURSE" | "BOARD" => record::replay(text, &mut findings),
        "HAND" => numbering::replay(text, &mut findings),
        "size" => compare_board(name, text, &mut findings),
        word => bail!("line {}: no file of RoboRally begins with {word}", first.number),
    }
}

/// Compares a board file with the built-in course of its name.
fn compare_board(name: &str, text: &str, findings: &mut dyn Findings) -> Result<()> {
    let board = board_text::read(text)?;
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    let Some(course) = Course::named(stem) else {
        let names: Vec<&str> = COURSES.iter().map(Course::name).collect();
        bail!("no built-in course {stem}; there are {}", names.join(" "));
    };
    findings.compare(1, &board_text::write(&board), &board_text::write(&course.board()?));
    Ok(())
}
