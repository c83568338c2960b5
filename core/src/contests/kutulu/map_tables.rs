//! Tables computed once per map: distances, first steps, lines of sight, neighbours, numbers of walks (rules §12.1).
//!
//! [`MapTables`] takes 147 KiB whatever the map, and lies wherever the caller puts it.

use super::path_search::search_paths;
use super::{Cell, CellSet, Direction, Map};

/// Number of walk lengths that are counted: 0..=7.
pub const BRANCH_DEPTHS: usize = 8;

/// Rows of the tables: one for each byte, though numbers of squares are below 255.
const ROWS: usize = 256;

/// The table entry for no square and for no path.
const NONE: u8 = u8::MAX;

/// A map with its tables.
#[derive(Clone, Debug)]
pub struct MapTables {
    map: Map,
    /// Steps from a to b; 255 where no path leads.
    dist: [[u8; ROWS]; ROWS],
    /// First steps from a to b: two bits for each of four offsets, the place of the direction in the rules' order.
    step: [[u8; ROWS]; ROWS],
    /// Squares in the same row or column with only floor between.
    sight: [CellSet; ROWS],
    /// The square one step away in each direction, or 255.
    next: [[u8; 4]; ROWS],
    /// Sequences of waits and steps by length.
    branch: [[u32; BRANCH_DEPTHS]; ROWS],
}

impl MapTables {
    /// Empty tables: a value for static memory before [`MapTables::load`].
    // Static memory is initialised with this value; hosts put it on the heap.
    #[allow(clippy::large_stack_arrays)]
    pub fn empty() -> MapTables {
        MapTables {
            map: Map::default(),
            dist: [[NONE; ROWS]; ROWS],
            step: [[0; ROWS]; ROWS],
            sight: [CellSet::EMPTY; ROWS],
            next: [[NONE; 4]; ROWS],
            branch: [[0; BRANCH_DEPTHS]; ROWS],
        }
    }

    /// The tables of a map.
    pub fn new(map: &Map) -> MapTables {
        let mut tables = MapTables::empty();
        tables.load(map);
        tables
    }

    /// Replaces the map and computes its tables.
    pub fn load(&mut self, map: &Map) {
        self.map = *map;
        self.dist.as_flattened_mut().fill(NONE);
        self.step.as_flattened_mut().fill(0);
        self.sight.fill(CellSet::EMPTY);
        self.next.as_flattened_mut().fill(NONE);
        self.branch.as_flattened_mut().fill(0);
        for cell in map.cells() {
            for direction in Direction::ALL {
                let next = map.next(cell, direction);
                self.next[cell.index()][direction.index()] = next.map_or(NONE, Cell::byte);
            }
            self.sight[cell.index()] = seen_from(map, cell);
        }
        self.count_walks();
        for from in map.cells() {
            for offset in 0..4 {
                self.fill_steps(from, offset);
            }
        }
    }

    fn count_walks(&mut self) {
        for depth in 0..BRANCH_DEPTHS {
            for cell in self.map.cells() {
                let shorter = |cell: Cell| match depth {
                    0 => 1,
                    depth => self.branch[cell.index()][depth - 1],
                };
                let steps =
                    if depth == 0 { 0 } else { self.neighbours(cell).map(|(_, to)| shorter(to)).sum() };
                self.branch[cell.index()][depth] = shorter(cell) + steps;
            }
        }
    }

    fn fill_steps(&mut self, from: Cell, offset: usize) {
        let paths = search_paths(|cell, direction| self.next(cell, direction), &CellSet::EMPTY, from, offset);
        for to in self.map.cells() {
            if let Some((cost, first)) = paths.to(to) {
                self.dist[from.index()][to.index()] = cost as u8;
                let place = first.map_or(0, Direction::index) as u8;
                self.step[from.index()][to.index()] |= place << (2 * offset);
            }
        }
    }

    /// The map.
    pub const fn map(&self) -> &Map {
        &self.map
    }

