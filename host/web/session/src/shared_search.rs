//! A search whose tree several threads grow, each with scratch memory of its own; a lock guards the tree. One thread leads: it
//! looks at what was found, and ends the search for all.
//!
//! Who starts the threads is not said here: in a page they are workers on one memory, where the browser allows that.

use std::ops::DerefMut;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use barrow_core::minions::Game;
use barrow_core::minions::players::FallbackPolicies;
use barrow_core::minions::turn_search::ports::{
    AttackPolicy, Evaluator, GeneralPolicy, Ports, SharedPorts, SpawnPolicy,
};
use barrow_core::minions::turn_search::{
    Access, Search, SearchOptions, SearchScratch, SearchStatistics, SharedTree,
};
use barrow_core::rng::Rng;
use barrow_core::search::clock::{Clock, share};
use barrow_nnue::net_policies::NetPolicies;
use barrow_nnue::ports::OraclePort;
use barrow_solver::attack::{PLANNER_WORDS, Planner};
use self_cell::MutBorrow;

use crate::network::SessionNetwork;
use crate::search::{Found, found_in};
use crate::search_buffers::SearchBuffers;

/// Memory of the tree in MiB, all of it from the beginning: it cannot grow while threads work in it.
const TREE_MIB: usize = 128;

/// The tree behind a lock.
type LockedTree<'m> = Mutex<SharedTree<'m>>;

self_cell::self_cell!(
    struct TreeInMemory {
        owner: MutBorrow<SearchBuffers>,
        #[not_covariant]
        dependent: LockedTree,
    }
);

/// Access of one thread to the tree.
struct ThreadAccess<'a, 'm>(&'a LockedTree<'m>);

impl<'m> Access<'m> for ThreadAccess<'_, 'm> {
    fn lock(&mut self, _: u32) -> impl DerefMut<Target = SharedTree<'m>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Memory of one thread.
pub struct ThreadMemory {
    scratch: Box<SearchScratch>,
    words: Vec<u32>,
}

impl Default for ThreadMemory {
    fn default() -> Self {
        ThreadMemory { scratch: Box::default(), words: vec![0; 2 * PLANNER_WORDS] }
    }
}

/// Search of one position by several threads.
pub struct SharedSearch {
    tree: TreeInMemory,
    game: Game,
    network: Option<SessionNetwork>,
    options: SearchOptions,
    limit: u64,
    watched: bool,
    nodes: AtomicU64,
    depth: AtomicU64,
    over: AtomicBool,
}

/// Ends the work of a thread: after so many nodes of its own, or when the search is over.
struct ThreadClock<'a> {
    search: &'a SharedSearch,
    until: u64,
}

impl Clock for ThreadClock<'_> {
    fn is_over(&mut self, nodes: u64) -> bool {
        self.search.nodes.fetch_add(1, Relaxed);
        nodes >= self.until || self.search.is_over()
    }

    fn spent(&mut self, _: u64) -> Option<i32> {
        if self.search.watched { None } else { share(self.search.nodes(), self.search.limit) }
    }
}

impl SharedSearch {
    /// A search of a position, of so many nodes at most. Fails where the game is over.
    pub fn new(
        game: &Game,
        network: Option<SessionNetwork>,
        (seed, limit): (u64, u64),
    ) -> Result<SharedSearch, String> {
        let buffers = SearchBuffers::new(usize::MAX, TREE_MIB);
        let tree = TreeInMemory::try_new(MutBorrow::new(buffers), |owner| {
            SharedTree::new(owner.borrow_mut().borrow(), game)
                .map(Mutex::new)
                .map_err(|error| error.to_string())
        })?;
        Ok(SharedSearch {
            tree,
            game: game.clone(),
            network,
            options: SearchOptions { seed, ..SearchOptions::default() },
            limit,
            watched: false,
            nodes: AtomicU64::new(0),
            depth: AtomicU64::new(0),
            over: AtomicBool::new(false),
        })
    }

    /// The search, which somebody watches or nobody does, as [`SlicedSearch::watched`](crate::search::SlicedSearch::watched).
    #[must_use]
    pub fn watched(self, watched: bool) -> SharedSearch {
        SharedSearch { watched, ..self }
    }

    /// Position of the search.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Network of the search.
    pub fn network(&self) -> Option<SessionNetwork> {
        self.network
    }

