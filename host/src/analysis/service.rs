//! Analysis service: queries wait by priority, workers search their positions, and answers are written as they come.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use barrow_core::minions::turn_search::SearchOptions;
use hashbrown::HashMap;
use serde::Serialize;

use super::answer::{Acted, Answer, Refused};
use super::query::{self, Action, Part, QueriedPosition, Query, Request};
use crate::engine::network::{EngineNetwork, StaticNetwork};
use crate::engine::{Engine, Limits, Signals};
use crate::text::quoted::{quoted, shortened};
use crate::version;

/// Positions that may wait; a query that would exceed them is refused, so that memory stays bounded.
const WAITING_CAP: usize = 16 * query::POSITION_CAP;

/// Settings of all searches.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Positions searched at the same time.
    pub workers: usize,
    /// Threads of each search.
    pub threads: usize,
    /// Memory of each search in MiB.
    pub hash: usize,
    /// Time for a position whose query names no limit.
    pub movetime: Duration,
    /// Network of the nets; `None` for the embedded one.
    pub network: Option<StaticNetwork>,
}

/// Position that waits for a worker. The greatest priority comes first, then the oldest.
struct Job {
    priority: i64,
    order: Reverse<u64>,
    query: Arc<Query>,
    position: QueriedPosition,
}

impl Job {
    fn key(&self) -> (i64, Reverse<u64>) {
        (self.priority, self.order)
    }
}

