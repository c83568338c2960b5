//! A search on the threads of this machine. All of them grow one forest; the first one also tells how it stands, ends
//! the search when the turn to play is settled, and asks for more memory.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use barrow_core::minions::players::Taste;
use barrow_core::minions::turn_search::{Access, Forest, Kept, Line, Options, Report, Search};
use barrow_core::minions::{Game, GameConfig, GameTurn};
use barrow_core::rng::Rng;
use barrow_core::search::stats::Stats;
use barrow_core::search::value::{CERTAIN, Clock};
use barrow_solver::attack::Planner;

use super::explain::Explanation;
use super::limits::Limits;
use super::{
    Candidate, NetSwitches, OracleOrFallback, Progress, ProphetOrFallback, SearchBuffers, SeerOrFallback,
};
use crate::engine::team;
use crate::interrupt;

/// Nodes of a slice.
const SLICE: u64 = 64;

/// Turns that are looked at to see whether the best one is settled.
const RIVALS: usize = 32;

/// Turns that are told of.
const TOLD: usize = 16;

/// Time between two reports.
const REPORT_EVERY: Duration = Duration::from_secs(1);

/// Fullness from which memory grows, in thousandths: what a slice may need at most must still fit.
const CROWDED: u32 = 500;

/// Stack of a search's thread, in bytes.
const STACK: usize = 16 << 20;

/// What a search knows beforehand.
pub(super) struct SearchParams<'a> {
    pub(super) game: &'a Game,
    pub(super) limits: &'a Limits,
    /// Those of the first thread; the others only have other seeds.
    pub(super) options: Options,
    pub(super) net_switches: NetSwitches,
    /// Whether what led to the turn is to be told.
    pub(super) explains: bool,
}

/// What a search brings back.
#[derive(Default)]
pub(super) struct SearchResult {
    /// The best first.
    pub(super) candidates: Vec<Candidate>,
    pub(super) report: Report,
    /// The answer expected to the best turn.
    pub(super) reply: Option<GameTurn>,
    pub(super) explanation: Option<Explanation>,
}

/// The memory of a search and what was kept in it.
pub(super) struct SearchMemory {
    room: SearchBuffers,
    kept: Option<(Kept, GameConfig)>,
}

/// The forest with its lock.
#[derive(Clone, Copy)]
struct LockedForest<'a, 'm>(&'a Mutex<Forest<'m>>);

