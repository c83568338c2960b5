//! Recycling: when no other turn fits in the memory of a search, the positions visited least lose their turns, and the
//! search goes on (E. Powley, P. Cowling, D. Whitehouse, "Memory bounded Monte Carlo tree search", 2017). Positions keep
//! their statistics, so that what was learnt above them stays.

use crate::search::tree::{NONE, Tree};

use super::compact::move_root;
use super::picks::Picks;
use super::room::demand;
use super::shared_tree::SharedTree;

/// Nodes of a tree that is recycled, at most: moving a larger one takes longer than a turn may wait (some milliseconds
/// on a desktop), and a search hardly fills it.
const RECYCLED_NODES: usize = 8_192;

impl SharedTree<'_> {
    /// Makes room for another turn in a position of so many boards, if there is none and no path is under way: half of the
    /// positions with turns, the root apart, become leaves, those visited least. All indices but that of the root may
    /// change. A stripe of a tree stays as it is.
    pub(super) fn make_room(&mut self, boards: usize) {
        // The first node stays the first.
        let movable =
            self.tree.stripe().is_whole() && self.root == 0 && self.tree.node_count() <= RECYCLED_NODES;
        if self.has_room(boards) || !movable || !self.is_quiet() {
            return;
        }
        let half = expanded(&self.tree).count().div_ceil(2);
        if half == 0 {
            return;
        }
        // The fewest visits that half of the positions do not exceed.
        let (mut low, mut limit) = (0, self.tree.stats(self.root).visits());
        while low < limit {
            let middle = low + (limit - low) / 2;
            if expanded(&self.tree).filter(|&(_, visits)| visits <= middle).count() >= half {
                limit = middle;
            } else {
                low = middle + 1;
            }
        }
        let mut ties =
            half.saturating_sub(expanded(&self.tree).filter(|&(_, visits)| visits < limit).count());
        for node in 1..self.tree.node_count() as u32 {
            let visits = self.tree.stats(node).visits();
            if !is_expanded(&self.tree, node) || visits > limit {
                continue;
            }
            if visits == limit {
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

/// Positions with turns, the root apart, and their visits.
fn expanded<'a>(tree: &'a Tree<'_, Picks>) -> impl Iterator<Item = (u32, u32)> + 'a {
    let nodes = (1..tree.node_count() as u32).filter(|&node| is_expanded(tree, node));
    nodes.map(|node| (node, tree.stats(node).visits()))
}

fn is_expanded(tree: &Tree<'_, Picks>, node: u32) -> bool {
    tree.payload(node) != NONE || tree.node(node).is_some_and(|node| node.edge_count() > 0)
}
