//! The searching player: the staged search of `barrow_core` joined with the planner of `barrow_solver` and a taste,
//! under the clock and on the threads of this machine.
//!
//! Threads grow one tree, each with a seed of its own; the stages of a position are theirs together too. With one thread a search depends on nothing but the position, the seed, the
//! limit of nodes, and the searches before it. What was known of a position stays for the next search.

pub mod analysis;
mod clock;
pub mod embedded_nets;
mod explain;
pub mod limits;
mod memory;
mod parallel;
mod ports;
#[cfg(test)]
mod tests;

use std::time::Duration;

use barrow_core::minions::players::{Brain, Greedy};
use barrow_core::minions::turn_search::{Options, Report};
use barrow_core::minions::{Game, GameTurn};
use barrow_core::search::stats::Stats;
use barrow_core::search::value::CERTAIN;

use parallel::{SearchMemory, SearchParams, SearchResult};

pub use explain::{ExplainedAttack, ExplainedBoard, ExplainedChoice, Explanation, family_name};
pub use memory::{MOST_MIB, SearchBuffers};
pub use ports::{EnginePorts, NetSwitches, OracleOrFallback, ProphetOrFallback, SeerOrFallback};

use crate::engine::limits::Limits;

/// Those who fulfil them. The planner borrows the words.
fn team(net_switches: NetSwitches, words: &mut [u32]) -> EnginePorts<'_> {
    ports::team(embedded_nets::desktop().as_ref(), net_switches, words)
}

/// Most threads of a search.
pub const MOST_THREADS: usize = 256;

/// A player that searches.
pub struct Engine {
    memory: SearchMemory,
    options: Options,
    explains: bool,
    net_switches: NetSwitches,
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
    /// How the search went, all threads together.
    pub report: Report,
    /// What the other side is expected to answer, where the search came so far.
    pub reply: Option<GameTurn>,
    /// The statistics behind it, if they were asked for.
    pub explanation: Option<Explanation>,
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

impl Engine {
    /// A player with this much memory, on one thread.
    pub fn new(hash_mib: usize, options: Options) -> Engine {
        Engine::with_threads(hash_mib, options, 1)
    }

    /// A player on some threads, 1..=[`MOST_THREADS`], which grow one tree.
    pub fn with_threads(hash_mib: usize, options: Options, threads: usize) -> Engine {
        let room = SearchBuffers::new(hash_mib, threads.clamp(1, MOST_THREADS));
        Engine {
            memory: SearchMemory::new(room),
            options,
            explains: false,
            net_switches: NetSwitches::default(),
        }
    }

    /// Which nets it uses.
    pub fn net_switches_mut(&mut self) -> &mut NetSwitches {
        &mut self.net_switches
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
        self.memory.forget();
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
        let Engine { options, explains, net_switches, .. } = *self;
        let params = SearchParams { game, limits, options, net_switches, explains };
        let SearchResult { mut candidates, report, reply, explanation } = self.memory.search(&params, watch);
        if candidates.is_empty() {
            // Nothing composed: whatever the position, there is a turn.
            let turn = Greedy::new(options.seed).choose(game);
            candidates.push(Candidate { turn, value: 0.5, error: 0.5, visits: 1 });
        }
        Found { candidates, report, reply, explanation }
    }
}

/// A engine with a fixed effort, as a player of matches.
pub struct EnginePlayer {
    /// The engine.
    pub engine: Engine,
    /// Time and nodes for a turn.
    pub effort: crate::engine::analysis::Effort,
}

impl Brain for EnginePlayer {
    fn choose(&mut self, game: &Game) -> GameTurn {
        let limits = Limits::new(self.effort.time, self.effort.nodes);
        let mut found = self.engine.search(game, &limits);
        found.candidates.swap_remove(0).turn
    }
}
