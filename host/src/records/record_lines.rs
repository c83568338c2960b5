//! Lines of a file of game records for readers that want what is whole: damaged blocks and lines are left out, each with
//! a word on what and where. Games in any other form, which the first line tells, are given as lines of game records, so that networks learn from them, too.
//!
//! A compressed file is surveyed before it is read: every gzip member is decompressed once, so that no line of a member
//! with a wrong checksum is used. Behind a damaged member the next whole one is searched for by its first bytes.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Seek, SeekFrom};
use std::ops::Range;

use anyhow::{Context, Result};
use flate2::bufread::GzDecoder;
use indicatif::ProgressBar;

use super::damage::Damage;
use crate::io::{TextLines, is_gzip, open_part, open_watched};
use crate::notation::self_play::record;
use crate::notation::{FileSettings, GameFile, GameForm};

/// First bytes of a gzip member: its signature and the one known method of compression.
const MEMBER: [u8; 3] = [0x1f, 0x8b, 8];

/// Lines of a file of game records.
pub struct RecordLines {
    name: String,
    bar: ProgressBar,
    /// Parts of a compressed file that are still to be read, in bytes.
    parts: VecDeque<Range<u64>>,
    lines: Option<TextLines>,
    /// Games of a file in another form, which are given as game records.
    annotated: Option<GameFile>,
    /// Number of the last line of the parts before.
    before: usize,
    damage: Damage,
}

impl RecordLines {
    /// Opens a file; `-` is standard input, and a name that ends in `.gz` is a compressed file. The bar's position is the
    /// number of bytes read. Fails when the file cannot be read at all.
    pub fn open(name: &str, bar: &ProgressBar) -> Result<RecordLines> {
        let named = || name.to_owned();
        let (name, bar) = (name.to_owned(), bar.clone());
        let mut lines = RecordLines {
            name,
            bar,
            parts: VecDeque::new(),
            lines: None,
            annotated: None,
            before: 0,
            damage: Damage::default(),
        };
        // Only a file can be read twice.
        let in_parts = is_gzip(&lines.name) && fs::metadata(&lines.name).with_context(named)?.is_file();
        if in_parts {
            lines.survey().with_context(named)?;
            lines.next_part();
        } else {
            lines.lines = Some(open_watched(&lines.name, &lines.bar).with_context(named)?);
        }
        lines.tell_form(in_parts).with_context(named)?;
        Ok(lines)
    }

    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes what was found to be damaged so far, each with the file and the place.
    pub fn take_damage(&mut self) -> Damage {
        std::mem::take(&mut self.damage)
    }

    /// Reads the next line, with its number from 1 among those that can be read. Returns `None` at the end of the file.
    pub fn next_line(&mut self) -> Option<(usize, String)> {
        if self.annotated.is_some() {
            return self.next_annotated();
        }
        loop {
            let Some(lines) = &mut self.lines else {
                if self.parts.is_empty() {
                    return None;
                }
                self.next_part();
                continue;
            };
            let last = lines.number();
            match lines.next_json_line() {
                Ok(Some(line)) => {
                    let line = line.to_owned();
                    return Some((lines.number(), line));
                }
                Err(error) => {
                    self.damage.push(format!("{}: {error}", self.name));
                    // The reader is behind a line that is no text or too long; after any other error it has ended.
                    if lines.number() > last {
                        continue;
                    }
                }
                Ok(None) => {}
            }
            self.before = lines.number();
            self.lines = None;
        }
    }

    /// Opens the next part of a compressed file, if there is one.
    fn next_part(&mut self) {
        let Some(part) = self.parts.pop_front() else { return };
        match open_part(&self.name, part, self.before, &self.bar) {
            Ok(lines) => self.lines = Some(lines),
            Err(error) => self.damage.push(format!("{}: {error}", self.name)),
        }
    }

