//! Validity of states: states built from robots, and the check of every state.

use super::board::Board;
use super::geometry::Cell;
use super::state::{FATAL_DAMAGE, Profile, ROBOT_CAP, Robot, State, Status};
use super::state_error::StateError;

impl State {
    /// A state in the middle of a race, checked with [`check`](State::check). Registers are empty.
    pub fn from_robots(board: &Board, profile: Profile, robots: &[Robot]) -> Result<State, StateError> {
        if !(1..=ROBOT_CAP).contains(&robots.len()) {
            return Err(StateError::Robots);
        }
        let mut state = State::empty(board, profile, robots.len());
        for (place, robot) in robots.iter().enumerate() {
            state.put(place, robot)?;
        }
        state.check(board)?;
        Ok(state)
    }

    fn put(&mut self, place: usize, robot: &Robot) -> Result<(), StateError> {
        let bit = 1 << place;
        let classic = self.profile == Profile::Classic;
        if classic && robot.is_virtual {
            return Err(StateError::Status);
        }
        self.cell[place] = robot.cell;
        self.facing[place] = robot.facing;
        self.damage[place] = robot.damage;
        self.lives[place] = robot.lives;
        self.next_flag[place] = robot.next_flag;
        self.archive[place] = robot.archive;
        match (robot.status, classic) {
            (Status::Active, _) => self.present |= bit,
            (Status::PoweredDown, true) => {
                self.present |= bit;
                self.down |= bit;
            }
            (Status::Destroyed, true) => {
                self.cell[place] = Cell::NOWHERE;
                self.fall(place);
            }
            (Status::Destroyed, false) => {
                self.present |= bit;
                self.destroyed |= bit;
            }
            (Status::Out, true) => {
                self.cell[place] = Cell::NOWHERE;
                self.lives[place] = 0;
            }
            (Status::Skipping, false) => self.skipping |= bit,
            _ => return Err(StateError::Status),
        }
        if robot.announced {
            self.announced |= bit;
        }
        if robot.is_virtual {
            self.virtual_robots |= bit;
            self.present &= !bit;
        }
        Ok(())
    }

    /// Checks the state against a board. This function is the definition of a valid state.
    pub fn check(&self, board: &Board) -> Result<(), StateError> {
        if self.flags as usize != board.flags().len() || !(1..=ROBOT_CAP as u8).contains(&self.robots) {
            return Err(StateError::Robots);
        }
        let outside = |cell: Cell| !board.is_inside(cell);
        for place in 0..self.robots as usize {
            let robot = self.snapshot(place);
            let classic = self.profile == Profile::Classic;
            let on_board = matches!(robot.status, Status::Active | Status::PoweredDown);
            if on_board && (outside(robot.cell) || board.is_pit(robot.cell)) {
                return Err(StateError::Place);
            }
            let others = self.standing_on(robot.cell) & !(1 << place);
            // Belts that look at nobody may bring two robots together (rallyrobo).
            if on_board && classic && others != 0 {
                return Err(StateError::Place);
            }
            let most = if on_board { FATAL_DAMAGE - 1 } else { FATAL_DAMAGE };
            let lives_fit = !classic || (robot.status == Status::Out) == (robot.lives == 0);
            if robot.damage > most || !(1..=self.flags + 1).contains(&robot.next_flag) || !lives_fit {
                return Err(StateError::Number);
            }
            let odd = self.down & self.announced != 0
                || (classic && self.virtual_robots | self.skipping != 0)
                || (!classic && self.down | self.announced != 0)
                || self.announced & !self.present != 0;
            if odd {
                return Err(StateError::Status);
            }
            if outside(robot.archive.cell) || board.is_pit(robot.archive.cell) {
                return Err(StateError::Archive);
            }
        }
        let lying = self.registers.iter().flatten().filter(|&&card| card != 0).count();
        if self.cards_in_registers().len() != lying {
            return Err(StateError::Card);
        }
        Ok(())
    }
}
