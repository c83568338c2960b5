//! One thread's search: it runs in short slices, and between them it tells how it stands, ends when the turn to play
//! is settled, and asks for more memory.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use barrow_core::minions::{Game, GameConfig, GameTurn};
use barrow_core::search::ports::{CERTAIN, Clock};
use barrow_core::search::staged::{Kept, Line, Options, Report};
use barrow_core::search::stats::Stats;

use super::why::Why;
use super::{Candidate, Joined, Progress, Room, Taught, team};
use crate::interrupt;
use crate::umi::limits::Limits;

/// Nodes of a slice.
const SLICE: u64 = 64;

/// Turns that are looked at among the best of one thread when several are merged.
const MERGED: usize = 32;

/// Turns that are told of.
const TOLD: usize = 16;

/// Time between two reports.
const REPORT_EVERY: Duration = Duration::from_secs(1);

/// Fullness from which memory grows, in thousandths: what a slice may need at most must still fit.
const CROWDED: u32 = 500;

/// What a search knows beforehand.
pub(super) struct Orders<'a> {
    pub(super) game: &'a Game,
    pub(super) limits: &'a Limits,
    pub(super) common: &'a Common,
    pub(super) options: Options,
    /// Whether no other thread searches.
    pub(super) alone: bool,
    pub(super) taught: Taught,
}

/// What the threads of a search tell each other.
#[derive(Default)]
pub(super) struct Common {
    nodes: AtomicU64,
    over: AtomicBool,
}

/// A turn with what is known of it.
pub(super) struct Tried {
    pub(super) turn: GameTurn,
    /// Key of the position that it leads to.
    pub(super) key: u64,
    pub(super) stats: Stats,
}

/// What a search brings back.
#[derive(Default)]
pub(super) struct Harvest {
    /// The best first.
    pub(super) tried: Vec<Tried>,
    pub(super) report: Report,
    /// The answer expected to the best turn.
    pub(super) reply: Option<GameTurn>,
    pub(super) why: Option<Why>,
}

/// Memory of one thread and what was kept in it.
pub(super) struct Worker {
    room: Room,
    kept: Option<(Kept, GameConfig)>,
}

/// Why a search paused.
#[derive(PartialEq, Eq)]
enum Pause {
    Over,
    /// Nothing could be done at all.
    Stuck,
    Crowded,
}

