extern crate std;

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::vec;
use std::vec::Vec;

use super::*;
use crate::search::value::EVEN;

/// A position of the slow tree: statistics, payload, and turns in the order in which they were added.
#[derive(Clone, PartialEq, Debug)]
struct Position {
    stats: Stats,
    payload: u32,
    turns: Vec<Turn>,
}

#[derive(Clone, PartialEq, Debug)]
struct Turn {
    name: u32,
    stats: Stats,
    to: Option<u64>,
}

/// The slow tree: positions by key.
type Slow = BTreeMap<u64, Position>;

fn dump(tree: &Tree<'_, u32>) -> Slow {
    let mut slow = Slow::new();
    for index in 0..tree.node_count() as u32 {
        let node = tree.node(index).unwrap();
        assert_eq!(tree.find(node.key()), Some(index));
        let turn = |(_, edge): (u32, &Edge<u32>)| {
            assert_eq!(edge.owner(), index);
            Turn { name: edge.payload, stats: edge.stats, to: edge.child().map(|child| tree.key(child)) }
        };
        let mut turns: Vec<Turn> = tree.edges(index).map(turn).collect();
        turns.reverse();
        assert_eq!(turns.len(), node.edge_count());
        let position = Position { stats: node.stats, payload: node.payload, turns };
        assert_eq!(slow.insert(node.key(), position), None);
    }
    assert_eq!(slow.values().map(|position| position.turns.len()).sum::<usize>(), tree.edge_count());
    slow
}

fn keep_below(slow: &mut Slow, root: u64) {
    let mut reached = BTreeSet::from([root]);
    let mut todo = vec![root];
    while let Some(key) = todo.pop() {
        let next = slow[&key].turns.iter().filter_map(|turn| turn.to);
        todo.extend(next.filter(|&key| reached.insert(key)));
    }
    slow.retain(|key, _| reached.contains(key));
}

#[derive(Clone, Debug)]
enum Step {
    /// Adds a turn to some node.
    Grow(usize),
    /// Lets some edge lead to a key.
    Lead(usize, u64),
    /// Counts a value on a way down from some node, always by the edge added last.
    Visit(usize, i32, u32),
    /// Makes some node the root.
    Reroot(usize),
    /// Makes some node a leaf, and frees what hung on it alone.
    Clip(usize),
    /// Puts the tree away and takes it up again.
    Resume,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => any::<usize>().prop_map(Step::Grow),
        8 => (any::<usize>(), 0..40_u64).prop_map(|(edge, key)| Step::Lead(edge, key)),
        4 => (any::<usize>(), 0..=CERTAIN, 1..=16_u32).prop_map(|(node, value, weight)| Step::Visit(node, value, weight)),
        1 => any::<usize>().prop_map(Step::Reroot),
        1 => any::<usize>().prop_map(Step::Clip),
        1 => Just(Step::Resume),
    ]
}

/// The way down from a node by the edges added last, at most ten of them.
fn way_down(tree: &Tree<'_, u32>, root: u32) -> Vec<u32> {
    let mut path = Vec::new();
    let mut node = Some(root);
    while let Some(edge) = node.and_then(|node| tree.edges(node).next()).filter(|_| path.len() < 10) {
        path.push(edge.0);
        node = edge.1.child();
    }
    path
}

fn visit(slow: &mut Slow, root: u64, value: i32, weight: u32) {
    let mut way = Vec::new();
    let mut end = Some(root);
    while let Some(key) = end.filter(|key| way.len() < 10 && !slow[key].turns.is_empty()) {
        way.push(key);
        end = slow[&key].turns.last().unwrap().to;
    }
    if let Some(end) = end {
        slow.get_mut(&end).unwrap().stats.add(value, weight);
    }
    let mut value = value;
    for key in way.iter().rev() {
        value = CERTAIN - value;
        let position = slow.get_mut(key).unwrap();
        position.stats.add(value, weight);
        position.turns.last_mut().unwrap().stats.add(value, weight);
    }
}