    /// Steps from one square to another; `None` where no path leads.
    pub const fn distance(&self, from: Cell, to: Cell) -> Option<u8> {
        match self.dist[from.index()][to.index()] {
            NONE => None,
            steps => Some(steps),
        }
    }

    /// Steps from one square to another; 255 where no path leads.
    pub(super) const fn distance_byte(&self, from: Cell, to: Cell) -> u8 {
        self.dist[from.index()][to.index()]
    }

    /// The first step of the referee's path when nothing is lit (rules §5). `offset` counts modulo 4: 0 for the
    /// explorers' MOVE, the turn's number for minions. `None` where no path leads, and from a square
    /// to itself.
    pub const fn first_step(&self, from: Cell, to: Cell, offset: usize) -> Option<Direction> {
        match self.dist[from.index()][to.index()] {
            0 | NONE => None,
            _ => {
                let places = self.step[from.index()][to.index()] >> (2 * (offset & 3));
                Some(Direction::nth(places as usize))
            }
        }
    }

    /// Whether the two squares are in one row or column with only floor between, or equal.
    pub const fn sees(&self, from: Cell, to: Cell) -> bool {
        self.sight[from.index()].has(to)
    }

    /// The walkable square one step away.
    pub const fn next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        Cell::of_byte(self.next[cell.index()][direction.index()])
    }

    /// The walkable squares one step away, in the rules' order of directions.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = (Direction, Cell)> + '_ {
        let next = &self.next[cell.index()];
        let all = Direction::ALL.iter().zip(next);
        all.filter_map(|(&direction, &byte)| Cell::of_byte(byte).map(|cell| (direction, cell)))
    }

    /// Number of sequences of `depth` waits and steps that start on a square; depths above 7 count as 7.
    pub fn branch(&self, cell: Cell, depth: usize) -> u32 {
        self.branch[cell.index()][depth.min(BRANCH_DEPTHS - 1)]
    }
}

