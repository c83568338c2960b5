//! Lasers of the board and of robots (rules §5 F).

use super::board::Board;
use super::geometry::{Cell, Direction};
use super::state::{FATAL_DAMAGE, ROBOT_CAP, State, members};

impl State {
    /// Fires all lasers of a register, then deals all damage at once. `lit`: whether a board beam crosses a robot.
    pub(super) fn fire(&mut self, board: &Board, lit: bool) {
        let hits = self.hits(board, lit);
        if hits != [0; ROBOT_CAP] {
            for robot in members(self.present) {
                self.take_damage(robot, hits[robot]);
            }
        }
    }

    /// The hits on each robot when all lasers fire. `lit`: whether a board beam crosses a robot.
    pub(super) fn hits(&self, board: &Board, lit: bool) -> [u8; ROBOT_CAP] {
        let mut hits = [0_u8; ROBOT_CAP];
        if lit {
            let over = |robot: usize| board.beams[self.cell[robot].index()];
            let beams = members(self.present).fold(0, |beams, robot| beams | over(robot));
            self.fire_board(board, beams, &mut hits);
        }
        for shooter in members(self.present & !self.down) {
            if let Some(target) = self.target(board, shooter) {
                hits[target] = hits[target].saturating_add(1);
            }
        }
        hits
    }

    /// Adds the hits of the board's beams `lit`, bits of the board's list of lasers.
    fn fire_board(&self, board: &Board, mut lit: u32, hits: &mut [u8; ROBOT_CAP]) {
        while lit != 0 {
            let Some(laser) = board.lasers.get(lit.trailing_zeros() as usize) else { break };
            let beam = 1 << lit.trailing_zeros();
            lit &= lit - 1;
            let under =
                members(self.present).filter(|&robot| board.beams[self.cell[robot].index()] & beam != 0);
            if let Some(first) = under.min_by_key(|&robot| laser.cell.manhattan(self.cell[robot])) {
                hits[first] = hits[first].saturating_add(laser.strength);
            }
        }
    }

    /// The first robot in the line of sight of a shooter.
    #[inline]
    pub(super) fn target(&self, board: &Board, shooter: usize) -> Option<usize> {
        let (from, facing) = (self.cell[shooter], self.facing[shooter]);
        let others = self.in_line(from, facing) & !(1 << shooter);
        if others == 0 { None } else { self.nearest(from, facing, board.sight(from, facing), others) }
    }

    /// Robots in the row or column of a cell that runs in a direction, before and behind.
    #[inline]
    pub(super) fn in_line(&self, cell: Cell, direction: Direction) -> u8 {
        const LINES: [u16; 4] = [Cell::COLUMN, Cell::ROW, Cell::COLUMN, Cell::ROW];
        self.alike(cell, LINES[direction as usize])
    }

    /// The nearest of some robots in line that lies at most `range` cells ahead.
    pub(super) fn nearest(&self, from: Cell, facing: Direction, range: u8, robots: u8) -> Option<usize> {
        let mut nearest = None;
        let mut beyond = i16::from(range) + 1;
        for robot in members(robots) {
            let cells = from.ahead(facing, self.cell[robot]);
            if (1..beyond).contains(&cells) {
                beyond = cells;
                nearest = Some(robot);
            }
        }
        nearest
    }

    /// Adds damage to a robot, which destroys it at [`FATAL_DAMAGE`].
    pub(super) fn take_damage(&mut self, robot: usize, damage: u8) {
        self.damage[robot] = self.damage[robot].saturating_add(damage).min(FATAL_DAMAGE);
        if self.damage[robot] == FATAL_DAMAGE {
            self.destroy(robot);
        }
    }
}
