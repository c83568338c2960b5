//! A robot alone on a course: where each card takes it in each register, and how many rounds it should need from every
//! cell and facing to each flag.
//!
//! The rounds come from value iteration (R. Bellman, "Dynamic programming", 1957) over sampled hands: with each hand
//! the best program is found by trying all, and the mean over the hands is the new estimate. Other robots, damage and
//! locked registers are left out.

use super::kinds::{HAND_KINDS, HandKinds, KINDS, executed, kind_of};
use crate::contests::roborally::board::FLAG_CAP;
use crate::contests::roborally::{Board, Card, Cell, Direction, HAND_CAP, Profile, REGISTERS, State, Status};
use crate::rng::Rng;

/// Cells times facings.
const PLACES: usize = 4 * Cell::COUNT;

/// The place of a robot that has fallen.
pub(super) const FALLEN: u16 = u16::MAX;

/// Hundredths of a round.
const ROUND: u32 = 100;

/// Rounds from where no program leads on, in hundredths.
const FARTHEST: u16 = 20_000;

/// Rounds that a fall costs by the classic rules, in hundredths.
const FALL: u32 = 400;

/// Hands over which a round is averaged.
const HANDS: usize = 10;

/// Sweeps of the value iteration over all places.
const SWEEPS: usize = 4;

/// Tables of a course for one robot alone; 400 KB.
#[derive(Clone, Debug)]
pub struct Solo {
    /// Place after a register, by register, place and kind of card.
    steps: [[[u16; KINDS]; PLACES]; REGISTERS],
    /// Rounds to the last flag from each place, by the next flag, in hundredths.
    rounds: [[u16; PLACES]; FLAG_CAP],
    /// Place of a robot that fell from a cell; [`FALLEN`] where it is that of the robot's archive.
    homes: [u16; Cell::COUNT],
    fall: u32,
    flags: [u16; FLAG_CAP],
    count: u8,
}

/// Hands over which rounds are averaged.
pub(super) type Hands = [HandKinds; HANDS];

/// The number of a cell and a facing.
pub(super) const fn place(cell: Cell, facing: Direction) -> u16 {
    (cell.index() * 4) as u16 | facing as u16
}

impl Solo {
    /// Tables of no course, to fill memory with.
    // A constant is on no stack; whoever lends memory writes it there.
    #[allow(clippy::large_stack_arrays)]
    pub const EMPTY: Solo = Solo {
        steps: [[[FALLEN; KINDS]; PLACES]; REGISTERS],
        rounds: [[FARTHEST; PLACES]; FLAG_CAP],
        homes: [FALLEN; Cell::COUNT],
        fall: FALL,
        flags: [0; FLAG_CAP],
        count: 0,
    };

    /// Computes the tables of a board under a variant of the rules. Takes about a second.
    pub fn load(&mut self, board: &Board, profile: Profile) {
        let mut dice = Rng::new(1);
        let hands = core::array::from_fn(|_| HandKinds::draw(HAND_CAP, &mut dice));
        self.load_by(board, &hands, (FALL, &|_| FALLEN), &|register, from, kind| {
            lands(board, profile, register, from, kind)
        });
    }

    /// Computes the tables of a board from what a fall costs and where a robot is after it, and from the place after a
    /// kind of card in a register.
    pub(super) fn load_by(
        &mut self,
        board: &Board,
        hands: &Hands,
        (fall, home): (u32, &dyn Fn(Cell) -> u16),
        lands: &dyn Fn(usize, (Cell, Direction), usize) -> u16,
    ) {
        self.fall = fall;
        for cell in board.cells() {
            self.homes[cell.index()] = home(cell);
        }
        self.count = board.flags().len().min(FLAG_CAP) as u8;
        for (slot, flag) in self.flags.iter_mut().zip(board.flags()) {
            *slot = flag.index() as u16;
        }
        self.load_steps(board, lands);
        for row in &mut self.rounds {
            row.fill(FARTHEST);
        }
        for flag in (0..usize::from(self.count)).rev() {
            self.load_rounds(board, flag, hands);
        }
    }

    fn load_steps(&mut self, board: &Board, lands: &dyn Fn(usize, (Cell, Direction), usize) -> u16) {
        for register in 0..REGISTERS {
            for cell in board.cells().filter(|&cell| !board.is_pit(cell)) {
                for facing in Direction::ALL {
                    for kind in 0..KINDS {
                        let to = lands(register, (cell, facing), kind);
                        self.steps[register][place(cell, facing) as usize % PLACES][kind] = to;
                    }
                }
            }
        }
    }

