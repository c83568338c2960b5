//! Re-rooting: everything below one node stays, the rest is freed. Clipping: what is below one node goes.
//!
//! Mark and slide, in place, in the manner of two-pass compacting collectors: the nodes that can be reached are
//! marked breadth first, with a queue threaded through the nodes themselves; then nodes and edges slide to the front
//! of their slices in their old order. Where a tree is made of stripes, the queue goes through all of them.

use super::{NONE, Node, Stripe, Tree, TreeUsage};

/// The stripes of a tree: the tree itself, or several with their numbers for places.
pub trait Stripes<'m, E: Copy + 'm> {
    /// Number of stripes, a power of two.
    fn count(&self) -> u32;

    /// The stripe that a node of this index belongs to.
    fn stripe_of(&self, node: u32) -> Option<&Tree<'m, E>>;

    /// The stripe that a node of this index belongs to, to change.
    fn stripe_of_mut(&mut self, node: u32) -> Option<&mut Tree<'m, E>>;
}

impl<'m, E: Copy + 'm> Stripes<'m, E> for Tree<'m, E> {
    fn count(&self) -> u32 {
        1
    }

    fn stripe_of(&self, _: u32) -> Option<&Tree<'m, E>> {
        Some(self)
    }

    fn stripe_of_mut(&mut self, _: u32) -> Option<&mut Tree<'m, E>> {
        Some(self)
    }
}

