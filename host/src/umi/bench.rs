//! The command `bench`: the fixed work of `barrow bench` on a thread of its own, so that `stop` and `quit` end it.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;

use super::event::{Event, Purpose, RunningSearch};
use super::search_thread::{STACK, send};
use super::session::{CommandResult, Session};
use crate::bench::{SIGNED_NODES, SearchReport, measure_search};
use crate::engine::Limits;

impl<W: Write> Session<W> {
    /// Starts the fixed work, of this many nodes where the line says so.
    pub(super) fn begin_bench(&mut self, rest: &str) -> CommandResult {
        let nodes = match rest {
            "" => SIGNED_NODES,
            _ => rest.parse().ok().filter(|&nodes| nodes > 0).ok_or("bench: expected a number of nodes")?,
        };
        let limits = Limits::new(Duration::MAX, nodes);
        let (outbox, signals) = (self.outbox.clone(), Arc::clone(&limits.signals));
        let work = move || {
            let measured =
                catch_unwind(AssertUnwindSafe(|| measure_search(nodes, 1, &signals, &ProgressBar::hidden())));
            let report = match measured {
                Ok(report) => report.map_err(|error| format!("{error:#}")),
                Err(_) => Err("it broke down".to_owned()),
            };
            send(&outbox, Event::Measured(Box::new(report)));
        };
        let thread = thread::Builder::new().name("bench".to_owned()).stack_size(STACK).spawn(work);
        let thread = thread.map_err(|error| format!("bench: no thread for it: {error}"))?;
        self.search = Some(RunningSearch { purpose: Purpose::Bench, limits, thread });
        Ok(())
    }

    /// Prints speed and signature, and runs the commands that waited.
    pub(super) fn conclude_bench(&mut self, report: Result<SearchReport, String>) -> io::Result<()> {
        if let Some(RunningSearch { thread, .. }) = self.search.take() {
            // The report is the last thing that the thread sends.
            let _ = thread.join();
        }
        match report {
            Ok(SearchReport { nodes, nps, signature, .. }) => {
                writeln!(self.out, "{nodes} nodes {nps:.0} nps\nsignature {signature}")?;
            }
            Err(text) => self.print_error(&format!("bench: {text}"))?,
        }
        self.obey_waiting()
    }
}
