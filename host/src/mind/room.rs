//! The memory that a search is lent, sized in MiB.

use barrow_core::minions::{Action, GeneralAction};
use barrow_core::search::staged::{Choice, Memory, Picks, Stages};
use barrow_core::search::tree::{Edge, Node};
use barrow_solver::attack::PLANNER_WORDS;

/// Largest memory that can be asked for, in MiB.
pub const MOST_MIB: usize = 16 * 1024;

/// Bytes that one iteration of the search takes on average, all slices together. Measured on middle games.
const BYTES_PER_NODE: usize = 1_600;

/// Vectors that a search borrows.
pub struct Room {
    nodes: Vec<Node>,
    edges: Vec<Edge<Picks>>,
    table: Vec<u32>,
    stages: Vec<Stages>,
    choices: Vec<Choice>,
    actions: Vec<Action>,
    planner: Vec<u32>,
}

impl Room {
    /// Room of about this many MiB, at least a little.
    pub fn new(mib: usize) -> Room {
        let bytes = mib.clamp(1, MOST_MIB) << 20;
        let nodes = (bytes / BYTES_PER_NODE).max(64);
        Room {
            nodes: vec![Node::EMPTY; nodes],
            edges: vec![Edge::vacant(Picks::default()); nodes],
            table: vec![0; (2 * nodes).next_power_of_two()],
            stages: vec![Stages::EMPTY; nodes / 2],
            choices: vec![Choice::EMPTY; nodes * 4],
            actions: vec![Action::General(GeneralAction::March); nodes * 40],
            planner: vec![0; 2 * PLANNER_WORDS],
        }
    }

    /// The slices for a search, and the words for its planner.
    pub fn lend(&mut self) -> (Memory<'_>, &mut [u32]) {
        let memory = Memory {
            nodes: &mut self.nodes,
            edges: &mut self.edges,
            table: &mut self.table,
            stages: &mut self.stages,
            choices: &mut self.choices,
            actions: &mut self.actions,
        };
        (memory, &mut self.planner)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
            + size_of_val(self.edges.as_slice())
            + size_of_val(self.table.as_slice())
            + size_of_val(self.stages.as_slice())
            + size_of_val(self.choices.as_slice())
            + size_of_val(self.actions.as_slice())
            + size_of_val(self.planner.as_slice())
    }
}
