//! Files that are read: whole up to a size, or line by line.
//!
//! A file whose end was cut off, as a killed program or a broken transfer leaves it, is read up to the last whole line
//! before the cut, with a warning. A cut shows in a compressed file, and in one with a JSON value on each line. Any other
//! damage is an error.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, stdin};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;
use serde::de::IgnoredAny;

use super::lines::{LineEnd, read_line, remove_mark, skip_line};

/// Bytes of a reader's buffer.
const BUFFER: usize = 1 << 16;

/// Largest text file that is read whole, in bytes after decompression: far more than a recorded contest game has.
pub const TEXT_CAP: usize = 16 << 20;

/// Largest network file that is read, in bytes: several times the largest that a profile makes.
pub const NETWORK_CAP: usize = 64 << 20;

/// Largest checkpoint that is read, in bytes: several times the largest that training writes, with its whole state.
pub const CHECKPOINT_CAP: usize = 128 << 20;

/// Longest line of a file in bytes; a recorded game has an eighth of a MiB at most.
pub(crate) const LINE_CAP: usize = 4 << 20;

/// Bytes behind [`LINE_CAP`] in which the end of a longer line is looked for, since an input need not end.
const SKIP_CAP: u64 = 64 << 20;

/// Whether the name is that of a compressed file: it ends in `.gz`, in whatever case.
pub(crate) fn is_gzip(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Opens a text file for reading.
pub fn open(name: &str) -> io::Result<TextLines> {
    open_watched(name, &ProgressBar::hidden())
}

/// Opens a text file for reading; the bar's position is the number of bytes read, before decompression.
pub fn open_watched(name: &str, bar: &ProgressBar) -> io::Result<TextLines> {
    tracing::info!("reading {name}");
    if name == "-" {
        let reader = BufReader::with_capacity(BUFFER, bar.wrap_read(stdin()));
        return Ok(TextLines::new(Box::new(reader), name));
    }
    let (reader, cut) = open_bytes(name, bar)?;
    Ok(TextLines { cut, ..TextLines::new(reader, name) })
}

/// Opens a file for reading, decompressed if its name ends in `.gz`. Returns whether it was found to end in the middle of a
/// compressed block, too, which counts as its end.
pub(super) fn open_bytes(name: &str, bar: &ProgressBar) -> io::Result<(Box<dyn BufRead>, Arc<AtomicBool>)> {
    let cut = Arc::new(AtomicBool::new(false));
    let file = bar.wrap_read(File::open(name)?);
    let reader: Box<dyn Read> = if is_gzip(name) {
        Box::new(CutGzip { decoder: MultiGzDecoder::new(file), cut: Arc::clone(&cut) })
    } else {
        Box::new(file)
    };
    Ok((Box::new(BufReader::with_capacity(BUFFER, reader)), cut))
}

/// Opens whole members of a compressed text file, which are these bytes of it; the bar's position moves by the number of
/// bytes read. Lines count on from a number.
pub(crate) fn open_part(
    name: &str,
    bytes: Range<u64>,
    number: usize,
    bar: &ProgressBar,
) -> io::Result<TextLines> {
    let mut file = File::open(name)?;
    file.seek(SeekFrom::Start(bytes.start))?;
    let part = bar.wrap_read(file.take(bytes.end - bytes.start));
    let cut = Arc::new(AtomicBool::new(false));
    let decoder = CutGzip { decoder: MultiGzDecoder::new(part), cut: Arc::clone(&cut) };
    let reader = Box::new(BufReader::with_capacity(BUFFER, decoder));
    Ok(TextLines { cut, number, ..TextLines::new(reader, name) })
}

/// Reads the whole of a text file of at most [`TEXT_CAP`] bytes.
pub fn read_text(name: &str) -> io::Result<String> {
    let mut lines = open(name)?;
    let mut text = String::new();
    while let Some(line) = lines.next_line()? {
        if text.len() + line.len() >= TEXT_CAP {
            return Err(too_large(TEXT_CAP));
        }
        text.push_str(line);
        text.push('\n');
    }
    Ok(text)
}

/// Reads the whole of a file of at most `cap` bytes.
pub fn read_bytes(name: &str, cap: usize) -> io::Result<Vec<u8>> {
    tracing::info!("reading {name}");
    let file = File::open(name)?;
    // The length of a device is 0, so it is a hint only.
    let len = file.metadata()?.len();
    if len > cap as u64 {
        return Err(too_large(cap));
    }
    let mut bytes = Vec::with_capacity(len as usize + 1);
    file.take(cap as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > cap { Err(too_large(cap)) } else { Ok(bytes) }
}

fn too_large(cap: usize) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("more than {} MiB, the most that is read", cap >> 20))
}

