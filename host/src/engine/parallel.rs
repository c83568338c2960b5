//! Parallel search: the threads of this machine grow one search tree, each stripe of which has a lock. The first thread also reports
//! results so far, ends the search when the turn to play is settled, and lets the memory grow.

use std::time::{Duration, Instant};

use barrow_core::minions::turn_search::{
    Line, MemoryUsage, Search, SearchError, SearchOptions, SearchSlices, SearchStatistics, SharedTree,
    resume_stripes,
};
use barrow_core::minions::{Game, GameTurn};
use barrow_core::rng::Rng;
use barrow_core::search::clock::Clock;
use barrow_core::search::stats::Stats;
use barrow_core::search::tree::Stripe;
use barrow_core::search::value::CERTAIN;

use super::affinity::{Affinity, Away};
use super::limits::Limits;
use super::locked_tree::{LockedStripe, LockedTree};
use super::memory::{SearchMemory, ThreadMemory};
use super::network::StaticNetwork;
use super::ports::{EnginePorts, NetSwitches, engine_ports};
use super::root::root_record;
use super::search_result::{Candidate, SearchResult};
use super::threads::{self, AtomicBool, AtomicU64, Ordering};
use crate::interrupt;
use crate::processor_time::thread_time;
use barrow_session::explain::Explanation;
use barrow_session::optimism::Optimism;
use barrow_session::search_buffers::{GROW_FULLNESS, SLICE_NODES};
use barrow_session::search_lines::{distinct_turns, reply_of};

/// Largest number of threads of a search.
pub const MAX_THREADS: usize = 256;

/// Turns compared to find out whether the best one is settled.
const MAX_RIVALS: usize = 32;

/// Nodes of a tree that compaction moves in a millisecond, at least. About twice as many were measured on a Zen 5.
const MOVED_PER_MS: usize = 800;

/// Time between two results for the observer.
const OBSERVE_INTERVAL: Duration = Duration::from_secs(1);

/// Receives results of a search that still runs.
pub type Observer<'a> = &'a mut dyn FnMut(&SearchResult);

/// Tells at half of the effort, from the best turns so far, whether the search is to end, since none of them will do.
pub(super) type Probe<'a> = &'a mut dyn FnMut(&[Candidate]) -> bool;

/// Share of the effort at which a probe is asked, in 1/65,536.
const PROBED: i32 = 1 << 15;

/// Parameters of one search.
pub(super) struct SearchParams<'a> {
    pub(super) game: &'a Game,
    pub(super) limits: &'a Limits,
    /// Options of the first thread; the other threads have seeds of their own.
    pub(super) options: SearchOptions,
    /// Network of the nets; `None` where there is none.
    pub(super) network: Option<StaticNetwork>,
    pub(super) net_switches: NetSwitches,
    /// Whether the result holds an [`Explanation`].
    pub(super) explains: bool,
    /// Whether the result holds a [`RootRecord`](crate::records::root_record::RootRecord).
    pub(super) records: bool,
}

/// The search of one thread.
type ThreadSearch<'s, 'm, 'p> = Search<'p, LockedTree<'s, 'm>, EnginePorts<'p>>;

/// Counters that the threads of a search share.
#[derive(Default)]
struct SharedCounters {
    nodes: AtomicU64,
    /// Time of the slowest node, in microseconds.
    slowest_node: AtomicU64,
    /// Whether all threads have to pause: the search is over, or memory is to grow.
    pause: AtomicBool,
    /// Processor time of all threads in microseconds, where a limit asks for it.
    processor: AtomicU64,
    /// Time that threads have waited for stripes of the tree, in nanoseconds.
    waited: AtomicU64,
}

impl SharedCounters {
    /// Counts what this thread has waited since it was counted last.
    fn count_waited(&self) {
        self.waited.fetch_add(threads::take_waited().as_nanos() as u64, Ordering::Relaxed);
    }
}

/// Lets all threads pause when the first one has ended, by a panic too: the search returns only when all have ended.
struct PauseOnDrop<'a>(&'a AtomicBool);

