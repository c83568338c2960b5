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
