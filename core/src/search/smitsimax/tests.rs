//! The search on small games whose answers are known.

extern crate std;
use super::*;
use std::vec;
use std::vec::Vec;

/// A leader and a follower call a number each. The leader gains most by 2 whatever the other calls, the follower by
/// calling the same.
struct Leader;

impl Simultaneous<2> for Leader {
    type World = Option<[i32; 2]>;
    type Action = i32;

    fn acts(&self, world: &Self::World, _: usize) -> bool {
        world.is_none()
    }

    fn actions(&self, _: &Self::World, _: usize, add: &mut dyn FnMut(i32)) {
        (0..5).for_each(add);
    }

    fn play(&self, world: &mut Self::World, actions: &[Option<i32>; 2]) {
        *world = Some(actions.map(|action| action.unwrap()));
    }

    fn score(&self, _: &Self::World, end: &Self::World, player: usize) -> i32 {
        let [leader, follower] = end.unwrap();
        if player == 0 { follower - 10 * (leader - 2).abs() } else { -10 * (leader - follower).abs() }
    }
}

/// Two walkers on a road of nine squares, at its ends, want to pass; in the middle there is a bay for one of them.
/// Whoever enters the other's square or changes places with it is hurt. The second one is in no hurry.
struct Lane;

/// Squares 0 to 8; 9 is the bay, beside 4.
type Places = [i8; 2];

impl Simultaneous<2> for Lane {
    /// Places and hurts.
    type World = (Places, [i32; 2]);
    type Action = i8;

    fn acts(&self, _: &Self::World, _: usize) -> bool {
        true
    }

    fn actions(&self, world: &Self::World, player: usize, add: &mut dyn FnMut(i8)) {
        let at = world.0[player];
        let all: &[i8] = match at {
            9 => &[9, 4],
            4 => &[4, 3, 5, 9],
            _ => &[at, at - 1, at + 1],
        };
        all.iter().filter(|to| (0..=9).contains(*to)).for_each(|&to| add(to));
    }

    fn play(&self, world: &mut Self::World, actions: &[Option<i8>; 2]) {
        let before = world.0;
        let after = [0, 1].map(|player| actions[player].unwrap_or(before[player]));
        if after[0] == after[1] || after[0] == before[1] && after[1] == before[0] {
            world.1 = world.1.map(|hurt| hurt + 8);
        } else {
            world.0 = after;
        }
    }

    fn score(&self, _: &Self::World, end: &Self::World, player: usize) -> i32 {
        let goals = if player == 0 { [5, 6, 7, 8] } else { [3, 2, 1, 0] };
        let progress =
            goals.iter().position(|&goal| goal == end.0[player]).map_or(0, |place| place as i32 + 1);
        let weight = if player == 0 { 10 } else { 2 };
        progress * weight - end.1[player]
    }
}

fn search<G, const P: usize>(
    game: &G,
    root: &G::World,
    memory: usize,
    depth: usize,
    simulations: u32,
) -> [Option<Choice<G::Action>>; P]
where
    G: Simultaneous<P>,
    G::Action: core::fmt::Debug + PartialEq,
{
    let mut nodes = vec![Node::EMPTY; memory];
    let mut trees = SmitsiMax::new(&mut nodes, Settings::default(), 5);
    trees.run(game, root, depth, simulations);
    let mut best = [None; P];
    for (player, best) in best.iter_mut().enumerate() {
        *best = trees.best(player);
        let visits: u32 = trees.choices(player).map(|choice| choice.visits).sum();
        assert!(visits == simulations || best.is_none());
    }
    best
}

#[test]
fn the_follower_follows() {
    let best = search(&Leader, &None, 16, 1, 2000);
    assert_eq!(best.map(|choice| choice.unwrap().action), [2, 2]);
    assert!(best.iter().all(|choice| choice.unwrap().visits > 1000), "{best:?}");
}

#[test]
fn walkers_do_not_run_into_each_other() {
    for start in [[2, 4], [3, 5], [0, 8], [4, 5]] {
        let mut world = (start, [0, 0]);
        for _ in 0..6 {
            let best = search(&Lane, &world, 1 << 14, 4, 4000);
            Lane.play(&mut world, &best.map(|choice| Some(choice.unwrap().action)));
        }
        assert_eq!(world.1, [0, 0], "{start:?}");
        assert_ne!(world.0, start);
    }
}

