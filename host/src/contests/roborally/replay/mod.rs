//! Replays the data files of RoboRally (rules §13) and counts where the rules disagree: scenarios, games of both
//! profiles, numbering vectors, and boards, which are compared with the built-in ones.

mod numbering;
mod scenario;
mod trace;

use std::path::Path;

use anyhow::{Context, Result, bail};
use barrow_core::contests::roborally::{COURSES, Course};

use super::board_text;
use crate::replay::Tally;

/// What a replay of one file finds, counted in the tally of all.
struct Findings<'t> {
    name: &'t str,
    tally: &'t mut Tally,
}

impl Findings<'_> {
    /// One step was compared.
    fn compare(&mut self, line: usize, file: &str, engine: &str) {
        let differs = file != engine;
        self.tally.count(differs.then(|| format!("{}:{line}: file {file}, engine {engine}", self.name)));
    }
}

/// A line of a file that says something: its number and its words.
struct Line<'t> {
    number: usize,
    words: Vec<&'t str>,
}

impl Line<'_> {
    fn text(&self) -> String {
        self.words.join(" ")
    }
}

/// The lines that are not empty, without comments.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let words: Vec<&str> = line.split("//").next().unwrap_or("").split_whitespace().collect();
        (!words.is_empty()).then_some(Line { number, words })
    })
}

/// Replays the text of one file; its name tells which course a board file is.
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

/// Holds a board file against the built-in course of its name.
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