    /// Looks at the first line: games in another form than game records are read as what they are. Fails when that cannot be.
    fn tell_form(&mut self, in_parts: bool) -> Result<()> {
        let Some(lines) = &mut self.lines else { return Ok(()) };
        let form = match lines.peek_full_line() {
            Ok(line) => line.and_then(GameForm::of_line),
            Err(error) => {
                self.damage.push(format!("{}: {error}", self.name));
                if lines.number() == 0 {
                    self.lines = None;
                }
                None
            }
        };
        if matches!(form, None | Some(GameForm::SelfPlay)) {
            return Ok(());
        }
        let Some(mut lines) = self.lines.take() else { return Ok(()) };
        if in_parts {
            // What the survey knows is for files in which each line is by itself.
            self.parts.clear();
            self.damage = Damage::default();
            lines = open_watched(&self.name, &self.bar)?;
        }
        let settings = FileSettings { keeps_damage: true, ..FileSettings::default() };
        self.annotated = Some(GameFile::of_lines(lines, &self.name, settings)?);
        Ok(())
    }

    /// Reads the next annotated game as the line of its game record.
    fn next_annotated(&mut self) -> Option<(usize, String)> {
        loop {
            let file = self.annotated.as_mut()?;
            let read = file.next_game();
            self.damage.append(file.take_damage());
            let read = match read {
                Ok(read) => read?,
                Err(error) => {
                    // Where the next game begins is not known.
                    self.damage.push(format!("{}: {error:#}", self.name));
                    self.annotated = None;
                    return None;
                }
            };
            self.before += 1;
            let line = read.line;
            let record = read.legal().and_then(|game| record(&game)?.to_line());
            match record {
                Ok(text) => return Some((self.before, text)),
                Err(error) => self.damage.push(format!("{}: game at line {line}: {error:#}", self.name)),
            }
        }
    }

    /// Finds the parts of a compressed file that can be read: whole members, and the beginning of a last one that is cut.
    fn survey(&mut self) -> io::Result<()> {
        let mut file = BufReader::with_capacity(1 << 16, File::open(&self.name)?);
        let len = file.get_ref().metadata()?.len();
        let mut at = 0;
        while at < len {
            let (next, error) = match member_end(&mut file, at) {
                Ok(end) => {
                    match self.parts.back_mut() {
                        Some(part) if part.end == at => part.end = end,
                        _ => self.parts.push_back(at..end),
                    }
                    at = end;
                    continue;
                }
                Err(error) => (next_member(&mut file, at + 1)?, error),
            };
            if next.is_none() && error.kind() == ErrorKind::UnexpectedEof {
                // Reading says that the end is cut off.
                self.parts.push_back(at..len);
                return Ok(());
            }
            let end = next.unwrap_or(len);
            self.damage.push(format!("{}: bytes {at} to {end}: damaged block, {error}", self.name));
            at = end;
        }
        Ok(())
    }
}

/// End of the gzip member that begins at a byte. Fails when it is damaged or has no end.
fn member_end(file: &mut BufReader<File>, start: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(start))?;
    io::copy(&mut GzDecoder::new(&mut *file), &mut io::sink())?;
    file.stream_position()
}