type Watcher<'a> = Option<&'a mut dyn FnMut(&Progress<'_>)>;

impl Worker {
    pub(super) fn new(room: Room) -> Worker {
        Worker { room, kept: None }
    }

    pub(super) fn forget(&mut self) {
        self.kept = None;
    }

    pub(super) fn search(
        &mut self,
        orders: &Orders<'_>,
        mut watcher: Watcher<'_>,
        explains: bool,
    ) -> Harvest {
        let game = orders.game;
        let mut kept = self.kept.take().filter(|(_, config)| config == game.config()).map(|(kept, _)| kept);
        let last_told = orders.limits.started;
        let mut leg = Leg { done: Report::default(), last_told, full: 0, may_grow: false };
        loop {
            leg.may_grow = self.room.can_grow();
            leg.full = self.room.share(1000);
            let growing_time = self.room.growing_time();
            let (memory, words) = self.room.lend();
            let team = team(orders.taught, words);
            let search = match kept {
                Some(kept) => Joined::resume(memory, team, orders.options, game, kept),
                None => Joined::new(memory, team, orders.options, game),
            };
            let Some(mut search) = search else { return Harvest::default() };
            let pause = leg.run(&mut search, orders, &mut watcher, growing_time);
            let again = kept.is_some() && leg.done.nodes == 0;
            leg.done = added(&leg.done, &search.report());
            kept = Some(search.keep());
            match pause {
                // What was kept of the position does not fit it after all.
                Pause::Stuck if again => kept = None,
                Pause::Crowded => {
                    drop(search);
                    self.room.grow();
                }
                Pause::Over | Pause::Stuck => {
                    let fullness = leg.done.fullness * leg.full / 1000;
                    let harvest = harvest(&search, orders, Report { fullness, ..leg.done }, explains);
                    self.kept = kept.map(|kept| (kept, game.config().clone()));
                    return harvest;
                }
            }
        }
    }
}

/// A search between two changes of its memory.
struct Leg {
    /// What was done before.
    done: Report,
    last_told: Instant,
    /// What all of the memory that there is would be of all that is allowed, in thousandths.
    full: u32,
    may_grow: bool,
}

impl Leg {
    fn run(
        &mut self,
        search: &mut Joined<'_>,
        orders: &Orders<'_>,
        watcher: &mut Watcher<'_>,
        growing_time: Duration,
    ) -> Pause {
        let Orders { limits, common, .. } = *orders;
        loop {
            let before = search.report().nodes;
            let mut watch = Watch { limits, common, until: before + SLICE, over: false };
            search.run(&mut watch);
            let over = watch.over || common.over.load(Ordering::Relaxed);
            let report = search.report();
            if report.nodes == before {
                return Pause::Stuck;
            }
            if over {
                return Pause::Over;
            }
            if let Some(tell) = watcher {
                if self.last_told.elapsed() >= REPORT_EVERY {
                    self.last_told = Instant::now();
                    self.tell(search, orders, &mut **tell);
                }
                if settled(search, limits, self.done.nodes + report.nodes) {
                    common.over.store(true, Ordering::Relaxed);
                    return Pause::Over;
                }
            }
            let time_left = limits.time.saturating_sub(limits.spent());
            if self.may_grow && report.fullness >= CROWDED && time_left > growing_time {
                return Pause::Crowded;
            }
        }
    }

    fn tell(&self, search: &Joined<'_>, orders: &Orders<'_>, tell: &mut dyn FnMut(&Progress<'_>)) {
        let tried = tried(search, orders.game, TOLD);
        let candidates: Vec<_> =
            tried.into_iter().map(|Tried { turn, stats, .. }| Candidate::new(turn, &stats)).collect();
        let report = added(&self.done, &search.report());
        let nodes = orders.common.nodes.load(Ordering::Relaxed);
        let time = orders.limits.started.elapsed();
        let report = Report { nodes, fullness: report.fullness * self.full / 1000, ..report };
        tell(&Progress { candidates: &candidates, report, reply: None, time });
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
    common: &'a Common,
    /// Where the slice ends, in nodes of this thread.
    until: u64,
    over: bool,
}

impl Clock for Watch<'_> {
    fn is_over(&mut self, nodes: u64) -> bool {
        let all = self.common.nodes.fetch_add(1, Ordering::Relaxed) + 1;
        self.over =
            self.limits.reached(all) || self.common.over.load(Ordering::Relaxed) || interrupt::requested();
        self.over || nodes >= self.until
    }
}

/// Whether more time would be wasted: the best turn wins for certain, or until the time is up no other can be
/// visited as often, or the time is up and nothing speaks against the best turn.
fn settled(search: &Joined<'_>, limits: &Limits, nodes: u64) -> bool {
    let Some(enough) = limits.enough.filter(|_| !limits.signals.waits()) else { return false };
    let mut lines = [Line::default(); MERGED];
    let count = search.lines(&mut lines);
    let Some((best, others)) = lines.get(..count).and_then(<[Line]>::split_first) else { return false };
    let certain = best.stats.visits() >= 8 && best.stats.lower(64, &Stats::EMPTY) >= CERTAIN - CERTAIN / 200;
    if certain {
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

/// The best turns with what is known of them.
fn tried(search: &Joined<'_>, game: &Game, most: usize) -> Vec<Tried> {
    let mut lines = [Line::default(); MERGED];
    let count = search.lines(lines.get_mut(..most.min(MERGED)).unwrap_or(&mut []));
    let tried = |line: &Line| {
        let turn = search.turn(line)?;
        let mut after = game.clone();
        // What the search composed it has played, so this holds; a mistake here must not cost a game.
        after.play(&turn).ok()?;
        Some(Tried { turn, key: after.state().key(), stats: line.stats })
    };
    lines[..count].iter().filter_map(tried).collect()
}

fn harvest(search: &Joined<'_>, orders: &Orders<'_>, report: Report, explains: bool) -> Harvest {
    let game = orders.game;
    let tried = tried(search, game, if orders.alone { TOLD } else { MERGED });
    let mut best = [Line::default()];
    let mut answer = [Line::default()];
    let known = search.lines(&mut best) + search.replies(&best[0], &mut answer);
    let reply = if known == 2 { search.turn(&answer[0]) } else { None };
    let why = tried.first().filter(|_| explains).map(|best| Why::new(search, game, &best.turn));
    Harvest { tried, report, reply, why }
}