impl<'m> LockedForest<'_, 'm> {
    /// The forest, for this thread alone. A thread that broke off leaves it sound: at worst some turns count as
    /// followed that are not.
    fn lock(&self) -> MutexGuard<'_, Forest<'m>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'m> Access<'m> for LockedForest<'_, 'm> {
    fn with<R>(&mut self, work: impl FnOnce(&mut Forest<'m>) -> R) -> R {
        work(&mut self.lock())
    }
}

/// The ports as this player fulfils them.
type ThreadSearch<'s, 'm, 'p> =
    Search<LockedForest<'s, 'm>, OracleOrFallback, ProphetOrFallback, Planner<'p>, SeerOrFallback, Taste>;

/// What the threads of a search tell each other.
#[derive(Default)]
struct SharedCounters {
    nodes: AtomicU64,
    /// The longest time that a node has taken, in microseconds.
    longest: AtomicU64,
    /// The search is over, or waits for more memory.
    pause: AtomicBool,
}

/// Why a search paused.
#[derive(PartialEq, Eq)]
enum Pause {
    Over,
    /// Nothing could be done at all.
    Stuck,
    Crowded,
}

type Watcher<'a> = &'a mut dyn FnMut(&Progress<'_>);

impl SearchMemory {
    pub(super) fn new(room: SearchBuffers) -> SearchMemory {
        SearchMemory { room, kept: None }
    }

    pub(super) fn forget(&mut self) {
        self.kept = None;
    }

    pub(super) fn search(&mut self, params: &SearchParams<'_>, watcher: Watcher<'_>) -> SearchResult {
        let game = params.game;
        let mut kept = self.kept.take().filter(|(_, config)| config == game.config()).map(|(kept, _)| kept);
        let mut drive = ParallelSearch {
            params,
            common: SharedCounters::default(),
            done: Report::default(),
            full: 0,
            growing_time: None,
        };
        let mut last_told = params.limits.started;
        loop {
            drive.full = self.room.share(1000);
            drive.growing_time = self.room.can_grow().then(|| self.room.growing_time());
            let (memory, planners) = self.room.lend();
            let forest = match kept {
                Some(kept) => Forest::resume(memory, game, kept),
                None => Forest::new(memory, game),
            };
            let Some(forest) = forest else { return SearchResult::default() };
            let lock = Mutex::new(forest);
            let (pause, report) = drive.leg(LockedForest(&lock), planners, watcher, &mut last_told);
            let forest = lock.into_inner().unwrap_or_else(PoisonError::into_inner);
            let resumed = kept.is_some() && drive.done.nodes == 0;
            drive.done = added(&drive.done, &report);
            kept = Some(forest.keep());
            match pause {
                // What was kept of the position does not fit it after all.
                Pause::Stuck if resumed => kept = None,
                Pause::Crowded => self.room.grow(),
                Pause::Over | Pause::Stuck => {
                    let result = drive.result(&forest);
                    self.kept = kept.map(|kept| (kept, game.config().clone()));
                    return result;
                }
            }
        }
    }
}

/// A search under way.
struct ParallelSearch<'a> {
    params: &'a SearchParams<'a>,
    common: SharedCounters,
    /// What all threads did before this leg.
    done: Report,
    /// What all of the memory that there is would be of all that is allowed, in thousandths.
    full: u32,
    /// How long growing would take, if more memory is allowed.
    growing_time: Option<Duration>,
}

impl ParallelSearch<'_> {
    /// Searches between two changes of the memory, on as many threads as there are memories for planners.
    fn leg(
        &self,
        shared: LockedForest<'_, '_>,
        planners: &mut [Vec<u32>],
        watcher: Watcher<'_>,
        last_told: &mut Instant,
    ) -> (Pause, Report) {
        let Some((first, others)) = planners.split_first_mut() else {
            return (Pause::Stuck, Report::default());
        };
        self.common.pause.store(false, Ordering::Relaxed);
        let mut search = self.join(shared, first, 0);
        // One turn is there before others join, so that they find something to do.
        let over = self.go(&mut search, 1);
        let report = search.report();
        if over || report.nodes == 0 {
            return (if over { Pause::Over } else { Pause::Stuck }, report);
        }
        thread::scope(|scope| {
            let mut running = Vec::new();
            for (words, index) in others.iter_mut().zip(1..) {
                let assist = move || {
                    let mut search = self.join(shared, words, index);
                    self.go(&mut search, u64::MAX);
                    search.report()
                };
                running.extend(thread::Builder::new().stack_size(STACK).spawn_scoped(scope, assist));
            }
            let pause = self.lead(&mut search, shared, watcher, last_told);
            self.common.pause.store(true, Ordering::Relaxed);
            let reports = running.into_iter().filter_map(|thread| thread.join().ok());
            (pause, reports.fold(search.report(), |sum, part| added(&sum, &part)))
        })
    }

    /// The search of one thread.
    fn join<'s, 'm, 'p>(
        &self,
        shared: LockedForest<'s, 'm>,
        words: &'p mut [u32],
        index: u64,
    ) -> ThreadSearch<'s, 'm, 'p> {
        let SearchParams { game, options, net_switches, .. } = *self.params;
        let seed = if index == 0 { options.seed } else { Rng::new(options.seed ^ index).next_u64() };
        Search::over(shared, team(net_switches, words), Options { seed, ..options }, game)
    }

    /// Searches until this many nodes are done on this thread. Whether the search is over.
    fn go(&self, search: &mut ThreadSearch<'_, '_, '_>, until: u64) -> bool {
        let (limits, common) = (self.params.limits, &self.common);
        let mut watch = Watch { limits, common, until, last: Instant::now(), over: false };
        search.run(&mut watch);
        watch.over
    }

    /// Searches in short slices, and between them looks how the search stands.
    fn lead(
        &self,
        search: &mut ThreadSearch<'_, '_, '_>,
        shared: LockedForest<'_, '_>,
        watcher: Watcher<'_>,
        last_told: &mut Instant,
    ) -> Pause {
        let limits = self.params.limits;
        loop {
            let before = search.report().nodes;
            let over = self.go(search, before + SLICE);
            let report = search.report();
            if report.nodes == before {
                return Pause::Stuck;
            }
            if over {
                return Pause::Over;
            }
            if last_told.elapsed() >= REPORT_EVERY {
                *last_told = Instant::now();
                self.tell(&shared.lock(), &added(&self.done, &report), watcher);
            }
            if settled(&shared.lock(), limits, self.common.nodes.load(Ordering::Relaxed)) {
                return Pause::Over;
            }
            let time_left = limits.time.saturating_sub(limits.spent());
            if report.fullness >= CROWDED && self.growing_time.is_some_and(|time| time_left > time) {
                return Pause::Crowded;
            }
        }
    }

    fn tell(&self, forest: &Forest<'_>, report: &Report, watcher: Watcher<'_>) {
        let candidates = candidates(forest, self.params.game);
        let nodes = self.common.nodes.load(Ordering::Relaxed);
        let time = self.params.limits.started.elapsed();
        let report = Report { nodes, fullness: report.fullness * self.full / 1000, ..*report };
        watcher(&Progress { candidates: &candidates, report, reply: None, time });
    }

    fn result(&self, forest: &Forest<'_>) -> SearchResult {
        let game = self.params.game;
        let candidates = candidates(forest, game);
        let mut best = [Line::default()];
        let mut answer = [Line::default()];
        let known = forest.lines(&mut best) + forest.replies(&best[0], &mut answer);
        let reply = if known == 2 { forest.turn(&answer[0]) } else { None };
        let explanation = candidates
            .first()
            .filter(|_| self.params.explains)
            .map(|best| Explanation::new(forest, game, &best.turn));
        let report = Report { fullness: forest.fullness() * self.full / 1000, ..self.done };
        SearchResult { candidates, report, reply, explanation }
    }
}