/// Decoder of a compressed file that takes a cut for the end of the file, and remembers it.
struct CutGzip<R> {
    decoder: MultiGzDecoder<R>,
    cut: Arc<AtomicBool>,
}

impl<R: Read> Read for CutGzip<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.decoder.read(bytes) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                self.cut.store(true, Ordering::Relaxed);
                Ok(0)
            }
            other => other,
        }
    }
}

/// Lines of a text file, each of at most 4 MiB. They are UTF-8; what is not is an error.
pub struct TextLines {
    reader: Box<dyn BufRead>,
    name: String,
    /// Whether the file was found to end in the middle of a compressed block.
    cut: Arc<AtomicBool>,
    ended: bool,
    line: Vec<u8>,
    number: usize,
    /// Whether the line read last is to be read again.
    again: bool,
}

impl TextLines {
    /// Lines of a reader, of which warnings speak by this name.
    pub fn new(reader: Box<dyn BufRead>, name: &str) -> TextLines {
        TextLines {
            reader,
            name: name.to_owned(),
            cut: Arc::default(),
            ended: false,
            line: Vec::new(),
            number: 0,
            again: false,
        }
    }

    /// Number of the line read last, from 1; 0 before the first.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Reads the next line, without its line end. Returns `None` at the end of the file. Errors name the line. Behind a line
    /// that is no text, and behind one of 4 to 68 MiB, reading goes on with the next one: [`number`](Self::number) is that of
    /// the bad line. It is that of the line before after any other error, and nothing more can be read.
    pub fn next_line(&mut self) -> io::Result<Option<&str>> {
        self.next_line_unless(|_| false)
    }

    /// Reads the next line of a file that has a JSON value on each. A last line without a line end that breaks off within
    /// its value, as a killed program leaves it, is a cut.
    pub fn next_json_line(&mut self) -> io::Result<Option<&str>> {
        self.next_line_unless(|line| {
            serde_json::from_slice::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
        })
    }

    /// Whether the line read last is the last one and has no line end, as a killed program may leave it.
    pub fn breaks_off(&self) -> bool {
        self.ended && !self.line.is_empty()
    }

    /// Skips empty lines and reads the one behind them, which is read once more by the next call.
    pub fn peek_full_line(&mut self) -> io::Result<Option<&str>> {
        loop {
            match self.next_json_line()? {
                None => return Ok(None),
                Some(line) if line.trim().is_empty() => {}
                Some(_) => break,
            }
        }
        self.again = true;
        // Read as text a moment ago.
        Ok(std::str::from_utf8(&self.line).ok())
    }

