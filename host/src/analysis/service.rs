//! Analysis service: queries wait by priority, workers search their positions, and answers are written as they come.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use barrow_core::minions::turn_search::SearchOptions;
use barrow_session::review::GameUnderReview;
use hashbrown::HashMap;
use serde::Serialize;

use super::answer::{Acted, Answer, Refused, Reviewed};
use super::query::{self, Action, POSITION_CAP, Part, QueriedPosition, Query, Request};
use crate::engine::network::{EngineNetwork, StaticNetwork};
use crate::engine::{Engine, Limits, Signals};
use crate::review::searched_by;
use crate::text::quoted::{quoted, shortened};
use crate::version;

/// Caps on what a service takes on, so that its memory stays bounded; a query that asks for more is refused.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// Positions that wait.
    pub waiting: usize,
    /// Positions of a query.
    pub positions: usize,
    /// Time of a search; one that is limited by nodes alone ends then, too.
    pub time: Duration,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps { waiting: 16 * POSITION_CAP, positions: POSITION_CAP, time: Duration::MAX }
    }
}

/// Destination of the lines of a service.
pub trait AnswerSink {
    /// Sends a line, which has no end of line. One with a key is a result so far: it may take the place of an earlier line of
    /// that key that nobody has read yet.
    fn send(&mut self, line: String, key: Option<String>) -> io::Result<()>;
}

