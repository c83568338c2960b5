//! Analysis engine (`barrow analysis`): queries in JSON, one a line, answered in JSON, one a line, as they finish.
//!
//! Programs that review games or ask about many positions use it: a query names up to 4,096 positions, queries
//! wait by priority, several are searched at once, and each position gets exactly one answer with `"final":true`. A line
//! that is refused gets exactly one `{"id":…,"error":…}` and changes nothing. docs/analysis.md shows a session.

mod answer;
mod query;
mod service;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use barrow_core::minions::Game;
use schemars::schema_for;
use serde_json::{Value, json};

pub use answer::{Acted, AnalysedCandidate, Analysis, Answer, BoardValue, Refused, Reviewed};
pub use query::{Action, POSITION_CAP, Part, Query};
pub use service::{AnswerSink, Caps, Service, Settings};

use crate::interrupt;
use crate::io::{InputLine, ReadFailure, each_line};
use query::Request;

/// Length of the longest line that is read, in bytes: a game of thousands of turns.
const LINE_CAP: usize = 16 << 20;

/// Lines that wait to be read.
const QUEUE: usize = 64;

/// Time between two checks for an interrupt.
const CHECK: Duration = Duration::from_millis(50);

/// Answers queries until the input ends and all are answered. An interrupt cancels what is left. Fails where the input could not
/// be read to its end.
pub fn run(
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write + Send,
) -> io::Result<()> {
    let service = Service::new(settings, output);
    let ((sender, lines), failure) = (sync_channel(QUEUE), ReadFailure::default());
    let kept = failure.clone();
    thread::spawn(move || kept.keep(each_line(input, LINE_CAP, |line| sender.send(line).is_ok())));
    thread::scope(|scope| {
        for _ in 0..settings.workers.max(1) {
            scope.spawn(|| service.work());
        }
        while service.is_writable() && !interrupt::requested() {
            match lines.recv_timeout(CHECK) {
                Ok(InputLine::Text(line)) => {
                    service.handle(&line, usize::MAX);
                }
                // An id in it could not be told back.
                Ok(InputLine::NoText(_)) => service.refuse(None, "a line that is not UTF-8"),
                Ok(InputLine::TooLong) => {
                    service.refuse(None, &format!("a line of more than {} MiB", LINE_CAP >> 20));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        service.close();
        // The workers answer what is left; an interrupt may still come.
        while service.is_busy() {
            if interrupt::requested() || !service.is_writable() {
                service.cancel(None);
            }
            thread::sleep(CHECK);
        }
    });
    service.into_result()?;
    failure.check()
}

/// Positions that a line of input asks about, in order; none for a request that is no query. The error is the one that the
/// line would be answered by.
pub fn queried_positions(line: &str) -> Result<Vec<Game>, String> {
    match query::read(line) {
        Ok(Request::Analyze(query)) => {
            Ok(query.games(POSITION_CAP)?.into_iter().map(|position| position.game).collect())
        }
        Ok(Request::Act(_)) => Ok(Vec::new()),
        Err(refusal) => Err(refusal.error),
    }
}

/// JSON schemas of all lines: `query` and `action` of the input, `answer`, `reviewed`, `acted` and `refused` of the output.
pub fn schemas() -> Value {
    json!({
        "query": schema_for!(Query),
        "action": schema_for!(Action),
        "answer": schema_for!(Answer),
        "reviewed": schema_for!(Reviewed),
        "acted": schema_for!(Acted),
        "refused": schema_for!(Refused),
    })
}
