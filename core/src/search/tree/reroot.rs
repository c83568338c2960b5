//! Re-rooting: everything below one node stays, the rest is freed. Clipping: what is below one node goes.
//!
//! Mark and slide, in place, in the manner of two-pass compacting collectors: the nodes that can be reached are
//! marked breadth first, with a queue threaded through the nodes themselves; then nodes and edges slide to the front
//! of their slices in their old order.

use super::{NONE, Node, Tree, TreeUsage};

impl<E: Copy> Tree<'_, E> {
    /// Keeps only what can be reached from `root` and returns the new index of `root`. Returns `None` and keeps
    /// everything if there is no such node. All old indices become invalid.
    ///
    /// `moved` is called with the payload, the old index and the new index, if the node stays, of every node in
    /// ascending order, so that a caller can free payloads or slide data of its own along. Takes time in the order of
    /// the memory in use and the length of the table.
    pub fn reroot(&mut self, root: u32, mut moved: impl FnMut(u32, u32, Option<u32>)) -> Option<u32> {
        self.node(root)?;
        self.mark(root);
        let kept_nodes = self.number();
        let root = self.renamed(root)?;
        let kept_edges = self.slide_edges();
        for index in 0..self.used.nodes {
            let Some(node) = self.nodes.get(index).copied() else { break };
            let to = Some(node.link).filter(|&to| to != NONE);
            moved(node.payload, index as u32, to);
            if let Some(slot) = to.and_then(|to| self.nodes.get_mut(to as usize)) {
                *slot = Node { newest: NONE, edges: 0, link: NONE, ..node };
            }
        }
        self.used = TreeUsage { nodes: kept_nodes, edges: kept_edges };
        self.relink();
        self.rebuild_table();
        Some(root)
    }

    /// Makes a node a leaf without payload, which keeps its statistics. Its edges belong to no node any more; the next
    /// [`Tree::reroot`] frees them and what can be reached by them alone.
    pub fn clip(&mut self, node: u32) {
        let (mut edge, count) = self.node(node).map_or((NONE, 0), |node| (node.newest, node.edges));
        for _ in 0..count {
            let Some(known) = self.edge_mut(edge) else { break };
            known.owner = NONE;
            edge = known.next;
        }
        if let Some(node) = self.node_mut(node) {
            (node.newest, node.edges, node.payload) = (NONE, 0, NONE);
        }
    }

    /// Marks every node that can be reached, by a link other than `NONE`.
    fn mark(&mut self, root: u32) {
        for node in self.nodes.iter_mut().take(self.used.nodes) {
            node.link = NONE;
        }
        // The last node in the queue links to itself.
        let (mut first, mut last) = (root, root);
        self.set_link(root, root);
        loop {
            let (mut edge, count) = self.node(first).map_or((NONE, 0), |node| (node.newest, node.edges));
            for _ in 0..count {
                let Some(&known) = self.edge(edge) else { break };
                if self.node(known.child).is_some_and(|child| child.link == NONE) {
                    self.set_link(last, known.child);
                    self.set_link(known.child, known.child);
                    last = known.child;
                }
                edge = known.next;
            }
            let next = self.node(first).map_or(first, |node| node.link);
            if next == first {
                return;
            }
            first = next;
        }
    }

    fn set_link(&mut self, node: u32, link: u32) {
        if let Some(node) = self.node_mut(node) {
            node.link = link;
        }
    }

    /// Numbers the marked nodes: their links become new indices. Returns how many there are.
    fn number(&mut self) -> usize {
        let mut kept = 0;
        for node in self.nodes.iter_mut().take(self.used.nodes).filter(|node| node.link != NONE) {
            node.link = kept;
            kept += 1;
        }
        kept as usize
    }

    /// New index of a node that stays.
    fn renamed(&self, node: u32) -> Option<u32> {
        self.node(node).map(|node| node.link).filter(|&index| index != NONE)
    }

    /// Slides the edges of nodes that stay to the front, with new indices of their nodes. Returns how many stay.
    fn slide_edges(&mut self) -> usize {
        let mut kept = 0;
        for index in 0..self.used.edges {
            let Some(mut edge) = self.edges.get(index).copied() else { break };
            let Some(owner) = self.renamed(edge.owner) else { continue };
            edge.owner = owner;
            edge.child = self.renamed(edge.child).unwrap_or(NONE);
            if let Some(slot) = self.edges.get_mut(kept) {
                *slot = edge;
                kept += 1;
            }
        }
        kept
    }

    /// Links the edges of each node again, in the order in which they were added.
    fn relink(&mut self) {
        for index in 0..self.used.edges {
            let Some(owner) = self.edges.get(index).map(|edge| edge.owner) else { break };
            let Some(node) = self.node_mut(owner) else { continue };
            let next = core::mem::replace(&mut node.newest, index as u32);
            node.edges += 1;
            if let Some(edge) = self.edges.get_mut(index) {
                edge.next = next;
            }
        }
    }

    fn rebuild_table(&mut self) {
        self.table.fill(0);
        for index in 0..self.used.nodes {
            let Some(key) = self.nodes.get(index).map(|node| node.key) else { break };
            if let Err(slot) = self.probe(key) {
                self.register(slot, index as u32);
            }
        }
    }
}