    /// Value iteration for one next flag, those after it being known. The first estimate is the way on foot, and the
    /// nearest places come first.
    fn load_rounds(&mut self, board: &Board, flag: usize, hands: &Hands) {
        let Some(&goal) = board.flags().get(flag) else { return };
        let after = self.rounds_left(flag as u8 + 2, place(goal, Direction::North));
        let mut edge = [Cell::NOWHERE; Cell::COUNT];
        let mut far = [u16::MAX; Cell::COUNT];
        let (mut next, mut end) = (0, 1);
        edge[0] = goal;
        far[goal.index()] = 0;
        while next < end {
            let cell = edge[next];
            next += 1;
            let steps = far[cell.index()];
            for facing in Direction::ALL {
                let way = u32::from(steps) * 25 + 60 + after;
                self.rounds[flag][place(cell, facing) as usize % PLACES] =
                    u16::try_from(way).unwrap_or(FARTHEST).min(FARTHEST);
                let to = cell.step(facing);
                let closed = board.has_wall(cell, facing) || board.is_pit(to);
                if !closed && far[to.index()] == u16::MAX && end < Cell::COUNT {
                    far[to.index()] = steps + 1;
                    edge[end] = to;
                    end += 1;
                }
            }
        }
        for _ in 0..SWEEPS {
            for &cell in edge.iter().take(end) {
                for facing in Direction::ALL {
                    let at = place(cell, facing);
                    let sum: u32 = hands.iter().map(|hand| self.least_rounds(flag, at, hand)).sum();
                    let mean = (sum / HANDS as u32).min(FARTHEST.into());
                    self.rounds[flag][at as usize % PLACES] = mean as u16;
                }
            }
        }
    }

    /// Rounds to the last flag that remain with the best program of a hand, in hundredths.
    fn least_rounds(&self, flag: usize, at: u16, hand: &HandKinds) -> u32 {
        let mut best = ROUND + self.fall + u32::from(self.rounds[flag][at as usize % PLACES]);
        self.try_kinds((flag as u8 + 1, at), (0, None), &mut hand.clone(), &mut best);
        best
    }

    /// Tries all programs of the kinds of a hand from a register on, where `before` is what was executed last.
    fn try_kinds(
        &self,
        (next, at): (u8, u16),
        (register, before): (usize, Option<usize>),
        hand: &mut HandKinds,
        best: &mut u32,
    ) {
        for kind in 0..HAND_KINDS {
            let Some(done) = executed(kind, before) else { continue };
            let to = self.step(register, at, done);
            if to == FALLEN && self.home(at) == FALLEN || !hand.take(kind) {
                continue;
            }
            if to == FALLEN {
                *best = (*best).min(ROUND + self.fall + self.rounds_left(next, self.home(at)));
                hand.put_back(kind);
                continue;
            }
            let touches = self.is_flag(to, next);
            if touches && next == self.count {
                *best = (*best).min(ROUND * (register as u32 + 1) / REGISTERS as u32);
            } else if register + 1 == REGISTERS {
                *best = (*best).min(ROUND + self.rounds_left(next + u8::from(touches), to));
            } else {
                self.try_kinds((next + u8::from(touches), to), (register + 1, Some(done)), hand, best);
            }
            hand.put_back(kind);
        }
    }

    /// The place after a card of a kind in a register; [`FALLEN`] after a fall.
    pub(super) fn step(&self, register: usize, at: u16, kind: usize) -> u16 {
        let row = self.steps.get(register).map(|table| &table[at as usize % PLACES]);
        row.and_then(|row| row.get(kind)).copied().unwrap_or(FALLEN)
    }

    /// The place after a fall from a place; [`FALLEN`] where it is that of the robot's archive.
    pub(super) fn home(&self, at: u16) -> u16 {
        self.homes.get(usize::from(at >> 2)).copied().unwrap_or(FALLEN)
    }

    /// Rounds that a fall costs, in hundredths.
    pub(super) const fn fall(&self) -> u32 {
        self.fall
    }

    /// Whether a place is on the flag of this number, from 1.
    pub(super) fn is_flag(&self, at: u16, number: u8) -> bool {
        number > 0 && number <= self.count && self.flags[usize::from(number - 1) % FLAG_CAP] == at >> 2
    }

    /// Number of flags.
    pub(super) const fn flags(&self) -> u8 {
        self.count
    }

    /// Rounds from a place to the last flag when flag `next` is the next one, in hundredths; 0 when finished.
    pub(super) fn rounds_left(&self, next: u8, at: u16) -> u32 {
        let flag = usize::from(next.saturating_sub(1));
        if next > self.count || flag >= FLAG_CAP {
            return 0;
        }
        u32::from(self.rounds[flag][at as usize % PLACES])
    }

    /// Expected rounds of a robot to the last flag, in hundredths: those from where it stands, or from its archive with
    /// what the fall costs.
    pub fn rounds(&self, state: &State, robot: usize) -> u32 {
        let Some(seen) = state.robot(robot) else { return 0 };
        let archived = place(seen.archive.cell, seen.archive.facing);
        match seen.status {
            Status::Active => self.rounds_left(seen.next_flag, place(seen.cell, seen.facing)),
            Status::PoweredDown => ROUND + self.rounds_left(seen.next_flag, place(seen.cell, seen.facing)),
            Status::Destroyed => ROUND / 2 + self.rounds_left(seen.next_flag, archived),
            Status::Skipping => ROUND + self.rounds_left(seen.next_flag, archived),
            Status::Out => u32::from(FARTHEST) + self.rounds_left(seen.next_flag, archived),
        }
    }

