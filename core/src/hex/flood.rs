//! Floods and shortest paths over a board on which some hexes are closed.

use heapless::Vec;

use super::point::Hex;
use super::set::HexSet;
use super::tables::{self, MAX_DISTANCE};

/// Hexes of a [`Path`] at most, its start included: enough to cross the empty board from corner to corner.
pub const MAX_PATH_HEXES: usize = MAX_DISTANCE as usize + 1;

/// The hexes of a path in order, start and goal included.
pub type Path = Vec<Hex, MAX_PATH_HEXES>;

/// All hexes that a path of at most `steps` steps leads to when every hex after `start` must be `passable`.
/// The start is always in the result.
///
/// ```
/// use barrow_core::hex::{Hex, HexSet, flood};
/// let [a0, b0, a1] = ["a0", "b0", "a1"].map(|name| Hex::named(name).unwrap());
/// // The corner a0 has two neighbours. With both closed there is no way out.
/// assert_eq!(flood(a0, 9, !HexSet::from_iter([b0, a1])), a0.to_set());
/// assert_eq!(flood(a0, 1, !b0.to_set()), HexSet::from_iter([a0, a1]));
/// ```
pub const fn flood(start: Hex, steps: u8, passable: HexSet) -> HexSet {
    if steps == 0 {
        return start.to_set();
    }
    // The first step is in a table, and most pieces make few more.
    let open = passable.with(start);
    let mut reached = HexSet::from_bits(tables::ball(start, 1).bits() & open.bits());
    let mut step = 1;
    while step < steps {
        let next = reached.grown_within(open);
        if next.bits() == reached.bits() {
            break;
        }
        reached = next;
        step += 1;
    }
    reached
}

/// Number of steps of a shortest path to the goal, if one of at most `steps` steps exists. As in [`flood`],
/// every hex after the start, so also the goal, must be `passable`; the start itself is 0 steps away.
pub const fn shortest(start: Hex, goal: Hex, steps: u8, passable: HexSet) -> Option<u8> {
    let mut reached = start.to_set();
    let mut step = 0;
    while !reached.contains(goal) {
        let next = HexSet::from_bits(reached.bits() | reached.grown().bits() & passable.bits());
        if step == steps || next.bits() == reached.bits() {
            return None;
        }
        reached = next;
        step += 1;
    }
    Some(step)
}

/// A shortest path from start to goal, both included, if one of at most `steps` steps exists; among several the
/// one that a breadth-first search finds first when it looks at neighbours in the order of the rules (§2).
///
/// Paths longer than [`MAX_DISTANCE`] steps are not found, whatever `steps` says; no unit walks that far.
///
/// ```
/// use barrow_core::hex::{Hex, HexSet, shortest_path};
/// let [c2, d2, c4] = ["c2", "d2", "c4"].map(|name| Hex::named(name).unwrap());
/// let path = shortest_path(c2, c4, 5, !HexSet::single(Hex::named("c3").unwrap())).unwrap();
/// assert_eq!(path.as_slice(), ["c2", "d2", "d3", "c4"].map(|name| Hex::named(name).unwrap()));
/// assert_eq!(shortest_path(c2, d2, 0, HexSet::ALL), None);
/// ```
pub fn shortest_path(start: Hex, goal: Hex, steps: u8, passable: HexSet) -> Option<Path> {
    // A breadth-first search prefers, at every step from the start, the first direction that still leads to the
    // goal in time. So it is enough to know how far every hex is from the goal.
    let length = shortest(start, goal, steps.min(MAX_DISTANCE), passable)?;
    let mut near_goal = [HexSet::EMPTY; MAX_PATH_HEXES];
    let mut layer = goal.to_set();
    for set in &mut near_goal {
        *set = layer;
        layer |= layer.grown() & passable;
    }
    let mut path = Path::new();
    let mut here = start;
    path.push(here).ok()?;
    for left in (0..usize::from(length)).rev() {
        let closer = *near_goal.get(left)? & passable;
        here = *here.neighbours().iter().find(|&&hex| closer.contains(hex))?;
        path.push(here).ok()?;
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;
    use std::vec::Vec as List;

    /// Breadth-first search with a queue: for every hex that is reached, the path to it.
    fn paths(start: Hex, passable: HexSet) -> [Option<List<Hex>>; Hex::COUNT] {
        let mut paths = [const { None }; Hex::COUNT];
        paths[start.index()] = Some(List::from([start]));
        let mut queue = VecDeque::from([start]);
        while let Some(hex) = queue.pop_front() {
            for &next in hex.neighbours() {
                if passable.contains(next) && paths[next.index()].is_none() {
                    let mut path = paths[hex.index()].clone().unwrap();
                    path.push(next);
                    paths[next.index()] = Some(path);
                    queue.push_back(next);
                }
            }
        }
        paths
    }

    fn check(start: Hex, steps: u8, passable: HexSet) {
        let paths = paths(start, passable);
        let reached = flood(start, steps, passable);
        for goal in Hex::all() {
            let path = paths[goal.index()].as_ref().filter(|path| path.len() <= usize::from(steps) + 1);
            assert_eq!(reached.contains(goal), path.is_some(), "{start}-{goal}");
            let length = shortest(start, goal, steps, passable);
            assert_eq!(length, path.map(|path| path.len() as u8 - 1), "{start}-{goal}");
            let path = path.filter(|path| path.len() <= MAX_PATH_HEXES);
            let found = shortest_path(start, goal, steps, passable);
            assert_eq!(found.as_deref(), path.map(List::as_slice), "{start}-{goal}");
        }
    }

    #[test]
    fn an_open_board_is_flooded_in_balls() {
        for start in Hex::all() {
            for steps in 0..=MAX_DISTANCE {
                assert_eq!(flood(start, steps, HexSet::ALL), HexSet::ball(start, steps));
            }
            check(start, u8::MAX, HexSet::ALL);
            check(start, 3, HexSet::EMPTY);
        }
    }

    #[test]
    fn a_path_longer_than_the_list_is_not_found() {
        // Every other row closed except at one end, alternating: a serpentine of forty steps.
        let open = Hex::all().filter(|hex| match hex.y() % 4 {
            1 => hex.x() == 9,
            3 => hex.x() == 0,
            _ => true,
        });
        let open: HexSet = open.collect();
        let [start, goal] = ["a0", "a8"].map(|name| Hex::named(name).unwrap());
        assert!(shortest(start, goal, u8::MAX, open).is_some_and(|length| length == 40));
        assert_eq!(shortest_path(start, goal, u8::MAX, open), None);
        check(start, u8::MAX, open);
    }

    proptest! {
        #[test]
        fn floods_and_paths_equal_breadth_first_search(
            index in 0..Hex::COUNT,
            steps in 0..24_u8,
            a in any::<u128>(),
            b in any::<u128>(),
        ) {
            check(Hex::wrapped(index), steps, HexSet::from_bits(a | b));
            check(Hex::wrapped(index), steps, HexSet::from_bits(a));
        }
    }
}
