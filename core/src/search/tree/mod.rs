//! A search tree in lent slices, in which equal positions share a node.
//!
//! Nodes are positions and edges are turns. A table finds the node of a key, so that what is really a graph grows
//! without copies (B. Childs, J. Brodeur, L. Kocsis, "Transpositions and move groups in Monte Carlo tree search",
//! 2008). Each edge counts its own visits apart from those of the node it leads to, which may have other parents:
//! choosing by the child's count would starve the edge.
//!
//! Nodes and edges are named by index. An index stays good until [`Tree::reroot`] or [`Tree::clear`]; one that is
//! out of range finds nothing, changes nothing, and never panics. When a slice is full, the tree stops growing.
//! Circles are allowed, though a caller that walks down must then bound its way: keys had better hold whatever
//! makes positions on one path differ, such as the number of the turn.

mod choose;
mod reroot;

use super::stats::{FULL_WEIGHT, Stats};
use super::value::CERTAIN;

/// No node, no edge, no payload.
pub const NONE: u32 = u32::MAX;

/// Most slots of the table that are looked at for one key.
const PROBES: usize = 32;

/// A position, 48 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    key: u64,
    /// What came of the visits, for the side to move here.
    pub stats: Stats,
    /// Index of whatever the caller keeps for this position; starts as [`NONE`].
    pub payload: u32,
    /// The edge added last; the others follow by `Edge::next`.
    newest: u32,
    edges: u32,
    /// Scratch of `reroot`, else `NONE`.
    link: u32,
}

impl Node {
    /// A node of no position, to fill memory with.
    pub const EMPTY: Node =
        Node { key: 0, stats: Stats::EMPTY, payload: NONE, newest: NONE, edges: 0, link: NONE };

    /// The key of the position.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Number of turns known here.
    pub const fn edge_count(&self) -> usize {
        self.edges as usize
    }
}

impl Default for Node {
    fn default() -> Node {
        Node::EMPTY
    }
}

/// A turn from one position to the next, 40 bytes and what the caller adds.
#[derive(Clone, Copy, Debug)]
pub struct Edge<E> {
    /// What came of the visits through this edge, for the side that moves.
    pub stats: Stats,
    owner: u32,
    child: u32,
    next: u32,
    /// Those who follow it just now.
    visitors: u32,
    /// What the caller knows of the turn.
    pub payload: E,
}

impl<E> Edge<E> {
    /// An edge of no node, to fill memory with.
    pub const fn vacant(payload: E) -> Edge<E> {
        Edge { stats: Stats::EMPTY, owner: NONE, child: NONE, next: NONE, visitors: 0, payload }
    }

    /// The node where the turn is made.
    pub const fn owner(&self) -> u32 {
        self.owner
    }

    /// The node that the turn leads to, once known.
    pub const fn child(&self) -> Option<u32> {
        if self.child == NONE { None } else { Some(self.child) }
    }
}

impl<E> Edge<E> {
    /// How many follow it just now.
    pub const fn visitors(&self) -> u32 {
        self.visitors
    }

    /// Its statistics with everybody who follows it just now counted as lost.
    pub const fn pessimistic(&self) -> Stats {
        let mut stats = self.stats;
        if self.visitors > 0 {
            stats.merge(&Stats::prior(0, 0, self.visitors.saturating_mul(FULL_WEIGHT)));
        }
        stats
    }
}

impl<E: Default> Default for Edge<E> {
    fn default() -> Edge<E> {
        Edge::vacant(E::default())
    }
}

/// How far a tree had filled its memory; see [`Tree::resume`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TreeUsage {
    nodes: usize,
    edges: usize,
}

/// The tree. See the [module](self).
///
/// ```
/// use barrow_core::search::tree::{Edge, Node, Tree};
/// let (mut nodes, mut edges, mut table) = ([Node::EMPTY; 8], [Edge::vacant('?'); 8], [0; 16]);
/// let mut tree = Tree::new(&mut nodes, &mut edges, &mut table);
/// let (root, _) = tree.node_of(0x1234).unwrap();
/// let turn = tree.add_edge(root, 'a').unwrap();
/// let (child, new) = tree.node_of(0x5678).unwrap();
/// tree.set_child(turn, child);
/// tree.back_up(root, &[turn], 20_000, 16);
/// // A third of a chance for whoever moves next is two thirds for the one who made the turn.
/// assert_eq!((new, tree.stats(child).mean(), tree.stats(root).mean()), (true, 20_000, 45_536));
/// // The game went on: what is known of the new position stays.
/// let root = tree.reroot(child, |_, _, _| ()).unwrap();
/// assert_eq!((tree.node_count(), tree.stats(root).visits()), (1, 1));
/// ```
#[derive(Debug)]
pub struct Tree<'m, E> {
    nodes: &'m mut [Node],
    edges: &'m mut [Edge<E>],
    /// Open addressing with linear probing; a slot holds the index of a node plus one, or 0.
    table: &'m mut [u32],
    used: TreeUsage,
}

