//! The floor of a race of the second edition: a board with antenna, reboot tokens and energy spaces (rules §16.2).

use heapless::Vec;

use crate::contests::roborally::board_builder::{BoardBuilder, BoardError};
use crate::contests::roborally::{Board, Cell, Direction, Dock};

/// Most reboot tokens.
pub const REBOOT_CAP: usize = 8;

/// Most energy spaces.
pub const ENERGY_CAP: usize = 32;

/// A reboot token with the part of the floor that it serves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reboot {
    /// Cell of the token and direction of its arrow.
    pub token: Dock,
    /// North-western and south-eastern corner of the part of the floor.
    pub corners: [Cell; 2],
}

impl Reboot {
    fn serves(&self, cell: Cell) -> bool {
        let [from, to] = self.corners;
        (from.x()..=to.x()).contains(&cell.x()) && (from.y()..=to.y()).contains(&cell.y())
    }
}

/// A board with what the second edition adds to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Floor {
    board: Board,
    antenna: Dock,
    reboots: Vec<Reboot, REBOOT_CAP>,
    energy: Vec<Cell, ENERGY_CAP>,
}

impl Floor {
    /// A floor. The antenna gets walls on all sides and has its cell for itself. Reboot tokens are asked in their order,
    /// and the last one serves where no other does; without any, robots reboot on the first dock.
    pub fn new(
        mut board: BoardBuilder,
        antenna: Dock,
        reboots: &[Reboot],
        energy: &[Cell],
    ) -> Result<Floor, BoardError> {
        let coordinate = |coordinate: i8| usize::try_from(coordinate).map_err(|_| BoardError::Outside);
        let (x, y) = (coordinate(antenna.cell.x())?, coordinate(antenna.cell.y())?);
        for side in Direction::ALL {
            board.wall(x, y, side)?;
        }
        let board = board.finish()?;
        let inside = |cell: Cell| if board.is_inside(cell) { Ok(cell) } else { Err(BoardError::Outside) };
        for reboot in reboots {
            if board.is_pit(inside(reboot.token.cell)?) {
                return Err(BoardError::InPit);
            }
        }
        energy.iter().try_for_each(|&cell| inside(cell).map(|_| ()))?;
        let docks = board.docks().iter().map(|dock| &dock.cell);
        let tokens = reboots.iter().map(|reboot| &reboot.token.cell);
        if board.flags().iter().chain(docks).chain(tokens).chain(energy).any(|&cell| cell == antenna.cell) {
            return Err(BoardError::OnAntenna);
        }
        let reboots = Vec::from_slice(reboots).map_err(|_| BoardError::Capacity)?;
        let energy = Vec::from_slice(energy).map_err(|_| BoardError::Capacity)?;
        Ok(Floor { board, antenna, reboots, energy })
    }

    /// The board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The antenna, with the direction of its ray.
    pub const fn antenna(&self) -> Dock {
        self.antenna
    }

    /// The reboot tokens.
    pub fn reboots(&self) -> &[Reboot] {
        &self.reboots
    }

    /// The energy spaces.
    pub fn energy(&self) -> &[Cell] {
        &self.energy
    }

    /// The token on which a robot reboots that fell from a cell; `None` for a board without tokens and docks.
    pub fn token(&self, fallen_from: Cell) -> Option<Dock> {
        let serving = self.reboots.iter().find(|reboot| reboot.serves(fallen_from));
        let token = serving.or_else(|| self.reboots.last()).map(|reboot| reboot.token);
        token.or_else(|| self.board.docks().first().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_else_lies_on_the_antenna() {
        let antenna = Dock { cell: Cell::new(2, 2), facing: Direction::East };
        // The flag, the dock, the token and the energy space by their columns in the antenna's row.
        let built = |[flag, dock, token, energy]: [usize; 4]| {
            let mut plan = BoardBuilder::new(8, 4).expect("small");
            plan.flag(flag, 2).expect("inside");
            plan.dock(dock, 2, Direction::East).expect("inside");
            let cell = |x: usize| Cell::new(x as i8, 2);
            let token = Dock { cell: cell(token), facing: Direction::East };
            let reboot = Reboot { token, corners: [cell(0), cell(7)] };
            Floor::new(plan, antenna, &[reboot], &[cell(energy)]).err()
        };
        assert_eq!(built([1, 3, 4, 5]), None);
        for pieces in [[2, 3, 4, 5], [1, 2, 4, 5], [1, 3, 2, 5], [1, 3, 4, 2]] {
            assert_eq!(built(pieces), Some(BoardError::OnAntenna), "{pieces:?}");
        }
    }
}
