//! Buffers of a search tree. They start small and grow up to the MiB allowed, so that a short search does not wait for
//! memory that it will not use.

use std::collections::TryReserveError;

use barrow_core::minions::turn_search::{
    AttackCandidate, GeneralCandidate, MoneyCandidate, Picks, SearchCapacity, SearchSlices, Slot,
    SpawnCandidate, Stages,
};
use barrow_core::minions::{Action, GeneralAction};
use barrow_core::search::tree::{Edge, Node};

/// Largest memory that a search may have, in MiB.
pub const MAX_MIB: usize = if usize::BITS < 64 { 1024 } else { 16 * 1024 };

/// Bytes that one node of the search takes on average, all slices together. Measured on middle games.
const BYTES_PER_NODE: usize = 1_600;

/// Nodes for which memory is allocated at first, if so many are allowed: 16 MiB.
pub const FIRST_NODES: usize = (16 << 20) / BYTES_PER_NODE;

/// Fullness from which memory grows, in thousandths: the nodes of one slice of [`SLICE_NODES`] must still fit.
pub const GROW_FULLNESS: u32 = 500;

/// Bytes that are left to the rest of the program when the buffers grow.
const SPARE: usize = 8 << 20;

/// Nodes between two looks at the fullness.
pub const SLICE_NODES: u64 = 64;

/// The vectors that a search borrows as slices.
pub struct SearchBuffers {
    nodes: Vec<Node>,
    edges: Vec<Edge<Picks>>,
    table: Vec<u32>,
    stages: Vec<Stages>,
    generals: Vec<Slot<GeneralCandidate>>,
    attacks: Vec<Slot<AttackCandidate>>,
    money: Vec<Slot<MoneyCandidate>>,
    spawns: Vec<Slot<SpawnCandidate>>,
    actions: Vec<Action>,
    max_nodes: usize,
}

impl SearchBuffers {
    /// Buffers for `first_nodes` nodes that may grow up to about `mib` MiB.
    pub fn new(first_nodes: usize, mib: usize) -> SearchBuffers {
        SearchBuffers::part(1, first_nodes, mib)
    }

    /// Buffers for one of so many parts of a tree, which has `first_nodes` nodes at first and may grow up to about `mib` MiB.
    pub fn part(parts: usize, first_nodes: usize, mib: usize) -> SearchBuffers {
        let (parts, most) = (parts.max(1), max_nodes(mib));
        let (first_nodes, max_nodes) = (first_nodes.div_ceil(parts), most.div_ceil(parts));
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
            max_nodes,
        };
        buffers.resize(max_nodes.min(first_nodes));
        buffers
    }

    /// Nodes for which a whole tree of these bounds has memory at first.
    pub fn nodes_at_first(first_nodes: usize, mib: usize) -> usize {
        first_nodes.min(max_nodes(mib))
    }

    fn resize(&mut self, nodes: usize) {
        let Some(capacity) = SearchCapacity::balanced(nodes) else { return };
        self.nodes.resize(capacity.nodes, Node::EMPTY);
        self.edges.resize(capacity.edges, Edge::vacant(Picks::default()));
        self.table.resize(capacity.table, 0);
        self.stages.resize(capacity.stages, Stages::EMPTY);
        self.generals.resize(capacity.generals, Slot::<GeneralCandidate>::EMPTY);
        self.attacks.resize(capacity.attacks, Slot::<AttackCandidate>::EMPTY);
        self.money.resize(capacity.money, Slot::<MoneyCandidate>::EMPTY);
        self.spawns.resize(capacity.spawns, Slot::<SpawnCandidate>::EMPTY);
        self.actions.resize(capacity.actions, Action::General(GeneralAction::March));
    }

    /// Whether the buffers may grow.
    pub fn can_grow(&self) -> bool {
        self.nodes.len() < self.max_nodes
    }

    /// Doubles the buffers, as far as allowed. Their contents stay. Where the system does not give so much memory, the buffers
    /// stay as they are, and may not grow any more.
    pub fn grow(&mut self) {
        let nodes = self.nodes.len();
        let wanted = (2 * nodes).min(self.max_nodes);
        if SearchCapacity::balanced(wanted).is_some_and(|capacity| self.reserve(capacity).is_ok()) {
            self.resize(wanted);
        } else {
            self.max_nodes = nodes;
            self.release();
        }
    }

    /// Takes memory for this capacity without a use of it yet.
    fn reserve(&mut self, capacity: SearchCapacity) -> Result<(), TryReserveError> {
        reserve(&mut self.nodes, capacity.nodes)?;
        reserve(&mut self.edges, capacity.edges)?;
        reserve(&mut self.table, capacity.table)?;
        reserve(&mut self.stages, capacity.stages)?;
        reserve(&mut self.generals, capacity.generals)?;
        reserve(&mut self.attacks, capacity.attacks)?;
        reserve(&mut self.money, capacity.money)?;
        reserve(&mut self.spawns, capacity.spawns)?;
        reserve(&mut self.actions, capacity.actions)?;
        reserve(&mut Vec::<u8>::new(), SPARE)
    }

    /// Gives back memory that was taken and is not used.
    fn release(&mut self) {
        self.nodes.shrink_to_fit();
        self.edges.shrink_to_fit();
        self.table.shrink_to_fit();
        self.stages.shrink_to_fit();
        self.generals.shrink_to_fit();
        self.attacks.shrink_to_fit();
        self.money.shrink_to_fit();
        self.spawns.shrink_to_fit();
        self.actions.shrink_to_fit();
    }

    /// Converts a fullness of the allocated memory into a fullness of the memory allowed, both in thousandths.
    pub fn share_of_allowed(&self, fullness: u32) -> u32 {
        (fullness as usize * self.nodes.len() / self.max_nodes.max(1)) as u32
    }

    /// Borrows the slices of a search.
    pub fn borrow(&mut self) -> SearchSlices<'_> {
        SearchSlices {
            nodes: &mut self.nodes,
            edges: &mut self.edges,
            table: &mut self.table,
            stages: &mut self.stages,
            generals: &mut self.generals,
            attacks: &mut self.attacks,
            money: &mut self.money,
            spawns: &mut self.spawns,
            actions: &mut self.actions,
        }
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
            + size_of_val(self.edges.as_slice())
            + size_of_val(self.table.as_slice())
            + size_of_val(self.stages.as_slice())
            + size_of_val(self.generals.as_slice())
            + size_of_val(self.attacks.as_slice())
            + size_of_val(self.money.as_slice())
            + size_of_val(self.spawns.as_slice())
            + size_of_val(self.actions.as_slice())
    }
}

/// Takes memory for a list of this length.
fn reserve<T>(list: &mut Vec<T>, length: usize) -> Result<(), TryReserveError> {
    list.try_reserve_exact(length.saturating_sub(list.len()))
}

/// Nodes that a tree of so many MiB may have.
fn max_nodes(mib: usize) -> usize {
    ((mib.clamp(1, MAX_MIB) << 20) / BYTES_PER_NODE).max(64)
}