proptest! {
    #[test]
    fn the_tree_does_what_a_map_of_positions_does(steps in prop::collection::vec(step(), 1..150)) {
        let (mut nodes, mut edges, mut table) = (vec![Node::EMPTY; 50], vec![Edge::vacant(0); 200], vec![9; 100]);
        let mut tree = Tree::new(&mut nodes, &mut edges, &mut table);
        tree.node_of(1000).unwrap();
        let mut slow = Slow::from([(1000, Position { stats: Stats::EMPTY, payload: NONE, turns: Vec::new() })]);
        // Data of the caller that lies parallel to the nodes: their keys.
        let mut beside = vec![1000];
        for (name, step) in steps.into_iter().enumerate() {
            let name = name as u32;
            match step {
                Step::Grow(node) => {
                    let node = (node % tree.node_count()) as u32;
                    let edge = tree.add_edge(node, name).unwrap();
                    prop_assert_eq!(tree.child(edge), None);
                    let turn = Turn { name, stats: Stats::EMPTY, to: None };
                    slow.get_mut(&tree.key(node)).unwrap().turns.push(turn);
                }
                Step::Lead(edge, key) => {
                    let Some(edge) = edge.checked_rem(tree.edge_count()) else { continue };
                    let (child, new) = tree.node_of(key).unwrap();
                    prop_assert_eq!(new, !slow.contains_key(&key));
                    if new {
                        tree.set_payload(child, name);
                        beside.push(key);
                        slow.insert(key, Position { stats: Stats::EMPTY, payload: name, turns: Vec::new() });
                    }
                    tree.set_child(edge as u32, child);
                    let edge = *tree.edge(edge as u32).unwrap();
                    let turns = &mut slow.get_mut(&tree.key(edge.owner())).unwrap().turns;
                    turns.iter_mut().find(|turn| turn.name == edge.payload).unwrap().to = Some(key);
                }
                Step::Visit(node, value, weight) => {
                    let node = (node % tree.node_count()) as u32;
                    let path = way_down(&tree, node);
                    tree.back_up(node, &path, value, weight);
                    visit(&mut slow, tree.key(node), value, weight);
                }
                Step::Reroot(node) | Step::Clip(node) => {
                    let mut node = (node % tree.node_count()) as u32;
                    if matches!(step, Step::Clip(_)) {
                        let position = slow.get_mut(&tree.key(node)).unwrap();
                        (position.payload, position.turns) = (NONE, Vec::new());
                        tree.clip(node);
                        node = 0;
                    }
                    let key = tree.key(node);
                    let mut left = Vec::new();
                    let root = tree.reroot(node, |payload, from, to| match to {
                        Some(to) => beside[to as usize] = beside[from as usize],
                        None => left.push(payload),
                    });
                    prop_assert_eq!(root.map(|root| tree.key(root)), Some(key));
                    beside.truncate(tree.node_count());
                    let mut before: Vec<u32> = slow.values().map(|position| position.payload).collect();
                    keep_below(&mut slow, key);
                    left.extend(slow.values().map(|position| position.payload));
                    before.sort_unstable();
                    left.sort_unstable();
                    prop_assert_eq!(before, left);
                }
                Step::Resume => {
                    let usage = tree.usage();
                    let Tree { nodes, edges, table, .. } = tree;
                    tree = Tree::resume(nodes, edges, table, usage);
                }
            }
            let keys: Vec<u64> = (0..tree.node_count() as u32).map(|node| tree.key(node)).collect();
            prop_assert_eq!(&keys, &beside);
        }
        prop_assert_eq!(dump(&tree), slow);
        tree.clear();
        prop_assert_eq!((tree.find(1000), dump(&tree).len()), (None, 0));
    }

    #[test]
    fn a_full_tree_stops_growing(
        lens in [0..6_usize, 0..6, 0..9],
        steps in prop::collection::vec((any::<u8>(), 0..9_u32, 0..9_u32), 1..80),
    ) {
        let (mut nodes, mut edges) = (vec![Node::EMPTY; lens[0]], vec![Edge::vacant(()); lens[1]]);
        let mut table = vec![7; lens[2]];
        let mut tree = Tree::new(&mut nodes, &mut edges, &mut table);
        for (step, node, edge) in steps {
            let before = (tree.node_count(), tree.edge_count());
            let room = (before.0 < lens[0], before.1 < lens[1]);
            match step % 8 {
                0..=2 => {
                    let known = tree.find(u64::from(node));
                    let found = tree.node_of(u64::from(node));
                    prop_assert_eq!(found.is_some(), known.is_some() || room.0);
                    prop_assert_eq!(found.map(|found| found.1), found.map(|_| known.is_none()));
                }
                3 | 4 => {
                    let added = tree.add_edge(node, ());
                    prop_assert_eq!(added.is_some(), room.1 && (node as usize) < before.0);
                }
                5 => tree.set_child(edge, node),
                6 => tree.back_up(node, &[edge, node, NONE], i32::MAX, 99),
                _ => {
                    let kept = tree.reroot(node, |_, _, _| ()).is_some();
                    prop_assert_eq!(kept, (node as usize) < before.0);
                }
            }
            prop_assert!(tree.node_count() <= lens[0] && tree.edge_count() <= lens[1]);
            let full = tree.node_count() == lens[0] || tree.edge_count() == lens[1];
            prop_assert_eq!((tree.fullness() == 1000, tree.has_room(1)), (full, !full));
            let listed: usize = (0..tree.node_count() as u32).map(|node| tree.edges(node).count()).sum();
            prop_assert_eq!(listed, tree.edge_count());
            if lens[2] == 0 {
                prop_assert_eq!(tree.find(u64::from(node)), None);
            }
        }
    }

    #[test]
    fn strange_memory_is_no_danger(fill in [0..60_usize, 0..60], root in 0..40_u32, junk in any::<[u32; 16]>()) {
        let (mut nodes, mut edges, mut table) = (vec![Node::EMPTY; 40], vec![Edge::vacant(()); 40], junk.to_vec());
        for (index, &value) in junk.iter().enumerate() {
            nodes[index] = Node { key: 5, newest: value % 50, edges: (value % 99) as u16, link: value, ..Node::EMPTY };
            edges[index * 2] = Edge { owner: value % 50, child: value % 45, next: value % 41, ..Edge::vacant(()) };
        }
        let usage = TreeUsage { nodes: fill[0], edges: fill[1] };
        let mut tree = Tree::resume(&mut nodes, &mut edges, &mut table, usage);
        tree.best_by_visits(root);
        let kept = tree.reroot(root, |_, _, _| ());
        prop_assert_eq!(kept.is_some(), (root as usize) < usage.nodes.min(40));
        tree.node_of(5);
        tree.add_edge(0, ());
    }
}

