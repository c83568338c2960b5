//! The state of a race (rules §3) in less than 256 bytes; sets of robots are bits of a byte.

use super::board::{Board, CellInfo, Dock};
use super::card::{Card, CardSet};
use super::geometry::{Cell, Direction};
use super::state_error::StateError;

/// Most robots.
pub const ROBOT_CAP: usize = 8;

/// Registers of a robot.
pub const REGISTERS: usize = 5;

/// Cards dealt to a robot without damage.
pub const HAND_CAP: usize = 9;

/// Damage that destroys a robot.
pub const FATAL_DAMAGE: u8 = 10;

/// The variant of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// The classic rules of 2005 (rules §§2-7).
    #[default]
    Classic,
    /// The rules of the program rallyrobo that the paper describes (rules §8).
    Rallyrobo,
}

/// The outcome of a race.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Outcome {
    /// The race goes on.
    #[default]
    Racing,
    /// This robot touched the last flag.
    Finished(u8),
    /// This robot is the last one that is not out.
    Last(u8),
    /// All robots are out.
    Nobody,
}

/// The status of a robot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// On the board with a program.
    Active,
    /// On the board, powered down.
    PoweredDown,
    /// Destroyed and waiting for re-entry; in the rallyrobo profile the robot still lies on the board.
    Destroyed,
    /// Out of the race.
    Out,
    /// Off the board for a turn (rallyrobo).
    Skipping,
}

/// All that a state holds of one robot, registers aside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Robot {
    /// Cell of the robot; [`Cell::NOWHERE`] off the board in the classic profile.
    pub cell: Cell,
    /// Facing of the robot.
    pub facing: Direction,
    /// Damage, 0..=9, or 10 if damage destroyed the robot.
    pub damage: u8,
    /// Lives left, this one included.
    pub lives: u8,
    /// Number of the flag to touch next, from 1; one more than there are flags after the last one.
    pub next_flag: u8,
    /// Archive: the cell and facing of the next re-entry.
    pub archive: Dock,
    /// Status of the robot.
    pub status: Status,
    /// Whether the robot powers down at the start of the next turn.
    pub announced: bool,
    /// Whether the robot is virtual: on the board, but not in the way of others (rallyrobo).
    pub is_virtual: bool,
}

/// The state of a race between two registers or turns. Arrays are by robot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) cell: [Cell; ROBOT_CAP],
    pub(super) archive: [Dock; ROBOT_CAP],
    pub(super) facing: [Direction; ROBOT_CAP],
    pub(super) damage: [u8; ROBOT_CAP],
    pub(super) lives: [u8; ROBOT_CAP],
    pub(super) next_flag: [u8; ROBOT_CAP],
    /// Card numbers, 0 for none, by register and robot.
    pub(super) registers: [[u8; ROBOT_CAP]; REGISTERS],
    /// Destroyed robots in the order of destruction.
    pub(super) fallen: [u8; ROBOT_CAP],
    pub(super) fallen_count: u8,
    pub(super) robots: u8,
    pub(super) flags: u8,
    pub(super) turn: u16,
    pub(super) profile: Profile,
    pub(super) outcome: Outcome,
    /// Robots on the board that are in the way of others.
    pub(super) present: u8,
    pub(super) down: u8,
    pub(super) announced: u8,
    pub(super) destroyed: u8,
    pub(super) skipping: u8,
    pub(super) virtual_robots: u8,
}

/// The robots of a set, given as bits.
pub(super) const fn members(set: u8) -> Members {
    Members(set)
}

/// Iterator over a set of robots in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Members(u8);

impl Iterator for Members {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let robot = self.0.trailing_zeros() as usize & (ROBOT_CAP - 1);
        self.0 &= self.0 - 1;
        Some(robot)
    }
}

