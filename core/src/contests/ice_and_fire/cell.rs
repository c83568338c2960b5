//! Cells of the board and sets of cells (rules §1).
//!
//! A row takes 16 bits of which 12 are used, so four rows fill a word and three words hold the board. The four unused
//! columns catch what a shift to the left or right pushes over an edge, and shifting by a row is shifting by 16.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

/// Columns, and rows, of the board.
pub const SIZE: u8 = 12;

/// Number of slots that a table indexed by [`Cell::index`] needs.
pub const SLOTS: usize = 16 * SIZE as usize;

/// Number of cells on the board.
pub const CELLS: usize = SIZE as usize * SIZE as usize;

/// A cell, stored as `16 * y + x` with both below 12. Cells are ordered by row, then column, as the rules number
/// them; the default is (0,0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cell(u8);

/// The direction of a step to an orthogonal neighbour; y grows downwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// y - 1
    Up,
    /// x + 1
    Right,
    /// y + 1
    Down,
    /// x - 1
    Left,
}

impl Direction {
    /// All directions in the order of rules §1.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];
}

impl Cell {
    /// The cell in column `x` and row `y`, if both are below 12.
    pub const fn at(x: u8, y: u8) -> Option<Cell> {
        if x < SIZE && y < SIZE { Some(Cell(y << 4 | x)) } else { None }
    }

    /// The cell in the first column of the first row.
    pub const TOP_LEFT: Cell = Cell(0);

    /// The cell with this [`index`](Cell::index), if there is one.
    pub const fn new(index: u8) -> Option<Cell> {
        Cell::at(index & 15, index >> 4)
    }

    /// Every cell, row by row.
    pub fn all() -> impl Iterator<Item = Cell> {
        CellSet::BOARD.iter()
    }

    /// The column, 0..12.
    pub const fn x(self) -> u8 {
        self.0 & 15
    }

    /// The row, 0..12.
    pub const fn y(self) -> u8 {
        self.0 >> 4
    }

    /// Index of the cell in tables of [`SLOTS`] entries.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell's image under a rotation of the board by 180 degrees.
    pub const fn rotated(self) -> Cell {
        Cell((SIZE - 1 - self.y()) << 4 | (SIZE - 1 - self.x()))
    }

    /// The neighbour in a direction, void or not; `None` at the edge.
    pub const fn step(self, direction: Direction) -> Option<Cell> {
        let (x, y) = (self.x(), self.y());
        match direction {
            Direction::Up => Cell::at(x, y.wrapping_sub(1)),
            Direction::Right => Cell::at(x + 1, y),
            Direction::Down => Cell::at(x, y + 1),
            Direction::Left => Cell::at(x.wrapping_sub(1), y),
        }
    }

    /// Manhattan distance to another cell.
    pub const fn distance(self, other: Cell) -> u8 {
        self.x().abs_diff(other.x()) + self.y().abs_diff(other.y())
    }

    /// The set that holds just this cell.
    pub const fn to_set(self) -> CellSet {
        let mut words = [0; 3];
        words[(self.0 >> 6) as usize] = 1 << (self.0 & 63);
        CellSet(words)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x(), self.y())
    }
}

/// A set of cells; bits that stand for no cell are always clear.
///
/// ```
/// use barrow_core::contests::ice_and_fire::{Cell, CellSet};
/// let corner = Cell::at(0, 0).unwrap();
/// let beside = corner.to_set().neighbours();
/// assert!(beside.iter().eq([Cell::at(1, 0).unwrap(), Cell::at(0, 1).unwrap()]));
/// assert_eq!(corner.to_set().flood(CellSet::BOARD), CellSet::BOARD);
/// assert_eq!((CellSet::BOARD - beside).len(), 142);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellSet([u64; 3]);