/// Start of the first whole gzip member from a byte on.
fn next_member(file: &mut BufReader<File>, from: u64) -> io::Result<Option<u64>> {
    file.seek(SeekFrom::Start(from))?;
    let (mut at, mut last) = (from, [0; MEMBER.len()]);
    loop {
        let buffer = file.fill_buf()?;
        if buffer.is_empty() {
            return Ok(None);
        }
        let mut found = None;
        for (index, &byte) in buffer.iter().enumerate() {
            last = [last[1], last[2], byte];
            let end = at + index as u64 + 1;
            if last == MEMBER && end - from >= MEMBER.len() as u64 {
                found = Some(end);
                break;
            }
        }
        let Some(end) = found else {
            let len = buffer.len();
            file.consume(len);
            at += len as u64;
            continue;
        };
        let start = end - MEMBER.len() as u64;
        if member_end(file, start).is_ok() {
            return Ok(Some(start));
        }
        file.seek(SeekFrom::Start(end))?;
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::RecordFile;

    fn line(number: usize) -> String {
        format!("{{\"game\":{number},\"text\":\"{}\"}}", "abc ".repeat(number % 7))
    }

    /// A file of three blocks of ten lines, and where each begins.
    fn blocks(name: &str) -> Vec<u64> {
        let mut file = RecordFile::create(name, true).unwrap();
        let mut starts = Vec::new();
        for block in 0..3 {
            starts.push(fs::metadata(name).unwrap().len());
            file.write_block(&(10 * block..10 * block + 10).map(line).collect::<Vec<_>>()).unwrap();
        }
        starts
    }

    fn read(name: &str) -> (Vec<String>, Vec<String>) {
        let mut lines = RecordLines::open(name, &ProgressBar::hidden()).unwrap();
        let mut found = Vec::new();
        while let Some((number, line)) = lines.next_line() {
            found.push(line);
            assert!(number >= found.len());
        }
        (found, lines.take_damage().told().to_vec())
    }

    #[test]
    fn wherever_a_byte_of_a_block_is_damaged_the_other_blocks_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("games.gz").display().to_string();
        let starts = blocks(&name);
        let whole = fs::read(&name).unwrap();
        assert_eq!(read(&name), ((0..30).map(line).collect(), vec![]));
        let expected: Vec<String> = (0..10).chain(20..30).map(line).collect();
        for place in starts[1]..starts[2] {
            // Time, extra flags and system of a member's header mean nothing.
            if (4..10).contains(&(place - starts[1])) {
                continue;
            }
            let mut damaged = whole.clone();
            damaged[place as usize] ^= 0x40;
            fs::write(&name, &damaged).unwrap();
            let (found, damage) = read(&name);
            // Bits that fill up the last byte of the compressed text mean nothing either.
            if place + 9 == starts[2] && damage.is_empty() {
                continue;
            }
            assert_eq!(found, expected, "byte {place}");
            let at = format!("{name}: bytes {} to {}: damaged block", starts[1], starts[2]);
            assert!(damage.len() == 1 && damage[0].starts_with(&at), "byte {place}: {damage:?}");
        }
        // A piece of the block is missing.
        let (a, b) = (starts[1] as usize + 30, starts[1] as usize + 50);
        fs::write(&name, [&whole[..a], &whole[b..]].concat()).unwrap();
        assert_eq!((read(&name).0, read(&name).1.len()), (expected, 1));
        // The last block has no whole one behind it.
        let mut damaged = whole.clone();
        *damaged.last_mut().unwrap() ^= 1;
        damaged[starts[2] as usize + 40] ^= 1;
        fs::write(&name, &damaged).unwrap();
        assert_eq!(read(&name).0[..20], (0..20).map(line).collect::<Vec<_>>());
    }

    #[test]
    fn lines_that_are_no_text_or_too_long_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("games").display().to_string();
        fs::write(&name, b"{\"a\":1}\n\xff\xfe\n{\"b\":2}\n{\"c\"").unwrap();
        let (found, damage) = read(&name);
        assert_eq!(found, ["{\"a\":1}", "{\"b\":2}"]);
        assert_eq!(damage, [format!("{name}: line 2: not UTF-8")]);
        let long = "x".repeat(5 << 20);
        fs::write(&name, format!("{long}\n{{\"a\":1}}\n{long}\n{{\"b\":2}}\n")).unwrap();
        let (found, damage) = read(&name);
        assert_eq!(found, ["{\"a\":1}", "{\"b\":2}"]);
        assert_eq!(damage, [1, 3].map(|line| format!("{name}: line {line}: longer than 4 MiB")));
        let name = folder.path().join("text.gz").display().to_string();
        fs::write(&name, "not compressed\n").unwrap();
        let (found, damage) = read(&name);
        assert!(found.is_empty() && damage.len() == 1, "{damage:?}");
        assert!(RecordLines::open("no/such/file.gz", &ProgressBar::hidden()).is_err());
    }
}