impl Drop for PauseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The reason of a pause.
#[derive(PartialEq, Eq)]
enum Pause {
    /// The limits are reached, or the best turn is settled.
    Over,
    /// Not one node could be searched.
    Stuck,
    /// The memory is to grow.
    Crowded,
}

/// A search under way.
pub(super) struct ParallelSearch<'a> {
    params: &'a SearchParams<'a>,
    counters: SharedCounters,
    /// Statistics of all threads up to the last change of the memory.
    done: SearchStatistics,
    /// Share of the allocated memory in the memory allowed, in thousandths.
    allocated: u32,
    /// Time that growing the memory takes, if it may grow.
    growing_time: Option<Duration>,
}

/// The observer of a search, and the time of its last result; the probe, where there is one that was not asked yet.
struct Reporter<'a> {
    observer: Observer<'a>,
    last: Instant,
    /// Taken out when it is asked.
    probe: Option<Probe<'a>>,
}

impl<'a> ParallelSearch<'a> {
    /// A search that has not started.
    pub(super) fn new(params: &'a SearchParams<'a>) -> ParallelSearch<'a> {
        ParallelSearch {
            params,
            counters: SharedCounters::default(),
            done: SearchStatistics::default(),
            allocated: 0,
            growing_time: None,
        }
    }

    /// Searches until the limits are reached or the best turn is settled. The result has no candidates only where not
    /// one turn could be composed.
    pub(super) fn run(self, memory: &mut SearchMemory, observer: Observer<'_>) -> SearchResult {
        self.run_probed(memory, observer, None)
    }

    /// Searches as [`ParallelSearch::run`] does, or until the probe says so, if there is one.
    pub(super) fn run_probed<'o>(
        mut self,
        memory: &mut SearchMemory,
        observer: Observer<'o>,
        probe: Option<Probe<'o>>,
    ) -> SearchResult {
        let game = self.params.game;
        let mut kept = memory.take_kept(game.config());
        let mut reporter = Reporter { observer, last: self.params.limits.started, probe };
        loop {
            self.allocated = memory.buffers.share_of_allowed(1000);
            self.growing_time = memory.buffers.can_grow().then(|| memory.buffers.growing_time());
            let (slices, threads) = memory.buffers.borrow();
            // Between two parts of one search the memory has grown, and needs compaction.
            let most = if self.done.nodes > 0 { usize::MAX } else { movable_nodes(self.params.limits) };
            let Ok(tree) = stripes(slices.collect(), kept.as_deref(), most, game) else {
                return self.result(Vec::new(), self.done);
            };
            let locked: Vec<_> = tree.into_iter().map(LockedStripe::new).collect();
            let (pause, statistics) =
                self.search_until_pause(LockedTree::new(&locked), threads, &mut reporter);
            let tree: Vec<_> = locked.into_iter().map(LockedStripe::into_inner).collect();
            let resumed = kept.is_some() && self.done.nodes == 0;
            self.done = self.done.with(&statistics);
            kept = Some(tree.iter().map(SharedTree::usage).collect());
            match pause {
                // The tree that was kept does not fit the position after all.
                Pause::Stuck if resumed => kept = None,
                Pause::Crowded => memory.buffers.grow(),
                Pause::Over | Pause::Stuck => {
                    let result = self.final_result(&tree);
                    if let Some(kept) = kept {
                        memory.keep(kept, game.config());
                    }
                    return result;
                }
            }
        }
    }

    /// Searches until the next pause, on one thread for each memory.
    fn search_until_pause(
        &self,
        shared: LockedTree<'_, '_>,
        memory: &mut [ThreadMemory],
        reporter: &mut Reporter<'_>,
    ) -> (Pause, SearchStatistics) {
        let Some((first, others)) = memory.split_first_mut() else {
            return (Pause::Stuck, SearchStatistics::default());
        };
        self.counters.pause.store(false, Ordering::Relaxed);
        let mut search = self.thread_search(shared, first, 0);
        // The first turn is composed before other threads start, so that they find candidates.
        let over = self.search_nodes(&mut search, 1);
        let statistics = search.statistics();
        if over || statistics.nodes == 0 {
            return (if over { Pause::Over } else { Pause::Stuck }, statistics);
        }
        threads::scope(|scope| {
            let running: Vec<_> = {
                let away = if others.is_empty() { None } else { Away::from_here() };
                let affinity = away.as_ref().map(Away::allowed);
                let start = |(memory, index)| {
                    let assist = move || {
                        affinity.inspect(Affinity::apply);
                        let mut search = self.thread_search(shared, memory, index);
                        self.search_nodes(&mut search, u64::MAX);
                        let statistics = search.statistics();
                        self.counters.count_waited();
                        statistics
                    };
                    threads::spawn(scope, assist)
                };
                others.iter_mut().zip(1..).filter_map(start).collect()
            };
            let pausing = PauseOnDrop(&self.counters.pause);
            let pause = self.lead(&mut search, shared, reporter);
            drop(pausing);
            let finished = running.into_iter().filter_map(|thread| thread.join().ok());
            let statistics = finished.fold(search.statistics(), |sum, part| sum.with(&part));
            // Last, since statistics look at the tree while others still search: what is not counted here would count as
            // waiting of this thread's next search.
            self.counters.count_waited();
            (pause, statistics)
        })
    }

    /// The search of the thread with this index, counted from 0, in memory of its own.
    fn thread_search<'s, 'm, 'p>(
        &self,
        shared: LockedTree<'s, 'm>,
        memory: &'p mut ThreadMemory,
        index: u64,
    ) -> ThreadSearch<'s, 'm, 'p>
    where
        'a: 'p,
    {
        let SearchParams { game, options, network, net_switches, .. } = *self.params;
        let seed = if index == 0 { options.seed } else { Rng::new(options.seed ^ index).next_u64() };
        let ThreadMemory { words, room, scratch, kept } = memory;
        let ports = engine_ports(network, net_switches, (words, room));
        let mut search = Search::over(shared, scratch, ports, SearchOptions { seed, ..options }, game);
        search.keep_positions(kept);
        search
    }

    /// Searches until this thread has done `until` nodes, or the search as a whole is over or pauses. Returns false if
    /// this thread's nodes were the reason to end.
    fn search_nodes(&self, search: &mut ThreadSearch<'_, '_, '_>, until: u64) -> bool {
        let (limits, counters) = (self.params.limits, &self.counters);
        let processor = limits.processor.and_then(|_| thread_time());
        let mut clock = NodeClock { limits, counters, until, last: Instant::now(), processor, over: false };
        search.run(&mut clock);
        clock.over
    }

    /// Searches on the first thread until the next pause. Between slices of nodes this thread checks whether to report,
    /// to end the search, or to let the memory grow.
    fn lead(
        &self,
        search: &mut ThreadSearch<'_, '_, '_>,
        shared: LockedTree<'_, '_>,
        reporter: &mut Reporter<'_>,
    ) -> Pause {
        let limits = self.params.limits;
        loop {
            let before = search.nodes();
            let over = self.search_nodes(search, before + SLICE_NODES);
            let statistics = search.statistics();
            if statistics.nodes == before {
                return Pause::Stuck;
            }
            if over {
                return Pause::Over;
            }
            if reporter.last.elapsed() >= OBSERVE_INTERVAL {
                reporter.last = Instant::now();
                let result = self.result_so_far(&shared.root(), &statistics);
                (reporter.observer)(&result);
            }
            if settled(&shared.root(), limits, self.counters.nodes.load(Ordering::Relaxed))
                || self.is_given_up(&shared, reporter)
            {
                return Pause::Over;
            }
            let time_left = limits.hard_bound.saturating_sub(limits.spent());
            if statistics.fullness >= GROW_FULLNESS && self.growing_time.is_some_and(|time| time_left > time)
            {
                return Pause::Crowded;
            }
        }
    }

    /// Whether the probe ends the search. It is asked once, with nothing locked, and what it takes counts as effort.
    fn is_given_up(&self, shared: &LockedTree<'_, '_>, reporter: &mut Reporter<'_>) -> bool {
        let counters = &self.counters;
        let processor = Duration::from_micros(counters.processor.load(Ordering::Relaxed));
        let share = self.params.limits.share_spent(counters.nodes.load(Ordering::Relaxed), processor);
        if share.is_none_or(|share| share < PROBED) {
            return false;
        }
        // Candidates take as long as some nodes, so they are made only where somebody asks for them.
        let Some(probe) = reporter.probe.take() else { return false };
        let begun = thread_time();
        let so_far = {
            let root = shared.root();
            candidates(self.params.game, &root, &distinct_turns(&root, self.params.game))
        };
        let ends = probe(&so_far);
        let taken = begun.zip(thread_time()).map_or(Duration::ZERO, |(begun, now)| now.saturating_sub(begun));
        counters.processor.fetch_add(taken.as_micros() as u64, Ordering::Relaxed);
        ends
    }

    /// The result while threads still search; `statistics` is that of the first thread since the last pause.
    fn result_so_far(&self, tree: &SharedTree<'_>, statistics: &SearchStatistics) -> SearchResult {
        let nodes = self.counters.nodes.load(Ordering::Relaxed);
        let statistics = SearchStatistics { nodes, ..self.done.with(statistics) };
        self.result(candidates(self.params.game, tree, &distinct_turns(tree, self.params.game)), statistics)
    }

    /// The result after the last pause, of the stripes of the tree.
    fn final_result(&self, stripes: &[SharedTree<'_>]) -> SearchResult {
        let game = self.params.game;
        let of = |node: u32| &stripes[node as usize & (stripes.len() - 1)];
        let tree = of(stripes[0].root());
        let turns = distinct_turns(tree, game);
        let mut answer = [Line::default()];
        let next = turns.first().and_then(|(turn, line)| Some((turn, tree.position_after(line)?)));
        let next = next.filter(|&(_, next)| of(next).lines_at(next, &mut answer) == 1);
        let fullness = stripes.iter().map(SharedTree::fullness).max().unwrap_or(0);
        let statistics = SearchStatistics { fullness, ..self.done };
        let mut result = self.result(candidates(game, tree, &turns), statistics);
        result.reply = next.and_then(|(turn, next)| reply_of(game, turn, (of(next), &answer[0])));
        result.explanation = result
            .candidates
            .first()
            .filter(|_| self.params.explains)
            .map(|best| Explanation::new(tree, game, &best.turn));
        if self.params.records && !result.candidates.is_empty() {
            let reply = next.map(|_| 1.0 - f64::from(answer[0].stats.mean()) / f64::from(CERTAIN));
            result.root = Some(root_record(tree, game, &result, reply));
        }
        result
    }

    /// A result without reply and explanation. The fullness of the statistics is a share of the allocated memory.
    fn result(&self, candidates: Vec<Candidate>, statistics: SearchStatistics) -> SearchResult {
        SearchResult {
            candidates,
            statistics: SearchStatistics {
                fullness: statistics.fullness * self.allocated / 1000,
                ..statistics
            },
            reply: None,
            time: self.params.limits.started.elapsed(),
            waited: Duration::from_nanos(self.counters.waited.load(Ordering::Relaxed)),
            explanation: None,
            root: None,
            breakdown: None,
        }
    }
}

