//! A search tree in lent slices, in which equal positions share a node.
//!
//! Nodes are positions and edges are moves. A hash table finds the node of a key, so that the tree, really a graph,
//! grows without copies (B. Childs, J. Brodeur, L. Kocsis, "Transpositions and move groups in Monte Carlo tree
//! search", 2008). Each edge has statistics apart from those of its child node, which may have other parents: a
//! choice by the visits of the child would starve the edge.
//!
//! Nodes and edges are named by index. An index holds until [`Tree::reroot`] or [`Tree::clear`]; an index out of
//! range finds nothing, changes nothing, and never panics. When a slice is full, the tree stops growing. A tree may be one
//! [`Stripe`] of a larger one: its edges then lead to nodes of other stripes too, which it knows by index only. Cycles are
//! allowed, but then the caller must bound the length of a path: keys should contain whatever tells positions of one
//! path apart, such as the number of the turn.

mod choose;
mod reroot;
mod stripe;

use super::stats::{FULL_WEIGHT, Stats};
use super::value::CERTAIN;

pub use reroot::{Stripes, mark_reachable, slide_marked};
pub use stripe::Stripe;

/// Index of no node, no edge and no payload.
pub const NONE: u32 = u32::MAX;

/// Slots of the hash table that are scanned for one key at most.
const PROBES: usize = 32;

/// A node of the tree: a position, 48 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    key: u64,
    /// Statistics of the visits, for the side to move in the position.
    pub stats: Stats,
    /// Index into data of the caller; [`NONE`] at first.
    pub payload: u32,
    /// Index of the edge added last; the other edges follow by `Edge::next`.
    newest: u32,
    edges: u16,
    /// Time of the last visit, as the caller counts it.
    visited: u16,
    /// New index of the node during `reroot`, else `NONE`.
    link: u32,
}

impl Node {
    /// A node without a position, to fill memory with.
    pub const EMPTY: Node =
        Node { key: 0, stats: Stats::EMPTY, payload: NONE, newest: NONE, edges: 0, visited: 0, link: NONE };

    /// Key of the position.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Number of edges that leave the node.
    pub const fn edge_count(&self) -> usize {
        self.edges as usize
    }

    /// Time of the last visit, as [`Tree::visit`] was told it; 0 before the first one.
    pub const fn visited(&self) -> u16 {
        self.visited
    }
}

impl Default for Node {
    fn default() -> Node {
        Node::EMPTY
    }
}

/// An edge of the tree: a move from one position to the next, 40 bytes and the payload. What a choice of edges reads
/// stands together, with the first bytes of the payload, since edges of a node are apart in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Edge<E> {
    owner: u32,
    child: u32,
    /// Statistics of the visits through the edge, for the side that moves.
    pub stats: Stats,
    next: u32,
    /// Number of virtual losses.
    visitors: u32,
    /// Data of the caller about the move.
    pub payload: E,
}

impl<E> Edge<E> {
    /// An edge without nodes, to fill memory with.
    pub const fn vacant(payload: E) -> Edge<E> {
        Edge { stats: Stats::EMPTY, owner: NONE, child: NONE, next: NONE, visitors: 0, payload }
    }

    /// Index of the node that the edge leaves.
    pub const fn owner(&self) -> u32 {
        self.owner
    }

    /// Index of the node that the edge leads to, once known.
    pub const fn child(&self) -> Option<u32> {
        if self.child == NONE { None } else { Some(self.child) }
    }
}

impl<E> Edge<E> {
    /// Number of virtual losses: threads that are below the edge just now.
    pub const fn visitors(&self) -> u32 {
        self.visitors
    }

    /// Statistics with each virtual loss counted as one lost visit.
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

/// Fill of a tree's memory; see [`Tree::resume`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TreeUsage {
    nodes: usize,
    edges: usize,
}

