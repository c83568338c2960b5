//! Lines of RoboRally's data files, and the count of their comparisons with the engine.

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
