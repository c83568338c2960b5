//! The lines of a host: a thread of its own reads them, so that some of them are seen while the bot thinks.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// Length of the longest line that is read, in bytes; a board of the largest size takes a fraction of it.
const LINE_CAP: u64 = 1 << 16;

/// Lines that the reading thread is ahead of the session at most.
const AHEAD: usize = 64;

/// Largest number of lines that wait for the end of a decision.
const WAITING_CAP: usize = 4096;

/// The lines of a host that no command has seen yet.
pub(super) struct Inbox {
    /// Lines from the reading thread; `None` where the session is handed its lines.
    lines: Option<Receiver<io::Result<String>>>,
    waiting: VecDeque<String>,
}

impl Inbox {
    /// An inbox without a thread, in which no line ever lies.
    pub(super) fn closed() -> Inbox {
        Inbox { lines: None, waiting: VecDeque::new() }
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
        Inbox { lines: Some(lines), waiting: VecDeque::new() }
    }

    /// Waits for the next line; `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.waiting.pop_front() {
            return Ok(Some(line));
        }
        self.lines.as_ref().and_then(|lines| lines.recv().ok()).transpose()
    }

    /// The next line if it has arrived, without waiting. Lines put back by [`Inbox::postpone`] do not count.
    pub(super) fn poll(&mut self) -> Option<String> {
        self.lines.as_ref().and_then(|lines| lines.try_recv().ok())?.ok()
    }

    /// Keeps a line for [`Inbox::next`], behind those kept before. Returns false where too many are kept.
    pub(super) fn postpone(&mut self, line: String) -> bool {
        let fits = self.waiting.len() < WAITING_CAP;
        if fits {
            self.waiting.push_back(line);
        }
        fits
    }
}

/// The next line without its end; `None` at the end of the input. Of a line longer than [`LINE_CAP`] only so much is
/// kept, which is no command.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.by_ref().take(LINE_CAP).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let mut whole = line.ends_with(b"\n");
    if !whole && line.len() as u64 == LINE_CAP {
        line = format!("(a line of more than {LINE_CAP} bytes)").into_bytes();
        while !whole {
            let mut rest = Vec::new();
            let read = input.by_ref().take(LINE_CAP).read_until(b'\n', &mut rest)?;
            whole = read == 0 || rest.ends_with(b"\n");
        }
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_order_and_long_ones_are_no_commands() {
        let long = "x".repeat(3 * LINE_CAP as usize);
        let mut inbox = Inbox::reading(io::Cursor::new(format!("one\n{long}\ntwo")));
        let mut next = || inbox.next().expect("memory does not fail");
        assert_eq!(next().as_deref().map(str::trim), Some("one"));
        assert_eq!(next().as_deref(), Some("(a line of more than 65536 bytes)"));
        assert_eq!((next().as_deref(), next()), (Some("two"), None));
    }

    #[test]
    fn as_many_lines_wait_as_fit() {
        let mut inbox = Inbox::closed();
        assert!((0..WAITING_CAP).all(|number| inbox.postpone(number.to_string())));
        assert!(!inbox.postpone("one too many".to_owned()) && inbox.poll().is_none());
        assert_eq!(inbox.next().ok().flatten().as_deref(), Some("0"));
        assert!(inbox.postpone("there is room again".to_owned()));
    }
}
