//! All that changes during a race (rules §3), in under 256 bytes, with robots as bits of small sets.

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

/// Damage that destroys.
pub const FATAL_DAMAGE: u8 = 10;

/// Which rules are played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// The classic rules of 2005 (rules §§2-7).
    #[default]
    Classic,
    /// Those of the program the paper tells of (rules §8).
    Rallyrobo,
}

/// Whether and how the race is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Outcome {
    /// It goes on.
    #[default]
    Racing,
    /// This robot touched the last flag.
    Finished(u8),
    /// This robot is the last that is not out.
    Last(u8),
    /// All are out.
    Nobody,
}

/// What a robot is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// On the board with a program.
    Active,
    /// On the board, powered down.
    PoweredDown,
    /// Waiting for its re-entry; in the rallyrobo profile it still lies on the board.
    Destroyed,
    /// Out for good.
    Out,
    /// Off the board for a turn (rallyrobo).
    Skipping,
}

/// One robot as others see it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Robot {
    /// Where it is. Off the board in the classic profile: [`Cell::NOWHERE`].
    pub cell: Cell,
    /// Where it looks.
    pub facing: Direction,
    /// 0..=9, 10 if damage destroyed it.
    pub damage: u8,
    /// Lives left, this one included.
    pub lives: u8,
    /// The flag to touch next, from 1; one more than there are when it has finished.
    pub next_flag: u8,
    /// Where it re-enters.
    pub archive: Dock,
    /// What it is doing.
    pub status: Status,
    /// It powers down at the start of the next turn.
    pub announced: bool,
    /// It stands on the board without being there for others (rallyrobo).
    pub is_virtual: bool,
}

/// A race between two registers or turns.
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
    /// Robots in the order of their destruction.
    pub(super) fallen: [u8; ROBOT_CAP],
    pub(super) fallen_count: u8,
    pub(super) robots: u8,
    pub(super) flags: u8,
    pub(super) turn: u16,
    pub(super) profile: Profile,
    pub(super) outcome: Outcome,
    /// Robots that are in the way of others.
    pub(super) present: u8,
    pub(super) down: u8,
    pub(super) announced: u8,
    pub(super) destroyed: u8,
    pub(super) skipping: u8,
    pub(super) virtual_robots: u8,
}

/// The bits of a set of robots.
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

    /// The lives that the rules give (rules §3): three, or four among five and more robots.
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

    /// The rules that are played.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Whether and how the race is over.
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Whether nothing more happens.
    pub const fn is_over(&self) -> bool {
        !matches!(self.outcome, Outcome::Racing)
    }

    /// The winner, by flag or as the last one.
    pub const fn winner(&self) -> Option<usize> {
        match self.outcome {
            Outcome::Finished(robot) | Outcome::Last(robot) => Some(robot as usize),
            Outcome::Racing | Outcome::Nobody => None,
        }
    }

    /// One robot.
    pub fn robot(&self, robot: usize) -> Option<Robot> {
        (robot < self.robots()).then(|| self.snapshot(robot))
    }

    /// The card in a register (counted from 0) of a robot.
    pub fn register(&self, robot: usize, register: usize) -> Option<Card> {
        Card::new(*self.registers.get(register)?.get(robot)?)
    }

    /// Puts a card, or none, into a register, whatever the rules say of it: for positions that are given.
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

    /// All cards that lie in registers.
    pub fn cards_in_registers(&self) -> CardSet {
        // Most of the time most registers are empty.
        let rows = self.registers.iter().filter(|row| **row != [0; ROBOT_CAP]);
        rows.flatten().filter_map(|&card| Card::new(card)).collect()
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

    /// Robots that execute cards.
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

    /// The robots on a cell that are in the way of others.
    pub(super) fn standing_on(&self, cell: Cell) -> u8 {
        self.alike(cell, Cell::WHOLE)
    }

    /// The robots in the way of others whose cells agree with this one in some bits.
    pub(super) fn alike(&self, cell: Cell, bits: u16) -> u8 {
        let [a, b, c, d, e, f, g, h] = self.cell;
        let found = lanes_alike([a, b, c, d], cell, bits) | lanes_alike([e, f, g, h], cell, bits) << 4;
        found & self.present
    }

    /// What there is under the robots all together. Those off the board stand in a pit.
    pub(super) fn terrain_under_robots(&self, board: &Board) -> CellInfo {
        self.cell.iter().fold(CellInfo::default(), |terrain_under_robots, &cell| {
            terrain_under_robots.and(board.info(cell))
        })
    }

    /// The robot is destroyed (rules §5).
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

/// Registers that this much damage leaves unlocked.
pub(super) const fn free_registers(damage: u8) -> usize {
    match damage {
        0..=4 => REGISTERS,
        5..=9 => 9 - damage as usize,
        _ => 0,
    }
}
