//! Execution of cards (rules §5 A): the order of robots, and single steps that push other robots.

use super::board::Board;
use super::card::{Card, CardEffect};
use super::geometry::Direction;
use super::state::{ROBOT_CAP, State, members};

impl State {
    /// Executes the cards of a set of robots in one register, the highest card first.
    pub(super) fn execute_cards(&mut self, board: &Board, register: usize, robots: u8) {
        // Cards that move outrank all that turn, and turns do not touch others: those need no order.
        let mut movers = [0_u16; ROBOT_CAP];
        let mut count = 0;
        let mut turners = 0_u8;
        for robot in members(robots) {
            let card = self.registers[register][robot];
            if card > Card::LAST_TURN.number() {
                let key = (card as u16) << 3 | (7 - robot as u16);
                let mut place = count;
                while place > 0 && movers[place - 1] < key {
                    movers[place] = movers[place - 1];
                    place -= 1;
                }
                movers[place] = key;
                count += 1;
            } else {
                turners |= 1 << robot;
            }
        }
        for &key in &movers[..count] {
            let robot = 7 - (key & 7) as usize;
            if let Some(card) = Card::new((key >> 3) as u8) {
                self.drive(board, robot, card.cells());
            }
        }
        for robot in members(turners & self.programming()) {
            if let Some(CardEffect::Turn(quarters)) =
                Card::new(self.registers[register][robot]).map(Card::effect)
            {
                self.facing[robot] = self.facing[robot].turned(quarters);
            }
        }
    }

    /// Moves a robot by a number of cells, backwards if negative.
    fn drive(&mut self, board: &Board, robot: usize, cells: i8) {
        let direction = self.facing[robot].turned(if cells < 0 { 2 } else { 0 });
        for _ in 0..cells.unsigned_abs() {
            if !self.is_programming(robot) || !self.step(board, robot, direction) {
                return;
            }
        }
    }

    /// Moves a robot one step, with all robots it pushes. Returns false if a wall stops the step.
    pub(super) fn step(&mut self, board: &Board, robot: usize, direction: Direction) -> bool {
        let mut chain = 0_u8;
        let mut last = robot;
        let mut cell = self.cell[robot];
        let falls = loop {
            if board.info(cell).has_wall(direction) {
                return false;
            }
            chain |= 1 << last;
            cell = cell.step(direction);
            if board.info(cell).is_pit() {
                break true;
            }
            let standing = self.standing_on(cell);
            if standing == 0 {
                break false;
            }
            last = standing.trailing_zeros() as usize & (ROBOT_CAP - 1);
        };
        for pushed in members(chain) {
            self.cell[pushed] = self.cell[pushed].step(direction);
        }
        if falls {
            self.destroy(last);
        }
        true
    }
}