/// Columns 0 to 11 of four rows.
const COLUMNS: u64 = 0x0fff_0fff_0fff_0fff;

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet([0; 3]);
    /// All 144 cells.
    pub const BOARD: CellSet = CellSet([COLUMNS; 3]);

    /// Whether the set holds no cell.
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Number of cells.
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// Whether the set contains a cell.
    pub const fn contains(self, cell: Cell) -> bool {
        self.0[(cell.0 >> 6) as usize] >> (cell.0 & 63) & 1 == 1
    }

    /// Whether two sets have a cell in common.
    pub fn intersects(self, other: CellSet) -> bool {
        !(self & other).is_empty()
    }

    /// Whether all cells of this set are in the other.
    pub fn is_subset(self, other: CellSet) -> bool {
        (self - other).is_empty()
    }

    /// Adds a cell to the set.
    pub const fn insert(&mut self, cell: Cell) {
        self.0[(cell.0 >> 6) as usize] |= 1 << (cell.0 & 63);
    }

    /// Removes a cell from the set.
    pub const fn remove(&mut self, cell: Cell) {
        self.0[(cell.0 >> 6) as usize] &= !(1 << (cell.0 & 63));
    }

    /// The first cell of the set, row by row; `None` for the empty set.
    pub const fn first(self) -> Option<Cell> {
        let mut word = 0;
        while word < 3 {
            if self.0[word] != 0 {
                return Some(Cell((word as u8) << 6 | self.0[word].trailing_zeros() as u8));
            }
            word += 1;
        }
        None
    }

    /// The cells of the set, row by row.
    pub fn iter(self) -> Cells {
        Cells(self)
    }

    /// The union of the neighbours of the set's cells. A cell of the set belongs to it only as a neighbour of another.
    pub const fn neighbours(self) -> CellSet {
        let [a, b, c] = self.0;
        CellSet([
            (a << 1 | a >> 1 | a << 16 | a >> 16 | b << 48) & COLUMNS,
            (b << 1 | b >> 1 | b << 16 | b >> 16 | a >> 48 | c << 48) & COLUMNS,
            (c << 1 | c >> 1 | c << 16 | c >> 16 | b >> 48) & COLUMNS,
        ])
    }

    /// Flood fill: the cells of `passable` connected within `passable` to a cell of this set.
    pub fn flood(self, passable: CellSet) -> CellSet {
        let mut reached = self & passable;
        loop {
            let wider = reached | (reached.neighbours() & passable);
            let wider = wider | (wider.neighbours() & passable);
            if wider == reached {
                return reached;
            }
            reached = wider;
        }
    }
}

/// Iterator over the cells of a set, row by row.
#[derive(Clone, Debug)]
pub struct Cells(CellSet);

impl Iterator for Cells {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = self.0.first()?;
        self.0.remove(cell);
        Some(cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Cells {}

impl core::iter::FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        cells.into_iter().fold(CellSet::EMPTY, |mut set, cell| {
            set.insert(cell);
            set
        })
    }
}

macro_rules! word_by_word {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, |$a:ident, $b:ident| $word:expr) => {
        impl $trait for CellSet {
            type Output = CellSet;

            fn $method(self, other: CellSet) -> CellSet {
                CellSet(core::array::from_fn(|word| {
                    let ($a, $b) = (self.0[word], other.0[word]);
                    $word
                }))
            }
        }

        impl $assign for CellSet {
            fn $assign_method(&mut self, other: CellSet) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

word_by_word!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
word_by_word!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
word_by_word!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl Not for CellSet {
    type Output = CellSet;

    fn not(self) -> CellSet {
        CellSet::BOARD - self
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn sets() -> impl Strategy<Value = CellSet> {
        any::<[u64; 3]>().prop_map(|words| CellSet(words.map(|word| word & COLUMNS)))
    }

    #[test]
    fn cells_are_where_their_coordinates_say() {
        let all: Vec<Cell> = Cell::all().collect();
        assert_eq!(all.len(), CELLS);
        assert!(all.is_sorted());
        for &cell in &all {
            assert_eq!(Cell::at(cell.x(), cell.y()), Some(cell));
            assert_eq!(Cell::new(cell.index() as u8), Some(cell));
            assert_eq!(cell.rotated().rotated(), cell);
            let beside: CellSet = Direction::ALL.into_iter().filter_map(|way| cell.step(way)).collect();
            assert_eq!(cell.to_set().neighbours(), beside);
            assert!(beside.iter().all(|other| other.distance(cell) == 1));
        }
        assert_eq!(
            (Cell::at(12, 0), Cell::at(0, 12), Cell::new(12), Cell::new(192)),
            (None, None, None, None)
        );
        assert_eq!(Cell::at(0, 0).unwrap().rotated(), Cell::at(11, 11).unwrap());
    }

    proptest! {
        #[test]
        fn a_flood_equals_a_walk(passable in sets(), also in sets(), start in sets()) {
            // Two random sets together leave mazes of some size.
            let passable = passable | also;
            let start = Cells(start).take(2).collect::<CellSet>();
            let mut reached = start & passable;
            let mut waiting: Vec<Cell> = reached.iter().collect();
            while let Some(cell) = waiting.pop() {
                for next in Direction::ALL.into_iter().filter_map(|way| cell.step(way)) {
                    if passable.contains(next) && !reached.contains(next) {
                        reached.insert(next);
                        waiting.push(next);
                    }
                }
            }
            prop_assert_eq!(start.flood(passable), reached);
        }

        #[test]
        fn sets_obey_their_algebra(a in sets(), b in sets()) {
            prop_assert_eq!(a - b, a & !b);
            prop_assert_eq!((a | b).len() + (a & b).len(), a.len() + b.len());
            prop_assert_eq!(a.is_subset(b), a & b == a);
            prop_assert_eq!(a.intersects(b), a.iter().any(|cell| b.contains(cell)));
            prop_assert_eq!(a.iter().collect::<CellSet>(), a);
            prop_assert_eq!(a.iter().len(), a.iter().count());
            let slow: CellSet = a.iter().fold(CellSet::EMPTY, |set, cell| set | cell.to_set().neighbours());
            prop_assert_eq!(a.neighbours(), slow);
        }
    }
}
