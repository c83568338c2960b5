//! The steps of a turn (rules §4, §5): power down, deal, program, registers, clean-up.

use core::fmt;

use super::board::{Board, Dock};
use super::board_moves::Belts;
use super::card::{Card, CardSet};
use super::state::{HAND_CAP, Outcome, Profile, REGISTERS, ROBOT_CAP, State, members};

/// Decisions of the robots' owners at the end of a turn (rules §4.5); the first two are sets of robots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Decisions {
    /// Powered-down robots that stay powered down.
    pub stay_down: u8,
    /// Robots that, if they re-enter now, are powered down in the next turn.
    pub reenter_down: u8,
    /// Cell and facing on which each robot re-enters, if its owner chooses (rules §6). One that is not allowed counts
    /// as none.
    pub entries: [Option<Dock>; ROBOT_CAP],
}

impl Decisions {
    /// Adds the decisions of other owners.
    pub fn join(&mut self, others: &Decisions) {
        self.stay_down |= others.stay_down;
        self.reenter_down |= others.reenter_down;
        for (entry, other) in self.entries.iter_mut().zip(others.entries) {
            *entry = entry.or(other);
        }
    }
}

/// Why a program or an announcement is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProgramError {
    /// The robot programs no cards this turn.
    NotProgramming,
    /// The number of cards is not that of unlocked registers.
    Length,
    /// A card is not in the hand, or is used twice.
    Card,
    /// Only a robot on the board with damage that is not powered down may announce.
    Announcement,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            ProgramError::NotProgramming => "the robot programs nothing this turn",
            ProgramError::Length => "one card is needed for each unlocked register",
            ProgramError::Card => "a card is not in the hand or used twice",
            ProgramError::Announcement => "only a damaged robot with a program may announce power down",
        })
    }
}

impl core::error::Error for ProgramError {}

impl State {
    /// Step 0: robots that announced it power down; powered-down robots drop all damage and cards.
    pub fn start_turn(&mut self) {
        self.down |= self.announced & self.present;
        self.announced = 0;
        for robot in members(self.down) {
            self.damage[robot] = 0;
            for row in &mut self.registers {
                row[robot] = 0;
            }
        }
    }

    /// The locked registers that a deal has to fill (rules §4.1), as robot and register, in the order of the deal.
    pub fn empty_locked_registers(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        members(self.programming()).flat_map(move |robot| {
            let locked = self.free_registers(robot)..REGISTERS;
            locked
                .map(move |register| (robot, register))
                .filter(|&(robot, register)| self.registers[register][robot] == 0)
        })
    }

    /// Number of cards dealt to a robot: 9 less its damage if the robot programs, else 0.
    pub fn hand_size(&self, robot: usize) -> usize {
        if self.is_programming(robot) { HAND_CAP - (self.damage[robot] as usize).min(HAND_CAP) } else { 0 }
    }

    /// The cards that are in no register, from which hands are dealt.
    pub fn deck(&self) -> CardSet {
        CardSet::DECK.minus(self.cards_in_registers())
    }

    /// Fills a robot's unlocked registers, the first first, out of its hand.
    pub fn program(&mut self, robot: usize, hand: CardSet, cards: &[Card]) -> Result<(), ProgramError> {
        if !self.is_programming(robot) {
            return Err(ProgramError::NotProgramming);
        }
        if cards.len() != self.free_registers(robot) {
            return Err(ProgramError::Length);
        }
        let used = cards.iter().copied().collect::<CardSet>();
        if used.len() != cards.len() || !used.minus(hand).is_empty() {
            return Err(ProgramError::Card);
        }
        self.fill(robot, cards);
        Ok(())
    }

    /// Fills a robot's unlocked registers without a check.
    pub(crate) fn fill(&mut self, robot: usize, cards: &[Card]) {
        let robot = robot & (ROBOT_CAP - 1);
        for (row, card) in self.registers.iter_mut().zip(cards) {
            row[robot] = card.number();
        }
    }

    /// Step 3: announces that a robot powers down at the start of the next turn.
    pub fn announce(&mut self, robot: usize) -> Result<(), ProgramError> {
        let may = self.profile == Profile::Classic && self.is_programming(robot) && self.damage[robot] > 0;
        if !may {
            return Err(ProgramError::Announcement);
        }
        self.announced |= 1 << robot;
        Ok(())
    }

