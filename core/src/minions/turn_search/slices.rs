//! The memory of a search: slices that the caller lends.

use super::arena::{Arena, Slot};
use super::candidate_usage::CandidateUsage;
use super::candidates::{
    AttackCandidate, Candidates, GeneralCandidate, MoneyCandidate, SpawnCandidate, Stages,
};
use super::capacity::SearchCapacity;
use super::picks::Picks;
use super::search_error::SearchError;
use crate::minions::{Action, Game};
use crate::search::tree::{Edge, Node, Tree, TreeUsage};

/// The slices that a search works in. Their lengths bound what the search can remember; [`SearchCapacity::least`] is
/// what one turn takes.
/// When one of them is full, the search of a small tree of its own frees what positions take that were not visited lately; it composes no
/// more turns where that does not help, and in other trees (recycle.rs).
pub struct SearchSlices<'m> {
    /// Positions.
    pub nodes: &'m mut [Node],
    /// Turns.
    pub edges: &'m mut [Edge<Picks>],
    /// Hash table of positions by key; twice as long as `nodes` is a good length.
    pub table: &'m mut [u32],
    /// Stages of expanded positions.
    pub stages: &'m mut [Stages],
    /// General candidates; a position has 24 at most.
    pub generals: &'m mut [Slot<GeneralCandidate>],
    /// Attack candidates.
    pub attacks: &'m mut [Slot<AttackCandidate>],
    /// Money candidates.
    pub money: &'m mut [Slot<MoneyCandidate>],
    /// Spawn candidates.
    pub spawns: &'m mut [Slot<SpawnCandidate>],
    /// Actions of all candidates.
    pub actions: &'m mut [Action],
}

/// Fill of a search's memory. With the same memory it is what a later search needs to resume.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryUsage {
    pub(super) tree: TreeUsage,
    pub(super) candidates: CandidateUsage,
}

impl<'m> SearchSlices<'m> {
    /// Lengths of the slices.
    pub fn capacity(&self) -> SearchCapacity {
        SearchCapacity {
            nodes: self.nodes.len(),
            edges: self.edges.len(),
            table: self.table.len(),
            stages: self.stages.len(),
            generals: self.generals.len(),
            attacks: self.attacks.len(),
            money: self.money.len(),
            spawns: self.spawns.len(),
            actions: self.actions.len(),
        }
    }

    /// Checks that a search of the game can begin: that it is not over, and that a turn can be composed.
    pub(super) fn check(&self, game: &Game) -> Result<(), SearchError> {
        if game.state().is_over() {
            return Err(SearchError::GameOver);
        }
        self.capacity().check(game.config().num_boards())
    }

    /// The tree and the candidates in this memory, filled as far as `usage` says.
    pub(super) fn into_parts(self, usage: MemoryUsage) -> (Tree<'m, Picks>, Candidates<'m>) {
        let MemoryUsage { tree, candidates: used } = usage;
        let candidates = Candidates {
            used_stages: used.stages.min(self.stages.len()),
            stages: self.stages,
            generals: Arena::new(self.generals, used.generals),
            attacks: Arena::new(self.attacks, used.attacks),
            money: Arena::new(self.money, used.money),
            spawns: Arena::new(self.spawns, used.spawns),
            used_actions: used.actions.min(self.actions.len()),
            actions: self.actions,
        };
        (Tree::resume(self.nodes, self.edges, self.table, tree), candidates)
    }
}
