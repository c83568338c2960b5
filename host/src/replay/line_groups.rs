//! Lines of trace files, gathered into pieces of work: the lines of one game, or one position.

use std::io::BufRead;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;

use super::trace_format::Heading;
use crate::io::open_watched;

/// Lines that belong together and are replayed in order.
pub(super) struct Work {
    /// Number of the first line in its file, from 1.
    pub(super) first_line: usize,
    /// The lines.
    pub(super) lines: Vec<String>,
    /// Whether they are turns of a game; else there is one, a position.
    pub(super) is_game: bool,
}

/// The work of one file, in the order of the file.
pub(super) struct Source {
    reader: Box<dyn BufRead>,
    lines_read: usize,
    waiting: Option<Line>,
}

/// A line with its number, from 1, and what kind it is.
struct Line {
    number: usize,
    text: String,
    heading: Heading,
}

impl Source {
    /// Opens a file, which a name ending in `.gz` says is compressed; `-` is stdin. The bar follows the bytes read.
    pub(super) fn open(name: &str, bar: &ProgressBar) -> Result<Source> {
        Ok(Source::new(open_watched(name, bar)?))
    }

    /// The work of a reader.
    pub(super) fn new(reader: Box<dyn BufRead>) -> Source {
        Source { reader, lines_read: 0, waiting: None }
    }

    /// The next piece of work. `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Work>> {
        let first = match self.waiting.take() {
            Some(line) => Some(line),
            None => self.line()?,
        };
        let Some(first) = first else { return Ok(None) };
        let game = first.heading.game;
        let mut work = Work { first_line: first.number, lines: vec![first.text], is_game: game.is_some() };
        while work.is_game {
            match self.line()? {
                Some(line) if line.heading.game == game && line.heading.step != Some(0) => {
                    work.lines.push(line.text);
                }
                other => {
                    self.waiting = other;
                    break;
                }
            }
        }
        Ok(Some(work))
    }

    fn line(&mut self) -> Result<Option<Line>> {
        let number = self.lines_read + 1;
        let at = || format!("line {number}");
        let mut text = String::new();
        if self.reader.read_line(&mut text).with_context(at)? == 0 {
            return Ok(None);
        }
        self.lines_read = number;
        let heading: Heading = serde_json::from_str(&text).with_context(at)?;
        if heading.game.is_some() == heading.id.is_some() {
            bail!("line {number}: neither a turn of a game nor a position");
        }
        Ok(Some(Line { number, text, heading }))
    }
}