    /// Runs one register, counted from 0: cards, then the board. Does nothing once the race is over.
    pub fn run_register(&mut self, board: &Board, register: usize) {
        if self.is_over() || register >= REGISTERS {
            return;
        }
        self.execute_cards(board, register, self.programming());
        if self.profile == Profile::Rallyrobo {
            self.rallyrobo_board_moves(board);
            return;
        }
        self.move_with_board(board, register);
        let terrain_under_robots = self.terrain_under_robots(board);
        if terrain_under_robots.gear() != 0 {
            self.turn_gears(board);
        }
        self.fire(board, terrain_under_robots.is_lit());
        if terrain_under_robots.is_archive() {
            self.touch_flags(board);
        }
    }

    /// Belts and pushers of a register (rules §5 B to D). Most of the time most robots stand on plain floor, so what
    /// lies under all robots together is tested first.
    fn move_with_board(&mut self, board: &Board, register: usize) {
        let terrain_under_robots = self.terrain_under_robots(board);
        if terrain_under_robots.is_express() {
            self.carry(board, Belts::Express);
        }
        if terrain_under_robots.is_belt() {
            self.carry(board, Belts::All);
        }
        if !board.pushers.is_empty() {
            self.push(board, register);
        }
    }

    /// Runs all five registers, or those up to the end of the race.
    pub fn run_registers(&mut self, board: &Board) {
        for register in 0..REGISTERS {
            self.run_register(board, register);
        }
    }

    /// Runs a turn in which only one robot executes cards and no laser fires: cards, belts, pushers, gears and flags
    /// (rules §11.2, random search).
    pub fn run_alone(&mut self, board: &Board, robot: usize) {
        for register in 0..REGISTERS {
            if self.is_over() {
                return;
            }
            self.run_register_alone(board, register, robot);
        }
    }

    /// Runs one register, counted from 0, as [`run_alone`](State::run_alone) runs all.
    pub(super) fn run_register_alone(&mut self, board: &Board, register: usize, robot: usize) {
        let alone = 1_u8.checked_shl(robot as u32).unwrap_or(0);
        self.execute_cards(board, register, alone & self.programming());
        match self.profile {
            Profile::Classic => {
                self.move_with_board(board, register);
                self.turn_gears(board);
                self.touch_flags(board);
            }
            Profile::Rallyrobo => self.rallyrobo_quiet_moves(board),
        }
    }

    /// Robots on flags and repair sites archive there; the next flag counts (rules §5 G).
    pub(super) fn touch_flags(&mut self, board: &Board) {
        for robot in members(self.present) {
            let here = board.info(self.cell[robot]);
            if here.flag() == 0 && !here.is_repair() {
                continue;
            }
            self.archive[robot].cell = self.cell[robot];
            self.archive[robot].facing = self.facing[robot];
            self.count_flag(robot, here.flag());
        }
    }

    /// Counts the touch of a flag, 0 for none. Returns whether it was the robot's next flag.
    pub(super) fn count_flag(&mut self, robot: usize, flag: u8) -> bool {
        if flag == 0 || flag != self.next_flag[robot] {
            return false;
        }
        self.next_flag[robot] += 1;
        if flag == self.flags {
            self.outcome = Outcome::Finished(robot as u8);
        }
        true
    }

    /// Step 5: repairs, discards, power, re-entry, and the end of the race if one robot or none is left.
    pub fn clean_up(&mut self, board: &Board, decisions: Decisions) {
        if self.is_over() {
            return;
        }
        self.turn = self.turn.saturating_add(1);
        if self.profile == Profile::Rallyrobo {
            self.rallyrobo_clean_up();
            return;
        }
        for robot in members(self.present) {
            let here = board.info(self.cell[robot]);
            if here.is_repair() || here.flag() > 0 {
                self.damage[robot] = self.damage[robot].saturating_sub(1);
            }
        }
        self.wipe_registers(self.present);
        self.down &= decisions.stay_down;
        self.reenter(board, &decisions);
        let left = self.present | self.destroyed;
        if left == 0 {
            self.outcome = Outcome::Nobody;
        } else if self.robots > 1 && left.is_power_of_two() {
            self.outcome = Outcome::Last(left.trailing_zeros() as u8);
        }
    }

    /// Discards the cards of unlocked registers; robots outside `active` discard all cards.
    pub(super) fn wipe_registers(&mut self, active: u8) {
        for robot in 0..ROBOT_CAP {
            let free = if active >> robot & 1 == 1 { self.free_registers(robot) } else { REGISTERS };
            for row in self.registers.iter_mut().take(free) {
                row[robot] = 0;
            }
        }
    }
}
