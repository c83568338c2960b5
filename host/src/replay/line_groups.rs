//! Lines of trace files in groups: the lines of one game, or one position.

use std::io::BufRead;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;

use super::trace_format::LineKind;
use crate::io::open_watched;

/// Group of lines that are replayed in order.
pub(super) struct LineGroup {
    /// Number of the first line in the file, from 1.
    pub(super) first_line: usize,
    /// Lines in the order of the file.
    pub(super) lines: Vec<String>,
    /// Whether the lines are turns of a game; a group with a position has one line.
    pub(super) is_game: bool,
}

/// Reader of the line groups of one file, in the order of the file.
pub(super) struct LineGroups {
    reader: Box<dyn BufRead>,
    lines_read: usize,
    waiting: Option<TraceLine>,
}

/// Line with its number, from 1, and its kind.
struct TraceLine {
    number: usize,
    text: String,
    kind: LineKind,
}

impl LineGroups {
    /// Opens a file, which a name ending in `.gz` says is compressed; `-` is stdin. The bar follows the bytes read.
    pub(super) fn open(name: &str, bar: &ProgressBar) -> Result<LineGroups> {
        Ok(LineGroups::new(open_watched(name, bar)?))
    }

    /// Line groups of a reader.
    pub(super) fn new(reader: Box<dyn BufRead>) -> LineGroups {
        LineGroups { reader, lines_read: 0, waiting: None }
    }

    /// Reads the next group. Returns `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<LineGroup>> {
        let first = match self.waiting.take() {
            Some(line) => Some(line),
            None => self.line()?,
        };
        let Some(first) = first else { return Ok(None) };
        let game = first.kind.game;
        let mut group =
            LineGroup { first_line: first.number, lines: vec![first.text], is_game: game.is_some() };
        while group.is_game {
            match self.line()? {
                Some(line) if line.kind.game == game && line.kind.step != Some(0) => {
                    group.lines.push(line.text);
                }
                other => {
                    self.waiting = other;
                    break;
                }
            }
        }
        Ok(Some(group))
    }

    /// Reads the next line. Returns `None` at the end of the file.
    fn line(&mut self) -> Result<Option<TraceLine>> {
        let number = self.lines_read + 1;
        let at = || format!("line {number}");
        let mut text = String::new();
        if self.reader.read_line(&mut text).with_context(at)? == 0 {
            return Ok(None);
        }
        self.lines_read = number;
        let kind: LineKind = serde_json::from_str(&text).with_context(at)?;
        if kind.game.is_some() == kind.id.is_some() {
            bail!("line {number}: neither a turn of a game nor a position");
        }
        Ok(Some(TraceLine { number, text, kind }))
    }
}