#[test]
fn records_are_small() {
    assert_eq!((size_of::<Node>(), size_of::<Edge<()>>(), size_of::<Edge<u32>>()), (48, 40, 48));
}

#[test]
fn a_crowded_table_loses_little() {
    let (mut nodes, mut edges, mut table) =
        (vec![Node::EMPTY; 1000], vec![Edge::vacant(()); 1], vec![0; 2000]);
    let mut tree = Tree::new(&mut nodes, &mut edges, &mut table);
    for key in 0..1000 {
        assert_eq!(tree.node_of(key << 50 | key), Some((key as u32, true)));
    }
    assert!((0..1000).all(|key| tree.find(key << 50 | key) == Some(key as u32)));
    assert_eq!((tree.node_of(1), tree.fullness()), (None, 1000));
    let mut short = vec![0; 900];
    let mut tree = Tree::new(&mut nodes, &mut edges, &mut short);
    for key in 0..1000 {
        assert_eq!(tree.node_of(key), Some((key as u32, true)));
    }
    let found = (0..1000).filter(|&key| tree.find(key) == Some(key as u32)).count();
    assert!((800..=900).contains(&found), "{found}");
}

#[test]
fn edges_are_chosen_by_each_rule() {
    let (mut nodes, mut edges) = (vec![Node::EMPTY; 4], vec![Edge::vacant(0_u32); 8]);
    let mut tree = Tree::new(&mut nodes, &mut edges, &mut []);
    let (root, _) = tree.node_of(0).unwrap();
    let none = Stats::EMPTY;
    assert_eq!((tree.best_by_visits(root), tree.best_by_lower(root, 16, &none)), (None, None));
    // Priors, visits, and wins among them.
    let mut turns =
        [(20_000, 60, 33), (30_000, 20, 12), (10_000, 20, 14), (5_000, 0, 0)].map(|(prior, visits, wins)| {
            let edge = tree.add_edge(root, prior).unwrap();
            for visit in 0..visits {
                tree.add(root, edge, if visit < wins { CERTAIN } else { 0 }, 16);
            }
            edge
        });
    let [steady, likely, lucky, unseen] = turns;
    assert_eq!((tree.stats(root).visits(), tree.edge_weight(root)), (100, 1600));
    assert_eq!(tree.best_by_visits(root), Some(steady));
    assert_eq!(tree.best_by_lower(root, 16, &Stats::prior(0, 0, 4)), Some(lucky));
    assert_eq!(tree.best_by_lower(root, 48, &Stats::prior(0, 0, 64)), Some(steady));
    assert_eq!(tree.best_by_upper(root, 32, &Stats::prior(EVEN, 0, 999)), Some(lucky));
    assert_eq!(tree.best_by_upper(root, 32, &none), Some(unseen));
    assert_eq!(tree.best_by_ucb1(root, 92_682), Some(unseen));
    assert_eq!(tree.best_by_puct(root, 0, 0, |&share| share), Some(lucky));
    assert_eq!(tree.best_by_puct(root, 0, 65_536, |&share| share), Some(likely));
    assert_eq!(tree.best_by_puct(root, CERTAIN, 65_536, |&share| share), Some(unseen));
    tree.add(root, unseen, 0, 16);
    assert_eq!(tree.best_by_ucb1(root, 6_000), Some(lucky));
    // Of equals the one that was added first.
    assert_eq!(tree.best_by(root, |_, _| 3), Some(steady));
    turns.reverse();
    assert!(tree.edges(root).map(|edge| edge.0).eq(turns));
    let visited = tree.edge(lucky).unwrap().stats;
    tree.edge_mut(likely).unwrap().stats = visited;
    assert_eq!(tree.best_by_lower(root, 16, &none), Some(likely));
}

#[test]
fn equal_positions_share_a_node_but_not_their_visits() {
    let (mut nodes, mut edges, mut table) = (vec![Node::EMPTY; 4], vec![Edge::vacant(()); 8], vec![0; 8]);
    let mut tree = Tree::new(&mut nodes, &mut edges, &mut table);
    let [root, other] = [1, 2].map(|key| tree.node_of(key).unwrap().0);
    let [first, second] = [root, other].map(|node| tree.add_edge(node, ()).unwrap());
    for edge in [first, second] {
        let (child, _) = tree.node_of(3).unwrap();
        tree.set_child(edge, child);
    }
    assert_eq!(tree.child(first), tree.child(second));
    for _ in 0..3 {
        tree.back_up(root, &[first], 10_000, 16);
    }
    tree.back_up(other, &[second], 50_000, 16);
    let child = tree.child(first).unwrap();
    let visits = [first, second].map(|edge| tree.edge(edge).unwrap().stats.visits());
    assert_eq!((tree.stats(child).visits(), tree.stats(child).mean(), visits), (4, 20_000, [3, 1]));
    assert_eq!(tree.edge(first).unwrap().stats.mean(), CERTAIN - 10_000);
}
