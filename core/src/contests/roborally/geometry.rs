//! The four directions (rules §2) and cells of a board.

/// A direction: x grows east, y grows south.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Direction {
    /// (0, -1).
    #[default]
    North,
    /// (1, 0).
    East,
    /// (0, 1).
    South,
    /// (-1, 0).
    West,
}

impl Direction {
    /// All directions clockwise from north.
    pub const ALL: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];

    /// The direction of this many quarter turns clockwise from north, modulo four.
    pub const fn from_index(quarters: u8) -> Direction {
        match quarters & 3 {
            0 => Direction::North,
            1 => Direction::East,
            2 => Direction::South,
            _ => Direction::West,
        }
    }

    /// The direction after this many quarter turns clockwise.
    pub const fn turned(self, quarters: u8) -> Direction {
        Direction::from_index((self as u8).wrapping_add(quarters))
    }

    /// The opposite direction.
    pub const fn opposite(self) -> Direction {
        self.turned(2)
    }

    /// Letter of the direction: N, E, S or W.
    pub const fn letter(self) -> char {
        match self {
            Direction::North => 'N',
            Direction::East => 'E',
            Direction::South => 'S',
            Direction::West => 'W',
        }
    }

    /// The direction of a letter, upper or lower case.
    pub const fn from_letter(letter: char) -> Option<Direction> {
        match letter {
            'N' | 'n' => Some(Direction::North),
            'E' | 'e' => Some(Direction::East),
            'S' | 's' => Some(Direction::South),
            'W' | 'w' => Some(Direction::West),
            _ => None,
        }
    }
}

/// A cell, in a grid of 32 by 32 that has a border of one cell around every board: a robot that leaves the board
/// still stands on a cell. [`Cell::NOWHERE`] is a corner that no robot on the board can reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell(u16);

impl Cell {
    /// Number of cells of the grid, the length of tables by cell.
    pub const COUNT: usize = 1024;

    /// Mask of all bits of a cell.
    pub(super) const WHOLE: u16 = Cell::COUNT as u16 - 1;

    /// Mask of the bits in which the cells of a column agree.
    pub(super) const COLUMN: u16 = 31;

    /// Mask of the bits in which the cells of a row agree.
    pub(super) const ROW: u16 = Cell::WHOLE & !Cell::COLUMN;

    /// The cell of robots off the board.
    pub const NOWHERE: Cell = Cell(0);

    /// The cell at column `x` and row `y`, -1..=30 each; coordinates beyond wrap around.
    pub const fn new(x: i8, y: i8) -> Cell {
        let [x, y] = [x.wrapping_add(1) as u16 & 31, y.wrapping_add(1) as u16 & 31];
        Cell(y << 5 | x)
    }

    /// Column, counted from the west edge of the board; -1 is west of the board.
    pub const fn x(self) -> i8 {
        (self.0 & 31) as i8 - 1
    }

    /// Row, counted from the north edge of the board; -1 is north of the board.
    pub const fn y(self) -> i8 {
        (self.0 >> 5 & 31) as i8 - 1
    }

    /// Index of the cell in tables of [`Cell::COUNT`] entries.
    pub const fn index(self) -> usize {
        self.0 as usize & (Cell::COUNT - 1)
    }

    /// Index of the cell in ten bits.
    pub(super) const fn bits(self) -> u16 {
        self.0 & Cell::WHOLE
    }

    /// Steps in a direction to a cell of the same row or column; 0 or negative for a cell that does not lie ahead.
    pub(super) const fn ahead(self, direction: Direction, to: Cell) -> i16 {
        let distance = to.0 as i16 - self.0 as i16;
        let (shift, turned) = match direction {
            Direction::North => (5, true),
            Direction::East => (0, false),
            Direction::South => (5, false),
            Direction::West => (0, true),
        };
        (if turned { -distance } else { distance }) >> shift
    }

    /// The neighbour in a direction.
    pub const fn step(self, direction: Direction) -> Cell {
        const STEPS: [i16; 4] = [-32, 1, 32, -1];
        let delta = STEPS[direction as usize];
        Cell(self.0.wrapping_add_signed(delta) & (Cell::COUNT as u16 - 1))
    }

    /// Manhattan distance between two cells, walls ignored.
    pub const fn manhattan(self, other: Cell) -> u32 {
        (self.x().abs_diff(other.x()) + self.y().abs_diff(other.y())) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_turn_and_have_letters() {
        for direction in Direction::ALL {
            assert_eq!(direction.turned(4), direction);
            assert_eq!(direction.turned(1).turned(3), direction);
            assert_eq!(direction.opposite().opposite(), direction);
            assert_eq!(Direction::from_letter(direction.letter()), Some(direction));
        }
        assert_eq!(Direction::North.turned(1), Direction::East);
        assert_eq!(Direction::from_letter('?'), None);
    }

    #[test]
    fn cells_know_their_neighbours() {
        for (x, y) in [(0, 0), (11, 27), (23, 5), (-1, 3), (4, -1)] {
            let cell = Cell::new(x, y);
            assert_eq!((cell.x(), cell.y()), (x, y));
            assert_ne!(cell, Cell::NOWHERE);
            let walked = Direction::ALL.into_iter().fold(cell, Cell::step);
            assert_eq!(walked, cell);
        }
        let cell = Cell::new(3, 4);
        assert_eq!(cell.step(Direction::North), Cell::new(3, 3));
        assert_eq!(cell.step(Direction::East), Cell::new(4, 4));
        assert_eq!((cell.manhattan(Cell::new(0, 6)), cell.manhattan(cell)), (5, 0));
        let ahead = Direction::ALL.map(|way| cell.ahead(way, cell.step(way).step(way)));
        let behind = Direction::ALL.map(|way| cell.ahead(way.opposite(), cell.step(way)));
        assert_eq!((ahead, behind), ([2; 4], [-1; 4]));
    }
}