    /// Reads the next line, unless it is the last, has no line end, and `is_cut` says that it breaks off.
    fn next_line_unless(&mut self, is_cut: impl Fn(&[u8]) -> bool) -> io::Result<Option<&str>> {
        if std::mem::take(&mut self.again) {
            return Ok(std::str::from_utf8(&self.line).ok());
        }
        if self.ended {
            return Ok(None);
        }
        let number = self.number + 1;
        let at = |error: io::Error| match error.kind() {
            // It has no lines.
            ErrorKind::IsADirectory => error,
            kind => io::Error::new(kind, format!("line {number}: {error}")),
        };
        match read_line(&mut self.reader, LINE_CAP, &mut self.line).map_err(at)? {
            LineEnd::TooLong => {
                let skipped = skip_line(&mut Read::take(&mut self.reader, SKIP_CAP)).map_err(at)?;
                let text = if skipped {
                    self.number = number;
                    format!("line {number}: longer than {} MiB", LINE_CAP >> 20)
                } else {
                    format!(
                        "line {number}: longer than {} MiB, and nothing behind it is read",
                        LINE_CAP >> 20
                    )
                };
                return Err(io::Error::new(ErrorKind::FileTooLarge, text));
            }
            LineEnd::Input => {
                self.ended = true;
                let nothing = self.line.is_empty();
                if self.cut.load(Ordering::Relaxed) || (!nothing && is_cut(&self.line)) {
                    let Self { name, number, .. } = self;
                    eprintln!("barrow: warning: {name}: the end is cut off; read up to line {number}");
                    return Ok(None);
                }
                if nothing {
                    return Ok(None);
                }
            }
            LineEnd::LineFeed => {}
        }
        self.number = number;
        if number == 1 {
            remove_mark(&mut self.line);
        }
        match std::str::from_utf8(&self.line) {
            Ok(line) => Ok(Some(line)),
            Err(_) => Err(io::Error::new(ErrorKind::InvalidData, format!("line {number}: not UTF-8"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// A compressed member with this text.
    fn member(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    /// The lines of a file with this name and content.
    fn lines(name: &str, bytes: &[u8]) -> io::Result<Vec<String>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(name).display().to_string();
        std::fs::write(&path, bytes)?;
        let mut lines = open(&path)?;
        let mut found = Vec::new();
        while let Some(line) = lines.next_line()? {
            found.push(line.to_owned());
        }
        Ok(found)
    }

    #[test]
    fn plain_and_compressed_files_have_the_same_lines() {
        let text = "one\ntwo\r\n\nthree";
        for (name, bytes) in [
            ("a", text.into()),
            ("a.gz", member(text)),
            ("a.GZ", [member("one\n"), member(&text[4..])].concat()),
        ] {
            assert_eq!(lines(name, &bytes).unwrap(), ["one", "two", "", "three"], "{name}");
        }
        assert_eq!(lines("empty", b"").unwrap(), [""; 0]);
    }

    #[test]
    fn a_compressed_file_with_a_cut_end_is_read_to_a_whole_line_wherever_it_is_cut() {
        let blocks = ["one\ntwo\n", "three\nfour\n"].map(member);
        let whole = blocks.concat();
        let expected = ["one", "two", "three", "four"];
        let mut most = 0;
        for len in 0..whole.len() {
            let found = lines("cut.gz", &whole[..len]).unwrap();
            assert_eq!(found, expected[..found.len()], "{len} bytes");
            assert!(found.len() >= most, "{len} bytes");
            assert!(len < blocks[0].len() || found.len() >= 2, "{len} bytes");
            most = found.len();
        }
    }

    #[test]
    fn a_file_of_json_values_is_read_to_a_whole_one_wherever_it_is_cut() {
        let text = "{\"a\":1}\n{\"b\":\"é\"}";
        for len in 0..=text.len() {
            let bytes = text.as_bytes()[..len].to_vec();
            let mut lines = TextLines::new(Box::new(io::Cursor::new(bytes)), "cut");
            let mut found = Vec::new();
            while let Some(line) = lines.next_json_line().unwrap() {
                found.push(line.to_owned());
            }
            let whole = usize::from(len >= 7) + usize::from(len == text.len());
            assert_eq!(found, text.lines().take(whole).collect::<Vec<_>>(), "{len} bytes");
        }
        let mut lines = TextLines::new(Box::new(&b"{}\nnonsense"[..]), "text");
        assert_eq!(lines.next_json_line().unwrap(), Some("{}"));
        assert_eq!(lines.next_json_line().unwrap(), Some("nonsense"));
        assert_eq!(lines.next_json_line().unwrap(), None);
    }

    #[test]
    fn a_byte_order_mark_belongs_to_no_line() {
        assert_eq!(lines("text", "\u{feff}one\r\n\u{feff}two".as_bytes()).unwrap(), ["one", "\u{feff}two"]);
        let mut lines = TextLines::new(Box::new("\u{feff}{}\n".as_bytes()), "text");
        assert_eq!(lines.peek_full_line().unwrap(), Some("{}"));
        assert_eq!(lines.next_json_line().unwrap(), Some("{}"));
        assert_eq!(lines.next_line().unwrap(), None);
    }

    #[test]
    fn damage_that_is_no_cut_is_an_error() {
        let mut bytes = member("one\ntwo\n");
        let place = bytes.len() - 6;
        bytes[place] ^= 1;
        assert!(lines("damaged.gz", &bytes).is_err());
        assert!(lines("text.gz", b"not compressed\n").is_err());
        let error = lines("latin", b"ok\n\xff\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2: not UTF-8");
    }

    #[test]
    fn a_file_is_read_up_to_its_cap() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("four").display().to_string();
        std::fs::write(&name, "1234").unwrap();
        assert_eq!(read_bytes(&name, 4).unwrap(), b"1234");
        assert_eq!(read_bytes(&name, 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        let long = vec![b'x'; LINE_CAP + 1];
        let error = lines("long", &[b"ok\n", &long[..]].concat()).unwrap_err();
        assert_eq!(error.to_string(), "line 2: longer than 4 MiB, and nothing behind it is read");
    }

    #[test]
    fn a_line_that_is_too_long_is_one_error_and_the_next_one_is_read() {
        let long = vec![b'x'; LINE_CAP + 1];
        let bytes = [&long[..], b"\ntwo\n", &long[..], &long[..], b"\nfour"].concat();
        let mut lines = TextLines::new(Box::new(io::Cursor::new(bytes)), "long");
        for (number, text) in [(2, "two"), (4, "four")] {
            let error = lines.next_line().unwrap_err();
            assert_eq!(error.to_string(), format!("line {}: longer than 4 MiB", number - 1));
            assert_eq!(lines.next_line().unwrap(), Some(text));
            assert_eq!(lines.number(), number);
        }
        let mut endless = TextLines::new(Box::new(BufReader::new(io::repeat(b'x'))), "endless");
        let error = endless.next_line().unwrap_err();
        assert!(error.to_string().ends_with("nothing behind it is read") && endless.number() == 0);
    }
}
