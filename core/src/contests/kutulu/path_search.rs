//! The referee's path search (rules §5): uniform cost, and the older entry first among equal costs.
//!
//! Steps cost 1 or 5, so the queue is six buckets by cost (R. Dial, "Algorithm 360", 1969), each first in, first out:
//! entries leave in the order of cost, then insertion. One search serves all goals, since the path to a square is fixed
//! as soon as the square is closed.

use super::Direction;
use super::map::{Cell, CellSet, MAX_CELLS};

/// Cost of a step onto a lit square.
const LIT_COST: u16 = 5;

/// Buckets of the queue: costs of entries that wait differ by at most [`LIT_COST`].
const BUCKETS: usize = LIT_COST as usize + 1;

/// Most entries of a search: the start, and four for each square closed.
const ENTRIES: usize = 4 * MAX_CELLS + 1;

const NO_ENTRY: u16 = u16::MAX;

/// The cheapest paths from one square to all others, by cost and first step.
pub(super) struct ShortestPaths {
    /// Cost of the path to each square, [`u16::MAX`] where no path leads.
    cost: [u16; 256],
    first: [Option<Direction>; 256],
}

impl ShortestPaths {
    /// Cost of the path to a square, and its first step unless the square is the start. `None` when there is no path.
    pub(super) const fn to(&self, cell: Cell) -> Option<(u16, Option<Direction>)> {
        match self.cost[cell.index()] {
            u16::MAX => None,
            cost => Some((cost, self.first[cell.index()])),
        }
    }
}

/// A square that waits to be closed, and the first step of the path to it.
#[derive(Clone, Copy)]
struct Entry {
    cell: Cell,
    first: Option<Direction>,
    /// The next entry of the same bucket, or [`NO_ENTRY`].
    next: u16,
}

/// A bucket queue: entries by cost modulo [`BUCKETS`], first in, first out within a bucket.
struct Queue {
    entries: [Entry; ENTRIES],
    used: usize,
    heads: [u16; BUCKETS],
    tails: [u16; BUCKETS],
}

impl Queue {
    fn new(start: Cell) -> Queue {
        let entry = Entry { cell: start, first: None, next: NO_ENTRY };
        let (heads, tails) = ([NO_ENTRY; BUCKETS], [NO_ENTRY; BUCKETS]);
        let mut queue = Queue { entries: [entry; ENTRIES], used: 0, heads, tails };
        queue.push(0, entry);
        queue
    }

    fn push(&mut self, cost: u16, entry: Entry) {
        let (bucket, number) = (cost as usize % BUCKETS, self.used as u16);
        let Some(slot) = self.entries.get_mut(self.used) else { return };
        *slot = entry;
        self.used += 1;
        match self.entries.get_mut(self.tails[bucket] as usize) {
            Some(last) if self.heads[bucket] != NO_ENTRY => last.next = number,
            _ => self.heads[bucket] = number,
        }
        self.tails[bucket] = number;
    }

    fn pop(&mut self, cost: u16) -> Option<Entry> {
        let head = &mut self.heads[cost as usize % BUCKETS];
        let entry = *self.entries.get(*head as usize)?;
        *head = entry.next;
        Some(entry)
    }
}

/// Finds the cheapest paths from a square to all others, as the referee does. `next` is the walkable square one step
/// away; directions are tried from [`Direction::nth`] of `offset` on.
pub(super) fn search_paths(
    next: impl Fn(Cell, Direction) -> Option<Cell>,
    lit: &CellSet,
    from: Cell,
    offset: usize,
) -> ShortestPaths {
    let mut paths = ShortestPaths { cost: [u16::MAX; 256], first: [None; 256] };
    let mut queue = Queue::new(from);
    let (mut cost, mut empty_buckets) = (0, 0);
    while empty_buckets < BUCKETS {
        let Some(entry) = queue.pop(cost) else {
            cost += 1;
            empty_buckets += 1;
            continue;
        };
        empty_buckets = 0;
        let number = entry.cell.index();
        if paths.cost[number] != u16::MAX {
            continue;
        }
        paths.cost[number] = cost;
        paths.first[number] = entry.first;
        for turn in 0..4 {
            let direction = Direction::nth(turn + offset);
            let Some(cell) = next(entry.cell, direction) else { continue };
            if paths.cost[cell.index()] == u16::MAX {
                let step_cost = if lit.has(cell) { LIT_COST } else { 1 };
                let first = entry.first.or(Some(direction));
                queue.push(cost + step_cost, Entry { cell, first, next: NO_ENTRY });
            }
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::{MapTables, POOL_SIZE, pool_map};
    use super::*;
    use crate::rng::Rng;
    use std::vec::Vec;

    /// The search as rules §5 describes it: one list, sorted stably, one goal.
    fn slow(
        tables: &MapTables,
        lit: &CellSet,
        from: Cell,
        to: Cell,
        offset: usize,
    ) -> Option<(u16, Option<Cell>)> {
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
                let next = tables.map().next(cell, Direction::nth(turn + offset));
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
            let tables = MapTables::new(&pool_map(index).unwrap());
            let count = tables.map().cell_count() as u32;
            let mut any = || Cell::new(rng.below(count) as usize).unwrap();
            for round in 0..12 {
                let mut lit = CellSet::EMPTY;
                for _ in 0..round % 3 {
                    let center = any();
                    let ball = |cell: &Cell| tables.distance(center, *cell).is_some_and(|steps| steps <= 5);
                    tables.map().cells().filter(ball).for_each(|cell| lit.add(cell));
                }
                let (from, to) = (any(), any());
                let paths = search_paths(|cell, direction| tables.next(cell, direction), &lit, from, round);
                let fast = paths.to(to).map(|(cost, first)| {
                    (cost, first.map(|direction| tables.next(from, direction).unwrap()))
                });
                assert_eq!(fast, slow(&tables, &lit, from, to, round), "{index} {from:?} {to:?} {round}");
                if lit.is_empty() {
                    let first = tables.first_step(from, to, round);
                    assert_eq!(first, paths.to(to).and_then(|way| way.1));
                }
            }
        }
    }
}