    /// Expected rounds to the last flag after a program that the robot executes alone, in hundredths, the turn itself
    /// included. What touches the last flag takes the part of a round until then.
    pub fn rounds_after(&self, state: &State, robot: usize, program: &[Card]) -> u32 {
        let Some(seen) = state.robot(robot) else { return 0 };
        let archived = place(seen.archive.cell, seen.archive.facing);
        let locked = (program.len()..REGISTERS).map(|register| state.register(robot, register));
        let cards = program.iter().copied().map(Some).chain(locked);
        let from = (place(seen.cell, seen.facing), seen.next_flag);
        self.rounds_along(from, archived, cards.map(|card| card.map(kind_of)))
    }

    /// Expected rounds to the last flag from a place with a next flag after a program, given by the kinds of its cards.
    pub(super) fn rounds_along(
        &self,
        (mut at, mut next): (u16, u8),
        archived: u16,
        kinds: impl Iterator<Item = Option<usize>>,
    ) -> u32 {
        let mut before = None;
        for (register, kind) in kinds.enumerate() {
            let Some(done) = kind.and_then(|kind| executed(kind, before)) else { continue };
            before = Some(done);
            let to = self.step(register, at, done);
            if to == FALLEN {
                let home = self.home(at);
                let home = if home == FALLEN { archived } else { home };
                return ROUND + self.fall + self.rounds_left(next, home);
            }
            at = to;
            if self.is_flag(at, next) {
                next += 1;
                if next > self.count {
                    return ROUND * (register as u32 + 1) / REGISTERS as u32;
                }
            }
        }
        ROUND + self.rounds_left(next, at)
    }
}

/// The place of a robot alone after one register.
fn lands(
    board: &Board,
    profile: Profile,
    register: usize,
    (cell, facing): (Cell, Direction),
    kind: usize,
) -> u16 {
    let Ok(mut state) = State::new(board, profile, 1, 2) else { return FALLEN };
    state.set_alone(cell, facing);
    let Ok(()) = state.set_register(0, register, HandKinds::example(kind)) else { return FALLEN };
    state.run_register_alone(board, register, 0);
    match state.robot(0) {
        Some(robot) if robot.status == Status::Active => place(robot.cell, robot.facing),
        _ => FALLEN,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::{BoardBuilder, Course};
    use std::boxed::Box;

    fn floor() -> Board {
        let mut plan = BoardBuilder::new(12, 3).expect("small");
        plan.flag(11, 1).expect("inside");
        plan.dock(0, 1, Direction::East).expect("inside");
        plan.finish().expect("a board")
    }

    #[test]
    fn nearer_and_facing_the_flag_is_fewer_rounds() {
        let mut solo = Box::new(Solo::EMPTY);
        solo.load(&floor(), Profile::Classic);
        let from = |x, facing| solo.rounds_left(1, place(Cell::new(x, 1), facing));
        assert!(from(10, Direction::East) < from(6, Direction::East));
        assert!(from(6, Direction::East) < from(1, Direction::East));
        let (east, west) = (from(1, Direction::East), from(1, Direction::West));
        // The tables are means over drawn hands.
        assert!(east <= west + 3, "{east} {west}");
        assert!((20..=150).contains(&from(10, Direction::East)), "{}", from(10, Direction::East));
        assert!((120..=400).contains(&from(0, Direction::East)), "{}", from(0, Direction::East));
        assert_eq!(solo.rounds_left(2, place(Cell::new(1, 1), Direction::East)), 0);
    }

    #[test]
    fn a_program_alone_ends_where_the_rules_have_it() {
        let board = Course::named("twister").and_then(|course| course.board().ok()).expect("a course");
        let mut solo = Box::new(Solo::EMPTY);
        solo.load_steps(&board, &|register, from, kind| {
            lands(&board, Profile::Classic, register, from, kind)
        });
        let mut dice = Rng::new(3);
        for _ in 0..3000 {
            let mut state = State::new(&board, Profile::Classic, 1, 3).expect("a dock");
            let cells: std::vec::Vec<Cell> = board.cells().filter(|&cell| !board.is_pit(cell)).collect();
            let cell = cells[dice.below(cells.len() as u32) as usize];
            let facing = Direction::from_index(dice.below(4) as u8);
            state.set_alone(cell, facing);
            let mut at = place(cell, facing);
            for register in 0..REGISTERS {
                let card = Card::new(1 + dice.below(84) as u8).expect("a card");
                state.set_register(0, register, Some(card)).expect("a register");
                state.run_register_alone(&board, register, 0);
                at = if at == FALLEN { at } else { solo.step(register, at, kind_of(card)) };
                let robot = state.robot(0).expect("a robot");
                let expected =
                    if robot.status == Status::Active { place(robot.cell, robot.facing) } else { FALLEN };
                assert_eq!(at, expected, "register {register} of {card:?} from {cell:?}");
                if at == FALLEN {
                    break;
                }
            }
        }
    }
}
