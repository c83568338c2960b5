//! Recycling: when no other turn fits in the memory of a search, the positions that were visited least recently lose their turns,
//! and the search goes on (E. Powley, P. Cowling, D. Whitehouse, "Memory bounded Monte Carlo tree search", 2017). Positions keep
//! their statistics, so that what was learnt above them stays. Time is the visits of the root: what halving has put out of the
//! race is soon forgotten, however often it was visited before.

use crate::search::tree::{NONE, Node, Tree};

use super::compact::move_root;
use super::picks::Picks;
use super::room::demand;
use super::shared_tree::SharedTree;

/// Nodes of a tree that is recycled, at most: moving a larger one takes longer than a turn may wait (some milliseconds
/// on a desktop), and a search hardly fills it.
const RECYCLED_NODES: usize = 8_192;

impl SharedTree<'_> {
    /// Whether the memory of the tree is so small that all of it is recycled.
    pub(super) fn is_small(&self) -> bool {
        self.tree.stripe().is_whole() && self.tree.edge_capacity() <= RECYCLED_NODES
    }

    /// Notes that a position is visited now, unless it is in a stripe of a tree, which is not recycled.
    pub(super) fn note_visit(&mut self, node: u32) {
        if self.tree.stripe().is_whole() {
            let now = time(&self.tree, self.root);
            self.tree.visit(node, now);
        }
    }

    /// Makes room for another turn in a position of so many boards, if there is none and no path is under way: half of the
    /// positions with turns, the root apart, become leaves, those visited least recently. All indices but that of the root may
    /// change. A stripe of a tree stays as it is.
    pub(super) fn make_room(&mut self, boards: usize) {
        // The first node stays the first.
        let movable =
            self.tree.stripe().is_whole() && self.root == 0 && self.tree.node_count() <= RECYCLED_NODES;
        if self.has_room(boards) || !movable || !self.is_quiet() {
            return;
        }
        let now = time(&self.tree, self.root);
        let half = expanded(&self.tree, now).count().div_ceil(2);
        if half == 0 {
            return;
        }
        // The longest idle time that half of the positions reach.
        let (mut limit, mut high) = (0, u16::MAX);
        while limit < high {
            let middle = high - (high - limit) / 2;
            if expanded(&self.tree, now).filter(|&(_, idle)| idle >= middle).count() >= half {
                limit = middle;
            } else {
                high = middle - 1;
            }
        }
        let longer = expanded(&self.tree, now).filter(|&(_, idle)| idle > limit).count();
        let mut ties = half.saturating_sub(longer);
        for node in 1..self.tree.node_count() as u32 {
            let idle = idle(&self.tree, node, now);
            if !is_expanded(&self.tree, node) || idle < limit {
                continue;
            }
            if idle == limit {
                let Some(left) = ties.checked_sub(1) else { continue };
                ties = left;
            }
            self.tree.clip(node);
        }
        // The root is kept, so that it is found.
        let root = self.root;
        let _ = move_root(core::slice::from_mut(self), root);
    }

    /// Whether another turn in a position of so many boards fits for certain.
    fn has_room(&self, boards: usize) -> bool {
        self.tree.has_room(1) && self.candidates.has_room(demand(1, boards, &self.candidates))
    }
}

/// Time of a search, in visits of its root; it wraps.
fn time(tree: &Tree<'_, Picks>, root: u32) -> u16 {
    tree.stats(root).visits() as u16
}

/// Time since the last visit of a position.
fn idle(tree: &Tree<'_, Picks>, node: u32, now: u16) -> u16 {
    now.wrapping_sub(tree.node(node).map_or(0, Node::visited))
}

/// Positions with turns, the root apart, and the time since their last visit.
fn expanded<'a>(tree: &'a Tree<'_, Picks>, now: u16) -> impl Iterator<Item = (u32, u16)> + 'a {
    let nodes = (1..tree.node_count() as u32).filter(|&node| is_expanded(tree, node));
    nodes.map(move |node| (node, idle(tree, node, now)))
}

fn is_expanded(tree: &Tree<'_, Picks>, node: u32) -> bool {
    tree.payload(node) != NONE || tree.node(node).is_some_and(|node| node.edge_count() > 0)
}

#[cfg(test)]
mod tests {
    use super::super::arena::Slot;
    use super::super::candidates::{
        AttackCandidate, GeneralCandidate, MoneyCandidate, SpawnCandidate, Stages,
    };
    use super::super::slices::{MemoryUsage, SearchSlices};
    use super::super::threading::Batch;
    use super::*;
    use crate::minions::{Action, GeneralAction};
    use crate::search::stats::FULL_WEIGHT;
    use crate::search::tree::Edge;

    const ROOT: u64 = 1;
    const OFTEN: u64 = 2;
    const LATELY: u64 = 3;

    #[test]
    fn what_was_visited_often_but_long_ago_is_forgotten_first() {
        let memory = SearchSlices {
            nodes: &mut [Node::EMPTY; 5],
            edges: &mut [Edge::vacant(Picks::default()); 4],
            table: &mut [0; 16],
            stages: &mut [Stages::EMPTY],
            generals: &mut [Slot::<GeneralCandidate>::EMPTY],
            attacks: &mut [Slot::<AttackCandidate>::EMPTY],
            money: &mut [Slot::<MoneyCandidate>::EMPTY],
            spawns: &mut [Slot::<SpawnCandidate>::EMPTY],
            actions: &mut [Action::General(GeneralAction::Sell)],
        };
        let (tree, candidates) = memory.into_parts(MemoryUsage::default());
        let mut shared =
            SharedTree { tree, candidates, root: 0, composing: 0, spent: None, batch: Batch::new() };
        let add = |shared: &mut SharedTree<'_>, parent: Option<u32>, key| {
            let node = shared.tree.node_of(key).unwrap().0;
            if let Some(parent) = parent {
                let edge = shared.tree.add_edge(parent, Picks::default()).unwrap();
                shared.tree.set_child(edge, node);
            }
            node
        };
        let root = add(&mut shared, None, ROOT);
        let often = add(&mut shared, Some(root), OFTEN);
        let lately = add(&mut shared, Some(root), LATELY);
        for (parent, key) in [(often, 4), (lately, 5)] {
            add(&mut shared, Some(parent), key);
        }
        for (node, visits) in [(often, 70_000), (lately, 3)] {
            for _ in 0..visits {
                shared.tree.add(root, NONE, 0, FULL_WEIGHT);
                shared.tree.add(node, NONE, 0, FULL_WEIGHT);
                shared.note_visit(node);
            }
        }
        shared.make_room(1);
        let turns = |key| shared.tree.node(shared.tree.find(key).unwrap()).unwrap().edge_count();
        assert_eq!([ROOT, OFTEN, LATELY].map(turns), [2, 0, 1]);
        let visits = |key| shared.tree.stats(shared.tree.find(key).unwrap()).visits();
        assert_eq!([OFTEN, LATELY].map(visits), [70_000, 3]);
    }
}
