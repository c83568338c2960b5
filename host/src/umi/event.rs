//! Events between the threads of a session: lines from the input, `info` lines and answers from the search.

use std::sync::mpsc::SyncSender;
use std::thread::JoinHandle;
use std::time::Duration;

use super::brain::TimedBrain;
use crate::bench::SearchReport;
use crate::engine::{Limits, SearchResult};
use crate::io::InputLine;

/// Event that wakes the session.
pub(super) enum Event {
    /// A line of the input.
    Line(String),
    /// A line of the input that was longer than is read.
    LongLine,
    /// The end of the input.
    End,
    /// A line of the search that runs, to be printed after the word `info`.
    Info(String),
    /// The search has ended.
    Answer(Box<Answer>),
    /// The fixed work of `bench` has ended: its report, or the reason why there is none.
    Measured(Box<Result<SearchReport, String>>),
}

/// Answer of a search to the session.
pub(super) struct Answer {
    pub(super) result: SearchResult,
    /// Time from the start of the search to the answer, waiting included.
    pub(super) time: Duration,
    /// The brain, for the next search; none if the search panicked.
    pub(super) brain: Option<Box<dyn TimedBrain>>,
}

/// Number of events that wait for the session at most. Whoever has another one to send waits too, and with the thread
/// that reads the input the host.
pub(super) const QUEUE: usize = 64;

/// The end of the session's channel into which another thread sends lines of input. Dropping it ends the input.
pub(super) struct InputSender(pub(super) SyncSender<Event>);

impl InputSender {
    /// Sends a line as soon as the session has room for it; in one that is no UTF-8 the bytes that are none are replaced. Fails
    /// when the session is over.
    pub(super) fn send(&self, line: InputLine) -> Result<(), ()> {
        let event = match line {
            InputLine::Text(text) => Event::Line(text),
            InputLine::NoText(bytes) => Event::Line(String::from_utf8_lossy(&bytes).into_owned()),
            InputLine::TooLong => Event::LongLine,
        };
        self.0.send(event).map_err(|_| ())
    }
}

impl Drop for InputSender {
    fn drop(&mut self) {
        let _ = self.0.send(Event::End);
    }
}

/// Turns after which `auto` gives a game up.
pub(super) const AUTO_TURNS: u32 = 400;

/// Use of the turn that a search finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// `go`: the turn is printed.
    Show,
    /// `play`: the turn is printed and played.
    Play,
    /// `auto`: the turn is printed and played, and the next turn searched.
    Auto {
        /// Turns until the game is given up.
        turns_left: u32,
    },
    /// `bench`: the speed of many searches is printed, and no turn.
    Bench,
}

/// A search that runs.
pub(super) struct RunningSearch {
    pub(super) purpose: Purpose,
    pub(super) limits: Limits,
    pub(super) thread: JoinHandle<()>,
}
