//! Journal: a file that says on its first line what work it belongs to, and has a line for every piece of that work which
//! is finished. Work that was killed goes on with the pieces that its journal lacks.

use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, anyhow, bail, ensure};
use indicatif::ProgressBar;

use super::input::open_bytes;
use super::{GrowingFile, LineEnd, is_gzip, read_line};

/// Longest line of a journal in bytes.
const LINE_CAP: usize = 1 << 20;

/// Journal that is being written.
#[derive(Debug)]
pub struct Journal {
    name: String,
    file: GrowingFile,
    /// First line, until it is written.
    first: Option<String>,
}

/// Parser of the name of a journal as an argument. Fails for what is no name of a file that can be gone on with.
pub fn journal_name(name: &str) -> Result<String> {
    ensure!(name != "-", "results are written to files only");
    ensure!(!is_gzip(name), "results are not compressed");
    Ok(name.to_owned())
}

/// Reader of the lines of a journal.
pub trait JournalLines {
    /// Content of a line behind the first one.
    type Item;

    /// Words of the error for a file of another kind, such as `no results of a match`.
    const FOREIGN: &'static str;

    /// First line as it must be, to recognise one that was cut; `None` where any work is read.
    fn expected(&self) -> Option<&str>;

    /// Reads the first line. Fails when it is that of other work.
    fn first(&mut self, line: &[u8]) -> Result<()>;

    /// Reads any other line.
    fn parse(line: &[u8]) -> Result<Self::Item>;

    /// Adds what such a line says. Fails when that does not fit to the lines before.
    fn add(&mut self, item: Self::Item) -> Result<()>;
}

/// Part of a journal that could be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WholePart {
    /// Length in bytes, decompressed.
    length: u64,
    /// Number of a last line behind it that is cut off, from 1.
    dropped: Option<usize>,
}

impl WholePart {
    /// Warning of a last line that is cut off and does not count.
    pub fn warning(self, name: &str) -> Option<String> {
        self.dropped.map(|line| format!("{name}: line {line} is cut off and dropped"))
    }
}

impl Journal {
    /// Opens a journal with this first line, which is written when the first piece of the work is finished: until then a
    /// file that is replaced stays as it is. Fails when a file of this name exists, unless `force` says that it is to be
    /// replaced.
    pub fn create(name: &str, force: bool, first: &str) -> Result<Journal> {
        journal_name(name).with_context(|| name.to_owned())?;
        let file = GrowingFile::create(name, force).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                anyhow!("exists already; --resume goes on with it, --force replaces it")
            }
            _ => error.into(),
        });
        let file = file.with_context(|| name.to_owned())?;
        Ok(Journal { name: name.to_owned(), file, first: Some(first.to_owned()) })
    }

    /// Goes on with a journal behind the part that is whole, which is read into `lines`; what follows is cut off. Returns that
    /// part too. Fails for a compressed one, and while another process writes it.
    pub fn go_on<L: JournalLines>(name: &str, lines: &mut L, first: &str) -> Result<(Journal, WholePart)> {
        let named = || name.to_owned();
        journal_name(name).with_context(named)?;
        let mut file = GrowingFile::claim(name).with_context(named)?;
        let whole = read_journal(name, lines).with_context(named)?;
        file.cut(whole.length).with_context(named)?;
        let first = (whole.length == 0).then(|| first.to_owned());
        Ok((Journal { name: name.to_owned(), file, first }, whole))
    }

    /// Whether the file holds the first line of this work.
    pub fn is_begun(&self) -> bool {
        self.first.is_none()
    }

    /// Writes the first line if that is still to be done, for work that ends without a piece.
    pub fn begin(&mut self) -> Result<()> {
        self.first.take().map_or(Ok(()), |first| self.write(&format!("{first}\n")))
    }

    /// Adds a line in one piece.
    pub fn add(&mut self, line: &str) -> Result<()> {
        let first = self.first.take().map_or_else(String::new, |first| first + "\n");
        self.write(&format!("{first}{line}\n"))
    }

    fn write(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).with_context(|| self.name.clone())
    }
}

/// Reads a journal, a compressed one if its name ends in `.gz`. A last line without its end, at which the program was killed,
/// does not count; anything else that is damaged is an error, which says the line and not the file.
pub fn read_journal<L: JournalLines>(name: &str, lines: &mut L) -> Result<WholePart> {
    let (input, cut) = open_bytes(name, &ProgressBar::hidden())?;
    let mut input = Counted { input, bytes: 0 };
    let (mut number, mut length, mut line) = (0, 0, Vec::new());
    loop {
        let end = read_line(&mut input, LINE_CAP, &mut line)?;
        number += 1;
        match end {
            LineEnd::TooLong => bail!("line {number}: too long for {}", L::FOREIGN.trim_start_matches("no ")),
            LineEnd::Input if line.is_empty() => {
                ensure!(number > 1 || lines.expected().is_some(), "empty, {}", L::FOREIGN);
                let dropped = cut.load(Ordering::Relaxed).then_some(number);
                return Ok(WholePart { length, dropped });
            }
            LineEnd::Input => {
                // A file of another kind is not touched.
                let begun = number > 1
                    || lines.expected().is_some_and(|expected| expected.as_bytes().starts_with(&line));
                ensure!(begun, "line 1: {}", L::FOREIGN);
                return Ok(WholePart { length, dropped: Some(number) });
            }
            LineEnd::LineFeed => {}
        }
        let at = || format!("line {number}");
        if number == 1 {
            lines.first(&line).with_context(at)?;
        } else {
            L::parse(&line).and_then(|item| lines.add(item)).with_context(at)?;
        }
        length = input.bytes;
    }
}

/// Input with the number of bytes that were taken from it.
struct Counted<R> {
    input: R,
    bytes: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.bytes += bytes as u64;
    }
}
