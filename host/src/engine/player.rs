//! The engine: a player that searches, with its memory, switches and nets.

use std::time::Duration;

use barrow_core::minions::players::Brain;
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, GameConfig, GameTurn};

use super::breakdown::or_simple_turn;
use super::limits::Limits;
use super::memory::SearchMemory;
use super::network::{EngineNetwork, StaticNetwork};
use super::parallel::{MAX_THREADS, Observer, ParallelSearch, SearchParams};
use super::ports::NetSwitches;
use super::repair::{Plan, Verifier};
use super::search_result::{Candidate, SearchResult};

/// Nodes of a warm-up: the first turn comes whole from a hand-written player, those after it use every stage.
const WARM_UP_NODES: u64 = 8;

/// Whether engines verify and repair their choice unless they are told otherwise (docs/search.md has what it is worth).
pub const VERIFIES: bool = true;

/// A player that searches.
///
/// With one thread, what a search finds depends on nothing but the position, the seed, the limit of nodes, and the
/// searches before it. The search tree stays in memory for the next search.
pub struct Engine {
    memory: SearchMemory,
    options: SearchOptions,
    explains: bool,
    records: bool,
    network: Option<StaticNetwork>,
    net_switches: NetSwitches,
    verifies: bool,
    verifier: Option<Verifier>,
}

impl Engine {
    /// An engine on one thread with up to this much memory, in MiB.
    pub fn new(hash_mib: usize, options: SearchOptions) -> Engine {
        Engine::with_threads(hash_mib, options, 1)
    }

    /// An engine on several threads, 1..=[`MAX_THREADS`], which grow one search tree.
    pub fn with_threads(hash_mib: usize, options: SearchOptions, threads: usize) -> Engine {
        Engine::with_memory(SearchMemory::new(hash_mib, threads.clamp(1, MAX_THREADS)), options)
    }

    /// An engine with this memory, on the threads that the memory is made for.
    pub(super) fn with_memory(memory: SearchMemory, options: SearchOptions) -> Engine {
        Engine {
            memory,
            options,
            explains: false,
            records: false,
            network: EngineNetwork::embedded(),
            net_switches: NetSwitches::default(),
            verifies: VERIFIES,
            verifier: None,
        }
    }

    /// Changes the network of the nets; `None` is the embedded one, as at first. The search tree is dropped.
    pub fn set_network(&mut self, network: Option<StaticNetwork>) {
        self.memory.clear();
        self.network = network.or_else(EngineNetwork::embedded);
    }

    /// Changes the options of the search, the seed among them. The search tree is dropped.
    pub fn set_options(&mut self, options: SearchOptions) {
        self.memory.clear();
        self.options = options;
    }

    /// Changes which nets the search uses. The search tree is dropped.
    pub fn set_net_switches(&mut self, net_switches: NetSwitches) {
        self.memory.clear();
        self.net_switches = net_switches;
    }

    /// Changes whether the final choice is verified, and repaired where it is proved to lose to an attack; and whether turns are
    /// looked for that are proved to win at the next turn. [`VERIFIES`] at first.
    pub fn set_verifies(&mut self, verifies: bool) {
        self.verifies = verifies;
    }

    /// Changes whether results hold the statistics of every stage ([`SearchResult::explanation`]).
    pub fn set_explains(&mut self, explains: bool) {
        self.explains = explains;
    }

    /// Changes whether results hold the numbers that networks learn from ([`SearchResult::root`]).
    pub fn set_records(&mut self, records: bool) {
        self.records = records;
    }

    /// Touches what a first search would otherwise touch first (the nets, the memory, the code), so that the search after
    /// this takes no longer than those after it. The tree is dropped; nothing else changes what a search finds.
    pub fn warm_up(&mut self) {
        let game = Game::new(GameConfig::default(), 0);
        self.memory.clear();
        self.search(&game, &Limits::new(Duration::MAX, WARM_UP_NODES));
        self.memory.clear();
    }