/// The stripes of a tree for this position in this memory, with what earlier searches found of it, if their fill is known.
/// A tree of more than `most` nodes is compacted only where memory is scarce.
pub(super) fn stripes<'m>(
    memory: Vec<SearchSlices<'m>>,
    kept: Option<&[MemoryUsage]>,
    most: usize,
    game: &Game,
) -> Result<Vec<SharedTree<'m>>, SearchError> {
    let count = memory.len() as u32;
    let mut tree = Vec::new();
    for (number, memory) in memory.into_iter().enumerate() {
        let usage = kept.and_then(|kept| kept.get(number)).copied().unwrap_or_default();
        let stripe = Stripe::new(number as u32, count).unwrap_or_default();
        tree.push(SharedTree::stripe(stripe, memory, game, usage)?);
    }
    resume_stripes(&mut tree, most, game)?;
    Ok(tree)
}

/// Nodes of a kept tree that may be moved before a search begins: as many as an eighth of its time surely suffices for.
fn movable_nodes(limits: &Limits) -> usize {
    usize::try_from(limits.hard_bound.as_millis() / 8).unwrap_or(usize::MAX).saturating_mul(MOVED_PER_MS)
}

/// The clock of one thread's search. The search reads the clock after every node.
struct NodeClock<'a> {
    limits: &'a Limits,
    counters: &'a SharedCounters,
    /// Nodes of this thread after which the search returns.
    until: u64,
    /// End of the last node.
    last: Instant,
    /// Processor time of this thread at the end of the last node, where a limit asks for it.
    processor: Option<Duration>,
    /// Whether the search as a whole is over or pauses.
    over: bool,
}

