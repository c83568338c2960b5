//! Lasers of the board and of the robots (rules §5 F).

use super::board::Board;
use super::geometry::{Cell, Direction};
use super::state::{FATAL_DAMAGE, ROBOT_CAP, State, members};

impl State {
    /// All hits of a register, then all damage at once. `lit` says whether a beam of the board lies on a robot.
    pub(super) fn fire(&mut self, board: &Board, lit: bool) {
        let mut hits = [0_u8; ROBOT_CAP];
        let mut hit = 0_u8;
        if lit {
            let over = |robot: usize| board.beams[self.cell[robot].index()];
            let beams = members(self.present).fold(0, |beams, robot| beams | over(robot));
            hit = self.fire_board(board, beams, &mut hits);
        }
        for shooter in members(self.present & !self.down) {
            if let Some(target) = self.target(board, shooter) {
                hits[target] = hits[target].saturating_add(1);
                hit |= 1 << target;
            }
        }
        for robot in members(hit) {
            self.take_damage(robot, hits[robot]);
        }
    }

    /// The beams that lie on robots, as bits of their places in the board's list; who is hit.
    fn fire_board(&self, board: &Board, mut lit: u32, hits: &mut [u8; ROBOT_CAP]) -> u8 {
        let mut hit = 0;
        while lit != 0 {
            let Some(laser) = board.lasers.get(lit.trailing_zeros() as usize) else { break };
            let beam = 1 << lit.trailing_zeros();
            lit &= lit - 1;
            let under =
                members(self.present).filter(|&robot| board.beams[self.cell[robot].index()] & beam != 0);
            if let Some(first) = under.min_by_key(|&robot| laser.cell.manhattan(self.cell[robot])) {
                hits[first] = hits[first].saturating_add(laser.strength);
                hit |= 1 << first;
            }
        }
        hit
    }

    /// The first robot that the shooter sees.
    #[inline]
    pub(super) fn target(&self, board: &Board, shooter: usize) -> Option<usize> {
        let (from, facing) = (self.cell[shooter], self.facing[shooter]);
        let others = self.in_line(from, facing) & !(1 << shooter);
        if others == 0 { None } else { self.nearest(from, facing, board.sight(from, facing), others) }
    }

    /// The robots in the row or column of a cell that runs in this direction.
    #[inline]
    pub(super) fn in_line(&self, cell: Cell, direction: Direction) -> u8 {
        const LINES: [u16; 4] = [Cell::COLUMN, Cell::ROW, Cell::COLUMN, Cell::ROW];
        self.alike(cell, LINES[direction as usize])
    }

    /// The nearest of these robots in line that lies at most so many cells ahead.
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

    /// Damage is taken.
    pub(super) fn take_damage(&mut self, robot: usize, damage: u8) {
        self.damage[robot] = self.damage[robot].saturating_add(damage).min(FATAL_DAMAGE);
        if self.damage[robot] == FATAL_DAMAGE {
            self.destroy(robot);
        }
    }
}
