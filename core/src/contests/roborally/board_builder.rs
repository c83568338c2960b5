//! Builder of boards: adds pieces one by one, checks them, and computes lines of sight and beams at the end.

use core::fmt;

use heapless::Vec;

use super::board::{Board, CellInfo, Dock, HEIGHT_CAP, Laser, Pusher, Terrain, WIDTH_CAP};
use super::geometry::{Cell, Direction};

/// Why a board is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardError {
    /// Width or height is zero or above [`WIDTH_CAP`] or [`HEIGHT_CAP`].
    Size,
    /// A piece lies outside the board.
    Outside,
    /// More flags, docks, lasers or pushers than there is room for.
    Capacity,
    /// Two flags, two docks or two pushers on one cell.
    Twice,
    /// A flag, a dock or a reboot token in a pit.
    InPit,
    /// A flag, a dock, a reboot token or an energy space on the antenna, where no robot stands (second edition).
    OnAntenna,
    /// A laser of strength 0 or above 9, or a pusher that never acts.
    Strength,
}

impl fmt::Display for BoardError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            BoardError::Size => "a board has 1 to 24 columns and 1 to 28 rows",
            BoardError::Outside => "that is outside the board",
            BoardError::Capacity => "too many of this kind",
            BoardError::Twice => "there is one on this cell already",
            BoardError::InPit => "a flag, a dock or a reboot token lies in a pit",
            BoardError::OnAntenna => "a checkpoint, dock, reboot token or energy space lies on the antenna",
            BoardError::Strength => "lasers have strength 1 to 9, pushers act in registers 1 to 5",
        })
    }
}

impl core::error::Error for BoardError {}

/// A board under construction.
#[derive(Clone, Debug)]
pub struct BoardBuilder {
    board: Board,
}

impl BoardBuilder {
    /// A board of plain floor.
    pub fn new(width: usize, height: usize) -> Result<BoardBuilder, BoardError> {
        if !(1..=WIDTH_CAP).contains(&width) || !(1..=HEIGHT_CAP).contains(&height) {
            return Err(BoardError::Size);
        }
        let mut board = Board {
            cells: [CellInfo::outside(); Cell::COUNT],
            sight: [[0; 4]; Cell::COUNT],
            beams: [0; Cell::COUNT],
            width: width as u8,
            height: height as u8,
            flags: Vec::new(),
            docks: Vec::new(),
            lasers: Vec::new(),
            pushers: Vec::new(),
        };
        for cell in board.cells() {
            board.cells[cell.index()] = CellInfo::default();
        }
        Ok(BoardBuilder { board })
    }

    /// Sets the terrain of a cell.
    pub fn terrain(&mut self, x: usize, y: usize, terrain: Terrain) -> Result<(), BoardError> {
        let cell = self.cell(x, y)?;
        self.board.cells[cell.index()].set_terrain(terrain);
        Ok(())
    }

    /// Adds a wall between a cell and its neighbour on a side.
    pub fn wall(&mut self, x: usize, y: usize, side: Direction) -> Result<(), BoardError> {
        let cell = self.cell(x, y)?;
        self.board.cells[cell.index()].set_wall(side);
        self.board.cells[cell.step(side).index()].set_wall(side.opposite());
        Ok(())
    }

    /// Adds a laser emitter of strength 1 to 9.
    pub fn laser(&mut self, x: usize, y: usize, way: Direction, strength: u8) -> Result<(), BoardError> {
        let cell = self.cell(x, y)?;
        if !(1..=9).contains(&strength) {
            return Err(BoardError::Strength);
        }
        let laser = Laser { cell, direction: way, strength };
        self.board.lasers.push(laser).map_err(|_| BoardError::Capacity)
    }

    /// Adds a pusher; bit r of `registers` stands for register r, counted from 0.
    pub fn pusher(&mut self, x: usize, y: usize, way: Direction, registers: u8) -> Result<(), BoardError> {
        let cell = self.cell(x, y)?;
        if !(1..32).contains(&registers) {
            return Err(BoardError::Strength);
        }
        let before = |pusher: &Pusher| pusher.cell < cell;
        let place = self.board.pushers.iter().position(|pusher| !before(pusher));
        let place = place.unwrap_or(self.board.pushers.len());
        if self.board.pushers.get(place).is_some_and(|pusher| pusher.cell == cell) {
            return Err(BoardError::Twice);
        }
        let pusher = Pusher { cell, direction: way, registers };
        self.board.pushers.insert(place, pusher).map_err(|_| BoardError::Capacity)
    }

    /// Adds the next flag, in the order in which robots must touch them.
    pub fn flag(&mut self, x: usize, y: usize) -> Result<(), BoardError> {
        let cell = self.cell(x, y)?;
        if self.board.flags.contains(&cell) {
            return Err(BoardError::Twice);
        }
        self.board.flags.push(cell).map_err(|_| BoardError::Capacity)
    }

