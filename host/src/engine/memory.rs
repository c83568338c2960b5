//! The memory of a search. It starts small and grows up to the MiB allowed, so that a short search does not wait for
//! memory that it will not use; the search tree in it stays for the next search.

use std::time::Duration;

use barrow_core::minions::turn_search::{
    AttackCandidate, GeneralCandidate, MemoryUsage, MoneyCandidate, Picks, SearchScratch, SearchSlices, Slot,
    SpawnCandidate, Stages,
};
use barrow_core::minions::{Action, GameConfig, GeneralAction};
use barrow_core::search::tree::{Edge, Node};
use barrow_solver::attack::PLANNER_WORDS;

/// Largest memory that a search may have, in MiB.
pub const MAX_MIB: usize = 16 * 1024;

/// Default memory of a search, in MiB.
pub const DEFAULT_MIB: usize = 256;

/// Bytes that one node of the search takes on average, all slices together. Measured on middle games.
const BYTES_PER_NODE: usize = 1_600;

/// Nodes for which memory is allocated at first, if so many are allowed: 16 MiB.
const FIRST_NODES: usize = (16 << 20) / BYTES_PER_NODE;

/// Memory that belongs to one thread of a search.
#[derive(Clone)]
pub(super) struct ThreadMemory {
    /// Words of the attack planner.
    pub(super) words: Vec<u32>,
    /// Games and turns that are tried out.
    pub(super) scratch: Box<SearchScratch>,
}

impl ThreadMemory {
    fn new() -> ThreadMemory {
        ThreadMemory { words: vec![0; 2 * PLANNER_WORDS], scratch: Box::default() }
    }

    fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice()) + size_of::<SearchScratch>()
    }
}

/// The vectors that a search borrows as slices.
pub(super) struct SearchBuffers {
    nodes: Vec<Node>,
    edges: Vec<Edge<Picks>>,
    table: Vec<u32>,
    stages: Vec<Stages>,
    generals: Vec<Slot<GeneralCandidate>>,
    attacks: Vec<Slot<AttackCandidate>>,
    money: Vec<Slot<MoneyCandidate>>,
    spawns: Vec<Slot<SpawnCandidate>>,
    actions: Vec<Action>,
    /// Memory of each thread.
    threads: Vec<ThreadMemory>,
    max_nodes: usize,
}

impl SearchBuffers {
    /// Buffers for `first_nodes` nodes that may grow up to about `mib` MiB, with planner memory for each thread.
    fn new(first_nodes: usize, mib: usize, threads: usize) -> SearchBuffers {
        let bytes = mib.clamp(1, MAX_MIB) << 20;
        let max_nodes = (bytes / BYTES_PER_NODE).max(64);
        let mut buffers = SearchBuffers {
            nodes: Vec::new(),
            edges: Vec::new(),
            table: Vec::new(),
            stages: Vec::new(),
            generals: Vec::new(),
            attacks: Vec::new(),
            money: Vec::new(),
            spawns: Vec::new(),
            actions: Vec::new(),
            threads: vec![ThreadMemory::new(); threads.max(1)],
            max_nodes,
        };
        buffers.resize(max_nodes.min(first_nodes));
        buffers
    }

    fn resize(&mut self, nodes: usize) {
        self.nodes.resize(nodes, Node::EMPTY);
        self.edges.resize(nodes, Edge::vacant(Picks::default()));
        self.table.resize((2 * nodes).next_power_of_two(), 0);
        self.stages.resize(nodes / 2, Stages::EMPTY);
        self.generals.resize(nodes * 4, Slot::<GeneralCandidate>::EMPTY);
        self.attacks.resize(nodes, Slot::<AttackCandidate>::EMPTY);
        self.money.resize(nodes, Slot::<MoneyCandidate>::EMPTY);
        self.spawns.resize(nodes * 2, Slot::<SpawnCandidate>::EMPTY);
        self.actions.resize(nodes * 40, Action::General(GeneralAction::March));
    }

    /// Whether the buffers may grow.
    pub(super) fn can_grow(&self) -> bool {
        self.nodes.len() < self.max_nodes
    }

    /// Doubles the buffers, as far as allowed. Their contents stay.
    pub(super) fn grow(&mut self) {
        self.resize((2 * self.nodes.len()).min(self.max_nodes));
    }

    /// Upper bound of the time that [`SearchBuffers::grow`] takes.
    pub(super) fn growing_time(&self) -> Duration {
        Duration::from_millis(2 * (self.bytes() >> 20) as u64)
    }

    /// Converts a fullness of the allocated memory into a fullness of the memory allowed, both in thousandths.
    pub(super) fn share_of_allowed(&self, fullness: u32) -> u32 {
        (fullness as usize * self.nodes.len() / self.max_nodes.max(1)) as u32
    }

    /// Borrows the slices of a search, and the memory of its threads.
    pub(super) fn borrow(&mut self) -> (SearchSlices<'_>, &mut [ThreadMemory]) {
        let memory = SearchSlices {
            nodes: &mut self.nodes,
            edges: &mut self.edges,
            table: &mut self.table,
            stages: &mut self.stages,
            generals: &mut self.generals,
            attacks: &mut self.attacks,
            money: &mut self.money,
            spawns: &mut self.spawns,
            actions: &mut self.actions,
        };
        (memory, &mut self.threads)
    }

    /// Bytes allocated.
    fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
            + size_of_val(self.edges.as_slice())
            + size_of_val(self.table.as_slice())
            + size_of_val(self.stages.as_slice())
            + size_of_val(self.generals.as_slice())
            + size_of_val(self.attacks.as_slice())
            + size_of_val(self.money.as_slice())
            + size_of_val(self.spawns.as_slice())
            + size_of_val(self.actions.as_slice())
            + self.threads.iter().map(ThreadMemory::bytes).sum::<usize>()
    }
}

/// The memory of an engine: buffers, and what of them the tree of the last search occupies.
pub(super) struct SearchMemory {
    pub(super) buffers: SearchBuffers,
    kept: Option<(MemoryUsage, GameConfig)>,
}

impl SearchMemory {
    /// Memory without a tree that may grow up to about `mib` MiB, for this many threads.
    pub(super) fn new(mib: usize, threads: usize) -> SearchMemory {
        SearchMemory::starting_with(FIRST_NODES, mib, threads)
    }

    /// Memory without a tree, allocated for `first_nodes` nodes.
    pub(super) fn starting_with(first_nodes: usize, mib: usize, threads: usize) -> SearchMemory {
        SearchMemory { buffers: SearchBuffers::new(first_nodes, mib, threads), kept: None }
    }

    /// Drops the tree.
    pub(super) fn clear(&mut self) {
        self.kept = None;
    }

    /// Keeps the tree of a search for the next search.
    pub(super) fn keep(&mut self, kept: MemoryUsage, config: &GameConfig) {
        self.kept = Some((kept, config.clone()));
    }

    /// Takes the tree out, if its game had the same configuration.
    pub(super) fn take_kept(&mut self, config: &GameConfig) -> Option<MemoryUsage> {
        self.kept.take().filter(|(_, known)| known == config).map(|(kept, _)| kept)
    }
}
