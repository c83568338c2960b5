//! Lines of trace files in groups: the lines of one game, or one position.

use anyhow::{Context, Result, bail, ensure};

use super::trace_format::LineKind;
use crate::io::{JsonFault, TextLines};

/// Most text of a game in bytes; recorded games have a hundredth of it.
const GAME_CAP: usize = 16 << 20;

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
    reader: TextLines,
    waiting: Option<TraceLine>,
}

/// Line with its number, from 1, and its kind.
struct TraceLine {
    number: usize,
    text: String,
    kind: LineKind,
}

impl LineGroup {
    /// Length of the text in bytes.
    pub(super) fn len(&self) -> usize {
        self.lines.iter().map(String::len).sum()
    }
}

impl LineGroups {
    /// Line groups of a reader.
    pub(super) fn new(reader: TextLines) -> LineGroups {
        LineGroups { reader, waiting: None }
    }

    /// Reads the next group. Returns `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<LineGroup>> {
        let first = match self.waiting.take() {
            Some(line) => Some(line),
            None => self.line()?,
        };
        let Some(first) = first else { return Ok(None) };
        let game = first.kind.game;
        let mut bytes = first.text.len();
        let mut group =
            LineGroup { first_line: first.number, lines: vec![first.text], is_game: game.is_some() };
        while group.is_game {
            match self.line()? {
                Some(line) if line.kind.game == game && line.kind.step != Some(0) => {
                    bytes += line.text.len();
                    ensure!(bytes <= GAME_CAP, "line {}: a game of more than 16 MiB", line.number);
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
        let Some(text) = self.reader.next_json_line()? else { return Ok(None) };
        let text = text.to_owned();
        let number = self.reader.number();
        let kind = serde_json::from_str(&text).map_err(JsonFault);
        let kind: LineKind = kind.with_context(|| format!("line {number}"))?;
        if kind.game.is_some() == kind.id.is_some() {
            bail!("line {number}: neither a turn of a game nor a position");
        }
        Ok(Some(TraceLine { number, text, kind }))
    }
}
