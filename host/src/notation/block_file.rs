//! Files that grow by blocks, each whole in the file once it is written, so that a killed program loses the block that it
//! was at and no more.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Error, ErrorKind, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use crate::io::{GrowingFile, is_gzip};

/// First bytes of a compressed block.
const BLOCK: [u8; 2] = [0x1f, 0x8b];

/// Last line of a turn.
const TURN_END: &[u8] = b"\nendturn\n";

/// File that grows at its end.
#[derive(Debug)]
pub(super) struct BlockFile {
    file: GrowingFile,
    compressed: bool,
}

impl BlockFile {
    /// Creates a file; a name that ends in `.gz` makes a compressed one. Fails when a file of this name exists, unless
    /// `force` says that it is to be replaced, which the first block does.
    pub(super) fn create(name: &str, force: bool) -> io::Result<BlockFile> {
        if name == "-" {
            return Err(Error::new(ErrorKind::InvalidInput, "games are recorded to files only"));
        }
        let file = GrowingFile::create(name, force).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Error::new(error.kind(), "exists already; --force replaces it"),
            _ => error,
        })?;
        Ok(BlockFile { file, compressed: is_gzip(name) })
    }

    /// Opens a file to write behind what it holds; one that does not exist is made. What breaks off at its end gets a line
    /// end, so that what follows is read; of a compressed block that breaks off the whole turns are kept. Fails for a compressed
    /// file that is damaged, and while another process writes the file, unless both have it `shared`.
    pub(super) fn append(name: &str, shared: bool) -> io::Result<BlockFile> {
        let compressed = is_gzip(name);
        let mend = if compressed { end_last_block } else { end_last_line };
        Ok(BlockFile { file: GrowingFile::append(name, shared, mend)?, compressed })
    }

    /// Writes a block of whole lines.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        if !self.compressed {
            return self.file.write_all(text.as_bytes());
        }
        self.file.write_all(&block(text.as_bytes())?)
    }
}

/// Compressed block of a text.
fn block(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text)?;
    encoder.finish()
}

/// Writes a line end behind a last line that has none.
fn end_last_line(file: &mut File) -> io::Result<()> {
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last == [b'\n'] { Ok(()) } else { file.write_all(b"\n") }
}

/// Ends a compressed file with a whole block and a line end. A block that breaks off is replaced by one of its whole turns: other
/// programs write a file as one block.
fn end_last_block(file: &mut File) -> io::Result<()> {
    let mut input = BufReader::new(&*file);
    let mut last = LastByte(b'\n');
    let start = loop {
        let start = input.stream_position()?;
        let rest = input.fill_buf()?;
        if rest.is_empty() {
            break None;
        }
        if !rest.iter().zip(BLOCK).all(|(&found, expected)| found == expected) {
            return Err(Error::new(ErrorKind::InvalidData, "not compressed, though its name says so"));
        }
        match io::copy(&mut GzDecoder::new(&mut input), &mut last) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break Some(start),
            Err(error) => return Err(error),
        }
    };
    let Some(start) = start else {
        return if last.0 == b'\n' { Ok(()) } else { file.write_all(&block(b"\n")?) };
    };
    input.seek(SeekFrom::Start(start))?;
    let mut text = Vec::new();
    // It ends as it did before.
    let _ = GzDecoder::new(&mut input).read_to_end(&mut text);
    let ends = text.windows(TURN_END.len()).rposition(|window| window == TURN_END);
    text.truncate(ends.map_or(0, |at| at + TURN_END.len()));
    let turns = if text.is_empty() { Vec::new() } else { block(&text)? };
    file.set_len(start)?;
    file.write_all(&turns)
}

/// Output that keeps the last byte only.
struct LastByte(u8);

impl Write for LastByte {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = bytes.last().copied().unwrap_or(self.0);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_existing_file_is_replaced_by_force_only_and_grows_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("games.mgn").display().to_string();
        fs::write(&name, "old").unwrap();
        let error = BlockFile::create(&name, false).unwrap_err();
        assert_eq!((error.kind(), fs::read(&name).unwrap()), (ErrorKind::AlreadyExists, b"old".to_vec()));
        BlockFile::append(&name, false).unwrap().write("new\n").unwrap();
        BlockFile::append(&name, false).unwrap().write("newer\n").unwrap();
        assert_eq!(fs::read(&name).unwrap(), b"old\nnew\nnewer\n");
        BlockFile::create(&name, true).unwrap().write("only\n").unwrap();
        assert_eq!(fs::read(&name).unwrap(), b"only\n");
        for name in ["-", "no/such/folder/file"] {
            assert!(BlockFile::create(name, true).is_err());
        }
    }

    #[test]
    fn a_compressed_file_grows_behind_its_last_whole_block() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("games.mgn.gz").display().to_string();
        BlockFile::append(&name, false).unwrap().write("one\n").unwrap();
        let first = fs::metadata(&name).unwrap().len() as usize;
        BlockFile::append(&name, false).unwrap().write("two\n").unwrap();
        let whole = fs::read(&name).unwrap();
        for length in 0..=whole.len() {
            fs::write(&name, &whole[..length]).unwrap();
            BlockFile::append(&name, false).unwrap().write("end\n").unwrap();
            let kept =
                &"one\ntwo\n"[..4 * (usize::from(length >= first) + usize::from(length == whole.len()))];
            assert_eq!(crate::io::read_text(&name).unwrap(), format!("{kept}end\n"), "{length}");
        }
        // What another program compressed is one block: its whole turns stay.
        let turns = "turn 1\nendturn\nturn 2\nendturn\nturn 3\n";
        let one_block = block(turns.as_bytes()).unwrap();
        fs::write(&name, &one_block[..one_block.len() - 8]).unwrap();
        BlockFile::append(&name, false).unwrap().write("end\n").unwrap();
        assert_eq!(crate::io::read_text(&name).unwrap(), "turn 1\nendturn\nturn 2\nendturn\nend\n");
        fs::write(&name, block(b"turn 1").unwrap()).unwrap();
        BlockFile::append(&name, false).unwrap().write("end\n").unwrap();
        assert_eq!(crate::io::read_text(&name).unwrap(), "turn 1\nend\n");
        for damaged in [&b"no gzip"[..], &[&whole[..first], b"no gzip"].concat()] {
            fs::write(&name, damaged).unwrap();
            assert!(BlockFile::append(&name, false).is_err());
            assert_eq!(fs::read(&name).unwrap(), damaged);
        }
    }
}