fn added(a: &Report, b: &Report) -> Report {
    Report {
        nodes: a.nodes + b.nodes,
        depth: a.depth.max(b.depth),
        depth_sum: a.depth_sum + b.depth_sum,
        fullness: b.fullness,
    }
}

/// The clock of this machine, asked after every node.
struct Watch<'a> {
    limits: &'a Limits,
    common: &'a SharedCounters,
    /// Where the slice ends, in nodes of this thread.
    until: u64,
    /// When it was asked last.
    last: Instant,
    over: bool,
}

impl Clock for Watch<'_> {
    fn is_over(&mut self, nodes: u64) -> bool {
        let all = self.common.nodes.fetch_add(1, Ordering::Relaxed) + 1;
        let now = Instant::now();
        let taken = now.duration_since(self.last).as_micros() as u64;
        self.last = now;
        // Dense boards make long nodes, and where one was another may follow.
        let longest = self.common.longest.fetch_max(taken, Ordering::Relaxed).max(taken);
        self.over = self.limits.reached(all, Duration::from_micros(longest))
            || self.common.pause.load(Ordering::Relaxed)
            || interrupt::requested();
        self.over || nodes >= self.until
    }
}

/// Whether more time would be wasted: the best turn wins for certain, or until the time is up no other can be
/// visited as often, or the time is up and nothing speaks against the best turn.
fn settled(forest: &Forest<'_>, limits: &Limits, nodes: u64) -> bool {
    let Some(enough) = limits.enough.filter(|_| !limits.signals.waits()) else { return false };
    let mut lines = [Line::default(); RIVALS];
    let count = forest.lines(&mut lines);
    let Some((best, others)) = lines.get(..count).and_then(<[Line]>::split_first) else { return false };
    let certain = best.stats.visits() >= 8 && best.stats.lower(64, &Stats::EMPTY) >= CERTAIN - CERTAIN / 200;
    if certain || best.wins {
        return true;
    }
    let rival = others.iter().map(|line| line.stats.visits()).max().unwrap_or(0);
    let spent = limits.spent();
    if spent >= enough {
        return best.stats.visits() >= rival;
    }
    let elapsed = limits.started.elapsed().as_secs_f64().max(1e-6);
    let to_come = nodes as f64 / elapsed * enough.saturating_sub(spent).as_secs_f64();
    spent >= enough / 8 && f64::from(best.stats.visits()) > f64::from(rival) + to_come
}

/// The best turns with what is known of them. Turns that lead to the same position are one: their visits add up.
fn candidates(forest: &Forest<'_>, game: &Game) -> Vec<Candidate> {
    let mut lines = [Line::default(); TOLD];
    let count = forest.lines(&mut lines);
    let mut found: Vec<(u64, GameTurn, Line)> = Vec::new();
    for line in &lines[..count] {
        let Some(turn) = forest.turn(line) else { continue };
        let mut after = game.clone();
        // What the search composed it has played, so this holds; a mistake here must not cost a game.
        if after.play(&turn).is_err() {
            continue;
        }
        let key = after.state().key();
        match found.iter_mut().find(|known| known.0 == key) {
            Some(known) => known.2.stats.merge(&line.stats),
            None => found.push((key, turn, *line)),
        }
    }
    found.sort_by_key(|(_, _, line)| std::cmp::Reverse(line.order()));
    found.into_iter().map(|(_, turn, line)| Candidate::new(turn, &line.stats)).collect()
}