impl State {
    /// The start of a race: robot i on dock i, with this many lives each.
    pub fn new(board: &Board, profile: Profile, robots: usize, lives: u8) -> Result<State, StateError> {
        if !(1..=ROBOT_CAP).contains(&robots) || robots > board.docks().len() {
            return Err(StateError::Robots);
        }
        if board.flags().is_empty() {
            return Err(StateError::Flags);
        }
        if lives == 0 {
            return Err(StateError::Number);
        }
        let mut state = State::empty(board, profile, robots);
        for (robot, &dock) in board.docks().iter().take(robots).enumerate() {
            state.cell[robot] = dock.cell;
            state.facing[robot] = dock.facing;
            state.archive[robot] = dock;
            state.lives[robot] = lives;
            state.next_flag[robot] = 1;
            state.present |= 1 << robot;
        }
        Ok(state)
    }

    /// Lives of each robot by the rules (rules §3): three, or four in races of five and more robots.
    pub const fn usual_lives(robots: usize) -> u8 {
        if robots >= 5 { 4 } else { 3 }
    }

    pub(super) fn empty(board: &Board, profile: Profile, robots: usize) -> State {
        let nowhere = Dock { cell: Cell::NOWHERE, facing: Direction::North };
        State {
            cell: [Cell::NOWHERE; ROBOT_CAP],
            archive: [nowhere; ROBOT_CAP],
            facing: [Direction::North; ROBOT_CAP],
            damage: [0; ROBOT_CAP],
            lives: [0; ROBOT_CAP],
            next_flag: [0; ROBOT_CAP],
            registers: [[0; ROBOT_CAP]; REGISTERS],
            fallen: [0; ROBOT_CAP],
            fallen_count: 0,
            robots: robots as u8,
            flags: board.flags.len() as u8,
            turn: 0,
            profile,
            outcome: Outcome::Racing,
            present: 0,
            down: 0,
            announced: 0,
            destroyed: 0,
            skipping: 0,
            virtual_robots: 0,
        }
    }

    /// Number of robots, 1 to 8.
    pub const fn robots(&self) -> usize {
        self.robots as usize
    }

    /// Number of flags of the course.
    pub const fn flags(&self) -> u8 {
        self.flags
    }

    /// Turns played.
    pub const fn turn(&self) -> u16 {
        self.turn
    }

    /// Variant of the rules.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Outcome of the race.
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Whether the race is over.
    pub const fn is_over(&self) -> bool {
        !matches!(self.outcome, Outcome::Racing)
    }

    /// The winner, by the last flag or as the last robot left.
    pub const fn winner(&self) -> Option<usize> {
        match self.outcome {
            Outcome::Finished(robot) | Outcome::Last(robot) => Some(robot as usize),
            Outcome::Racing | Outcome::Nobody => None,
        }
    }

    /// The robot with this number; `None` if there is none.
    pub fn robot(&self, robot: usize) -> Option<Robot> {
        (robot < self.robots()).then(|| self.snapshot(robot))
    }

    /// The card in a register of a robot; registers count from 0.
    pub fn register(&self, robot: usize, register: usize) -> Option<Card> {
        Card::new(*self.registers.get(register)?.get(robot)?)
    }

    /// Puts a card, or none, into a register without a check of the rules, for states that are read from text.
    pub fn set_register(
        &mut self,
        robot: usize,
        register: usize,
        card: Option<Card>,
    ) -> Result<(), StateError> {
        if robot >= self.robots() {
            return Err(StateError::NoRobot);
        }
        let place = self.registers.get_mut(register).and_then(|row| row.get_mut(robot));
        *place.ok_or(StateError::Number)? = card.map_or(0, Card::number);
        Ok(())
    }

    /// Puts the first robot onto a cell, with no flag left to touch.
    pub(super) fn set_alone(&mut self, cell: Cell, facing: Direction) {
        self.cell[0] = cell;
        self.facing[0] = facing;
        self.next_flag[0] = 0;
    }

    /// All cards that lie in registers.
    pub fn cards_in_registers(&self) -> CardSet {
        // Most of the time most registers are empty.
        let rows = self.registers.iter().filter(|row| **row != [0; ROBOT_CAP]);
        rows.flatten().filter_map(|&card| Card::new(card)).collect::<CardSet>()
    }

    /// Registers of a robot that are not locked, counted from the first (rules §3). 0 for no such robot.
    pub fn free_registers(&self, robot: usize) -> usize {
        self.damage.get(robot).map_or(0, |&damage| free_registers(damage))
    }

