//! Belts, pushers and gears (rules §5 B to E).

use super::board::Board;
use super::geometry::{Cell, Direction};
use super::state::{ROBOT_CAP, State, members};

/// The belts of a half-step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Belts {
    /// Belts of both speeds.
    All,
    /// Express belts alone.
    Express,
    /// Normal belts alone, as the second edition has them after the express ones.
    Normal,
}

impl State {
    /// Moves all robots on some belts one cell (rules §5.1).
    pub(super) fn carry(&mut self, board: &Board, belts: Belts) {
        let mut moving = 0_u8;
        let mut into_pit = 0_u8;
        let mut ways = [Direction::North; ROBOT_CAP];
        let mut targets = [Cell::NOWHERE; ROBOT_CAP];
        for robot in members(self.present) {
            let here = board.info(self.cell[robot]);
            let is_still = match belts {
                Belts::All => !here.is_belt(),
                Belts::Express => !here.is_express(),
                Belts::Normal => !here.is_belt() || here.is_express(),
            };
            if is_still || here.has_wall(here.belt()) {
                continue;
            }
            ways[robot] = here.belt();
            targets[robot] = self.cell[robot].step(here.belt());
            moving |= 1 << robot;
            into_pit |= u8::from(board.is_pit(targets[robot])) << robot;
        }
        loop {
            let stuck = self.stuck(moving, into_pit, &targets);
            if stuck == 0 {
                break;
            }
            moving &= !stuck;
        }
        for robot in members(moving) {
            self.cell[robot] = targets[robot];
            self.turn_on_belt(board, robot, ways[robot]);
        }
        for robot in members(moving & into_pit) {
            self.destroy(robot);
        }
    }

    /// Robots of `moving` that cannot move while the others move or stay as given.
    fn stuck(&self, moving: u8, into_pit: u8, targets: &[Cell; ROBOT_CAP]) -> u8 {
        let mut stuck = 0;
        for robot in members(moving & !into_pit) {
            let target = targets[robot];
            let rivals = members(moving & !(1 << robot)).any(|other| targets[other] == target);
            let standing = self.standing_on(target);
            let swaps = members(standing & moving).any(|other| targets[other] == self.cell[robot]);
            if rivals || standing & !moving != 0 || swaps {
                stuck |= 1 << robot;
            }
        }
        stuck
    }

    /// Turns a robot that a belt carried in a direction, if the belt under it turns (rules §2).
    pub(super) fn turn_on_belt(&mut self, board: &Board, robot: usize, travelled: Direction) {
        let here = board.info(self.cell[robot]);
        if here.is_belt() {
            let angle = (here.belt() as u8).wrapping_sub(travelled as u8) & 3;
            if angle != 2 {
                self.facing[robot] = self.facing[robot].turned(angle);
            }
        }
    }

    /// Runs the pushers of a register, each on the robot that stood on its cell before the first push.
    pub(super) fn push(&mut self, board: &Board, register: usize) {
        let start = *self;
        if !members(start.present).any(|robot| board.info(start.cell[robot]).pusher(register).is_some()) {
            return;
        }
        for pusher in &board.pushers {
            if pusher.registers >> register & 1 == 0 {
                continue;
            }
            let standing = self.standing_on(pusher.cell) & start.standing_on(pusher.cell);
            if let Some(robot) = members(standing).next() {
                self.step(board, robot, pusher.direction);
            }
        }
    }

    /// Turns the robots on gears.
    pub(super) fn turn_gears(&mut self, board: &Board) {
        for robot in members(self.present) {
            let quarters = board.info(self.cell[robot]).gear();
            self.facing[robot] = self.facing[robot].turned(quarters);
        }
    }
}
