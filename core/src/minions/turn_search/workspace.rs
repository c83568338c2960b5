//! Workspace: all memory that a search borrows, in one value that can be a static.

use heapless::Vec;

use super::arena::Slot;
use super::candidates::{AttackCandidate, GeneralCandidate, MoneyCandidate, SpawnCandidate, Stages};
use super::capacity::SearchCapacity;
use super::picks::Picks;
use super::scratch::SearchScratch;
use super::slices::SearchSlices;
use crate::minions::{Action, BOARD_CAP, GeneralAction};
use crate::search::tree::{Edge, Node};

// Slices that fill up at about the same time, counted each time that a full one is recycled in searches of 60 to 600 nodes. An
// attack more for each position than it has boards, since some positions have more turns than one.

/// Nodes for each position of a workspace, and as many edges.
const NODES: usize = 2;

/// Spawn candidates for each position of a workspace: turns share attacks and sums of money, but seldom finishes.
const SPAWNS: usize = NODES * BOARD_CAP;

/// General candidates for each position of a workspace: positions with one turn have one.
const GENERALS: usize = 3;

/// Workspace of a search: its slices and its scratch. `POSITIONS` is the number of positions whose turns are composed,
/// each with room for two nodes and for candidates on every board that the crate admits; `ACTIONS` is the number of
/// actions of all candidates together. Its size is `size_of::<Workspace<POSITIONS, ACTIONS>>()`; ports and planner have
/// memory of their own.
///
/// A static workspace takes no flash and is never copied:
///
/// ```
/// use barrow_core::minions::turn_search::{SearchCapacity, Workspace};
/// use std::sync::Mutex;
/// static WORKSPACE: Mutex<Workspace<24, 3000>> = Mutex::new(Workspace::new());
/// let mut workspace = WORKSPACE.lock().unwrap();
/// let (slices, _scratch) = workspace.split();
/// assert_eq!(slices.capacity(), Workspace::<24, 3000>::CAPACITY);
/// assert!(slices.capacity().check(2).is_ok());
/// ```
pub struct Workspace<const POSITIONS: usize, const ACTIONS: usize> {
    nodes: Vec<[Node; NODES], POSITIONS>,
    edges: Vec<[Edge<Picks>; NODES], POSITIONS>,
    table: Vec<[u32; 2 * NODES], POSITIONS>,
    stages: Vec<Stages, POSITIONS>,
    generals: Vec<[Slot<GeneralCandidate>; GENERALS], POSITIONS>,
    attacks: Vec<[Slot<AttackCandidate>; BOARD_CAP + 1], POSITIONS>,
    money: Vec<[Slot<MoneyCandidate>; BOARD_CAP], POSITIONS>,
    spawns: Vec<[Slot<SpawnCandidate>; SPAWNS], POSITIONS>,
    actions: Vec<Action, ACTIONS>,
    scratch: SearchScratch,
}

impl<const POSITIONS: usize, const ACTIONS: usize> Default for Workspace<POSITIONS, ACTIONS> {
    fn default() -> Self {
        Workspace::new()
    }
}

impl<const POSITIONS: usize, const ACTIONS: usize> Workspace<POSITIONS, ACTIONS> {
    /// Lengths of the slices.
    pub const CAPACITY: SearchCapacity = SearchCapacity {
        nodes: NODES * POSITIONS,
        edges: NODES * POSITIONS,
        table: 2 * NODES * POSITIONS,
        stages: POSITIONS,
        generals: GENERALS * POSITIONS,
        attacks: (BOARD_CAP + 1) * POSITIONS,
        money: BOARD_CAP * POSITIONS,
        spawns: SPAWNS * POSITIONS,
        actions: ACTIONS,
    };

    /// A workspace that no search has used.
    pub const fn new() -> Self {
        Workspace {
            nodes: Vec::new(),
            edges: Vec::new(),
            table: Vec::new(),
            stages: Vec::new(),
            generals: Vec::new(),
            attacks: Vec::new(),
            money: Vec::new(),
            spawns: Vec::new(),
            actions: Vec::new(),
            scratch: SearchScratch::new(),
        }
    }

    /// The slices and the scratch, to be lent to a search. What an earlier search has left in the slices stays, for
    /// [`Search::resume`](super::Search::resume).
    pub fn split(&mut self) -> (SearchSlices<'_>, &mut SearchScratch) {
        let slices = SearchSlices {
            nodes: filled(&mut self.nodes, [Node::EMPTY; NODES]).as_flattened_mut(),
            edges: filled(&mut self.edges, [Edge::vacant(Picks::NONE); NODES]).as_flattened_mut(),
            table: filled(&mut self.table, [0; 2 * NODES]).as_flattened_mut(),
            stages: filled(&mut self.stages, Stages::EMPTY),
            generals: filled(&mut self.generals, [Slot::<GeneralCandidate>::EMPTY; GENERALS])
                .as_flattened_mut(),
            attacks: filled(&mut self.attacks, [Slot::<AttackCandidate>::EMPTY; BOARD_CAP + 1])
                .as_flattened_mut(),
            money: filled(&mut self.money, [Slot::<MoneyCandidate>::EMPTY; BOARD_CAP]).as_flattened_mut(),
            spawns: filled(&mut self.spawns, [Slot::<SpawnCandidate>::EMPTY; SPAWNS]).as_flattened_mut(),
            actions: filled(&mut self.actions, Action::General(GeneralAction::March)),
        };
        (slices, &mut self.scratch)
    }

    /// The scratch alone, for players that do not search.
    pub fn scratch(&mut self) -> &mut SearchScratch {
        &mut self.scratch
    }
}

/// The list as a slice, filled up to its capacity where it stands.
fn filled<T: Copy, const N: usize>(list: &mut Vec<T, N>, item: T) -> &mut [T] {
    while list.push(item).is_ok() {}
    list
}
