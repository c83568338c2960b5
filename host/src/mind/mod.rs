//! The searching player: the staged search of `barrow_core` joined with the planner of `barrow_solver` and a taste,
//! under the clock and on the threads of this machine.
//!
//! Threads search the same position, each in a tree of its own and with a seed of its own; at the end what they found
//! of the same turn is added up (root parallelisation: G. Chaslot, M. Winands, J. van den Herik, "Parallel
//! Monte-Carlo tree search", 2008). With one thread a search depends on nothing but the position, the seed, the
//! limit of nodes, and the searches before it. What was known of a position stays for the next search.

mod drive;
mod merge;
mod room;
mod team;
#[cfg(test)]
mod tests;
mod why;

use std::thread;
use std::time::Duration;

use barrow_core::bots::{Brain, Greedy, Taste};
use barrow_core::minions::{Game, GameTurn};
use barrow_core::rng::Rng;
use barrow_core::search::ports::CERTAIN;
use barrow_core::search::staged::{Options, Report, Search};
use barrow_core::search::stats::Stats;
use barrow_solver::attack::Planner;

use drive::{Common, Harvest, Orders, Worker};

pub use room::{MOST_MIB, Room};
pub use team::{Judge, Placer, Players, Prophet, Taught};
pub use why::{AttackWhy, BoardWhy, ChoiceWhy, Why, family_name};

use crate::nets;
use crate::umi::limits::Limits;

/// The ports as this player fulfils them.
pub type Joined<'p> = Search<'p, Judge, Prophet, Planner<'p>, Placer, Taste>;

/// Those who fulfil them. The planner borrows the words.
fn team(taught: Taught, words: &mut [u32]) -> Players<'_> {
    team::team(nets::desktop().as_ref(), taught, words)
}

/// Most threads of a search.
pub const MOST_THREADS: usize = 256;

/// Stack of a search's thread, in bytes.
const STACK: usize = 16 << 20;

/// A player that searches.
pub struct Mind {
    workers: Vec<Worker>,
    options: Options,
    explains: bool,
    taught: Taught,
}

/// A turn that the search considered.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The turn.
    pub turn: GameTurn,
    /// Win chance of the side that plays it, 0 to 1.
    pub value: f64,
    /// Standard error of the value.
    pub error: f64,
    /// How often it was visited.
    pub visits: u64,
}

impl Candidate {
    fn new(turn: GameTurn, stats: &Stats) -> Candidate {
        let certain = f64::from(CERTAIN);
        let visits = u64::from(stats.visits());
        let error = f64::from(stats.deviation()) / certain / (visits.max(1) as f64).sqrt();
        Candidate { turn, value: f64::from(stats.mean()) / certain, error, visits }
    }

    /// How sure the value is, 0 to 1: 1 less twice its standard error, as a share of an even game.
    pub fn confidence(&self) -> f64 {
        (1.0 - 4.0 * self.error).clamp(0.0, 1.0)
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Candidates, the one to play first; never empty.
    pub candidates: Vec<Candidate>,
    /// How the search went, all threads together; use of memory is that of the fullest.
    pub report: Report,
    /// What the other side is expected to answer, where the search came so far.
    pub reply: Option<GameTurn>,
    /// The statistics behind it, if they were asked for.
    pub why: Option<Why>,
}

/// How a search stands that still runs, as its first thread sees it; nodes are those of all threads.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Candidates, the best first.
    pub candidates: &'a [Candidate],
    /// Nodes, depth, and use of memory.
    pub report: Report,
    /// The answer expected to the first candidate.
    pub reply: Option<&'a GameTurn>,
    /// Time since the search began.
    pub time: Duration,
}

impl Mind {
    /// A player with this much memory, on one thread.
    pub fn new(hash_mib: usize, options: Options) -> Mind {
        Mind::with_threads(hash_mib, options, 1)
    }

    /// A player on some threads, 1..=[`MOST_THREADS`], which share the memory.
    pub fn with_threads(hash_mib: usize, options: Options, threads: usize) -> Mind {
        let threads = threads.clamp(1, MOST_THREADS);
        let workers = (0..threads).map(|_| Worker::new(Room::new(hash_mib / threads))).collect();
        Mind { workers, options, explains: false, taught: Taught::default() }
    }

    /// Which nets it uses.
    pub fn taught_mut(&mut self) -> &mut Taught {
        &mut self.taught
    }

    /// Whether searches keep the statistics behind what they found.
    pub fn explain(&mut self, explains: bool) {
        self.explains = explains;
    }

    /// The switches and constants of its search.
    pub fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    /// Forgets everything it knows of positions, as at the start of a game.
    pub fn forget(&mut self) {
        self.workers.iter_mut().for_each(Worker::forget);
    }

    /// Searches a position of a game that is not over.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Found {
        self.search_watched(game, limits, &mut |_| {})
    }

    /// Searches a position of a game that is not over, and tells how it stands once a second.
    pub fn search_watched(
        &mut self,
        game: &Game,
        limits: &Limits,
        watch: &mut dyn FnMut(&Progress<'_>),
    ) -> Found {
        let common = Common::default();
        let seed = self.options.seed;
        let alone = self.workers.len() == 1;
        let orders = |index: u64| {
            let seed = if index == 0 { seed } else { Rng::new(seed ^ index).next_u64() };
            let options = Options { seed, ..self.options };
            Orders { game, limits, common: &common, options, alone, taught: self.taught }
        };
        let explains = self.explains;
        let harvests = match self.workers.as_mut_slice() {
            [] => Vec::new(),
            [first] => vec![first.search(&orders(0), Some(watch), explains)],
            [first, others @ ..] => thread::scope(|scope| {
                let spawn = |(worker, index)| {
                    let orders = orders(index);
                    let work = move || Worker::search(worker, &orders, None, false);
                    thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
                };
                let running: Vec<_> = others.iter_mut().zip(1..).filter_map(spawn).collect();
                let mut harvests = vec![first.search(&orders(0), Some(watch), explains)];
                harvests.extend(running.into_iter().filter_map(|thread| thread.join().ok()));
                harvests
            }),
        };
        found(game, harvests, seed)
    }
}

/// The results of all threads as one.
fn found(game: &Game, mut harvests: Vec<Harvest>, seed: u64) -> Found {
    let mut report = Report::default();
    for Harvest { report: part, .. } in &harvests {
        report.nodes += part.nodes;
        report.depth = report.depth.max(part.depth);
        report.depth_sum += part.depth_sum;
        report.fullness = report.fullness.max(part.fullness);
    }
    let why = harvests.first_mut().and_then(|first| first.why.take());
    let (mut candidates, reply) = merge::candidates(harvests);
    if candidates.is_empty() {
        // Nothing composed: whatever the position, there is a turn.
        let turn = Greedy::new(seed).choose(game);
        candidates.push(Candidate { turn, value: 0.5, error: 0.5, visits: 1 });
    }
    Found { candidates, report, reply, why }
}

/// A mind with a fixed effort, as a player of matches.
pub struct Player {
    /// The mind.
    pub mind: Mind,
    /// Time and nodes for a turn.
    pub effort: crate::analysis::Effort,
}

impl Brain for Player {
    fn choose(&mut self, game: &Game) -> GameTurn {
        let limits = Limits::new(self.effort.time, self.effort.nodes);
        let mut found = self.mind.search(game, &limits);
        found.candidates.swap_remove(0).turn
    }
}
