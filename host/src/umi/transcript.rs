//! Transcript of a session: everything that passes between host and engine, in a file (the option `Debug Log File`).

use std::fs::{File, OpenOptions};
use std::io::{self, Write};

use super::options::LOG_OPTION;
use crate::text::quoted::{quoted, shortened};

/// Writer that passes its bytes on, and copies them to a transcript while there is one. Lines of the host begin with
/// `> ` there, lines of the engine with `< `.
pub(super) struct TranscribedWriter<W> {
    pub(super) inner: W,
    transcript: Option<Transcript>,
    /// File of a transcript that could not be written to its end, and why, until the host is told.
    broken: Option<String>,
    /// Beginning of a line of the engine for `--verbose`.
    begun: Vec<u8>,
}

struct Transcript {
    name: String,
    file: File,
    /// Whether the next byte of the engine begins a line.
    at_start: bool,
}

impl<W: Write> TranscribedWriter<W> {
    pub(super) fn new(inner: W) -> TranscribedWriter<W> {
        TranscribedWriter { inner, transcript: None, broken: None, begun: Vec::new() }
    }

    /// Begins a transcript at the end of a file, which is made if there is none; without a name ends it.
    pub(super) fn transcribe(&mut self, name: Option<&str>) -> io::Result<()> {
        self.transcript = match name {
            Some(name) => {
                let file = OpenOptions::new().append(true).create(true).open(name)?;
                Some(Transcript { name: name.to_owned(), file, at_start: true })
            }
            None => None,
        };
        Ok(())
    }

    /// Notes a line of the host.
    pub(super) fn hear(&mut self, line: &str) {
        self.note(|transcript| writeln!(transcript.file, "> {line}"));
    }

    /// Tells `--verbose` the lines that the engine's bytes end.
    fn tell(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.begun.extend_from_slice(part);
            if part.ends_with(b"\n") {
                tracing::debug!("host < {}", shortened(String::from_utf8_lossy(&self.begun).trim_end()));
                self.begun.clear();
            }
        }
    }

    /// Writes to the transcript; one that cannot be written ends, since the game matters more. The host is told behind the
    /// next whole line.
    fn note(&mut self, write: impl FnOnce(&mut Transcript) -> io::Result<()>) {
        if let Some(transcript) = &mut self.transcript
            && let Err(error) = write(transcript)
        {
            self.broken = Some(format!("{}: {error}; the transcript ends here", quoted(&transcript.name)));
            self.transcript = None;
        }
    }
}

impl Transcript {
    fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.at_start {
                self.file.write_all(b"< ")?;
            }
            self.file.write_all(line)?;
            self.at_start = line.ends_with(b"\n");
        }
        Ok(())
    }
}

impl<W: Write> Write for TranscribedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        let copied = bytes.get(..written).unwrap_or(bytes);
        self.note(|transcript| transcript.say(copied));
        if tracing::enabled!(tracing::Level::DEBUG) {
            self.tell(copied);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.note(|transcript| transcript.file.flush());
        if let Some(broken) = self.broken.take() {
            writeln!(self.inner, "info string {LOG_OPTION}: {broken}")?;
        }
        self.inner.flush()
    }
}
