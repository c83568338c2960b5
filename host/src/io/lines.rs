//! Lines of bounded length, read as bytes.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::{Arc, OnceLock};

/// Byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// End of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// At a line feed.
    LineFeed,
    /// At the end of the input; without a byte before it there was no line.
    Input,
    /// Nowhere up to the greatest length. The rest of the line is still to be read.
    TooLong,
}

/// Reads a line of at most `cap` bytes, its line feed not counted, into `line`, which is emptied first. The line feed
/// and a carriage return before it are left out.
pub fn read_line(input: &mut impl BufRead, cap: usize, line: &mut Vec<u8>) -> io::Result<LineEnd> {
    line.clear();
    input.by_ref().take(cap as u64 + 1).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        return Ok(LineEnd::LineFeed);
    }
    Ok(if line.len() > cap { LineEnd::TooLong } else { LineEnd::Input })
}

/// Place where a thread that reads lines leaves the error that it ended with.
#[derive(Clone, Debug, Default)]
pub struct ReadFailure(Arc<OnceLock<io::Error>>);

impl ReadFailure {
    /// Keeps the error, if reading ended with one.
    pub fn keep(&self, ended: io::Result<()>) {
        if let Err(error) = ended {
            let _ = self.0.set(error);
        }
    }

    /// Fails where reading failed, as for invalid data: of a stream of which nothing else can be read.
    pub fn check(&self) -> io::Result<()> {
        self.0.get().map_or(Ok(()), |error| Err(io::Error::new(ErrorKind::InvalidData, error.to_string())))
    }
}

/// Removes a byte order mark, with which editors of Windows begin a text, from the first line of an input.
pub fn remove_mark(first: &mut Vec<u8>) {
    if first.starts_with(BYTE_ORDER_MARK) {
        first.drain(..BYTE_ORDER_MARK.len());
    }
}

/// Line of an input of commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    /// Text without its line end.
    Text(String),
    /// Bytes that are no UTF-8.
    NoText(Vec<u8>),
    /// Line that is longer than is read.
    TooLong,
}

/// Reads lines of at most `cap` bytes until the input ends or `visit` returns false; a byte order mark at the start belongs to
/// none. Fails where the input does.
pub fn each_line(input: impl Read, cap: usize, mut visit: impl FnMut(InputLine) -> bool) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let (mut line, mut is_first) = (Vec::new(), true);
    loop {
        let end = read_line(&mut input, cap, &mut line)?;
        if std::mem::take(&mut is_first) {
            remove_mark(&mut line);
        }
        let line = match end {
            LineEnd::TooLong => {
                skip_line(&mut input)?;
                InputLine::TooLong
            }
            LineEnd::Input if line.is_empty() => return Ok(()),
            LineEnd::LineFeed | LineEnd::Input => match String::from_utf8(std::mem::take(&mut line)) {
                Ok(text) => InputLine::Text(text),
                Err(error) => InputLine::NoText(error.into_bytes()),
            },
        };
        if !visit(line) {
            return Ok(());
        }
    }
}

/// Skips what is left of a line, its line feed included. Returns whether there was a line feed.
pub fn skip_line(input: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let buffer = input.fill_buf()?;
        let feed = buffer.iter().position(|&byte| byte == b'\n');
        let len = feed.map_or(buffer.len(), |feed| feed + 1);
        if len == 0 {
            return Ok(false);
        }
        input.consume(len);
        if feed.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::rng::Rng;

    use super::*;

    #[test]
    fn lines_end_at_a_line_feed_the_end_or_the_cap() {
        let mut input = io::BufReader::with_capacity(2, &b"abcd\r\n\nabcdef\ng\nh"[..]);
        let mut read = || {
            let mut line = Vec::new();
            let end = read_line(&mut input, 5, &mut line).unwrap();
            if end == LineEnd::TooLong {
                assert!(skip_line(&mut input).unwrap());
            }
            (String::from_utf8(line).unwrap(), end)
        };
        assert_eq!(read(), ("abcd".to_owned(), LineEnd::LineFeed));
        assert_eq!(read(), (String::new(), LineEnd::LineFeed));
        assert_eq!(read(), ("abcdef".to_owned(), LineEnd::TooLong));
        assert_eq!(read(), ("g".to_owned(), LineEnd::LineFeed));
        assert_eq!(read(), ("h".to_owned(), LineEnd::Input));
        assert_eq!(read(), (String::new(), LineEnd::Input));
    }

    #[test]
    fn lines_put_together_are_the_input() {
        let mut dice = Rng::new(4);
        for _ in 0..2000 {
            let letters = [b'\n', b'\r', b'x', 0xff];
            let text: Vec<u8> = (0..dice.below(40)).map(|_| letters[dice.below(4) as usize]).collect();
            let (buffer, cap) = (1 + dice.below(8) as usize, dice.below(12) as usize);
            let mut input = io::BufReader::with_capacity(buffer, &text[..]);
            let (mut expected, mut line) = (&text[..], Vec::new());
            loop {
                let end = read_line(&mut input, cap, &mut line).unwrap();
                assert!(line.len() <= cap + 1 && expected.starts_with(&line), "{text:?}, {cap}");
                expected = &expected[line.len()..];
                match end {
                    LineEnd::Input => break,
                    LineEnd::TooLong => {
                        let feed = expected.iter().position(|&byte| byte == b'\n');
                        assert_eq!(skip_line(&mut input).unwrap(), feed.is_some());
                        expected = &expected[feed.map_or(expected.len(), |feed| feed + 1)..];
                    }
                    LineEnd::LineFeed => {
                        let feed = if expected.first() == Some(&b'\r') { 2 } else { 1 };
                        assert_eq!(expected[feed - 1], b'\n');
                        expected = &expected[feed..];
                    }
                }
            }
            assert!(expected.is_empty(), "{text:?}, {cap}");
        }
    }

    #[test]
    fn commands_are_text_or_told_to_be_none() {
        let mut found = Vec::new();
        let input = "\u{feff}umi\r\n\n\u{feff}x\n".bytes().chain(*b"a\xff\nthe longest\nend");
        let keep = |line| {
            found.push(line);
            true
        };
        each_line(&input.collect::<Vec<u8>>()[..], 7, keep).unwrap();
        let text = |text: &str| InputLine::Text(text.to_owned());
        let bytes = InputLine::NoText(b"a\xff".to_vec());
        let expected = [text("umi"), text(""), text("\u{feff}x"), bytes, InputLine::TooLong, text("end")];
        assert_eq!(found, expected);
        each_line("\u{feff}".as_bytes(), 5, |line| panic!("{line:?}")).unwrap();
    }

    #[test]
    fn endless_input_is_read_up_to_the_cap() {
        let mut line = Vec::new();
        let end = read_line(&mut io::BufReader::new(io::repeat(0)), 1000, &mut line).unwrap();
        assert_eq!((end, line.len()), (LineEnd::TooLong, 1001));
        assert!(!skip_line(&mut &b"no line feed"[..]).unwrap());
    }
}
