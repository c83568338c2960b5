//! Lines of RoboRally's data files, and the count of their comparisons with the engine.

use anyhow::{Context, Result};
use barrow_core::contests::roborally::State;

use super::super::robot_text::{registers_text, robot_line};
use crate::replay::Tally;

/// The comparisons of one file, counted in the tally of all files.
pub(super) struct Findings<'t> {
    pub(super) name: &'t str,
    pub(super) tally: &'t mut Tally,
}

impl Findings<'_> {
    /// Counts a step, and a mismatch if the file's text of the line differs from the engine's.
    pub(super) fn compare(&mut self, line: usize, file: &str, engine: &str) {
        let differs = file != engine;
        self.tally.count(differs.then(|| format!("{}:{line}: file {file}, engine {engine}", self.name)));
    }

    /// Compares a line that describes a robot, with its registers or without.
    pub(super) fn compare_robot(
        &mut self,
        line: &Line<'_>,
        robot: usize,
        state: &State,
        lists_registers: bool,
    ) -> Result<()> {
        let mut engine = robot_line(state, robot).context("no such robot")?;
        if lists_registers {
            engine = format!("{engine} {}", registers_text(state, robot));
        }
        self.compare(line.number, &line.text(), &engine);
        Ok(())
    }
}

/// A line of a file: its number, from 1, and its words.
pub(super) struct Line<'t> {
    pub(super) number: usize,
    pub(super) words: Vec<&'t str>,
}

impl Line<'_> {
    /// The words with single blanks between them.
    pub(super) fn text(&self) -> String {
        self.words.join(" ")
    }
}

/// The lines of a text that are not blank, without remarks, which begin with `//`.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let words: Vec<&str> = line.split("//").next().unwrap_or("").split_whitespace().collect();
        (!words.is_empty()).then_some(Line { number, words })
    })
}