/// A search tree in lent slices. See the [module](self).
///
/// ```
/// use barrow_core::search::tree::{Edge, Node, Tree};
/// let (mut nodes, mut edges, mut table) = ([Node::EMPTY; 8], [Edge::vacant('?'); 8], [0; 16]);
/// let mut tree = Tree::new(&mut nodes, &mut edges, &mut table);
/// let (root, _) = tree.node_of(0x1234).unwrap();
/// let edge = tree.add_edge(root, 'a').unwrap();
/// let (child, new) = tree.node_of(0x5678).unwrap();
/// tree.set_child(edge, child);
/// tree.back_up(root, &[edge], 20_000, 16);
/// // A third of a chance for the side that moves next is two thirds for the side that has moved.
/// assert_eq!((new, tree.stats(child).mean(), tree.stats(root).mean()), (true, 20_000, 45_536));
/// // After the move, the statistics of the new position stay.
/// let root = tree.reroot(child, |_, _, _| ()).unwrap();
/// assert_eq!((tree.node_count(), tree.stats(root).visits()), (1, 1));
/// ```
#[derive(Debug)]
pub struct Tree<'m, E> {
    nodes: &'m mut [Node],
    edges: &'m mut [Edge<E>],
    /// Hash table with open addressing and linear probing; a slot holds the index of a node plus one, or 0.
    table: &'m mut [u32],
    used: TreeUsage,
    stripe: Stripe,
}

impl<'m, E: Copy> Tree<'m, E> {
    /// An empty tree. A table of twice the length of `nodes` is a good length; a shorter table finds fewer equal
    /// positions, and an empty table finds none.
    pub fn new(nodes: &'m mut [Node], edges: &'m mut [Edge<E>], table: &'m mut [u32]) -> Tree<'m, E> {
        table.fill(0);
        Tree { nodes, edges, table, used: TreeUsage::default(), stripe: Stripe::WHOLE }
    }

    /// Fill of the memory, for [`Tree::resume`] in the same memory.
    pub const fn usage(&self) -> TreeUsage {
        self.used
    }

    /// Goes on where the tree of this memory was filled as far as `usage` says. With other memory the tree means
    /// nothing.
    pub fn resume(
        nodes: &'m mut [Node],
        edges: &'m mut [Edge<E>],
        table: &'m mut [u32],
        usage: TreeUsage,
    ) -> Tree<'m, E> {
        let used = TreeUsage { nodes: usage.nodes.min(nodes.len()), edges: usage.edges.min(edges.len()) };
        Tree { nodes, edges, table, used, stripe: Stripe::WHOLE }
    }

