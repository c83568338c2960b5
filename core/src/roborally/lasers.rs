//! Lasers of the board and of the robots (spec §5 F).

use super::board::Board;
use super::direction::{Cell, Direction};
use super::state::{FATAL_DAMAGE, ROBOT_CAP, State, members};

impl State {
    /// All hits of a register, then all damage at once.
    pub(super) fn fire(&mut self, board: &Board) {
        let mut hits = [0_u8; ROBOT_CAP];
        let lit = members(self.present).fold(0, |lit, robot| lit | board.beams[self.cell[robot].index()]);
        if lit != 0 {
            self.fire_board(board, lit, &mut hits);
        }
        for shooter in members(self.present & !self.down) {
            if let Some(target) = self.target(board, shooter) {
                hits[target] = hits[target].saturating_add(1);
            }
        }
        for robot in members(self.present) {
            if hits[robot] > 0 {
                self.hurt(robot, hits[robot]);
            }
        }
    }

    /// The beams that lie on robots, as bits of their places in the board's list.
    fn fire_board(&self, board: &Board, mut lit: u32, hits: &mut [u8; ROBOT_CAP]) {
        while lit != 0 {
            let Some(laser) = board.lasers.get(lit.trailing_zeros() as usize) else { return };
            let beam = 1 << lit.trailing_zeros();
            lit &= lit - 1;
            let under = members(self.present).filter(|&robot| board.beams[self.cell[robot].index()] & beam != 0);
            if let Some(first) = under.min_by_key(|&robot| laser.cell.manhattan(self.cell[robot])) {
                hits[first] = hits[first].saturating_add(laser.strength);
            }
        }
    }

    /// The first robot that the shooter sees.
    pub(super) fn target(&self, board: &Board, shooter: usize) -> Option<usize> {
        let (from, facing) = (self.cell[shooter], self.facing[shooter]);
        let in_line = self.in_line(from, facing) & !(1 << shooter);
        if in_line == 0 {
            return None;
        }
        let sight = board.sight(from, facing);
        let seen = |robot: usize| {
            ahead(from, facing, self.cell[robot])
                .filter(|&cells| cells <= sight)
                .map(|cells| (cells, robot))
        };
        members(in_line).filter_map(seen).min().map(|(_, robot)| robot)
    }

    /// The robots in the row or column of a cell that runs in this direction.
    fn in_line(&self, from: Cell, facing: Direction) -> u8 {
        let mask = match facing {
            Direction::North | Direction::South => Cell::COLUMN,
            Direction::East | Direction::West => Cell::ROW,
        };
        self.alike(from, mask)
    }

    /// Damage is taken.
    pub(super) fn hurt(&mut self, robot: usize, damage: u8) {
        self.damage[robot] = self.damage[robot].saturating_add(damage).min(FATAL_DAMAGE);
        if self.damage[robot] == FATAL_DAMAGE {
            self.destroy(robot);
        }
    }
}

/// How many cells ahead in a direction another cell lies, if it does.
pub(super) fn ahead(from: Cell, facing: Direction, to: Cell) -> Option<u8> {
    let [dx, dy] = [to.x() - from.x(), to.y() - from.y()];
    let (forward, aside) = match facing {
        Direction::North => (-dy, dx),
        Direction::East => (dx, dy),
        Direction::South => (dy, dx),
        Direction::West => (-dx, dy),
    };
    if aside == 0 && forward > 0 { Some(forward as u8) } else { None }
}
