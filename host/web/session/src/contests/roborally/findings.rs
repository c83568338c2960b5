//! Lines of RoboRally's data files, and the count of their comparisons with the engine.

use anyhow::{Context, Result};
use barrow_core::contests::roborally::{Board, State};

use super::robot_text::{registers_text, robot_line};

/// Part of a turn after which robots are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// The race is about to begin.
    Start,
    /// A register, counted from 0, was run.
    Register(usize),
    /// The turn was cleaned up.
    CleanUp,
}

/// Listener to the replay of a data file: comparisons of its lines with the engine, and what the engine has meanwhile.
pub trait Findings {
    /// Takes the comparison of a line: nothing, or how file and engine differ.
    fn count(&mut self, line: usize, difference: Option<String>);

    /// Takes the state of a recorded game at a moment.
    fn moment(&mut self, _board: &Board, _state: &State, _moment: Moment) {}

    /// Compares what the file has in a line with what the engine has.
    fn compare(&mut self, line: usize, file: &str, engine: &str) {
        self.count(line, (file != engine).then(|| format!("file {file}, engine {engine}")));
    }

    /// Compares a line that describes a robot, with its registers or without.
    fn compare_robot(
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
pub struct Line<'t> {
    /// Number, from 1.
    pub number: usize,
    /// Words.
    pub words: Vec<&'t str>,
}

impl Line<'_> {
    /// The words with single blanks between them.
    pub fn text(&self) -> String {
        self.words.join(" ")
    }
}

/// The lines of a text that are not blank, without remarks, which begin with `//`.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let words: Vec<&str> = line.split("//").next().unwrap_or("").split_whitespace().collect();
        (!words.is_empty()).then_some(Line { number, words })
    })
}
