//! Maps: which squares are walkable, and which of the walkable ones are marked (rules §1, §3).
//!
//! Walkable squares are numbered in reading order; all other files work with these numbers, which fit a byte.

use core::fmt;

use super::Direction;
use crate::list::List;

/// Most columns (rules §14).
pub const MAX_WIDTH: usize = 24;

/// Most rows (rules §14).
pub const MAX_HEIGHT: usize = 20;

/// Most walkable squares. The largest map of the pool has 232 (rules §14); with 255 numbers and distances fit a byte.
pub const MAX_CELLS: usize = 255;

/// Most spawn points, and most shelters (rules §10).
pub const MAX_MARKS: usize = 8;

/// Explorers in a game.
pub const EXPLORERS: usize = 4;

/// A walkable square, by its number in reading order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The square with this number; `None` if the number is too large for any map.
    pub const fn new(number: usize) -> Option<Cell> {
        if number < MAX_CELLS { Some(Cell(number as u8)) } else { None }
    }

    /// Number of the square, 0..=254.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Number of the square as a byte.
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    /// The square of a table's entry, where 255 stands for no square.
    pub(super) const fn of_byte(byte: u8) -> Option<Cell> {
        Cell::new(byte as usize)
    }
}

/// A set of walkable squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CellSet([u64; 4]);

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet([0; 4]);

    /// Whether the set contains a square.
    pub const fn has(&self, cell: Cell) -> bool {
        self.0[cell.index() >> 6] >> (cell.index() & 63) & 1 == 1
    }

    /// Adds a square.
    pub const fn add(&mut self, cell: Cell) {
        self.0[cell.index() >> 6] |= 1 << (cell.index() & 63);
    }

    /// Removes a square.
    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.index() >> 6] &= !(1 << (cell.index() & 63));
    }

    /// Whether the set is empty.
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }
}

/// Column and row of a square, from the upper left corner; y grows downwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Point {
    /// Column.
    pub x: i16,
    /// Row.
    pub y: i16,
}

impl Point {
    /// Manhattan distance between two squares, walls ignored.
    pub const fn manhattan(self, other: Point) -> i16 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }
}

/// Why rows of text are not a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapError {
    /// Width or height is 0 or more than [`MAX_WIDTH`] or [`MAX_HEIGHT`].
    Size,
    /// The row with this number, from 0, is missing or has another length.
    Row(usize),
    /// The row with this number has an unknown character.
    Character(usize),
    /// More than [`MAX_CELLS`] walkable squares.
    Cells,
    /// More than [`EXPLORERS`] starts, or more than [`MAX_MARKS`] spawn points or shelters.
    Marks,
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapError::Size => write!(f, "a map has 1 to {MAX_WIDTH} columns and 1 to {MAX_HEIGHT} rows"),
            MapError::Row(row) => write!(f, "row {row} of the map is missing or has a wrong length"),
            MapError::Character(row) => write!(f, "row {row} of the map has a character other than #.wUS"),
            MapError::Cells => write!(f, "more than {MAX_CELLS} walkable squares"),
            MapError::Marks => {
                write!(f, "more than {EXPLORERS} starts, {MAX_MARKS} spawn points or shelters")
            }
        }
    }
}

impl core::error::Error for MapError {}

/// A map: walls, walkable squares with their numbers, and marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Map {
    width: usize,
    height: usize,
    /// Number of the walkable square on each square, row by row with [`MAX_WIDTH`] columns; 255 is a wall.
    numbers: [u8; MAX_WIDTH * MAX_HEIGHT],
    points: List<Point, MAX_CELLS>,
    starts: List<Cell, EXPLORERS>,
    spawns: List<Cell, MAX_MARKS>,
    shelters: List<Cell, MAX_MARKS>,
}

/// A map of a single wall.
impl Default for Map {
    fn default() -> Map {
        Map {
            width: 1,
            height: 1,
            numbers: [u8::MAX; MAX_WIDTH * MAX_HEIGHT],
            points: List::new(),
            starts: List::new(),
            spawns: List::new(),
            shelters: List::new(),
        }
    }
}

impl Map {
    /// A map of walls only. Fails for a width or height out of bounds.
    pub(super) fn solid(width: usize, height: usize) -> Result<Map, MapError> {
        if width == 0 || width > MAX_WIDTH || height == 0 || height > MAX_HEIGHT {
            return Err(MapError::Size);
        }
        Ok(Map { width, height, ..Map::default() })
    }

