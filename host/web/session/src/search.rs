//! The engine's search by slices of work, on one thread, in memory of its own.
//!
//! Equal positions, seeds, networks and nodes give the turn of the program's search on one thread, however the nodes are
//! divided into slices, as long as the boards fit the planner for ordinary ones. The program verifies and repairs what its search
//! chose, which is not done here.

use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::turn_search::ports::{
    AttackPolicy, Evaluator, GeneralPolicy, Ports, SharedPorts, SpawnPolicy,
};
use barrow_core::minions::turn_search::{
    Line, MemoryUsage, Search, SearchOptions, SearchScratch, SearchStatistics, SharedTree,
};
use barrow_core::minions::{Game, GameTurn};
use barrow_core::search::clock::{Clock, share};
use barrow_nnue::net_policies::NetPolicies;
use barrow_nnue::nets::Network;
use barrow_nnue::ports::OraclePort;
use barrow_nnue::shape::Profile;
use barrow_solver::attack::{PLANNER_WORDS, Planner};
use self_cell::MutBorrow;

use crate::explain::Explanation;
use crate::network::SessionNetwork;
use crate::search_buffers::{FIRST_NODES, GROW_FULLNESS, SLICE_NODES, SearchBuffers};
use crate::search_lines::{distinct_turns, reply_of};

/// Memory of a tree in MiB at most.
const TREE_MIB: usize = 256;

/// Memory and position of a search, which the search borrows.
struct Workplace {
    game: Game,
    buffers: SearchBuffers,
    scratch: Box<SearchScratch>,
    words: Vec<u32>,
}

/// Search of any network.
trait NodeSearch<'m> {
    /// Searches a slice.
    fn run(&mut self, slice: Slice);

    /// Statistics since it was made.
    fn statistics(&mut self) -> SearchStatistics;

    /// The tree.
    fn tree(&self) -> &SharedTree<'m>;
}

/// Ends a slice of a longer search.
#[derive(Clone, Copy)]
struct Slice {
    /// Nodes, since the memory has changed, after which the slice ends.
    until: u64,
    /// Nodes before that.
    before: u64,
    /// Nodes of the whole search; `u64::MAX` where its end is not known.
    limit: u64,
}

impl Clock for Slice {
    fn is_over(&mut self, nodes: u64) -> bool {
        nodes >= self.until
    }

    fn spent(&mut self, nodes: u64) -> Option<i32> {
        share(self.before + nodes, self.limit)
    }
}

impl<'m, P: Ports> NodeSearch<'m> for Search<'_, SharedTree<'m>, P> {
    fn run(&mut self, mut slice: Slice) {
        Search::run(self, &mut slice);
    }

    fn statistics(&mut self) -> SearchStatistics {
        Search::statistics(self)
    }

    fn tree(&self) -> &SharedTree<'m> {
        Search::tree(self)
    }
}

/// Search under way in the memory that it borrows.
struct Underway<'m>(Box<dyn NodeSearch<'m> + 'm>);

self_cell::self_cell!(
    struct Running {
        owner: MutBorrow<Workplace>,
        #[not_covariant]
        dependent: Underway,
    }
);

/// Result of a search.
pub struct Found {
    /// The best turns, each once, with their statistics.
    pub turns: Vec<(GameTurn, Line)>,
    /// Nodes and depth.
    pub statistics: SearchStatistics,
    /// Answer that is expected to the best turn.
    pub reply: Option<GameTurn>,
    /// Statistics of every stage.
    pub explanation: Option<Explanation>,
}

/// Search of one position by slices of work.
pub struct SlicedSearch {
    /// Taken out only while memory grows.
    running: Option<Running>,
    game: Game,
    network: Option<SessionNetwork>,
    options: SearchOptions,
    nodes: u64,
    limit: u64,
    watched: bool,
    done: SearchStatistics,
    /// Whether the memory may grow.
    can_grow: bool,
    stuck: bool,
}

/// Memory of an earlier search, for the next one.
pub struct SpareMemory(Workplace);

impl SpareMemory {
    /// New memory.
    pub fn new() -> SpareMemory {
        SpareMemory(Workplace {
            game: Game::new(barrow_core::minions::GameConfig::default(), 0),
            buffers: SearchBuffers::new(FIRST_NODES, TREE_MIB),
            scratch: Box::default(),
            words: vec![0; 2 * PLANNER_WORDS],
        })
    }
}

impl Default for SpareMemory {
    fn default() -> Self {
        SpareMemory::new()
    }
}

impl SlicedSearch {
    /// A search of a position, of so many nodes at most. Fails where the game is over.
    pub fn new(
        game: &Game,
        network: Option<SessionNetwork>,
        (seed, limit): (u64, u64),
        memory: SpareMemory,
    ) -> Result<SlicedSearch, String> {
        let mut place = memory.0;
        place.game.clone_from(game);
        let options = SearchOptions { seed, ..SearchOptions::default() };
        let can_grow = place.buffers.can_grow();
        let running = begin(place, network.as_ref(), options, None)?;
        Ok(SlicedSearch {
            running: Some(running),
            game: game.clone(),
            network,
            options,
            nodes: 0,
            limit,
            watched: false,
            done: SearchStatistics::default(),
            can_grow,
            stuck: false,
        })
    }

    /// The search, which somebody watches or nobody does. One that is watched may be stopped at any time, so it never narrows
    /// its choice as if its end were near.
    #[must_use]
    pub fn watched(self, watched: bool) -> SlicedSearch {
        SlicedSearch { watched, ..self }
    }

