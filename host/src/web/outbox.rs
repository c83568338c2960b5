//! Outgoing lines of a WebSocket. Whoever has something to say puts it in and goes on: a client that reads slowly delays
//! nobody. What is only the newest state of something replaces an older one that is still unread, and a client that leaves too
//! much unread is given up.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::analysis::AnswerSink;

/// Bytes that a client may leave unread.
const UNREAD_BYTES: usize = 4 << 20;

/// Line with the name of what it is the newest state of.
struct Line {
    key: Option<String>,
    text: Arc<str>,
}

#[derive(Default)]
struct Unread {
    lines: VecDeque<Line>,
    bytes: usize,
    closed: bool,
}

/// Outgoing lines of a client that it has not read yet.
#[derive(Default)]
pub(super) struct Outbox {
    unread: Mutex<Unread>,
    changed: Notify,
}

impl Outbox {
    /// Adds a line behind all others, and removes one that has the same key: the newest state never overtakes what was said
    /// before it, or a client would take an older answer for the newest. False if the client is gone or was too slow.
    pub(super) fn put(&self, text: Arc<str>, key: Option<String>) -> bool {
        let mut unread = self.unread();
        if unread.closed {
            return false;
        }
        unread.bytes += text.len();
        let same = unread.lines.iter().position(|line| key.is_some() && line.key == key);
        if let Some(old) = same.and_then(|place| unread.lines.remove(place)) {
            unread.bytes -= old.text.len();
        }
        unread.lines.push_back(Line { key, text });
        if unread.bytes > UNREAD_BYTES {
            *unread = Unread { closed: true, ..Unread::default() };
        }
        let open = !unread.closed;
        drop(unread);
        self.changed.notify_one();
        open
    }

    /// Ends the outbox; nobody can add to it.
    pub(super) fn close(&self) {
        *self.unread() = Unread { closed: true, ..Unread::default() };
        self.changed.notify_one();
    }

    /// Next line, as soon as there is one. `None` when the outbox has ended. Nothing is lost when the wait is dropped.
    pub(super) async fn next(&self) -> Option<Arc<str>> {
        loop {
            {
                let mut unread = self.unread();
                if let Some(line) = unread.lines.pop_front() {
                    unread.bytes -= line.text.len();
                    return Some(line.text);
                }
                if unread.closed {
                    return None;
                }
            }
            self.changed.notified().await;
        }
    }

    fn unread(&self) -> MutexGuard<'_, Unread> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Outbox of an analysis service.
pub(super) struct AnswersTo(pub(super) Arc<Outbox>);

impl AnswerSink for AnswersTo {
    fn send(&mut self, line: String, key: Option<String>) -> io::Result<()> {
        if self.0.put(line.into(), key) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn read(outbox: &Outbox) -> Option<Arc<str>> {
        match pin!(outbox.next()).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(line) => line,
            Poll::Pending => Some("(waits)".into()),
        }
    }

    #[test]
    fn the_newest_state_replaces_an_unread_one_and_overtakes_nothing() {
        let outbox = Outbox::default();
        for (text, key) in
            [("a", None), ("1", Some("x")), ("b", None), ("2", Some("x")), ("3", Some("y")), ("4", Some("x"))]
        {
            assert!(outbox.put(text.into(), key.map(str::to_owned)));
        }
        let read_all = [read(&outbox), read(&outbox), read(&outbox), read(&outbox), read(&outbox)];
        assert_eq!(
            read_all.map(Option::unwrap).map(|line| line.to_string()),
            ["a", "b", "3", "4", "(waits)"]
        );
        assert!(outbox.put("5".into(), Some("x".to_owned())));
        assert_eq!(read(&outbox).as_deref(), Some("5"));
    }

    #[test]
    fn a_client_that_never_reads_is_given_up_and_its_lines_are_freed() {
        let outbox = Outbox::default();
        let line: Arc<str> = "x".repeat(1 << 20).into();
        // Any number of states is one line.
        for _ in 0..100 {
            assert!(outbox.put(line.clone(), Some("state".to_owned())));
        }
        let taken = (0..100).take_while(|_| outbox.put(line.clone(), None)).count();
        assert_eq!(taken, 3);
        assert_eq!((read(&outbox), Arc::strong_count(&line)), (None, 1));
        assert!(AnswersTo(Arc::new(outbox)).send("y".to_owned(), None).is_err());
    }
}