impl<'m, E: Copy> Tree<'m, E> {
    /// An empty tree. A table of twice the length of `nodes` serves well; a shorter one finds fewer equal
    /// positions, and one without a slot finds none.
    pub fn new(nodes: &'m mut [Node], edges: &'m mut [Edge<E>], table: &'m mut [u32]) -> Tree<'m, E> {
        table.fill(0);
        Tree { nodes, edges, table, used: TreeUsage::default() }
    }

    /// How far the memory is filled, to go on later with the same memory.
    pub const fn usage(&self) -> TreeUsage {
        self.used
    }

    /// Goes on where the tree of this memory was filled as far as `usage` says. With other memory the tree means nothing.
    pub fn resume(
        nodes: &'m mut [Node],
        edges: &'m mut [Edge<E>],
        table: &'m mut [u32],
        usage: TreeUsage,
    ) -> Tree<'m, E> {
        let used = TreeUsage { nodes: usage.nodes.min(nodes.len()), edges: usage.edges.min(edges.len()) };
        Tree { nodes, edges, table, used }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.fill(0);
        self.used = TreeUsage::default();
    }

    /// Number of nodes; their indices are those below it.
    pub const fn node_count(&self) -> usize {
        self.used.nodes
    }

    /// Number of edges; their indices are those below it.
    pub const fn edge_count(&self) -> usize {
        self.used.edges
    }

    /// How full the fuller of the two slices is, in thousandths.
    pub fn fullness(&self) -> u32 {
        let share = |used: usize, len: usize| (used as u64 * 1000).checked_div(len as u64).unwrap_or(1000);
        share(self.used.nodes, self.nodes.len()).max(share(self.used.edges, self.edges.len())) as u32
    }

    /// Whether that many more edges fit, each with a node of its own.
    pub const fn has_room(&self, edges: usize) -> bool {
        self.nodes.len() - self.used.nodes >= edges && self.edges.len() - self.used.edges >= edges
    }

    /// The node with this key, if the table knows it.
    pub fn find(&self, key: u64) -> Option<u32> {
        self.probe(key).ok()
    }

    /// The node with this key and whether it is new. `None` when it would be new and the nodes are used up.
    pub fn node_of(&mut self, key: u64) -> Option<(u32, bool)> {
        let slot = match self.probe(key) {
            Ok(known) => return Some((known, false)),
            Err(slot) => slot,
        };
        let index = u32::try_from(self.used.nodes).ok().filter(|&index| index < NONE)?;
        *self.nodes.get_mut(self.used.nodes)? = Node { key, ..Node::EMPTY };
        self.used.nodes += 1;
        self.register(slot, index);
        Some((index, true))
    }

    /// The node of a key, or the free slot where it belongs if there is one near enough.
    fn probe(&self, key: u64) -> Result<u32, Option<usize>> {
        let len = self.table.len();
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let start = ((hash * u64::from(u32::try_from(len).unwrap_or(u32::MAX))) >> 32) as usize;
        for step in 0..PROBES.min(len) {
            let place = (start + step) % len;
            let Some(index) = self.table.get(place).and_then(|&entry| entry.checked_sub(1)) else {
                return Err(Some(place));
            };
            if self.node(index).is_some_and(|node| node.key == key) {
                return Ok(index);
            }
        }
        Err(None)
    }

    fn register(&mut self, slot: Option<usize>, index: u32) {
        if let Some(entry) = slot.and_then(|slot| self.table.get_mut(slot)) {
            *entry = index + 1;
        }
    }

    /// The node with this index.
    pub fn node(&self, node: u32) -> Option<&Node> {
        self.nodes.get(..self.used.nodes)?.get(node as usize)
    }