#[test]
fn the_same_seed_finds_the_same() {
    let root = ([2, 4], [0, 0]);
    let once = search(&Lane, &root, 4096, 4, 3000);
    assert_eq!(once, search(&Lane, &root, 4096, 4, 3000));
}

#[test]
fn running_in_pieces_is_running_at_once() {
    let root = ([2, 4], [0, 0]);
    let mut runs: Vec<Vec<Choice<i8>>> = Vec::new();
    for piece in [1, 30, 600] {
        let mut nodes = vec![Node::EMPTY; 4096];
        let mut trees = SmitsiMax::<_, 2>::new(&mut nodes, Settings::default(), 5);
        for _ in 0..600 / piece {
            trees.run(&Lane, &root, 3, piece);
        }
        runs.push(trees.choices(0).chain(trees.choices(1)).collect());
    }
    assert!(runs[0] == runs[1] && runs[1] == runs[2]);
}

#[test]
fn the_line_is_the_most_visited_one() {
    let mut nodes = vec![Node::EMPTY; 1 << 14];
    let mut trees = SmitsiMax::<_, 2>::new(&mut nodes, Settings::default(), 5);
    assert!(trees.line(0).next().is_none());
    trees.run(&Lane, &([2, 4], [0, 0]), 4, 4000);
    for player in 0..2 {
        let line: Vec<Choice<i8>> = trees.line(player).collect();
        assert_eq!(line.len(), 4);
        assert!(line.windows(2).all(|pair| pair[0].visits >= pair[1].visits));
        let most = trees.choices(player).map(|choice| choice.visits).max();
        assert_eq!(most, line.first().map(|choice| choice.visits));
    }
    assert!(trees.line(2).next().is_none());
}

#[test]
fn little_memory_is_no_error() {
    let root = ([2, 4], [0, 0]);
    for memory in 0..40 {
        let mut nodes = vec![Node::EMPTY; memory];
        let mut trees = SmitsiMax::<_, 2>::new(&mut nodes, Settings::default(), 5);
        trees.run(&Lane, &root, 40, 200);
        assert!(trees.is_full() && trees.node_count() <= memory);
        assert_eq!(trees.best(0).is_some(), memory >= 5, "{memory}");
        assert!(trees.best(7).is_none() && trees.choices(2).count() == 0);
    }
}

/// Nobody may do anything.
struct Stillness;

impl Simultaneous<1> for Stillness {
    type World = ();
    type Action = u8;

    fn acts(&self, (): &(), _: usize) -> bool {
        true
    }

    fn actions(&self, (): &(), _: usize, _: &mut dyn FnMut(u8)) {}

    fn play(&self, (): &mut (), actions: &[Option<u8>; 1]) {
        assert_eq!(actions, &[None]);
    }

    fn score(&self, (): &(), (): &(), _: usize) -> i32 {
        i32::MAX
    }
}

#[test]
fn a_player_without_actions_has_no_choice() {
    assert_eq!(search(&Stillness, &(), 8, 3, 50), [None]);
}

#[test]
fn nodes_are_small() {
    assert_eq!((size_of::<Node<u8>>(), size_of::<Node<[u8; 2]>>()), (24, 24));
}

/// Game of one player, who calls one of 400 numbers and scores as much.
struct Numbers;

impl Simultaneous<1> for Numbers {
    type World = i32;
    type Action = u16;

    fn acts(&self, _: &i32, _: usize) -> bool {
        true
    }

    fn actions(&self, _: &i32, _: usize, add: &mut dyn FnMut(u16)) {
        (0..400).for_each(add);
    }

    fn play(&self, world: &mut i32, actions: &[Option<u16>; 1]) {
        *world = actions[0].map_or(0, i32::from);
    }

    fn score(&self, _: &i32, end: &i32, _: usize) -> i32 {
        *end
    }
}

#[test]
fn hundreds_of_actions_are_no_trouble() {
    let mut nodes = vec![Node::EMPTY; 401];
    let mut search = SmitsiMax::<_, 1>::new(&mut nodes, Settings::default(), 1);
    search.run(&Numbers, &0, 1, 4_000);
    assert_eq!((search.best(0).map(|best| best.action), search.is_full()), (Some(399), false));
    assert_eq!(search.choices(0).count(), 400);
}