    /// The tree as a stripe of a larger one. It must be empty, or have been this stripe when it was filled.
    pub fn as_stripe(self, stripe: Stripe) -> Tree<'m, E> {
        Tree { stripe, ..self }
    }

    /// The stripe of a larger tree that this tree is.
    pub const fn stripe(&self) -> Stripe {
        self.stripe
    }

    /// Removes all nodes and edges.
    pub fn clear(&mut self) {
        self.table.fill(0);
        self.used = TreeUsage::default();
    }

    /// Number of nodes; in a whole tree their indices are those below it.
    pub const fn node_count(&self) -> usize {
        self.used.nodes
    }

    /// Indices of the nodes, in ascending order.
    pub fn indices(&self) -> impl Iterator<Item = u32> + use<E> {
        let stripe = self.stripe;
        (0..self.used.nodes).map_while(move |place| stripe.index(place))
    }

    /// Number of edges; their indices are those below it.
    pub const fn edge_count(&self) -> usize {
        self.used.edges
    }

    /// Use of the fuller of the two slices, in thousandths.
    pub fn fullness(&self) -> u32 {
        let share = |used: usize, len: usize| (used as u64 * 1000).checked_div(len as u64).unwrap_or(1000);
        share(self.used.nodes, self.nodes.len()).max(share(self.used.edges, self.edges.len())) as u32
    }

    /// Number of edges that there is memory for.
    pub const fn edge_capacity(&self) -> usize {
        self.edges.len()
    }

    /// Whether that many more edges fit, each with a node of its own.
    pub const fn has_room(&self, edges: usize) -> bool {
        self.nodes.len() - self.used.nodes >= edges && self.edges.len() - self.used.edges >= edges
    }

    /// The node with this key, if it is in the table.
    pub fn find(&self, key: u64) -> Option<u32> {
        self.probe(key).ok()
    }

    /// The node with this key, added if it is not in the table, and whether it is new. `None` when all nodes are used
    /// up, or for a key of another stripe.
    pub fn node_of(&mut self, key: u64) -> Option<(u32, bool)> {
        let slot = match self.probe(key) {
            Ok(known) => return Some((known, false)),
            Err(slot) => slot,
        };
        let place = self.used.nodes;
        let index = self.stripe.index(place).filter(|_| self.stripe.holds(key as u32))?;
        *self.nodes.get_mut(place)? = Node { key, ..Node::EMPTY };
        self.used.nodes += 1;
        self.register(slot, place);
        Some((index, true))
    }

    /// The node of a key, or else the free slot for it, if there is one among those scanned.
    fn probe(&self, key: u64) -> Result<u32, Option<usize>> {
        let len = self.table.len();
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let start = ((hash * u64::from(u32::try_from(len).unwrap_or(u32::MAX))) >> 32) as usize;
        for step in 0..PROBES.min(len) {
            let place = (start + step) % len;
            let Some(known) = self.table.get(place).and_then(|&entry| entry.checked_sub(1)) else {
                return Err(Some(place));
            };
            let known = known as usize;
            if self
                .nodes
                .get(..self.used.nodes)
                .and_then(|nodes| nodes.get(known))
                .is_some_and(|node| node.key == key)
                && let Some(index) = self.stripe.index(known)
            {
                return Ok(index);
            }
        }
        Err(None)
    }

    fn register(&mut self, slot: Option<usize>, place: usize) {
        if let Some(entry) = slot.and_then(|slot| self.table.get_mut(slot)) {
            *entry = place as u32 + 1;
        }
    }

    /// The node with this index.
    pub fn node(&self, node: u32) -> Option<&Node> {
        self.nodes.get(..self.used.nodes)?.get(self.stripe.place(node)?)
    }

    /// The node with this index, to change its statistics or payload.
    pub fn node_mut(&mut self, node: u32) -> Option<&mut Node> {
        self.nodes.get_mut(..self.used.nodes)?.get_mut(self.stripe.place(node)?)
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

    /// Sets the time of a node's last visit, as the caller counts it. A count that is too large for it may wrap.
    pub fn visit(&mut self, node: u32, time: u16) {
        if let Some(node) = self.node_mut(node) {
            node.visited = time;
        }
    }

    /// Adds an edge to a node. `None` when there is no such node, the edges are used up, or the node has 65,535 of them.
    pub fn add_edge(&mut self, node: u32, payload: E) -> Option<u32> {
        let index = u32::try_from(self.used.edges).ok().filter(|&index| index < NONE)?;
        let &Node { newest: next, edges, .. } = self.node(node)?;
        let count = edges.checked_add(1)?;
        *self.edges.get_mut(self.used.edges)? = Edge { owner: node, next, ..Edge::vacant(payload) };
        self.used.edges += 1;
        let node = self.node_mut(node)?;
        (node.newest, node.edges) = (index, count);
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

    /// The edges of a node with their indices, the newest first.
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

    /// The edge of a node that was added last.
    pub fn newest_edge(&self, node: u32) -> Option<u32> {
        let newest = self.node(node)?.newest;
        (newest != NONE).then_some(newest)
    }

    /// The edge that was added to the same node before this one.
    pub fn older_edge(&self, edge: u32) -> Option<u32> {
        let older = self.edge(edge)?.next;
        (older != NONE).then_some(older)
    }

    /// Index of the node that an edge leads to, once known.
    pub fn child(&self, edge: u32) -> Option<u32> {
        self.edge(edge)?.child()
    }

    /// Sets the node that an edge leads to. Without effect unless both exist; a node of another stripe is taken to exist.
    pub fn set_child(&mut self, edge: u32, child: u32) {
        if self.stripe.holds(child) && self.node(child).is_none() {
            return;
        }
        if let Some(edge) = self.edge_mut(edge) {
            edge.child = child;
        }
    }

    /// Adds a virtual loss to an edge, until [`Tree::leave`].
    pub fn enter(&mut self, edge: u32) {
        if let Some(edge) = self.edge_mut(edge) {
            edge.visitors = edge.visitors.saturating_add(1);
        }
    }

    /// Removes a virtual loss of an edge.
    pub fn leave(&mut self, edge: u32) {
        if let Some(edge) = self.edge_mut(edge) {
            edge.visitors = edge.visitors.saturating_sub(1);
        }
    }

    /// Adds a value, for the side to move at the node, to the statistics of the node and of one of its edges. With
    /// [`NONE`] for an edge, only the node gets the value, as at the end of a path.
    pub fn add(&mut self, node: u32, edge: u32, value: i32, weight: u32) {
        if let Some(node) = self.node_mut(node) {
            node.stats.add(value, weight);
        }
        if let Some(edge) = self.edge_mut(edge) {
            edge.stats.add(value, weight);
        }
    }

    /// Adds a value to every node and edge of a path in a game where the sides alternate: `path` holds the edges from
    /// `root` on, and `value` is that of the last node for the side to move there.
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
