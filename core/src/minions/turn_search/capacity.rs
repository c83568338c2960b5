//! Capacities of a search: how long its slices are, what they take in bytes, and how long they must be.

use super::arena::Slot;
use super::candidates::{AttackCandidate, GeneralCandidate, MoneyCandidate, SpawnCandidate, Stages};
use super::picks::Picks;
use super::room::{LEAST_GENERALS, actions_of_any_turn, generals_listed};
use super::search_error::{SearchError, SearchSlice};
use crate::minions::Action;
use crate::search::tree::{Edge, Node};

/// Lengths of the slices of a search's memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SearchCapacity {
    /// Positions.
    pub nodes: usize,
    /// Turns.
    pub edges: usize,
    /// Slots of the hash table of positions.
    pub table: usize,
    /// Stages of expanded positions.
    pub stages: usize,
    /// General candidates.
    pub generals: usize,
    /// Attack candidates.
    pub attacks: usize,
    /// Money candidates.
    pub money: usize,
    /// Spawn candidates.
    pub spawns: usize,
    /// Actions of all candidates.
    pub actions: usize,
}

impl SearchCapacity {
    /// The least capacity with which a position of so many boards can be searched: one turn is composed, and no more.
    /// A longer slice of general candidates asks for more actions; see [`SearchCapacity::least_actions`].
    /// A length that cannot be counted is the largest number there is.
    pub const fn least(boards: usize) -> SearchCapacity {
        SearchCapacity {
            nodes: 2,
            edges: 1,
            table: 2,
            stages: 1,
            generals: LEAST_GENERALS,
            attacks: boards,
            money: boards,
            spawns: boards,
            actions: actions_of_any_turn(LEAST_GENERALS, boards),
        }
    }

    /// Capacity for so many nodes of middle games, whose slices fill up at about the same time. `None` where a length cannot be
    /// counted.
    pub const fn balanced(nodes: usize) -> Option<SearchCapacity> {
        let (Some(twice), Some(fourfold), Some(actions)) =
            (nodes.checked_mul(2), nodes.checked_mul(4), nodes.checked_mul(40))
        else {
            return None;
        };
        let Some(table) = twice.checked_next_power_of_two() else { return None };
        Some(SearchCapacity {
            nodes,
            edges: nodes,
            table,
            stages: nodes / 2,
            generals: fourfold,
            attacks: nodes,
            money: nodes,
            spawns: twice,
            actions,
        })
    }

    /// Actions that one turn takes at most, for so many boards and a slice of so many general candidates: the more
    /// general candidates there is room for, the more are listed in each position. The largest number there is where
    /// they cannot be counted.
    pub const fn least_actions(boards: usize, generals: usize) -> usize {
        actions_of_any_turn(generals_listed(generals), boards)
    }

    /// Bytes of all slices together, or the largest number there is.
    pub const fn bytes(&self) -> usize {
        let lengths = [
            (self.nodes, size_of::<Node>()),
            (self.edges, size_of::<Edge<Picks>>()),
            (self.table, size_of::<u32>()),
            (self.stages, size_of::<Stages>()),
            (self.generals, size_of::<Slot<GeneralCandidate>>()),
            (self.attacks, size_of::<Slot<AttackCandidate>>()),
            (self.money, size_of::<Slot<MoneyCandidate>>()),
            (self.spawns, size_of::<Slot<SpawnCandidate>>()),
            (self.actions, size_of::<Action>()),
        ];
        let (mut sum, mut slice) = (0_usize, 0);
        while slice < lengths.len() {
            let (length, size) = lengths[slice];
            sum = sum.saturating_add(length.saturating_mul(size));
            slice += 1;
        }
        sum
    }

    /// Checks that a turn on so many boards can be composed.
    ///
    /// # Errors
    /// The first slice that is too short.
    pub const fn check(&self, boards: usize) -> Result<(), SearchError> {
        let least = SearchCapacity::least(boards);
        let actions = SearchCapacity::least_actions(boards, self.generals);
        let (slice, least) = if self.nodes < least.nodes {
            (SearchSlice::Nodes, least.nodes)
        } else if self.edges < least.edges {
            (SearchSlice::Edges, least.edges)
        } else if self.table < least.table {
            (SearchSlice::Table, least.table)
        } else if self.stages < least.stages {
            (SearchSlice::Stages, least.stages)
        } else if self.generals < least.generals {
            (SearchSlice::Generals, least.generals)
        } else if self.attacks < least.attacks {
            (SearchSlice::Attacks, least.attacks)
        } else if self.money < least.money {
            (SearchSlice::Money, least.money)
        } else if self.spawns < least.spawns {
            (SearchSlice::Spawns, least.spawns)
        } else if self.actions < actions {
            (SearchSlice::Actions, actions)
        } else {
            return Ok(());
        };
        Err(SearchError::TooShort { slice, least })
    }
}