    /// Adds the next dock, in the order of robots.
    pub fn dock(&mut self, x: usize, y: usize, facing: Direction) -> Result<(), BoardError> {
        let cell = self.cell(x, y)?;
        if self.board.docks.iter().any(|dock| dock.cell == cell) {
            return Err(BoardError::Twice);
        }
        self.board.docks.push(Dock { cell, facing }).map_err(|_| BoardError::Capacity)
    }

    /// Finishes the board: checks flags and docks, and computes lines of sight and beams.
    pub fn finish(mut self) -> Result<Board, BoardError> {
        let board = &mut self.board;
        // Boards compare equal whatever the order of their lasers.
        board.lasers.sort_unstable_by_key(|laser| (laser.cell, laser.direction as u8, laser.strength));
        let mut marked = board.flags.iter().chain(board.docks.iter().map(|dock| &dock.cell));
        if marked.any(|&cell| board.cells[cell.index()].is_pit()) {
            return Err(BoardError::InPit);
        }
        for (number, flag) in (1..).zip(&board.flags) {
            board.cells[flag.index()].set_flag(number);
        }
        for pusher in &board.pushers {
            board.cells[pusher.cell.index()].set_pusher(pusher.direction, pusher.registers);
        }
        for cell in board.cells() {
            board.sight[cell.index()] = Direction::ALL.map(|way| sight(board, cell, way));
        }
        for (number, laser) in board.lasers.iter().enumerate() {
            let mut cell = laser.cell;
            for _ in 0..=board.sight[cell.index()][laser.direction as usize] {
                board.beams[cell.index()] |= 1 << number;
                board.cells[cell.index()].set_lit();
                cell = cell.step(laser.direction);
            }
        }
        Ok(self.board)
    }

    fn cell(&self, x: usize, y: usize) -> Result<Cell, BoardError> {
        if x < self.board.width as usize && y < self.board.height as usize {
            Ok(Cell::new(x as i8, y as i8))
        } else {
            Err(BoardError::Outside)
        }
    }
}

/// Number of cells that a beam from a cell enters before a wall or the edge.
fn sight(board: &Board, mut cell: Cell, direction: Direction) -> u8 {
    let mut cells = 0;
    loop {
        let next = cell.step(direction);
        if !board.is_inside(next) || board.has_wall(cell, direction) {
            return cells;
        }
        cell = next;
        cells += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::roborally::board::{FLAG_CAP, Speed};

    #[test]
    fn bad_pieces_are_refused() {
        assert_eq!(BoardBuilder::new(0, 5).err(), Some(BoardError::Size));
        assert_eq!(BoardBuilder::new(5, 29).err(), Some(BoardError::Size));
        let mut plan = BoardBuilder::new(24, 28).expect("as large as may be");
        assert_eq!(plan.wall(24, 0, Direction::North), Err(BoardError::Outside));
        assert_eq!(plan.laser(0, 0, Direction::East, 0), Err(BoardError::Strength));
        assert_eq!(plan.pusher(0, 0, Direction::East, 32), Err(BoardError::Strength));
        assert_eq!(plan.pusher(0, 0, Direction::East, 1), Ok(()));
        assert_eq!(plan.pusher(0, 0, Direction::West, 1), Err(BoardError::Twice));
        assert_eq!(plan.dock(1, 1, Direction::East), Ok(()));
        assert_eq!(plan.dock(1, 1, Direction::West), Err(BoardError::Twice));
        assert_eq!(plan.flag(2, 2), Ok(()));
        assert_eq!(plan.flag(2, 2), Err(BoardError::Twice));
        for x in 1..FLAG_CAP {
            assert_eq!(plan.flag(x, 5), Ok(()));
        }
        assert_eq!(plan.flag(9, 5), Err(BoardError::Capacity));
        assert_eq!(plan.terrain(2, 2, Terrain::Pit), Ok(()));
        assert_eq!(plan.finish().err(), Some(BoardError::InPit));
    }

    #[test]
    fn walls_stop_sight_from_both_sides() {
        let mut plan = BoardBuilder::new(6, 2).expect("small");
        plan.wall(3, 0, Direction::West).expect("inside");
        plan.laser(0, 0, Direction::East, 1).expect("inside");
        plan.terrain(1, 0, Terrain::Belt(Direction::South, Speed::Express)).expect("inside");
        let board = plan.finish().expect("a board");
        let east = |x| board.sight(Cell::new(x, 0), Direction::East);
        assert_eq!([0, 2, 3, 5].map(east), [2, 0, 2, 0]);
        assert_eq!(board.sight(Cell::new(5, 0), Direction::West), 2);
        assert!(board.has_wall(Cell::new(2, 0), Direction::East));
        assert_eq!([0, 2, 3].map(|x| board.beams[Cell::new(x, 0).index()]), [1, 1, 0]);
        assert_eq!(board.terrain(Cell::new(1, 0)), Terrain::Belt(Direction::South, Speed::Express));
        assert_eq!(board.terrain(Cell::new(6, 0)), Terrain::Pit);
        assert_eq!(board.cells().count(), 12);
    }
}