    /// Drops the search tree, as at the start of a game.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Searches a position of a game that is not over.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> SearchResult {
        self.search_observed(game, limits, &mut |_| {})
    }

    /// Searches a position of a game that is not over for what stays in the search tree: no choice is verified.
    fn search_unverified(&mut self, game: &Game, limits: &Limits) {
        let verifies = std::mem::replace(&mut self.verifies, false);
        self.search(game, limits);
        self.verifies = verifies;
    }

    /// Searches a position of a game that is not over. The observer receives the result so far about once a second, but
    /// not the final one. A search that breaks down yields a legal turn, and says so ([`SearchResult::breakdown`]).
    pub fn search_observed(&mut self, game: &Game, limits: &Limits, observer: Observer<'_>) -> SearchResult {
        let Engine { options, explains, records, network, net_switches, .. } = *self;
        // The solver's memory is taken by the first search that needs it.
        let verifier = self.verifies.then(|| self.verifier.get_or_insert_default());
        let plan = verifier.map(|verifier| verifier.plan(game, limits));
        let search_limits = plan.as_ref().map_or(limits, |plan| &plan.limits);
        let params =
            SearchParams { game, limits: search_limits, options, network, net_switches, explains, records };
        tracing::debug!("search begins, {} nodes and {:?} at most", limits.nodes, limits.hard_bound);
        let is_probed = plan.as_ref().is_some_and(Plan::is_probed);
        let (memory, verifier) = (&mut self.memory, &mut self.verifier);
        let search = || match verifier {
            Some(verifier) if is_probed => {
                let mut probe = |candidates: &[Candidate]| verifier.gives_up(game, limits, candidates);
                ParallelSearch::new(&params).run_probed(memory, observer, Some(&mut probe))
            }
            _ => ParallelSearch::new(&params).run(memory, observer),
        };
        let mut result = or_simple_turn(game, options.seed, search);
        if let (Some(verifier), Some(plan)) = (&mut self.verifier, &plan) {
            let network = network.filter(|_| net_switches.oracle);
            let about = (options.seed, self.memory.buffers.threads(), network);
            verifier.carry_out(plan, (game, limits), about, &mut result);
            result.time = limits.started.elapsed();
        }
        tracing::info!(
            "searched turn {} of {}: {} nodes, depth {}, {} ms, win chance {:.3}, {} candidates",
            game.state().turn() + 1,
            game.side_to_move().name(),
            result.statistics.nodes,
            result.statistics.depth,
            result.time.as_millis(),
            result.best().value,
            result.candidates.len()
        );
        result
    }
}

/// An engine with the same limits for every turn, as a player of matches.
pub struct EnginePlayer {
    /// The engine.
    pub engine: Engine,
    /// Time for a turn.
    pub time: Duration,
    /// Processor time of all threads for a turn; `None` for no such limit.
    pub processor: Option<Duration>,
    /// Nodes for a turn.
    pub nodes: u64,
    /// Whether the search does not know its end ([`Limits::watched`]).
    pub watched: bool,
    /// Whether the player expects a reply to its turns, for [`EnginePlayer::ponder`].
    pub ponders: bool,
    /// Position after the last turn and the reply expected to it.
    expected: Option<Game>,
}

impl EnginePlayer {
    /// A player with this time for a turn and no other limit, who does not ponder.
    pub fn new(engine: Engine, time: Duration) -> EnginePlayer {
        let (processor, nodes) = (None, u64::MAX);
        EnginePlayer { engine, time, processor, nodes, watched: false, ponders: false, expected: None }
    }

    /// Thinks about the position that is expected at the next turn for as long as about a turn, as if the opponent thought as
    /// long. What it finds stays in the search tree. Without an expectation, or where the player does not ponder, nothing happens.
    pub fn ponder(&mut self) {
        if let Some(game) = self.expected.take() {
            let limits = Limits { watched: true, ..self.limits() };
            self.engine.search_unverified(&game, &limits);
        }
    }

    /// Limits of a turn that begins now.
    fn limits(&self) -> Limits {
        let EnginePlayer { processor, watched, .. } = *self;
        Limits { processor, watched, ..Limits::new(self.time, self.nodes) }
    }

    /// Searches a position of a game that is not over, within the limits of a turn.
    pub fn search(&mut self, game: &Game) -> SearchResult {
        let found = self.engine.search(game, &self.limits());
        self.expected = self.ponders.then(|| found.expected_position(game)).flatten();
        if let Some(breakdown) = &found.breakdown {
            eprintln!("barrow: {breakdown}");
        }
        found
    }
}

impl Brain for EnginePlayer {
    fn choose(&mut self, game: &Game) -> GameTurn {
        self.search(game).candidates.swap_remove(0).turn
    }
}