/// The squares in sight of a square: the square itself, and all squares up to the next wall in each direction.
fn seen_from(map: &Map, cell: Cell) -> CellSet {
    let mut seen = CellSet::EMPTY;
    for direction in Direction::ALL {
        let mut at = Some(cell);
        while let Some(cell) = at {
            seen.add(cell);
            at = map.next(cell, direction);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::{POOL_SIZE, pool_map};
    use super::*;
    use std::vec::Vec;

    fn tables(index: usize) -> MapTables {
        MapTables::new(&pool_map(index).unwrap())
    }

    fn branches(index: usize, x: i16, y: i16) -> Vec<u32> {
        let tables = tables(index);
        let cell = tables.map().at(x, y).unwrap();
        assert_eq!(tables.map().starts()[0], cell);
        assert_eq!((tables.branch(cell, 0), tables.branch(cell, 99)), (1, tables.branch(cell, 7)));
        (1..=7).map(|depth| tables.branch(cell, depth)).collect()
    }

    #[test]
    fn kutulu_rule_12_1_branch_values() {
        assert_eq!(branches(9, 6, 7), [3, 10, 35, 124, 445, 1603, 5795]);
        assert_eq!(branches(1, 5, 5), [5, 17, 69, 257, 995, 3777, 14_444]);
        assert_eq!(branches(13, 3, 3), [3, 9, 27, 81, 245, 745, 2281]);
        assert_eq!(branches(5, 6, 1), [3, 10, 32, 103, 330, 1058, 3396]);
        let largest = |index| {
            let tables = tables(index);
            tables.map().cells().map(|cell| tables.branch(cell, 7)).max().unwrap()
        };
        let all: Vec<u32> = (0..POOL_SIZE).map(largest).collect();
        assert_eq!((all.iter().max(), all[3]), (Some(&26_422), 26_422));
    }

    #[test]
    fn kutulu_rule_12_1_steps_without_waiting() {
        let tables = tables(9);
        let walks = |cell, depth: u32| {
            let mut ends = std::vec![cell];
            for _ in 0..depth {
                let steps = ends.iter().flat_map(|&cell| tables.neighbours(cell).map(|(_, to)| to));
                ends = steps.collect();
            }
            ends.len()
        };
        let start = tables.map().at(6, 7).unwrap();
        assert_eq!([1, 2, 3, 4, 5, 6, 7].map(|depth| walks(start, depth)), [2, 5, 13, 33, 89, 226, 614]);
    }

    #[test]
    fn kutulu_rule_12_5_distances_between_starts() {
        let expected = [
            (0, [10, 10, 20, 20, 10, 10]),
            (4, [19, 11, 26, 26, 11, 19]),
            (5, [19, 19, 30, 30, 19, 19]),
            (7, [18, 17, 35, 35, 17, 18]),
            (8, [10, 10, 20, 20, 10, 10]),
            (10, [9, 15, 24, 24, 15, 9]),
            (13, [12, 12, 20, 20, 12, 12]),
            (14, [14, 14, 28, 28, 14, 14]),
        ];
        for index in 0..POOL_SIZE {
            let tables = tables(index);
            let starts = tables.map().starts();
            let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
            let between = pairs.map(|(a, b)| tables.distance(starts[a], starts[b]).unwrap());
            match expected.iter().find(|known| known.0 == index) {
                Some(known) => assert_eq!(between, known.1, "{index}"),
                None => assert!(between.iter().any(|&steps| steps <= 6), "{index}"),
            }
        }
    }

    /// Walks outwards step by step over the map's own squares.
    fn slow_distances(map: &Map, from: Cell) -> Vec<Option<u8>> {
        let mut steps = std::vec![None; map.cell_count()];
        steps[from.index()] = Some(0);
        for round in 0..=254 {
            for cell in map.cells().filter(|cell| steps[cell.index()] == Some(round)).collect::<Vec<_>>() {
                for next in Direction::ALL.iter().filter_map(|&direction| map.next(cell, direction)) {
                    let known = &mut steps[next.index()];
                    *known = known.or(Some(round + 1));
                }
            }
        }
        steps
    }

    #[test]
    fn tables_agree_with_their_definitions() {
        for index in 0..POOL_SIZE {
            let tables = tables(index);
            let map = tables.map();
            for from in map.cells() {
                let steps = slow_distances(map, from);
                for to in map.cells() {
                    let distance = tables.distance(from, to);
                    assert_eq!(distance, steps[to.index()]);
                    assert_eq!(tables.sees(from, to), straight(map, from, to));
                    for offset in 0..4 {
                        let step = tables.first_step(from, to, offset);
                        assert_eq!(step.is_some(), distance.is_some_and(|steps| steps > 0));
                        if let Some(step) = step {
                            let next = tables.next(from, step).unwrap();
                            assert_eq!(tables.distance(next, to), distance.map(|steps| steps - 1));
                        }
                    }
                }
            }
        }
    }

    fn straight(map: &Map, from: Cell, to: Cell) -> bool {
        let (a, b) = (map.point(from), map.point(to));
        let xs = a.x.min(b.x)..=a.x.max(b.x);
        let in_line = a.x == b.x || a.y == b.y;
        in_line && xs.into_iter().all(|x| (a.y.min(b.y)..=a.y.max(b.y)).all(|y| map.at(x, y).is_some()))
    }

    #[test]
    fn some_squares_cannot_be_reached() {
        for index in [0, 6, 10] {
            let tables = tables(index);
            let start = tables.map().starts()[0];
            assert!(tables.map().cells().any(|cell| tables.distance(start, cell).is_none()), "{index}");
        }
    }

    #[test]
    fn the_size_is_as_documented() {
        assert!((146 << 10..=147 << 10).contains(&size_of::<MapTables>()), "{}", size_of::<MapTables>());
    }
}