impl PartialEq for Job {
    fn eq(&self, other: &Job) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Job {}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Job) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Job {
    fn cmp(&self, other: &Job) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// Query with positions that are not answered yet.
#[derive(Default)]
struct OpenQuery {
    left: usize,
    cancelled: bool,
    /// Searches under way.
    running: Vec<Arc<Signals>>,
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Job>,
    open: HashMap<String, OpenQuery>,
    orders: u64,
    /// Whether no more queries come.
    closed: bool,
}

/// Output of a service with the first error of writing to it.
struct Output<W> {
    writer: W,
    error: Option<io::Error>,
}

/// Analysis service that writes to `W`.
pub(super) struct Service<W> {
    settings: Settings,
    state: Mutex<State>,
    changed: Condvar,
    output: Mutex<Output<W>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Write> Service<W> {
    pub(super) fn new(settings: Settings, writer: W) -> Service<W> {
        Service {
            settings,
            state: Mutex::default(),
            changed: Condvar::new(),
            output: Mutex::new(Output { writer, error: None }),
        }
    }

    /// Carries out a line of input; a line without words is none.
    pub(super) fn handle(&self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        match query::read(line) {
            Ok(Request::Analyze(query)) => {
                let id = query.id.clone();
                if let Err(error) = self.enqueue(*query) {
                    self.refuse(Some(id), &error);
                }
            }
            Ok(Request::Act(Action::Cancel { id, query })) => {
                let cancelled = self.cancel(query.as_deref());
                self.write(&Acted::Cancel { id, cancelled });
            }
            Ok(Request::Act(Action::Version { id })) => {
                let network = self.network().map(|network| version::short_hash(network.header()));
                self.write(&Acted::Version { id, version: version::NUMBER, network });
            }
            Err(refusal) => self.refuse(refusal.id, &refusal.error),
        }
    }

    /// Answers a line that is refused.
    pub(super) fn refuse(&self, id: Option<String>, error: &str) {
        self.write(&Refused { id, error: shortened(error) });
    }

    /// Tells the workers that no more queries come.
    pub(super) fn close(&self) {
        locked(&self.state).closed = true;
        self.changed.notify_all();
    }

    /// Whether a query is unanswered.
    pub(super) fn is_busy(&self) -> bool {
        !locked(&self.state).open.is_empty()
    }

    /// Whether the output can still be written.
    pub(super) fn is_writable(&self) -> bool {
        locked(&self.output).error.is_none()
    }

    /// First error of writing, if there was one.
    pub(super) fn into_result(self) -> io::Result<()> {
        let output = self.output.into_inner().unwrap_or_else(PoisonError::into_inner);
        output.error.map_or(Ok(()), Err)
    }

    fn network(&self) -> Option<StaticNetwork> {
        self.settings.network.or_else(EngineNetwork::embedded)
    }

    fn write(&self, line: &impl Serialize) {
        let mut output = locked(&self.output);
        let Output { writer, error } = &mut *output;
        if error.is_none() {
            let text = serde_json::to_string(line).map_err(io::Error::other);
            let written = text.and_then(|text| writeln!(writer, "{text}")).and_then(|()| writer.flush());
            *error = written.err();
        }
    }

    fn enqueue(&self, query: Query) -> Result<(), String> {
        let (over, open): (Vec<_>, Vec<_>) =
            query.games()?.into_iter().partition(|position| position.game.state().is_over());
        let query = Arc::new(query);
        let mut state = locked(&self.state);
        if state.open.contains_key(&query.id) {
            return Err(format!("a query of the name {} is not finished", quoted(&query.id)));
        }
        if state.waiting.len() + open.len() > WAITING_CAP {
            return Err("too many positions wait".to_owned());
        }
        if !open.is_empty() {
            state.open.insert(query.id.clone(), OpenQuery { left: open.len(), ..OpenQuery::default() });
        }
        for position in open {
            state.orders += 1;
            let (priority, order) = (query.priority, Reverse(state.orders));
            state.waiting.push(Job { priority, order, query: query.clone(), position });
        }
        drop(state);
        self.changed.notify_all();
        for position in &over {
            self.write(&Answer::without_search(&query, position, false));
        }
        Ok(())
    }

    /// Cancels a query, or all of them without a name. Positions that wait are answered without a search, those under search
    /// as soon as it ends. Returns the number of both.
    pub(super) fn cancel(&self, name: Option<&str>) -> usize {
        let mut state = locked(&self.state);
        let is_meant = |query: &str| name.is_none_or(|name| name == query);
        let (dropped, kept): (Vec<Job>, Vec<Job>) =
            std::mem::take(&mut state.waiting).into_iter().partition(|job| is_meant(&job.query.id));
        state.waiting = kept.into();
        let mut cancelled = dropped.len();
        for (_, query) in state.open.iter_mut().filter(|(query, _)| is_meant(query)) {
            cancelled += query.running.len();
            query.cancelled = true;
            query.running.iter().for_each(|signals| signals.stop());
        }
        for job in &dropped {
            finish(&mut state, &job.query.id);
        }
        drop(state);
        for job in &dropped {
            self.write(&Answer::without_search(&job.query, &job.position, true));
        }
        cancelled
    }

    /// Searches one position after another until the service is closed and none is left.
    pub(super) fn work(&self) {
        let Settings { threads, hash, network, .. } = self.settings;
        let mut engine = Engine::with_threads(hash, SearchOptions::default(), threads);
        engine.set_network(network);
        while let Some((job, limits)) = self.next() {
            // What an answer says depends on its query alone.
            engine.clear();
            engine.set_records(job.query.wants(Part::Tree));
            let answer = |found: &_, is_final, cancelled| {
                let ends = (is_final, cancelled);
                self.write(&Answer::of(&job.query, &job.position, found, self.network(), ends));
            };
            let found = engine.search_observed(&job.position.game, &limits, &mut |found| {
                if job.query.progress {
                    answer(found, false, false);
                }
            });
            let mut state = locked(&self.state);
            let open = state.open.get_mut(&job.query.id);
            let cancelled = open.is_some_and(|open| {
                open.running.retain(|signals| !Arc::ptr_eq(signals, &limits.signals));
                open.cancelled
            });
            finish(&mut state, &job.query.id);
            drop(state);
            answer(&found, true, cancelled);
        }
    }

    /// Next position with the limits of its search, which begins now. `None` when the service has ended.
    fn next(&self) -> Option<(Job, Limits)> {
        let mut state = locked(&self.state);
        loop {
            if let Some(job) = state.waiting.pop() {
                let Query { nodes, movetime, .. } = *job.query;
                let time = match (movetime, nodes) {
                    (Some(time), _) => Duration::from_millis(time),
                    (None, Some(_)) => Duration::MAX,
                    (None, None) => self.settings.movetime,
                };
                let limits = Limits::new(time, nodes.unwrap_or(u64::MAX));
                if let Some(open) = state.open.get_mut(&job.query.id) {
                    open.running.push(limits.signals.clone());
                }
                return Some((job, limits));
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Counts a position of a query as answered.
fn finish(state: &mut State, id: &str) {
    if let Some(open) = state.open.get_mut(id) {
        open.left = open.left.saturating_sub(1);
        if open.left == 0 {
            state.open.remove(id);
        }
    }
}
