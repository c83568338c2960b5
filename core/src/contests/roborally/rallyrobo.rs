//! The rallyrobo profile (rules §8): what differs from the classic rules in the program that the paper describes.

use super::board::Board;
use super::state::{State, members};

impl State {
    /// The board's part of a register: virtual robots become real, then belts, lasers, checkpoints, repair.
    pub(super) fn rallyrobo_board_moves(&mut self, board: &Board) {
        self.devirtualise();
        self.carry_each(board);
        self.fire_in_turn(board);
        self.touch_checkpoints(board);
        for robot in members(self.present) {
            if board.info(self.cell[robot]).is_repair() {
                self.damage[robot] = self.damage[robot].saturating_sub(1);
            }
        }
    }

    /// The board's part of a register without lasers and repairs.
    pub(super) fn rallyrobo_quiet_moves(&mut self, board: &Board) {
        self.devirtualise();
        self.carry_each(board);
        self.touch_checkpoints(board);
    }

    /// Makes virtual robots real where no real robot stands.
    fn devirtualise(&mut self) {
        for robot in members(self.virtual_robots & !self.skipping) {
            if self.standing_on(self.cell[robot]) == 0 {
                self.virtual_robots &= !(1 << robot);
                self.present |= 1 << robot;
            }
        }
    }

    /// Moves every robot on a belt, one after the other and without regard to others.
    fn carry_each(&mut self, board: &Board) {
        for robot in members(self.present) {
            let here = board.info(self.cell[robot]);
            if here.is_belt() && !here.has_wall(here.belt()) {
                self.cell[robot] = self.cell[robot].step(here.belt());
                self.turn_on_belt(board, robot, here.belt());
                if board.is_pit(self.cell[robot]) {
                    self.destroy(robot);
                }
            }
        }
    }

    /// Fires the robots' lasers one after the other; destroyed robots neither shoot nor take damage.
    fn fire_in_turn(&mut self, board: &Board) {
        for shooter in members(self.present) {
            if self.destroyed >> shooter & 1 == 1 {
                continue;
            }
            if let Some(target) =
                self.target(board, shooter).filter(|&target| self.destroyed >> target & 1 == 0)
            {
                self.take_damage(target, 1);
            }
        }
    }

    fn touch_checkpoints(&mut self, board: &Board) {
        for robot in members(self.present & !self.destroyed) {
            if self.count_flag(robot, board.info(self.cell[robot]).flag()) {
                self.archive[robot].cell = self.cell[robot];
                self.archive[robot].facing = self.facing[robot];
            }
        }
    }

    pub(super) fn rallyrobo_clean_up(&mut self) {
        for robot in members(self.skipping) {
            self.skipping &= !(1 << robot);
            self.virtual_robots |= 1 << robot;
            self.damage[robot] = 0;
            self.cell[robot] = self.archive[robot].cell;
            self.facing[robot] = self.archive[robot].facing;
        }
        self.skipping = self.destroyed;
        self.present &= !self.destroyed;
        self.virtual_robots &= !self.destroyed;
        self.destroyed = 0;
        self.devirtualise();
        self.wipe_registers((self.present | self.virtual_robots) & !self.skipping);
    }
}
