//! Files of game records while they are written: block by block, so that a run that is killed loses one block at most
//! and can be gone on with (traces §5).

use std::fs::File;
use std::io::{self, BufRead, BufReader, Error, ErrorKind, Seek, Write, stdout};

use anyhow::{Context, Result, bail};
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};

use super::game_record::outline;
use crate::io::{GrowingFile, LINE_CAP, LineEnd, is_gzip, read_line};

/// File of game records being written, or standard output.
pub struct RecordFile {
    output: Box<dyn Write>,
    compressed: bool,
}

/// Content of a file of game records up to the end of its last whole block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordTail {
    /// Number of games.
    pub games: u32,
    /// Sum of the turns of the games.
    pub turns: u64,
    /// Checksums of the first positions of the games as text.
    pub starts: Vec<u32>,
    /// Last whole line of the file with its number from 0; it may lie behind the last whole block.
    pub last: Option<(u32, String)>,
    /// Length of the whole blocks in bytes.
    len: u64,
}

impl RecordFile {
    /// Creates a file; `-` is standard output, and a name that ends in `.gz` makes a compressed file. Fails when a file
    /// of this name exists, unless `force` says that it is to be replaced, which the first block does.
    pub fn create(name: &str, force: bool) -> io::Result<RecordFile> {
        if name == "-" {
            return Ok(RecordFile { output: Box::new(stdout()), compressed: false });
        }
        let output = GrowingFile::create(name, force).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Error::new(error.kind(), "exists already; --resume goes on with it, --force replaces it")
            }
            _ => error,
        })?;
        Ok(RecordFile { output: Box::new(output), compressed: is_gzip(name) })
    }

    /// Goes on behind the whole blocks of a file that was claimed before it was read. What follows them, a block that was not
    /// finished, is cut off.
    pub fn append(name: &str, mut claimed: GrowingFile, tail: &RecordTail) -> io::Result<RecordFile> {
        claimed.cut(tail.len)?;
        Ok(RecordFile { output: Box::new(claimed), compressed: is_gzip(name) })
    }

    /// Writes records, each a line without its line end, as one block that is whole in the file afterwards.
    pub fn write_block(&mut self, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.output.write_all(&record_block(lines, self.compressed)?)?;
        self.output.flush()
    }
}

/// Bytes of a block of records, each a line without its line end; a compressed one is a gzip member.
pub fn record_block(lines: &[String], compressed: bool) -> io::Result<Vec<u8>> {
    let mut block = Vec::new();
    if compressed {
        let mut encoder = GzEncoder::new(&mut block, Compression::default());
        lines.iter().try_for_each(|line| writeln!(encoder, "{line}"))?;
        encoder.finish()?;
    } else {
        lines.iter().try_for_each(|line| writeln!(block, "{line}"))?;
    }
    Ok(block)
}

impl RecordTail {
    /// Reads what a file holds. Fails when it is no file of game records, or damaged otherwise than by a cut.
    pub fn read(name: &str) -> Result<RecordTail> {
        let mut file = BufReader::new(File::open(name)?);
        let mut tail = RecordTail::default();
        if !is_gzip(name) {
            let rest = tail.add_lines(&mut file)?;
            tail.len = file.stream_position()? - rest as u64;
            return Ok(tail);
        }
        while !file.fill_buf()?.is_empty() {
            let mut block = tail.clone();
            match block.add_lines(&mut BufReader::new(GzDecoder::new(&mut file))) {
                Ok(0) => {}
                Ok(_) => bail!("line {}: a block ends within a line", block.games + 1),
                Err(error) if is_cut(&error) => {
                    tail.last = block.last;
                    break;
                }
                Err(error) => return Err(error),
            }
            block.len = file.stream_position()?;
            tail = block;
        }
        Ok(tail)
    }

    /// Counts the lines up to the end of the input. Returns the number of bytes behind the last whole line.
    fn add_lines(&mut self, input: &mut impl BufRead) -> Result<usize> {
        let mut line = Vec::new();
        loop {
            let at = || format!("line {}", self.games + 1);
            match read_line(input, LINE_CAP, &mut line).with_context(at)? {
                LineEnd::Input => return Ok(line.len()),
                LineEnd::TooLong => bail!("{}: too long for a game record", at()),
                LineEnd::LineFeed => {}
            }
            let text = std::str::from_utf8(&line).with_context(at)?;
            let (start, turns) = outline(text).with_context(at)?;
            self.turns += turns as u64;
            self.starts.push(start_checksum(&start));
            self.last = Some((self.games, text.to_owned()));
            self.games += 1;
        }
    }
}

/// Checksum of the first position of a game as text.
pub fn start_checksum(start: &str) -> u32 {
    let mut crc = Crc::new();
    crc.update(start.as_bytes());
    crc.sum()
}

/// Whether reading failed because a compressed file ends too early.
fn is_cut(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Error>().is_some_and(|error| error.kind() == ErrorKind::UnexpectedEof)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::io::open;

    fn lines(first: u32, count: u32) -> Vec<String> {
        let line = |number| format!("{{\"start\":\"{number}\",\"turns\":[\"a\",\"b\"],\"by\":\"gg\"}}");
        (first..first + count).map(line).collect()
    }

    fn all_lines(name: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut lines = open(name).unwrap();
        while let Some(line) = lines.next_line().unwrap() {
            found.push(line.to_owned());
        }
        found
    }

    #[test]
    fn a_file_that_was_cut_anywhere_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["games", "games.gz"] {
            let name = folder.path().join(name).display().to_string();
            let mut file = RecordFile::create(&name, false).unwrap();
            file.write_block(&lines(0, 3)).unwrap();
            let first = fs::metadata(&name).unwrap().len();
            file.write_block(&lines(3, 2)).unwrap();
            drop(file);
            let whole = fs::read(&name).unwrap();
            assert_eq!(RecordTail::read(&name).unwrap().turns, 10);
            for len in 0..=whole.len() {
                fs::write(&name, &whole[..len]).unwrap();
                let claimed = GrowingFile::claim(&name).unwrap();
                let tail = RecordTail::read(&name).unwrap();
                assert!(tail.games <= 5 && (len < first as usize || tail.games >= 3), "{len}: {tail:?}");
                let (last, text) = tail.last.clone().unwrap_or((0, lines(0, 1).remove(0)));
                assert_eq!(lines(last, 1), [text]);
                let mut file = RecordFile::append(&name, claimed, &tail).unwrap();
                file.write_block(&lines(tail.games, 5 - tail.games)).unwrap();
                assert_eq!(all_lines(&name), lines(0, 5), "{len} bytes");
            }
        }
    }

    #[test]
    fn an_existing_file_is_replaced_by_force_only() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("games").display().to_string();
        fs::write(&name, "old\n").unwrap();
        let error = RecordFile::create(&name, false).err().unwrap();
        assert!(error.to_string().contains("--resume"), "{error}");
        assert_eq!(fs::read(&name).unwrap(), b"old\n");
        RecordFile::create(&name, true).unwrap().write_block(&lines(0, 1)).unwrap();
        assert_eq!(all_lines(&name), lines(0, 1));
    }

    #[test]
    fn what_is_no_file_of_records_is_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [("notes", &b"not a record\n"[..]), ("notes.gz", b"not compressed\n")] {
            let name = folder.path().join(name).display().to_string();
            fs::write(&name, bytes).unwrap();
            assert!(RecordTail::read(&name).is_err());
        }
    }
}
