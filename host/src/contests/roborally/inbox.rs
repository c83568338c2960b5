//! The lines of a host: a thread of its own reads them, so that some of them are seen while the bot thinks.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use crate::io::{Backlog, LineEnd, read_line, skip_line};

/// Length of the longest line that is read, in bytes; a board of the largest size takes a fraction of it.
const LINE_CAP: usize = 1 << 16;

/// The answer to `roborally`.
pub(super) const HELLO: &str = concat!("id name Barrow ", env!("CARGO_PKG_VERSION"), "\nroborallyok\n");

/// The answer to `isready`.
pub(super) const READY: &str = "readyok\n";

/// Lines that the reading thread is ahead of the session at most.
const AHEAD: usize = 64;

/// The lines of a host that no command has seen yet.
pub(super) struct Inbox {
    /// Lines from the reading thread; `None` where the session is handed its lines.
    lines: Option<Receiver<io::Result<String>>>,
    waiting: Backlog,
}

impl Inbox {
    /// An inbox without a thread, in which no line ever lies.
    pub(super) fn closed() -> Inbox {
        Inbox { lines: None, waiting: Backlog::default() }
    }

    /// An inbox whose thread reads this input to its end.
    pub(super) fn reading(mut input: impl BufRead + Send + 'static) -> Inbox {
        let (sender, lines) = sync_channel(AHEAD);
        thread::spawn(move || {
            while let Some(line) = next_line(&mut input).transpose() {
                let failed = line.is_err();
                if sender.send(line).is_err() || failed {
                    return;
                }
            }
        });
        Inbox { lines: Some(lines), waiting: Backlog::default() }
    }

    /// Waits for the next line; `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.waiting.pop() {
            return Ok(Some(line));
        }
        self.lines.as_ref().and_then(|lines| lines.recv().ok()).transpose()
    }

    /// The next line if it has arrived, without waiting. Lines put back by [`Inbox::postpone`] do not count.
    pub(super) fn poll(&mut self) -> Option<String> {
        self.lines.as_ref().and_then(|lines| lines.try_recv().ok())?.ok()
    }

    /// Answers the lines that have arrived while the bot thinks, or keeps them for later. Returns whether the decision
    /// is due.
    pub(super) fn ends_decision(&mut self, output: &mut impl Write) -> bool {
        while let Some(line) = self.poll() {
            let answer = match line.trim() {
                "stop" => return true,
                "isready" => READY,
                "roborally" => HELLO,
                _ if self.postpone(&line) => "",
                _ => "error: too many commands wait for the end of the decision\n",
            };
            // Where the output fails, the answer to `go` fails too and ends the session.
            let _ = output.write_all(answer.as_bytes()).and_then(|()| output.flush());
        }
        false
    }

    /// Keeps a line for [`Inbox::next`], behind those kept before. Returns false where too many are kept.
    pub(super) fn postpone(&mut self, line: &str) -> bool {
        self.waiting.push(line)
    }
}

/// The next line without its end; `None` at the end of the input. A note that is no command replaces a line longer than
/// [`LINE_CAP`].
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    match read_line(input, LINE_CAP, &mut line)? {
        LineEnd::Input if line.is_empty() => Ok(None),
        LineEnd::TooLong => {
            skip_line(input)?;
            Ok(Some(format!("(a line of more than {LINE_CAP} bytes)")))
        }
        LineEnd::LineFeed | LineEnd::Input => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_order_and_long_ones_are_no_commands() {
        let long = "x".repeat(3 * LINE_CAP);
        let mut inbox = Inbox::reading(io::Cursor::new(format!("one\n{long}\ntwo")));
        let mut next = || inbox.next().expect("memory does not fail");
        assert_eq!(next().as_deref().map(str::trim), Some("one"));
        assert_eq!(next().as_deref(), Some("(a line of more than 65536 bytes)"));
        assert_eq!((next().as_deref(), next()), (Some("two"), None));
    }

    #[test]
    fn lines_that_are_put_back_come_in_order() {
        let mut inbox = Inbox::closed();
        assert!(inbox.postpone("one") && inbox.postpone("two") && inbox.poll().is_none());
        assert_eq!(inbox.next().ok().flatten().as_deref(), Some("one"));
        assert_eq!(inbox.next().ok().flatten().as_deref(), Some("two"));
    }
}