    /// Nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Whether nothing more will be searched.
    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed) || self.nodes() >= self.limit
    }

    /// Ends the search for all threads, each after the node at which it is.
    pub fn end(&self) {
        self.over.store(true, Relaxed);
    }

    /// Searches on this thread so many nodes, or until the search is over. Threads are told apart by an index; the first
    /// turn has to be composed by the leader, of index 0, before others help. Returns the nodes searched.
    pub fn work(&self, index: u64, memory: &mut ThreadMemory, nodes: u64) -> u64 {
        let ThreadMemory { scratch, words } = memory;
        let attack_planner = Planner::new(words);
        match self.network {
            Some(SessionNetwork::Desktop(network)) => {
                let policies = (OraclePort::new(network), NetPolicies::new(network));
                self.run(index, scratch, policies, attack_planner, nodes)
            }
            Some(SessionNetwork::Handheld(network)) => {
                let policies = (OraclePort::new(network), NetPolicies::new(network));
                self.run(index, scratch, policies, attack_planner, nodes)
            }
            Some(SessionNetwork::Tiny(network)) => {
                let policies = (OraclePort::new(network), NetPolicies::new(network));
                self.run(index, scratch, policies, attack_planner, nodes)
            }
            None => {
                let policies = (FallbackPolicies::default(), FallbackPolicies::default());
                self.run(index, scratch, policies, attack_planner, nodes)
            }
        }
    }

    fn run<'p, E, P>(
        &'p self,
        index: u64,
        scratch: &'p mut SearchScratch,
        (evaluator, policies): (E, P),
        attack_planner: Planner<'p>,
        nodes: u64,
    ) -> u64
    where
        E: Evaluator,
        P: AttackPolicy + SpawnPolicy + GeneralPolicy,
    {
        let before = self.nodes();
        if self.is_over() {
            return 0;
        }
        // A thread that comes back continues with other draws than it began with.
        let own = if index == 0 && before == 0 {
            self.options.seed
        } else {
            self.options.seed ^ (index << 32) ^ before
        };
        let seed = if index == 0 && before == 0 { own } else { Rng::new(own).next_u64() };
        let options = SearchOptions { seed, ..self.options };
        let ports = SharedPorts { evaluator, policies, attack_planner };
        self.tree.with_dependent(|_, tree| {
            let statistics = searched(
                ThreadAccess(tree),
                scratch,
                ports,
                options,
                &self.game,
                ThreadClock { search: self, until: nodes },
            );
            self.depth.fetch_max(statistics.depth.into(), Relaxed);
            statistics.nodes
        })
    }

    /// Result so far.
    pub fn found(&self, explains: bool) -> Found {
        self.tree.with_dependent(|_, tree| {
            let tree = tree.lock().unwrap_or_else(PoisonError::into_inner);
            let statistics = SearchStatistics {
                nodes: self.nodes(),
                depth: self.depth.load(Relaxed) as u8,
                fullness: tree.fullness(),
                ..SearchStatistics::default()
            };
            found_in(&tree, &self.game, statistics, explains)
        })
    }
}

/// Search that threads are asked to help with.
static OFFERED: Mutex<Option<Arc<SharedSearch>>> = Mutex::new(None);

/// Asks threads to help with a search, or with none.
pub fn offer(search: Option<Arc<SharedSearch>>) {
    *OFFERED.lock().unwrap_or_else(PoisonError::into_inner) = search;
}

/// Helps with the search that is offered until it is over; as the thread of this index, from 1. Returns the nodes searched.
pub fn help(index: u64, memory: &mut ThreadMemory) -> u64 {
    let offered = OFFERED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(search) = offered else { return 0 };
    // The leader composes the first turn, so that the others find candidates.
    while search.nodes() == 0 && !search.is_over() {
        std::thread::sleep(Duration::from_millis(1));
    }
    search.work(index, memory, u64::MAX)
}

fn searched<P: Ports>(
    tree: ThreadAccess<'_, '_>,
    scratch: &mut SearchScratch,
    ports: P,
    options: SearchOptions,
    game: &Game,
    mut clock: ThreadClock<'_>,
) -> SearchStatistics {
    let mut search = Search::over(tree, scratch, ports, options, game);
    search.run(&mut clock);
    search.statistics()
}
