//! The memory that a search is lent: it begins small and grows up to the MiB allowed, so that a short search does not
//! wait for memory that it will not use.

use std::time::Duration;

use barrow_core::minions::turn_search::{Choice, Memory, Picks, Stages};
use barrow_core::minions::{Action, GeneralAction};
use barrow_core::search::tree::{Edge, Node};
use barrow_solver::attack::PLANNER_WORDS;

/// Largest memory that can be asked for, in MiB.
pub const MOST_MIB: usize = 16 * 1024;

/// Bytes that one iteration of the search takes on average, all slices together. Measured on middle games.
const BYTES_PER_NODE: usize = 1_600;

/// Nodes to begin with, if so many are allowed: 16 MiB.
const FIRST_NODES: usize = (16 << 20) / BYTES_PER_NODE;

/// Vectors that a search borrows.
pub struct SearchBuffers {
    nodes: Vec<Node>,
    edges: Vec<Edge<Picks>>,
    table: Vec<u32>,
    stages: Vec<Stages>,
    choices: Vec<Choice>,
    actions: Vec<Action>,
    /// Words for the planner of each thread.
    planners: Vec<Vec<u32>>,
    most_nodes: usize,
}

impl SearchBuffers {
    /// SearchBuffers that grows up to about this many MiB, at least a little, with planners for this many threads.
    pub fn new(mib: usize, threads: usize) -> SearchBuffers {
        SearchBuffers::growing(FIRST_NODES, mib, threads)
    }

    /// SearchBuffers that begins with this many nodes.
    pub(super) fn growing(first_nodes: usize, mib: usize, threads: usize) -> SearchBuffers {
        let bytes = mib.clamp(1, MOST_MIB) << 20;
        let most_nodes = (bytes / BYTES_PER_NODE).max(64);
        let mut room = SearchBuffers {
            nodes: Vec::new(),
            edges: Vec::new(),
            table: Vec::new(),
            stages: Vec::new(),
            choices: Vec::new(),
            actions: Vec::new(),
            planners: vec![vec![0; 2 * PLANNER_WORDS]; threads.max(1)],
            most_nodes,
        };
        room.resize(most_nodes.min(first_nodes));
        room
    }

    fn resize(&mut self, nodes: usize) {
        self.nodes.resize(nodes, Node::EMPTY);
        self.edges.resize(nodes, Edge::vacant(Picks::default()));
        self.table.resize((2 * nodes).next_power_of_two(), 0);
        self.stages.resize(nodes / 2, Stages::EMPTY);
        self.choices.resize(nodes * 4, Choice::EMPTY);
        self.actions.resize(nodes * 40, Action::General(GeneralAction::March));
    }

    /// Whether more is allowed.
    pub fn can_grow(&self) -> bool {
        self.nodes.len() < self.most_nodes
    }

    /// Doubles the room, as far as it is allowed. What is in it stays.
    pub fn grow(&mut self) {
        self.resize((2 * self.nodes.len()).min(self.most_nodes));
    }

    /// How long growing takes, with a good margin.
    pub fn growing_time(&self) -> Duration {
        Duration::from_millis(2 * (self.bytes() >> 20) as u64)
    }

    /// Use of all that is allowed, in thousandths, from that of what there is.
    pub fn share(&self, fullness: u32) -> u32 {
        (fullness as usize * self.nodes.len() / self.most_nodes.max(1)) as u32
    }

    /// The slices for a search, and the words for its planners.
    pub fn lend(&mut self) -> (Memory<'_>, &mut [Vec<u32>]) {
        let memory = Memory {
            nodes: &mut self.nodes,
            edges: &mut self.edges,
            table: &mut self.table,
            stages: &mut self.stages,
            choices: &mut self.choices,
            actions: &mut self.actions,
        };
        (memory, &mut self.planners)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
            + size_of_val(self.edges.as_slice())
            + size_of_val(self.table.as_slice())
            + size_of_val(self.stages.as_slice())
            + size_of_val(self.choices.as_slice())
            + size_of_val(self.actions.as_slice())
            + self.planners.iter().map(|words| size_of_val(words.as_slice())).sum::<usize>()
    }
}
