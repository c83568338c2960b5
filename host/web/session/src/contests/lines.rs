//! The lines of a data file, read one after the other by their first words.

use std::str::FromStr;

use anyhow::{Context, Result};

/// A reader over the lines of a text. Blank lines and remarks, lines that begin with `//`, are left out.
pub struct LineReader<'t> {
    /// Line numbers, from 1, with the lines.
    lines: Vec<(usize, &'t str)>,
    next: usize,
}

impl<'t> LineReader<'t> {
    /// A reader at the first line of a text.
    pub fn new(text: &'t str) -> LineReader<'t> {
        let is_content = |line: &(usize, &str)| !line.1.trim().is_empty() && !line.1.starts_with("//");
        LineReader { lines: (1..).zip(text.lines()).filter(is_content).collect(), next: 0 }
    }

    /// The number of the line read last, from 1; 1 before the first.
    pub fn number(&self) -> usize {
        let last = self.next.checked_sub(1).and_then(|last| self.lines.get(last));
        last.map_or(1, |line| line.0)
    }

    /// The next line, without reading it.
    pub fn peek(&self) -> Option<&'t str> {
        self.lines.get(self.next).map(|line| line.1)
    }

    /// The first word of the next line, without reading the line.
    pub fn peek_word(&self) -> Option<&'t str> {
        self.peek().and_then(|line| line.split(' ').next())
    }

    /// Reads the next line. Fails at the end of the text.
    pub fn take(&mut self) -> Result<&'t str> {
        let line = self.peek().context("the file ends too early")?;
        self.next += 1;
        Ok(line)
    }

    /// Reads the next line if `word` is its first word; the rest of the line.
    pub fn after(&mut self, word: &str) -> Option<&'t str> {
        let rest = self.peek()?.strip_prefix(word)?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
        self.next += 1;
        Some(rest)
    }

    /// Reads the next line, of which `word` must be the first word; the rest of the line.
    pub fn need(&mut self, word: &str) -> Result<&'t str> {
        self.after(word).with_context(|| format!("expected {word}"))
    }

    /// Reads the next `count` lines.
    pub fn rows(&mut self, count: usize) -> Result<Vec<&'t str>> {
        (0..count).map(|_| self.take()).collect()
    }

    /// Reads the next `count` lines into one text, each with a line end.
    pub fn block(&mut self, count: usize) -> Result<String> {
        (0..count).map(|_| Ok(format!("{}\n", self.take()?))).collect()
    }
}

/// Exactly `N` numbers between blanks.
pub fn numbers<T: FromStr, const N: usize>(text: &str) -> Result<[T; N]> {
    let found: Option<Vec<T>> = text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
    let found = found.and_then(|found| found.try_into().ok());
    found.with_context(|| format!("expected {N} numbers, not {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_by_their_first_words() {
        let mut lines = LineReader::new("// remark\n\nMAP 2\n..\n.#\nMAPS\n");
        assert_eq!((lines.number(), lines.peek_word()), (1, Some("MAP")));
        assert_eq!((lines.after("MA"), lines.need("MAP").ok(), lines.number()), (None, Some("2"), 3));
        assert_eq!(lines.block(2).ok().as_deref(), Some("..\n.#\n"));
        assert_eq!((lines.after("MAP"), lines.after("MAPS"), lines.peek()), (None, Some(""), None));
        assert!(lines.take().is_err() && lines.need("MAP").is_err());
    }

    #[test]
    fn numbers_come_in_the_right_count() {
        assert_eq!(numbers::<u8, 2>(" 1  2 ").ok(), Some([1, 2]));
        assert!(["1", "1 2 3", "1 x", "1 256"].iter().all(|text| numbers::<u8, 2>(text).is_err()));
    }
}