    /// Whether the robot programs this turn.
    pub const fn is_programming(&self, robot: usize) -> bool {
        robot < ROBOT_CAP && self.programming() >> robot & 1 == 1
    }

    /// Whether the robot is on the board, not powered down, destroyed, or skipping a turn.
    pub const fn is_active(&self, robot: usize) -> bool {
        self.is_programming(robot)
    }

    /// Robots that program and execute cards.
    pub(super) const fn programming(&self) -> u8 {
        match self.profile {
            Profile::Classic => self.present & !self.down,
            Profile::Rallyrobo => (self.present | self.virtual_robots) & !self.destroyed & !self.skipping,
        }
    }

    pub(super) fn snapshot(&self, robot: usize) -> Robot {
        let has = |set: u8| set >> robot & 1 == 1;
        let classic = self.profile == Profile::Classic;
        let status = if has(self.skipping) {
            Status::Skipping
        } else if has(self.destroyed) {
            Status::Destroyed
        } else if classic && !has(self.present) {
            Status::Out
        } else if has(self.down) {
            Status::PoweredDown
        } else {
            Status::Active
        };
        Robot {
            cell: self.cell[robot],
            facing: self.facing[robot],
            damage: self.damage[robot],
            lives: self.lives[robot],
            next_flag: self.next_flag[robot],
            archive: self.archive[robot],
            status,
            announced: has(self.announced),
            is_virtual: has(self.virtual_robots),
        }
    }

    /// Robots on a cell that are in the way of others.
    pub(super) fn standing_on(&self, cell: Cell) -> u8 {
        self.alike(cell, Cell::WHOLE)
    }

    /// Robots in the way of others whose cells agree with a cell in the bits of a mask.
    pub(super) fn alike(&self, cell: Cell, bits: u16) -> u8 {
        let [a, b, c, d, e, f, g, h] = self.cell;
        let found = lanes_alike([a, b, c, d], cell, bits) | lanes_alike([e, f, g, h], cell, bits) << 4;
        found & self.present
    }

    /// The union of the cells under all robots; robots off the board count as in a pit.
    pub(super) fn terrain_under_robots(&self, board: &Board) -> CellInfo {
        self.cell.iter().fold(CellInfo::default(), |terrain_under_robots, &cell| {
            terrain_under_robots.and(board.info(cell))
        })
    }

    /// Destroys a robot (rules §5).
    pub(super) fn destroy(&mut self, robot: usize) {
        let bit = 1 << robot;
        if self.profile == Profile::Rallyrobo {
            self.destroyed |= bit;
            return;
        }
        self.present &= !bit;
        self.down &= !bit;
        self.announced &= !bit;
        self.cell[robot] = Cell::NOWHERE;
        self.lives[robot] = self.lives[robot].saturating_sub(1);
        if self.lives[robot] > 0 {
            self.fall(robot);
        }
    }

    pub(super) fn fall(&mut self, robot: usize) {
        self.destroyed |= 1 << robot;
        if let Some(place) = self.fallen.get_mut(self.fallen_count as usize) {
            *place = robot as u8;
            self.fallen_count += 1;
        }
    }
}

/// Which of four cells agree with another one in some bits, all four compared at once in one word.
fn lanes_alike(cells: [Cell; 4], cell: Cell, bits: u16) -> u8 {
    const ONES: u64 = 0x0001_0001_0001_0001;
    /// Brings the bits 15, 31, 47 and 63 together from bit 48 on, shifted down to bit 0 of each lane.
    const GATHER: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;
    let word = cells.iter().rev().fold(0, |word, cell| word << 16 | u64::from(cell.bits()));
    let differences = (word ^ (ONES * u64::from(cell.bits()))) & (ONES * u64::from(bits));
    // Cells have ten bits, so that nothing is carried into the next lane.
    let equal = !((differences + ONES * 0x7fff) >> 15) & ONES;
    (equal.wrapping_mul(GATHER) >> 48) as u8 & 15
}

/// Number of registers that a damage leaves unlocked.
pub(super) const fn free_registers(damage: u8) -> usize {
    match damage {
        0..=4 => REGISTERS,
        5..=9 => 9 - damage as usize,
        _ => 0,
    }
}