    /// The node with this index, to change its statistics or payload.
    pub fn node_mut(&mut self, node: u32) -> Option<&mut Node> {
        self.nodes.get_mut(..self.used.nodes)?.get_mut(node as usize)
    }

    /// The key of a node; 0 without one.
    pub fn key(&self, node: u32) -> u64 {
        self.node(node).map_or(0, Node::key)
    }

    /// The statistics of a node; empty without one.
    pub fn stats(&self, node: u32) -> Stats {
        self.node(node).map_or(Stats::EMPTY, |node| node.stats)
    }

    /// The payload of a node; [`NONE`] without one.
    pub fn payload(&self, node: u32) -> u32 {
        self.node(node).map_or(NONE, |node| node.payload)
    }

    /// Sets the payload of a node.
    pub fn set_payload(&mut self, node: u32, payload: u32) {
        if let Some(node) = self.node_mut(node) {
            node.payload = payload;
        }
    }

    /// Adds a turn to a node. `None` when there is no such node or the edges are used up.
    pub fn add_edge(&mut self, node: u32, payload: E) -> Option<u32> {
        let index = u32::try_from(self.used.edges).ok().filter(|&index| index < NONE)?;
        let next = self.node(node)?.newest;
        *self.edges.get_mut(self.used.edges)? = Edge { owner: node, next, ..Edge::vacant(payload) };
        self.used.edges += 1;
        let node = self.node_mut(node)?;
        node.newest = index;
        node.edges += 1;
        Some(index)
    }

    /// The edge with this index.
    pub fn edge(&self, edge: u32) -> Option<&Edge<E>> {
        self.edges.get(..self.used.edges)?.get(edge as usize)
    }

    /// The edge with this index, to change its statistics or payload.
    pub fn edge_mut(&mut self, edge: u32) -> Option<&mut Edge<E>> {
        self.edges.get_mut(..self.used.edges)?.get_mut(edge as usize)
    }

    /// The edges of a node with their indices, the one added last first.
    pub fn edges(&self, node: u32) -> impl Iterator<Item = (u32, &Edge<E>)> {
        let (mut next, count) = self.node(node).map_or((NONE, 0), |node| (node.newest, node.edge_count()));
        let step = move || {
            let index = next;
            let edge = self.edge(index)?;
            next = edge.next;
            Some((index, edge))
        };
        core::iter::from_fn(step).take(count)
    }

    /// The node that an edge leads to, once known.
    pub fn child(&self, edge: u32) -> Option<u32> {
        self.edge(edge)?.child()
    }

    /// Tells where an edge leads. Nothing changes unless both exist.
    pub fn set_child(&mut self, edge: u32, child: u32) {
        if self.node(child).is_none() {
            return;
        }
        if let Some(edge) = self.edge_mut(edge) {
            edge.child = child;
        }
    }

    /// Takes note that somebody follows this edge: until [`Tree::leave`] it counts as a visit that was lost.
    pub fn enter(&mut self, edge: u32) {
        if let Some(edge) = self.edge_mut(edge) {
            edge.visitors = edge.visitors.saturating_add(1);
        }
    }

    /// Somebody who followed this edge has come back.
    pub fn leave(&mut self, edge: u32) {
        if let Some(edge) = self.edge_mut(edge) {
            edge.visitors = edge.visitors.saturating_sub(1);
        }
    }

    /// Counts a value, in the view of the side to move at the node, on the node and on one of its edges. With
    /// [`NONE`] for an edge it counts on the node alone, as for the node where the way down ended.
    pub fn add(&mut self, node: u32, edge: u32, value: i32, weight: u32) {
        if let Some(node) = self.node_mut(node) {
            node.stats.add(value, weight);
        }
        if let Some(edge) = self.edge_mut(edge) {
            edge.stats.add(value, weight);
        }
    }

    /// Counts a value on every node and edge of a way down in a game where the sides take turns: `path` holds its
    /// edges from `root` on, and `value` is that of its end for the side to move there.
    pub fn back_up(&mut self, root: u32, path: &[u32], value: i32, weight: u32) {
        let mut value = value.clamp(0, CERTAIN);
        let end = path.last().map_or(Some(root), |&last| self.child(last));
        self.add(end.unwrap_or(NONE), NONE, value, weight);
        for &index in path.iter().rev() {
            value = CERTAIN - value;
            let owner = self.edge(index).map_or(NONE, Edge::owner);
            self.add(owner, index, value, weight);
        }
    }
}

#[cfg(test)]
mod tests;
