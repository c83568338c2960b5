//! The referee's path search (rules §5): uniform cost, and among equal costs the entry that is older.
//!
//! Costs of a step are 1 or 5, so entries wait in six rows by cost, each first in, first out: that is the order of
//! (cost, insertion number). One search finds the ways to all squares, since a path is fixed by the moment its goal
//! is closed.

use super::map::MAX_CELLS;
use super::{Cell, CellSet, Direction, Maze};

/// What entering a lit square costs.
const LIT_COST: u16 = 5;

/// Rows of waiting entries: costs differ by at most [`LIT_COST`].
const ROWS: usize = LIT_COST as usize + 1;

/// The start, and at most four entries for each square closed.
const ENTRIES: usize = 4 * MAX_CELLS + 1;

const NO_ENTRY: u16 = u16::MAX;

/// Ways from one square to all others.
pub(super) struct Walk {
    /// Cost of the way to each square, [`u16::MAX`] without a way.
    cost: [u16; 256],
    first: [Option<Direction>; 256],
}

impl Walk {
    /// No ways.
    pub(super) const fn new() -> Walk {
        Walk { cost: [u16::MAX; 256], first: [None; 256] }
    }

    /// Cost of the way to a square and its first step, if it has one. `None` when there is no way.
    pub(super) const fn to(&self, cell: Cell) -> Option<(u16, Option<Direction>)> {
        match self.cost[cell.index()] {
            u16::MAX => None,
            cost => Some((cost, self.first[cell.index()])),
        }
    }
}

/// A square to be looked at, and how the way to it began.
#[derive(Clone, Copy)]
struct Entry {
    cell: Cell,
    first: Option<Direction>,
    /// The entry behind it in its row.
    behind: u16,
}

/// Rows of entries by cost modulo [`ROWS`].
struct Queue {
    entries: [Entry; ENTRIES],
    used: usize,
    heads: [u16; ROWS],
    tails: [u16; ROWS],
}

impl Queue {
    fn new(start: Cell) -> Queue {
        let entry = Entry { cell: start, first: None, behind: NO_ENTRY };
        let mut queue =
            Queue { entries: [entry; ENTRIES], used: 0, heads: [NO_ENTRY; ROWS], tails: [NO_ENTRY; ROWS] };
        queue.push(0, entry);
        queue
    }

    fn push(&mut self, cost: u16, entry: Entry) {
        let (row, number) = (cost as usize % ROWS, self.used as u16);
        let Some(slot) = self.entries.get_mut(self.used) else { return };
        *slot = entry;
        self.used += 1;
        match self.entries.get_mut(self.tails[row] as usize) {
            Some(last) if self.heads[row] != NO_ENTRY => last.behind = number,
            _ => self.heads[row] = number,
        }
        self.tails[row] = number;
    }

    fn pop(&mut self, cost: u16) -> Option<Entry> {
        let head = &mut self.heads[cost as usize % ROWS];
        let entry = *self.entries.get(*head as usize)?;
        *head = entry.behind;
        Some(entry)
    }
}

/// Finds the ways from a square to all others. Directions are tried from the one whose place is `offset` mod 4.
pub(super) fn explore(maze: &Maze, lit: &CellSet, from: Cell, offset: usize, walk: &mut Walk) {
    let mut queue = Queue::new(from);
    let (mut cost, mut empty_rows) = (0, 0);
    while empty_rows < ROWS {
        let Some(entry) = queue.pop(cost) else {
            cost += 1;
            empty_rows += 1;
            continue;
        };
        empty_rows = 0;
        let number = entry.cell.index();
        if walk.cost[number] != u16::MAX {
            continue;
        }
        walk.cost[number] = cost;
        walk.first[number] = entry.first;
        for turn in 0..4 {
            let direction = Direction::nth(turn + offset);
            let Some(cell) = maze.next(entry.cell, direction) else { continue };
            if walk.cost[cell.index()] == u16::MAX {
                let price = if lit.has(cell) { LIT_COST } else { 1 };
                let first = entry.first.or(Some(direction));
                queue.push(cost + price, Entry { cell, first, behind: NO_ENTRY });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::{POOL_SIZE, pool_map};
    use super::*;
    use crate::rng::Rng;
    use std::vec::Vec;

    /// The search as the rules tell it: one list, sorted stably, one goal.
    fn slow(maze: &Maze, lit: &CellSet, from: Cell, to: Cell, offset: usize) -> Option<(u16, Option<Cell>)> {
        let mut list: Vec<(u16, Cell, Option<Cell>)> = std::vec![(0, from, None)];
        let mut closed: Vec<(Cell, Option<Cell>)> = Vec::new();
        while !list.is_empty() {
            list.sort_by_key(|entry| entry.0);
            let (cost, cell, before) = list.remove(0);
            if cell == to {
                let mut way = std::vec![cell];
                let mut before = before;
                while let Some(cell) = before {
                    way.push(cell);
                    before = closed.iter().find(|entry| entry.0 == cell)?.1;
                }
                return Some((cost, way.iter().rev().nth(1).copied()));
            }
            if closed.iter().any(|entry| entry.0 == cell) {
                continue;
            }
            closed.push((cell, before));
            for turn in 0..4 {
                let next = maze.map().next(cell, Direction::nth(turn + offset));
                if let Some(next) = next.filter(|next| closed.iter().all(|entry| entry.0 != *next)) {
                    list.push((cost + if lit.has(next) { 5 } else { 1 }, next, Some(cell)));
                }
            }
        }
        None
    }

    #[test]
    fn kutulu_rule_5_the_fast_search_is_the_slow_one() {
        let mut rng = Rng::new(3);
        for index in 0..POOL_SIZE {
            let maze = Maze::new(&pool_map(index).unwrap());
            let count = maze.map().cell_count() as u32;
            let mut any = || Cell::new(rng.below(count) as usize).unwrap();
            for round in 0..12 {
                let mut lit = CellSet::EMPTY;
                for _ in 0..round % 3 {
                    let center = any();
                    let ball = |cell: &Cell| maze.distance(center, *cell).is_some_and(|steps| steps <= 5);
                    maze.map().cells().filter(ball).for_each(|cell| lit.add(cell));
                }
                let (from, to) = (any(), any());
                let mut walk = Walk::new();
                explore(&maze, &lit, from, round, &mut walk);
                let fast = walk
                    .to(to)
                    .map(|(cost, first)| (cost, first.map(|direction| maze.next(from, direction).unwrap())));
                assert_eq!(fast, slow(&maze, &lit, from, to, round), "{index} {from:?} {to:?} {round}");
                if lit.is_empty() {
                    let first = maze.first_step(from, to, round);
                    assert_eq!(first, walk.to(to).and_then(|way| way.1));
                }
            }
        }
    }
}