    /// Position of the search.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Network of the search.
    pub fn network(&self) -> Option<SessionNetwork> {
        self.network
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether nothing more will be searched: the limit is reached, or nothing can be done.
    pub fn is_over(&self) -> bool {
        self.stuck || self.nodes >= self.limit
    }

    /// Searches so many nodes more at most.
    pub fn step(&mut self, nodes: u64) {
        let end = self.nodes.saturating_add(nodes).min(self.limit);
        while self.nodes < end && !self.stuck {
            let Some(running) = &mut self.running else { return };
            // Slices end where those of the program end: one node, then 64 at a time since the memory has changed.
            let since = self.nodes - self.done.nodes;
            let next = since.div_ceil(SLICE_NODES) * SLICE_NODES + 1;
            let until = next.max(1).min(end - self.done.nodes);
            let limit = if self.watched { u64::MAX } else { self.limit };
            let slice = Slice { until, before: self.done.nodes, limit };
            let statistics = running.with_dependent_mut(|_, search| {
                search.0.run(slice);
                search.0.statistics()
            });
            self.stuck = statistics.nodes == since;
            self.nodes = self.done.nodes + statistics.nodes;
            let at_end_of_slice = statistics.nodes > 1 && statistics.nodes % SLICE_NODES == 1;
            if at_end_of_slice && self.can_grow && statistics.fullness >= GROW_FULLNESS {
                self.grow(&statistics);
            }
        }
    }

    /// Lets the memory grow, which may.
    fn grow(&mut self, statistics: &SearchStatistics) {
        let Some(running) = self.running.take() else { return };
        let usage = running.with_dependent(|_, search| search.0.tree().usage());
        let mut place = running.into_owner().into_inner();
        place.buffers.grow();
        self.can_grow = place.buffers.can_grow();
        self.done = self.done.with(statistics);
        match begin(place, self.network.as_ref(), self.options, Some(usage)) {
            Ok(running) => self.running = Some(running),
            Err(_) => self.stuck = true,
        }
    }

    /// Result so far.
    pub fn found(&mut self, explains: bool) -> Found {
        let nothing = Found { turns: Vec::new(), statistics: self.done, reply: None, explanation: None };
        let Some(running) = &mut self.running else { return nothing };
        let part = running.with_dependent_mut(|_, search| search.0.statistics());
        let statistics = self.done.with(&part);
        let game = &self.game;
        running.with_dependent(|_, search| found_in(search.0.tree(), game, statistics, explains))
    }

    /// Ends the search and gives its memory to the next one.
    pub fn into_memory(self) -> SpareMemory {
        self.running.map_or_else(SpareMemory::new, |running| SpareMemory(running.into_owner().into_inner()))
    }
}

/// Result of a tree for the position of its root.
pub(crate) fn found_in(
    tree: &SharedTree<'_>,
    game: &Game,
    statistics: SearchStatistics,
    explains: bool,
) -> Found {
    let turns = distinct_turns(tree, game);
    let mut answer = [Line::default()];
    let best = turns.first().filter(|(_, line)| tree.replies(line, &mut answer) == 1);
    let reply = best.and_then(|(turn, _)| reply_of(game, turn, (tree, &answer[0])));
    let explanation = turns.first().filter(|_| explains).map(|(turn, _)| Explanation::new(tree, game, turn));
    Found { turns, statistics, reply, explanation }
}

/// Begins or resumes a search in this memory.
fn begin(
    place: Workplace,
    network: Option<&SessionNetwork>,
    options: SearchOptions,
    usage: Option<MemoryUsage>,
) -> Result<Running, String> {
    Running::try_new(MutBorrow::new(place), |owner| {
        let place = owner.borrow_mut();
        match network {
            Some(SessionNetwork::Desktop(network)) => with_network(place, network, options, usage),
            Some(SessionNetwork::Handheld(network)) => with_network(place, network, options, usage),
            Some(SessionNetwork::Tiny(network)) => with_network(place, network, options, usage),
            None => {
                let policies = (FallbackPolicies::default(), FallbackPolicies::default());
                with_policies(place, policies, options, usage)
            }
        }
    })
}

fn with_network<'m, P: Profile + 'static>(
    place: &'m mut Workplace,
    network: &Network<'static, P>,
    options: SearchOptions,
    usage: Option<MemoryUsage>,
) -> Result<Underway<'m>, String> {
    with_policies(place, (OraclePort::new(*network), NetPolicies::new(*network)), options, usage)
}

fn with_policies<'m, E, P>(
    place: &'m mut Workplace,
    (evaluator, policies): (E, P),
    options: SearchOptions,
    usage: Option<MemoryUsage>,
) -> Result<Underway<'m>, String>
where
    E: Evaluator + 'm,
    P: AttackPolicy + SpawnPolicy + GeneralPolicy + 'm,
{
    let Workplace { game, buffers, scratch, words } = place;
    let ports = SharedPorts { evaluator, policies, attack_planner: Planner::new(words) };
    let slices = buffers.borrow();
    let search = match usage {
        None => Search::new(slices, scratch, ports, options, game),
        Some(usage) => Search::resume(slices, scratch, ports, options, game, usage),
    };
    let search = search.map_err(|error| error.to_string())?;
    Ok(Underway(Box::new(search)))
}