    /// Parses rows of `#` wall, `.` floor, `w` wanderer spawn, `U` shelter, and `S` start, which the protocol shows as
    /// floor.
    ///
    /// ```
    /// use barrow_core::contests::kutulu::{Cell, Map};
    /// let map = Map::read(5, 3, ["#####", "#S.w#", "#####"].iter().copied()).unwrap();
    /// assert_eq!((map.cell_count(), map.at(2, 1), map.at(0, 0)), (3, Cell::new(1), None));
    /// assert_eq!(map.spawns(), [map.at(3, 1).unwrap()]);
    /// ```
    pub fn read<'a>(
        width: usize,
        height: usize,
        rows: impl Iterator<Item = &'a str>,
    ) -> Result<Map, MapError> {
        let mut map = Map::solid(width, height)?;
        let mut count = 0;
        for (y, row) in rows.take(height).enumerate() {
            if row.len() != width {
                return Err(MapError::Row(y));
            }
            for (x, mark) in row.bytes().enumerate() {
                map.put(x, y, mark)?;
            }
            count = y + 1;
        }
        if count == height { Ok(map) } else { Err(MapError::Row(count)) }
    }

    /// Adds the next square in reading order, by its character.
    pub(super) fn put(&mut self, x: usize, y: usize, mark: u8) -> Result<(), MapError> {
        if mark == b'#' {
            return Ok(());
        }
        let cell = Cell::new(self.points.len()).ok_or(MapError::Cells)?;
        self.points.push(Point { x: x as i16, y: y as i16 }).map_err(|_| MapError::Cells)?;
        self.numbers[y * MAX_WIDTH + x] = cell.byte();
        let marked = match mark {
            b'.' => Ok(()),
            b'S' => self.starts.push(cell),
            b'w' => self.spawns.push(cell),
            b'U' => self.shelters.push(cell),
            _ => return Err(MapError::Character(y)),
        };
        marked.map_err(|_| MapError::Marks)
    }

    /// Number of columns.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Number of walkable squares.
    pub fn cell_count(&self) -> usize {
        self.points.len()
    }

    /// All walkable squares in reading order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.points.len() as u8).map(Cell)
    }

    /// Start squares of the explorers, by id; empty for maps read from the protocol, which hides starts.
    pub fn starts(&self) -> &[Cell] {
        &self.starts
    }

    /// Spawn points of wanderers in reading order.
    pub fn spawns(&self) -> &[Cell] {
        &self.spawns
    }

    /// Shelters in reading order.
    pub fn shelters(&self) -> &[Cell] {
        &self.shelters
    }

    /// The walkable square in column `x` and row `y`; `None` for walls and beyond the map.
    pub fn at(&self, x: i16, y: i16) -> Option<Cell> {
        if x < 0 || y < 0 || x as usize >= self.width || y as usize >= self.height {
            return None;
        }
        Cell::of_byte(self.numbers[y as usize * MAX_WIDTH + x as usize])
    }

    /// Column and row of a square; (0, 0) for a number that this map does not have.
    pub fn point(&self, cell: Cell) -> Point {
        self.points.get(cell.index()).copied().unwrap_or_default()
    }

    /// The walkable square one step away; `None` for a wall.
    pub fn next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let (at, (x, y)) = (self.point(cell), direction.delta());
        self.at(at.x + x, at.y + y)
    }

    /// The character of a square in the rows of the protocol, where starts are floor.
    pub fn sent(&self, x: i16, y: i16) -> char {
        match self.at(x, y) {
            None => '#',
            Some(cell) if self.spawns.contains(&cell) => 'w',
            Some(cell) if self.shelters.contains(&cell) => 'U',
            Some(_) => '.',
        }
    }

    /// Whether the protocol shows both maps by the same rows.
    pub fn looks_like(&self, other: &Map) -> bool {
        self.width == other.width
            && self.height == other.height
            && self.numbers == other.numbers
            && self.spawns == other.spawns
            && self.shelters == other.shelters
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn bad_rows_are_refused() {
        let read = |width, height, rows: &[&'static str]| Map::read(width, height, rows.iter().copied());
        assert_eq!(read(0, 1, &[""]), Err(MapError::Size));
        assert_eq!(read(25, 1, &["........................."]), Err(MapError::Size));
        assert_eq!(read(2, 21, &[".."; 21]), Err(MapError::Size));
        assert_eq!(read(2, 2, &["..", "."]), Err(MapError::Row(1)));
        assert_eq!(read(2, 3, &["..", ".."]), Err(MapError::Row(2)));
        assert_eq!(read(2, 2, &["..", ".x"]), Err(MapError::Character(1)));
        assert_eq!(read(2, 1, &["é"]), Err(MapError::Character(0)));
        assert_eq!(read(24, 11, &["........................"; 11]), Err(MapError::Cells));
        assert_eq!(read(5, 1, &["SSSSS"]), Err(MapError::Marks));
        assert_eq!(read(9, 1, &["UUUUUUUUU"]), Err(MapError::Marks));
        assert!(MapError::Row(3).to_string().contains("row 3"));
    }

    #[test]
    fn squares_steps_and_marks() {
        let map = Map::read(4, 3, ["S.#.", "#w.U", "...S"].iter().copied()).unwrap();
        assert_eq!(map.cell_count(), 10);
        for cell in map.cells() {
            let Point { x, y } = map.point(cell);
            assert_eq!(map.at(x, y), Some(cell));
            for direction in Direction::ALL {
                let (dx, dy) = direction.delta();
                assert_eq!(map.next(cell, direction), map.at(x + dx, y + dy));
            }
        }
        assert_eq!([map.at(-1, 0), map.at(4, 0), map.at(0, 3), map.at(2, 0)], [None; 4]);
        assert_eq!(map.starts(), [map.at(0, 0).unwrap(), map.at(3, 2).unwrap()]);
        assert_eq!([0, 1, 2, 3].map(|x| map.sent(x, 1)), ['#', 'w', '.', 'U']);
        assert_eq!(map.sent(0, 0), '.');
        let other = Map::read(4, 3, ["..#.", "#w.U", "...."].iter().copied()).unwrap();
        assert!(map.looks_like(&other) && map != other);
        assert_eq!(Point { x: 1, y: 5 }.manhattan(Point { x: 3, y: 1 }), 6);
    }

    #[test]
    fn sets_of_squares() {
        let mut set = CellSet::EMPTY;
        let cells = [0, 63, 64, 254].map(|number| Cell::new(number).unwrap());
        for cell in cells {
            assert!(!set.has(cell));
            set.add(cell);
        }
        assert!(cells.iter().all(|&cell| set.has(cell)) && !set.is_empty());
        for cell in cells {
            set.remove(cell);
        }
        assert!(set.is_empty() && Cell::new(255).is_none());
    }
}