/// Marks every node that can be reached from `root`, and no other. `None` if there is no such node.
pub fn mark_reachable<'m, E: Copy + 'm>(
    stripes: &mut (impl Stripes<'m, E> + ?Sized),
    root: u32,
) -> Option<()> {
    stripes.stripe_of(root)?.node(root)?;
    for number in 0..stripes.count() {
        stripes.stripe_of_mut(number)?.unmark();
    }
    // The last node in the queue links to itself.
    let (mut first, mut last) = (root, root);
    stripes.stripe_of_mut(root)?.set_link(root, root);
    loop {
        let (mut edge, count) = {
            let node = stripes.stripe_of(first)?.node(first);
            node.map_or((NONE, 0), |node| (node.newest, node.edges))
        };
        for _ in 0..count {
            let Some(&known) = stripes.stripe_of(first)?.edge(edge) else { break };
            let child = stripes.stripe_of(known.child).and_then(|tree| tree.node(known.child));
            if child.is_some_and(|child| child.link == NONE) {
                stripes.stripe_of_mut(last)?.set_link(last, known.child);
                stripes.stripe_of_mut(known.child)?.set_link(known.child, known.child);
                last = known.child;
            }
            edge = known.next;
        }
        let next = stripes.stripe_of(first)?.link(first);
        if next == first || next == NONE {
            return Some(());
        }
        first = next;
    }
}

/// Frees all nodes that [`mark_reachable`] has not marked, and their edges. Returns the new index of `root`. All old
/// indices become invalid.
pub fn slide_marked<'m, E: Copy + 'm>(
    stripes: &mut (impl Stripes<'m, E> + ?Sized),
    root: u32,
) -> Option<u32> {
    number_marked(stripes);
    let root = Some(stripes.stripe_of(root)?.link(root)).filter(|&root| root != NONE)?;
    slide_numbered(stripes);
    Some(root)
}

/// Numbers the marked nodes: their links become new indices.
fn number_marked<'m, E: Copy + 'm>(stripes: &mut (impl Stripes<'m, E> + ?Sized)) {
    for number in 0..stripes.count() {
        if let Some(tree) = stripes.stripe_of_mut(number) {
            tree.number();
        }
    }
}

fn slide_numbered<'m, E: Copy + 'm>(stripes: &mut (impl Stripes<'m, E> + ?Sized)) {
    // Links tell edges where their nodes have gone, so nodes slide when all edges have been turned.
    for number in 0..stripes.count() {
        let edges = stripes.stripe_of(number).map_or(0, Tree::edge_count);
        for index in 0..edges as u32 {
            let Some(child) = stripes.stripe_of(number).and_then(|tree| tree.child(index)) else { continue };
            let child = stripes.stripe_of(child).map_or(NONE, |tree| tree.link(child));
            if let Some(edge) = stripes.stripe_of_mut(number).and_then(|tree| tree.edge_mut(index)) {
                edge.child = child;
            }
        }
    }
    for number in 0..stripes.count() {
        if let Some(tree) = stripes.stripe_of_mut(number) {
            tree.slide();
        }
    }
}

impl<E: Copy> Tree<'_, E> {
    /// Keeps only what can be reached from `root` and returns the new index of `root`. Returns `None` and keeps
    /// everything if there is no such node. All old indices become invalid. The tree must be whole.
    ///
    /// `moved` is called with the payload, the old index and the new index, if the node stays, of every node in
    /// ascending order, so that a caller can free payloads or slide data of its own along. Takes time in the order of
    /// the memory in use and the length of the table.
    pub fn reroot(&mut self, root: u32, mut moved: impl FnMut(u32, u32, Option<u32>)) -> Option<u32> {
        mark_reachable(self, root)?;
        number_marked(self);
        for index in self.indices() {
            let Some(node) = self.node(index) else { break };
            moved(node.payload, index, Some(node.link).filter(|&to| to != NONE));
        }
        let root = self.link(root);
        slide_numbered(self);
        Some(root)
    }

    /// Whether a node was marked by the last [`mark_reachable`].
    pub fn is_marked(&self, node: u32) -> bool {
        self.link(node) != NONE
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

    fn unmark(&mut self) {
        for node in self.nodes.iter_mut().take(self.used.nodes) {
            node.link = NONE;
        }
    }

    fn link(&self, node: u32) -> u32 {
        self.node(node).map_or(NONE, |node| node.link)
    }

    fn set_link(&mut self, node: u32, link: u32) {
        if let Some(node) = self.node_mut(node) {
            node.link = link;
        }
    }

    fn number(&mut self) {
        let stripe: Stripe = self.stripe;
        let marked = self.nodes.iter_mut().take(self.used.nodes).filter(|node| node.link != NONE);
        for (place, node) in marked.enumerate() {
            node.link = stripe.index(place).unwrap_or(NONE);
        }
    }

    /// Moves numbered nodes and their edges to the front.
    fn slide(&mut self) {
        let kept_edges = self.slide_edges();
        let mut kept_nodes = 0;
        for place in 0..self.used.nodes {
            let Some(node) = self.nodes.get(place).copied() else { break };
            if node.link == NONE {
                continue;
            }
            if let Some(slot) = self.nodes.get_mut(kept_nodes) {
                *slot = Node { newest: NONE, edges: 0, link: NONE, ..node };
                kept_nodes += 1;
            }
        }
        self.used = TreeUsage { nodes: kept_nodes, edges: kept_edges };
        self.relink();
        self.rebuild_table();
    }

    /// Slides the edges of nodes that stay to the front, with the new indices of these nodes. Returns how many stay.
    fn slide_edges(&mut self) -> usize {
        let mut kept = 0;
        for index in 0..self.used.edges {
            let Some(mut edge) = self.edges.get(index).copied() else { break };
            edge.owner = self.link(edge.owner);
            if edge.owner == NONE {
                continue;
            }
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
        for place in 0..self.used.nodes {
            let Some(key) = self.nodes.get(place).map(|node| node.key) else { break };
            if let Err(slot) = self.probe(key) {
                self.register(slot, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::collections::BTreeMap;
    use std::vec;
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::search::tree::Edge;

    /// A tree in stripes.
    struct Striped<'m>(Vec<Tree<'m, u32>>);

    impl<'m> Stripes<'m, u32> for Striped<'m> {
        fn count(&self) -> u32 {
            self.0.len() as u32
        }

        fn stripe_of(&self, node: u32) -> Option<&Tree<'m, u32>> {
            self.0.get(node as usize & (self.0.len() - 1))
        }

        fn stripe_of_mut(&mut self, node: u32) -> Option<&mut Tree<'m, u32>> {
            let place = node as usize & (self.0.len() - 1);
            self.0.get_mut(place)
        }
    }

    /// Node of a key.
    fn node<'m>(tree: &impl Stripes<'m, u32>, key: u64) -> Option<u32> {
        tree.stripe_of(key as u32)?.find(key)
    }

    fn add(tree: &mut impl Stripes<'static, u32>, key: u64) -> u32 {
        tree.stripe_of_mut(key as u32).unwrap().node_of(key).unwrap().0
    }

    /// Lets the edge with this payload, of the node with one key, lead to the node with another.
    fn lead(tree: &mut impl Stripes<'static, u32>, (owner, name): (u64, u32), to: u64) {
        let child = add(tree, to);
        let owner = node(tree, owner).unwrap();
        let tree = tree.stripe_of_mut(owner).unwrap();
        let edge = tree.edges(owner).find(|(_, edge)| edge.payload == name).unwrap().0;
        tree.set_child(edge, child);
    }

    /// Payloads of edges, and the keys that they lead to.
    type Turns = Vec<(u32, Option<u64>)>;

    /// By the key of each node its payload and its edges.
    fn told<'m>(tree: &impl Stripes<'m, u32>) -> BTreeMap<u64, (u32, Turns)> {
        let mut all = BTreeMap::new();
        for number in 0..tree.count() {
            let stripe = tree.stripe_of(number).unwrap();
            let mut edges = 0;
            for index in stripe.indices() {
                let key = stripe.key(index);
                assert_eq!((node(tree, key), key as u32 % tree.count()), (Some(index), number));
                let to = |child: u32| tree.stripe_of(child).unwrap().node(child).unwrap().key;
                let turn = |(_, edge): (u32, &Edge<u32>)| {
                    assert_eq!(edge.owner, index);
                    (edge.payload, edge.child().map(to))
                };
                let turns: Turns = stripe.edges(index).map(turn).collect();
                edges += turns.len();
                assert_eq!(all.insert(key, (stripe.payload(index), turns)), None);
            }
            assert_eq!(edges, stripe.edge_count());
        }
        all
    }

    fn tree(stripe: Stripe) -> Tree<'static, u32> {
        let (nodes, edges) = (vec![Node::EMPTY; 60].leak(), vec![Edge::vacant(0); 200].leak());
        Tree::new(nodes, edges, vec![0; 120].leak()).as_stripe(stripe)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn stripes_are_one_tree(
            steps in prop::collection::vec((0..10_u8, any::<usize>(), 0..50_u64), 1..120),
            bits in 0..3_u32,
        ) {
            let count = 1 << bits;
            let mut whole = tree(Stripe::WHOLE);
            let mut striped = Striped((0..count).map(|number| tree(Stripe::new(number, count).unwrap())).collect());
            add(&mut whole, 7);
            add(&mut striped, 7);
            for (name, (kind, place, key)) in steps.into_iter().enumerate() {
                let known = told(&whole);
                let &owner = known.keys().nth(place % known.len()).unwrap();
                let [in_whole, in_striped] = [node(&whole, owner), node(&striped, owner)].map(Option::unwrap);
                let stripe = striped.stripe_of_mut(in_striped).unwrap();
                match kind {
                    0..5 => {
                        whole.add_edge(in_whole, name as u32).unwrap();
                        stripe.add_edge(in_striped, name as u32).unwrap();
                        whole.set_payload(in_whole, name as u32);
                        stripe.set_payload(in_striped, name as u32);
                    }
                    5..9 => {
                        if let Some(&(turn, _)) = known[&owner].1.first() {
                            lead(&mut whole, (owner, turn), key);
                            lead(&mut striped, (owner, turn), key);
                        }
                    }
                    _ => {
                        let root = whole.reroot(in_whole, |_, _, _| ()).unwrap();
                        mark_reachable(&mut striped, in_striped).unwrap();
                        let moved = slide_marked(&mut striped, in_striped).unwrap();
                        prop_assert_eq!(whole.key(root), owner);
                        prop_assert_eq!(striped.stripe_of(moved).unwrap().key(moved), owner);
                    }
                }
                prop_assert_eq!(told(&striped), told(&whole));
            }
        }
    }

    #[test]
    fn a_stripe_holds_no_key_of_another() {
        let mut odd = tree(Stripe::new(1, 2).unwrap());
        assert_eq!(odd.node_of(4), None);
        let (node, new) = odd.node_of(5).unwrap();
        assert_eq!((node, new, odd.find(5), odd.node(0).is_none()), (1, true, Some(1), true));
        let edge = odd.add_edge(node, 0).unwrap();
        // Of a node elsewhere it knows nothing; one of its own must be there.
        odd.set_child(edge, 6);
        assert_eq!(odd.child(edge), Some(6));
        odd.set_child(edge, 9);
        assert_eq!(odd.child(edge), Some(6));
        assert_eq!(mark_reachable(&mut Striped(vec![tree(Stripe::WHOLE)]), 3), None);
    }
}