impl<W: Write> AnswerSink for W {
    fn send(&mut self, line: String, _: Option<String>) -> io::Result<()> {
        writeln!(self, "{line}")?;
        self.flush()
    }
}

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
    /// Caps on what is taken on.
    pub caps: Caps,
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

    /// Name of the position among all that are asked about.
    fn name(&self) -> String {
        format!("{} {} {}", self.position.index, self.position.after, self.query.id)
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
    /// Game whose review was asked for.
    review: Option<Box<GameUnderReview>>,
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
struct Output<S> {
    sink: S,
    error: Option<io::Error>,
}

/// Analysis service that writes to `S`.
pub struct Service<S> {
    settings: Settings,
    state: Mutex<State>,
    changed: Condvar,
    output: Mutex<Output<S>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: AnswerSink> Service<S> {
    /// Service without queries.
    pub fn new(settings: Settings, sink: S) -> Service<S> {
        Service {
            settings,
            state: Mutex::default(),
            changed: Condvar::new(),
            output: Mutex::new(Output { sink, error: None }),
        }
    }

    /// Carries out a line of input that may add up to `room` positions; a line without words is none. Returns the number of
    /// positions that wait because of it.
    pub fn handle(&self, line: &str, room: usize) -> usize {
        if line.trim().is_empty() {
            return 0;
        }
        match query::read(line) {
            Ok(Request::Analyze(query)) => {
                let id = query.id.clone();
                match self.enqueue(*query, room) {
                    Ok(waiting) => return waiting,
                    Err(error) => self.refuse(Some(id), &error),
                }
            }
            Ok(Request::Act(Action::Cancel { id, query })) => {
                let cancelled = self.cancel(query.as_deref());
                self.write(&Acted::Cancel { id, cancelled }, None);
            }
            Ok(Request::Act(Action::Version { id })) => {
                let network = self.network().map(|network| version::short_hash(network.header()));
                self.write(&Acted::Version { id, version: version::NUMBER, network }, None);
            }
            Err(refusal) => self.refuse(refusal.id, &refusal.error),
        }
        0
    }

    /// Number of positions that wait.
    pub fn waiting(&self) -> usize {
        locked(&self.state).waiting.len()
    }

    /// Answers a line that is refused.
    pub fn refuse(&self, id: Option<String>, error: &str) {
        self.write(&Refused { id, error: shortened(error) }, None);
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

    fn write(&self, line: &impl Serialize, key: Option<String>) {
        let mut output = locked(&self.output);
        let Output { sink, error } = &mut *output;
        if error.is_none() {
            let text = serde_json::to_string(line).map_err(io::Error::other);
            *error = text.and_then(|text| sink.send(text, key)).err();
        }
    }

    fn enqueue(&self, query: Query, room: usize) -> Result<usize, String> {
        let Caps { waiting, positions, time } = self.settings.caps;
        if query.movetime.is_some_and(|movetime| Duration::from_millis(movetime) > time) {
            return Err(format!("movetime must be at most {}", time.as_millis()));
        }
        let all = query.games(positions)?;
        let mut review = query.under_review(&all).map(Box::new);
        let (over, open): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|position| position.game.state().is_over());
        let query = Arc::new(query);
        let mut state = locked(&self.state);
        if state.open.contains_key(&query.id) {
            return Err(format!("a query of the name {} is not finished", quoted(&query.id)));
        }
        let added = open.len();
        if state.waiting.len() + added > waiting || added > room {
            return Err("too many positions wait".to_owned());
        }
        if !open.is_empty() {
            let review = review.take();
            let open = OpenQuery { left: open.len(), review, ..OpenQuery::default() };
            state.open.insert(query.id.clone(), open);
        }
        for position in open {
            state.orders += 1;
            let (priority, order) = (query.priority, Reverse(state.orders));
            state.waiting.push(Job { priority, order, query: query.clone(), position });
        }
        drop(state);
        self.changed.notify_all();
        for position in &over {
            self.write(&Answer::without_search(&query, position, false), None);
        }
        if let Some(review) = review {
            self.write(&Reviewed { id: query.id.clone(), review: review.message(true) }, None);
        }
        Ok(added)
    }

    /// Cancels a query, or all of them without a name. Positions that wait are answered without a search, those under search
    /// as soon as it ends. Returns the number of both.
    pub fn cancel(&self, name: Option<&str>) -> usize {
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
        let reviews: Vec<_> = dropped.iter().filter_map(|job| finish(&mut state, &job.query.id)).collect();
        drop(state);
        for job in &dropped {
            self.write(&Answer::without_search(&job.query, &job.position, true), None);
        }
        for review in reviews {
            self.write(&review, None);
        }
        cancelled
    }

    /// Searches one position after another until the service is closed and none is left.
    pub(super) fn work(&self) {
        let Settings { threads, hash, network, .. } = self.settings;
        let mut engine = Engine::with_threads(hash, SearchOptions::default(), threads);
        engine.set_network(network);
        while let Some((job, limits)) = self.next() {
            self.search(&mut engine, &job, &limits);
        }
    }

    /// Searches the position that is to be searched next. False if none waits.
    pub fn work_once(&self, engine: &mut Engine) -> bool {
        let next = self.take(&mut locked(&self.state));
        if let Some((job, limits)) = &next {
            self.search(engine, job, limits);
        }
        next.is_some()
    }

    fn search(&self, engine: &mut Engine, job: &Job, limits: &Limits) {
        // What an answer says depends on its query alone.
        engine.clear();
        engine.set_records(job.query.wants(Part::Tree));
        let answer = |found: &_, key: Option<String>, cancelled| {
            let is_final = key.is_none();
            self.write(
                &Answer::of(&job.query, &job.position, found, self.network(), (is_final, cancelled)),
                key,
            );
        };
        let found = engine.search_observed(&job.position.game, limits, &mut |found| {
            if job.query.progress {
                answer(found, Some(job.name()), false);
            }
        });
        let mut state = locked(&self.state);
        let open = state.open.get_mut(&job.query.id);
        let cancelled = open.is_some_and(|open| {
            open.running.retain(|signals| !Arc::ptr_eq(signals, &limits.signals));
            if let Some(review) = &mut open.review {
                review.set(job.position.after, searched_by(&found));
            }
            open.cancelled
        });
        if job.query.review {
            drop(state);
            answer(&found, None, cancelled);
            self.review(job);
        } else {
            finish(&mut state, &job.query.id);
            drop(state);
            answer(&found, None, cancelled);
        }
    }

    /// Sends the review of a query's game after the answer for a position of it. The query is finished only when all of that
    /// is sent, so that the whole review is the last line.
    fn review(&self, job: &Job) {
        let Query { id, progress, .. } = &*job.query;
        let so_far = locked(&self.state).open.get(id).and_then(|open| {
            let review = open.review.as_ref().filter(|_| *progress && open.left > 1)?;
            Some(Reviewed { id: id.clone(), review: review.message(false) })
        });
        if let Some(review) = so_far {
            self.write(&review, Some(format!("review {id}")));
        }
        let whole = finish(&mut locked(&self.state), id);
        if let Some(review) = whole {
            self.write(&review, None);
        }
    }

    /// Next position with the limits of its search, which begins now. `None` when the service has ended.
    fn next(&self) -> Option<(Job, Limits)> {
        let mut state = locked(&self.state);
        loop {
            let taken = self.take(&mut state);
            if taken.is_some() || state.closed {
                return taken;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn take(&self, state: &mut State) -> Option<(Job, Limits)> {
        let job = state.waiting.pop()?;
        let Query { nodes, movetime, progress, .. } = *job.query;
        let time = match (movetime, nodes) {
            (Some(time), _) => Duration::from_millis(time),
            (None, Some(_)) => self.settings.caps.time,
            (None, None) => self.settings.movetime,
        };
        let limits = Limits { watched: progress, ..Limits::new(time, nodes.unwrap_or(u64::MAX)) };
        if let Some(open) = state.open.get_mut(&job.query.id) {
            open.running.push(limits.signals.clone());
        }
        Some((job, limits))
    }
}

/// Counts a position of a query as answered. Returns the review of the query's game with the last one, if it was asked for.
fn finish(state: &mut State, id: &str) -> Option<Reviewed> {
    let open = state.open.get_mut(id)?;
    open.left = open.left.saturating_sub(1);
    if open.left > 0 {
        return None;
    }
    let review = state.open.remove(id)?.review?;
    Some(Reviewed { id: id.to_owned(), review: review.message(true) })
}
