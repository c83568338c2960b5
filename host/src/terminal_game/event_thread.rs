//! Thread that reads the events of the terminal. Reading never ends on a terminal that has hung up, so it is not the game's
//! own thread that waits for it.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crossterm::event::{self, Event};

/// Events that wait at most; the terminal keeps what comes after them.
const WAITING: usize = 64;

/// Reader of the terminal's events. Its thread ends with the program.
pub(super) struct EventThread {
    receiver: Receiver<io::Result<Event>>,
}

impl EventThread {
    /// Begins to read.
    pub(super) fn start() -> io::Result<EventThread> {
        let (sender, receiver) = sync_channel(WAITING);
        thread::Builder::new().name("events".to_owned()).spawn(move || {
            loop {
                let event = event::read();
                let is_last = event.is_err();
                if sender.send(event).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(EventThread { receiver })
    }

    /// The next event, if one comes within this time. An error when none will come any more.
    pub(super) fn next(&self, time: Duration) -> io::Result<Option<Event>> {
        match self.receiver.recv_timeout(time) {
            Ok(event) => event.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