impl NodeClock<'_> {
    /// Whether the threads have used the processor time that the limits allow.
    fn is_processor_time_used(&mut self) -> bool {
        let (Some(limit), Some(last)) = (self.limits.processor, self.processor) else { return false };
        let now = thread_time().unwrap_or(last);
        self.processor = Some(now);
        let taken = now.saturating_sub(last).as_micros() as u64;
        let all = self.counters.processor.fetch_add(taken, Ordering::Relaxed) + taken;
        !self.limits.signals.is_waiting() && u128::from(all) >= limit.as_micros()
    }
}

impl Clock for NodeClock<'_> {
    fn is_over(&mut self, nodes: u64) -> bool {
        let all = self.counters.nodes.fetch_add(1, Ordering::Relaxed) + 1;
        let now = Instant::now();
        let taken = now.duration_since(self.last).as_micros() as u64;
        self.last = now;
        // Dense boards make slow nodes, and the next node may be as slow.
        let slowest = self.counters.slowest_node.fetch_max(taken, Ordering::Relaxed).max(taken);
        self.over = self.limits.reached(all, Duration::from_micros(slowest))
            || self.is_processor_time_used()
            || self.counters.pause.load(Ordering::Relaxed)
            || interrupt::requested();
        self.over || nodes >= self.until
    }

    fn spent(&mut self, _: u64) -> Option<i32> {
        let counters = self.counters;
        let processor = counters.processor.load(Ordering::Relaxed);
        self.limits.share_spent(counters.nodes.load(Ordering::Relaxed), Duration::from_micros(processor))
    }
}

