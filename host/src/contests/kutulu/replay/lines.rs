//! The lines of a file, with what each must begin with.

use std::str::FromStr;

use anyhow::{Context, Result, ensure};

/// Lines that carry something, and how far they have been read.
pub(super) struct Lines<'t> {
    lines: Vec<(usize, &'t str)>,
    next: usize,
}

impl<'t> Lines<'t> {
    /// All lines of a text but blank ones and remarks.
    pub(super) fn new(text: &'t str) -> Lines<'t> {
        let carries = |line: &(usize, &str)| !line.1.trim().is_empty() && !line.1.starts_with("//");
        Lines { lines: (1..).zip(text.lines()).filter(carries).collect(), next: 0 }
    }

    /// The number of the line read last, from 1.
    pub(super) fn number(&self) -> usize {
        self.lines.get(self.next.saturating_sub(1)).map_or(1, |line| line.0)
    }

    /// The next line, which stays the next.
    pub(super) fn peek(&self) -> Option<&'t str> {
        self.lines.get(self.next).map(|line| line.1)
    }

    /// The next line.
    pub(super) fn take(&mut self) -> Result<&'t str> {
        let line = self.peek().context("the file ends too early")?;
        self.next += 1;
        Ok(line)
    }

    /// The rest of the next line if this is its first word.
    pub(super) fn after(&mut self, word: &str) -> Option<&'t str> {
        let rest = self.peek()?.strip_prefix(word)?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
        self.next += 1;
        Some(rest)
    }

    /// The rest of the next line, whose first word must be this.
    pub(super) fn need(&mut self, word: &str) -> Result<&'t str> {
        self.after(word).with_context(|| format!("expected {word}"))
    }

    /// The next so many lines as one text.
    pub(super) fn block(&mut self, count: usize) -> Result<String> {
        (0..count).map(|_| Ok(format!("{}\n", self.take()?))).collect()
    }

    /// The next so many lines.
    pub(super) fn rows(&mut self, count: usize) -> Result<Vec<&'t str>> {
        (0..count).map(|_| self.take()).collect()
    }
}

/// The numbers of a text, exactly so many.
pub(super) fn numbers<T: FromStr, const N: usize>(text: &str) -> Result<[T; N]>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    ensure!(words.len() == N, "expected {N} numbers in {text:?}");
    let numbers: Vec<T> = words.iter().map(|word| word.parse()).collect::<Result<_, _>>()?;
    numbers.try_into().ok().context("the numbers are lost")
}