/// Whether the best turn is settled: it wins the game at once, where nothing but time would end the search; or where there is a soft
/// bound it wins for certain, no other turn can be visited as often before that bound, or the bound is reached and no other
/// turn has more visits.
fn settled(tree: &SharedTree<'_>, limits: &Limits, nodes: u64) -> bool {
    let by_time = limits.nodes == u64::MAX && limits.hard_bound < Duration::MAX;
    if limits.signals.is_waiting() || !by_time && limits.soft_bound.is_none() {
        return false;
    }
    let mut lines = [Line::default(); MAX_RIVALS];
    let count = tree.lines(&mut lines);
    let Some((best, others)) = lines.get(..count).and_then(<[Line]>::split_first) else { return false };
    if best.wins {
        return true;
    }
    let Some(soft_bound) = limits.soft_bound else { return false };
    if best.stats.visits() >= 8 && best.stats.lower(64, &Stats::EMPTY) >= CERTAIN - CERTAIN / 200 {
        return true;
    }
    let rival = others.iter().map(|line| line.stats.visits()).max().unwrap_or(0);
    let spent = limits.spent();
    if spent >= soft_bound {
        return best.stats.visits() >= rival;
    }
    let elapsed = limits.started.elapsed().as_secs_f64().max(1e-6);
    let to_come = nodes as f64 / elapsed * soft_bound.saturating_sub(spent).as_secs_f64();
    spent >= soft_bound / 8 && f64::from(best.stats.visits()) > f64::from(rival) + to_come
}

/// Turns of a tree's root, which is the start of a turn of this game, as candidates.
fn candidates(game: &Game, tree: &SharedTree<'_>, turns: &[(GameTurn, Line)]) -> Vec<Candidate> {
    let optimism = Optimism::of(game, u64::from(tree.value().visits()));
    turns.iter().map(|(turn, line)| Candidate::from_stats(turn.clone(), &line.stats, optimism)).collect()
}
