//! Evaluation functions (seed 002, rules §11.3), in tenths so that everything is whole numbers.

use super::distances::Distances;
use super::odds::Odds;
use super::solo::Solo;
use crate::contests::roborally::{Board, Cell, FATAL_DAMAGE, ROBOT_CAP, State, Status, Terrain};
use crate::search::value::{CERTAIN, EVEN};

/// Weights of the hodgepodge evaluation, in tenths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Weights {
    /// A won race; a lost race counts the opposite.
    pub won: i32,
    /// A robot on the board that is not powered down; any other robot counts the opposite.
    pub active: i32,
    /// Per flag ahead of the best other robot.
    pub advantage: i32,
    /// Per number of the next flag.
    pub progress: i32,
    /// Per point of damage.
    pub damage: i32,
    /// Per cell of Manhattan distance to the next flag.
    pub distance: i32,
    /// Per step to the next flag around walls and pits. Not among the paper's features.
    pub way: i32,
    /// Per life left. Not among the paper's features.
    pub life: i32,
    /// A robot on a belt into a pit. The paper's program counted such robots as not active.
    pub doomed: i32,
    /// Per round that the robot should still need to the last flag. Not among the paper's features.
    pub rounds: i32,
    /// Per round that the best other robot should need more than this one, less if fewer. Not among the paper's
    /// features.
    pub lead: i32,
    /// A robot that is out for good; the race is lost. Not among the paper's features.
    pub out: i32,
}

impl Weights {
    /// Weights of the paper, tuned by hand.
    pub const PAPER: Weights = Weights {
        won: 1000,
        active: 30,
        advantage: 50,
        progress: 10,
        damage: -3,
        distance: -1,
        way: 0,
        life: 0,
        doomed: 0,
        rounds: 0,
        lead: 0,
        out: 0,
    };

    /// Weights by the rounds that a robot should still need, in place of flags and distances.
    pub const ROUNDS: Weights = Weights {
        won: 1000,
        active: 5,
        advantage: 0,
        progress: 0,
        damage: -4,
        distance: 0,
        way: 0,
        life: 20,
        doomed: 0,
        rounds: -40,
        lead: 20,
        out: -500,
    };

    /// Weights that `barrow roborally tune` found, in hundredths; `docs/roborally.md` describes the tuning.
    pub const TUNED: Weights = Weights {
        won: 10_000,
        active: 328,
        advantage: 1875,
        progress: 279,
        damage: -67,
        distance: -5,
        way: -61,
        life: -91,
        doomed: 0,
        rounds: 0,
        lead: 0,
        out: 0,
    };
}

/// Rounds of the longest usual race, for the scale of values.
const MOST_ROUNDS: i32 = 12;

/// Largest lead that counts, in hundredths of a round.
const LEAD_CAP: i32 = 500;

/// The evaluation function of an [`Evaluator`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Evaluation {
    /// 1 for a won race, else 0.
    WinLoss,
    /// Flags ahead of the best other robot.
    Advantage,
    /// Manhattan distance to the next flag.
    Manhattan,
    /// Steps to the next flag around walls and pits.
    Informed,
    /// The hodgepodge: a weighted sum of features.
    Hodgepodge(Weights),
    /// The chance of winning by the rounds that all robots should still need, in 1/65,536; 0 without tables of a robot
    /// alone. Not among the paper's.
    Odds(Odds),
}

/// An evaluation function on a board with its distances.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'b> {
    board: &'b Board,
    distances: &'b Distances,
    solo: Option<&'b Solo>,
    evaluation: Evaluation,
}

impl<'b> Evaluator<'b> {
    /// An evaluator of positions on a board; `distances` must be those of the board.
    pub const fn new(board: &'b Board, distances: &'b Distances, evaluation: Evaluation) -> Evaluator<'b> {
        Evaluator { board, distances, solo: None, evaluation }
    }

    /// The evaluator with the tables of a robot alone on the same board, without which no rounds count.
    pub const fn with_solo(self, solo: &'b Solo) -> Evaluator<'b> {
        Evaluator { solo: Some(solo), ..self }
    }

    /// The tables of a robot alone, if the evaluator has them.
    pub const fn solo(&self) -> Option<&'b Solo> {
        self.solo
    }

    /// The board.
    pub const fn board(&self) -> &'b Board {
        self.board
    }

    /// The distances of the board.
    pub const fn distances(&self) -> &'b Distances {
        self.distances
    }

    /// Value of a position for a robot, in tenths except for [`Evaluation::Odds`]; higher is better. 0 for a robot that does not exist.
    pub fn value(&self, state: &State, robot: usize) -> i32 {
        if robot >= state.robots() {
            return 0;
        }
        match self.evaluation {
            Evaluation::WinLoss => i32::from(state.winner() == Some(robot)) * 10,
            Evaluation::Advantage => advantage(state, robot) * 10,
            Evaluation::Manhattan => -(self.manhattan(state, robot) as i32) * 10,
            Evaluation::Informed => -(self.way(state, robot) as i32) * 10,
            Evaluation::Hodgepodge(weights) => self.hodgepodge(state, robot, &weights),
            Evaluation::Odds(odds) => self.solo.map_or(0, |solo| odds.chance(solo, state, robot)),
        }
    }

    /// Value of a position scaled to 0..=[`CERTAIN`] for the search, linear between the bounds of the evaluation.
    pub fn scaled_value(&self, state: &State, robot: usize) -> i32 {
        let value = self.value(state, robot);
        let flags = i32::from(state.flags()) + 1;
        let cells = i32::from(self.board.width()) * i32::from(self.board.height());
        match self.evaluation {
            Evaluation::WinLoss => value * CERTAIN / 10,
            Evaluation::Odds(_) => value,
            Evaluation::Advantage => EVEN + value * EVEN / (10 * flags),
            Evaluation::Manhattan => {
                scaled(value, 10 * (i32::from(self.board.width() + self.board.height())))
            }
            Evaluation::Informed => scaled(value, 10 * cells),
            Evaluation::Hodgepodge(weights) => {
                // Distances rarely exceed the two sides; larger ones are cut.
                let sides = i32::from(self.board.width() + self.board.height());
                let most = weights.won.saturating_abs() / 2
                    + weights.active.saturating_abs()
                    + weights.advantage.saturating_abs().saturating_mul(flags)
                    + weights.progress.saturating_abs().saturating_mul(flags)
                    + weights.damage.saturating_abs().saturating_mul(9)
                    + weights.distance.saturating_abs().saturating_mul(sides)
                    + weights.way.saturating_abs().saturating_mul(sides)
                    + weights.life.saturating_abs().saturating_mul(4)
                    + weights.doomed.saturating_abs()
                    + weights.rounds.saturating_abs().saturating_mul(MOST_ROUNDS)
                    + weights.lead.saturating_abs().saturating_mul(MOST_ROUNDS / 2);
                let share = i64::from(value) * i64::from(EVEN) / i64::from(most.max(1));
                EVEN + share.clamp(i64::from(-EVEN), i64::from(EVEN)) as i32
            }
        }
    }

    fn hodgepodge(&self, state: &State, robot: usize, weights: &Weights) -> i32 {
        let Some(seen) = state.robot(robot) else { return 0 };
        let sign = |yes| if yes { 1 } else { -1 };
        let over = if state.is_over() { sign(state.winner() == Some(robot)) } else { 0 };
        let mut value = weights.won * over
            + weights.active * sign(state.is_active(robot))
            + weights.advantage * advantage(state, robot)
            + weights.progress * i32::from(seen.next_flag)
            + weights.damage * i32::from(seen.damage.min(FATAL_DAMAGE - 1))
            + weights.life * i32::from(seen.lives)
            + weights.doomed * i32::from(self.is_doomed(state, robot))
            + weights.out * i32::from(seen.status == Status::Out);
        if weights.distance != 0 {
            value += weights.distance * self.manhattan(state, robot) as i32;
        }
        if weights.way != 0 {
            value += weights.way * self.way(state, robot) as i32;
        }
        value + self.rounds(state, robot, weights)
    }

    /// Value of the rounds to the last flag, the own ones and those of the best other robot.
    fn rounds(&self, state: &State, robot: usize, weights: &Weights) -> i32 {
        let Some(solo) = self.solo.filter(|_| weights.rounds != 0 || weights.lead != 0) else { return 0 };
        let own = solo.rounds(state, robot) as i32;
        let mut value = weights.rounds.saturating_mul(own) / 100;
        if weights.lead != 0 {
            let others = (0..state.robots().min(ROBOT_CAP)).filter(|&other| other != robot);
            let best = others.map(|other| solo.rounds(state, other)).min();
            // A lead of many rounds is worth no more than one of some.
            let lead = best.map_or(0, |best| best as i32 - own).clamp(-LEAD_CAP, LEAD_CAP);
            value += weights.lead.saturating_mul(lead) / 100;
        }
        value
    }

    /// Cells to the next flag, at most the cells of the board; 0 when finished.
    fn manhattan(&self, state: &State, robot: usize) -> u32 {
        let cells = u32::from(self.board.width()) * u32::from(self.board.height());
        let (flag, from) = self.course_left(state, robot);
        let flag = usize::from(flag).checked_sub(1).and_then(|place| self.board.flags().get(place));
        flag.map_or(0, |flag| flag.manhattan(from).min(cells))
    }

    /// Steps to the next flag around walls and pits; 0 when finished.
    fn way(&self, state: &State, robot: usize) -> u32 {
        let (flag, from) = self.course_left(state, robot);
        if flag > state.flags() { 0 } else { self.distances.to_flag(flag, from) }
    }

    /// Number of a robot's next flag, and the cell of the robot or of its re-entry.
    fn course_left(&self, state: &State, robot: usize) -> (u8, Cell) {
        let Some(seen) = state.robot(robot) else { return (0, Cell::NOWHERE) };
        let from = match seen.status {
            Status::Active | Status::PoweredDown => seen.cell,
            Status::Destroyed => state.entry(self.board, robot).map_or(seen.archive.cell, |entry| entry.cell),
            Status::Out | Status::Skipping => seen.archive.cell,
        };
        (seen.next_flag, from)
    }

    fn is_doomed(&self, state: &State, robot: usize) -> bool {
        let Some(seen) = state.robot(robot).filter(|_| state.is_active(robot)) else { return false };
        match self.board.terrain(seen.cell) {
            Terrain::Belt(way, _) => {
                self.board.is_pit(seen.cell.step(way)) && !self.board.has_wall(seen.cell, way)
            }
            _ => false,
        }
    }
}

/// Flags by which a robot is ahead of the best other one; 0 for a robot alone.
fn advantage(state: &State, robot: usize) -> i32 {
    let progress = |robot: usize| state.robot(robot).map_or(0, |seen| i32::from(seen.next_flag));
    let others = (0..state.robots().min(ROBOT_CAP)).filter(|&other| other != robot);
    others.map(progress).max().map_or(0, |best| progress(robot) - best)
}

/// A negative value -`most`..=0 scaled to 0..=[`CERTAIN`].
fn scaled(value: i32, most: i32) -> i32 {
    let share = i64::from(value) * i64::from(CERTAIN) / i64::from(most.max(1));
    (i64::from(CERTAIN) + share).clamp(0, i64::from(CERTAIN)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::roborally::{BoardBuilder, Direction, Dock, Profile, Robot, Speed};

    /// Three flags along the top of a floor of twelve by twelve.
    fn board() -> Board {
        let mut plan = BoardBuilder::new(12, 12).expect("small");
        for x in [0, 5, 11] {
            plan.flag(x, 0).expect("inside");
        }
        plan.terrain(3, 3, Terrain::Belt(Direction::East, Speed::Normal)).expect("inside");
        plan.terrain(4, 3, Terrain::Pit).expect("inside");
        plan.finish().expect("a board")
    }

    fn robot(x: i8, y: i8, next_flag: u8, damage: u8, status: Status) -> Robot {
        let cell = Cell::new(x, y);
        let archive = Dock { cell, facing: Direction::North };
        let (facing, lives) = (Direction::North, 3);
        Robot { cell, facing, damage, lives, next_flag, archive, status, announced: false, is_virtual: false }
    }

    fn hodgepodge(robots: &[Robot]) -> i32 {
        let board = board();
        let distances = Distances::new(&board);
        let evaluator = Evaluator::new(&board, &distances, Evaluation::Hodgepodge(Weights::PAPER));
        evaluator.value(&State::from_robots(&board, Profile::Classic, robots).expect("valid"), 0)
    }

    #[test]
    fn roborally_rule_11_the_hodgepodges_checks() {
        let active = Status::Active;
        let start = [robot(0, 9, 1, 0, active), robot(1, 9, 1, 0, active)];
        assert_eq!(hodgepodge(&start), 31);
        let ahead = [robot(11, 5, 3, 4, active), robot(1, 9, 2, 0, active)];
        assert_eq!(hodgepodge(&ahead), 93);
        let destroyed = [robot(5, 12 - 1, 2, 10, Status::Destroyed), robot(5, 8, 3, 0, active)];
        // Eleven cells from its archive to the flag instead of the twelve of the rules' example.
        assert_eq!(hodgepodge(&destroyed), -99 + 1);
    }

    #[test]
    fn roborally_rule_11_a_race_won() {
        let board = board();
        let distances = Distances::new(&board);
        let robots = [robot(11, 1, 3, 0, Status::Active), robot(1, 9, 3, 0, Status::Active)];
        let mut state = State::from_robots(&board, Profile::Classic, &robots).expect("valid");
        state.set_register(0, 0, crate::contests::roborally::Card::new(49)).expect("a register");
        state.run_register(&board, 0);
        let value = |evaluation, robot| Evaluator::new(&board, &distances, evaluation).value(&state, robot);
        assert_eq!(value(Evaluation::Hodgepodge(Weights::PAPER), 0), 1120);
        assert_eq!([0, 1].map(|robot| value(Evaluation::WinLoss, robot)), [10, 0]);
        assert_eq!([0, 1].map(|robot| value(Evaluation::Advantage, robot)), [10, -10]);
        assert_eq!([0, 1].map(|robot| value(Evaluation::Manhattan, robot)), [0, -190]);
        assert_eq!((value(Evaluation::Informed, 1), value(Evaluation::WinLoss, 8)), (-190, 0));
        for evaluation in [
            Evaluation::WinLoss,
            Evaluation::Advantage,
            Evaluation::Manhattan,
            Evaluation::Informed,
            Evaluation::Hodgepodge(Weights::PAPER),
        ] {
            let evaluator = Evaluator::new(&board, &distances, evaluation);
            let chances = [0, 1].map(|robot| evaluator.scaled_value(&state, robot));
            assert!(
                chances[0] > chances[1]
                    && chances.iter().all(|scaled_value| (0..=CERTAIN).contains(scaled_value))
            );
        }
    }

    #[test]
    fn belts_into_pits_are_seen() {
        let board = board();
        let distances = Distances::new(&board);
        let weights = Weights { doomed: -60, ..Weights::PAPER };
        let [paper, doomed] = [Weights::PAPER, weights].map(Evaluation::Hodgepodge);
        for (x, difference) in [(3, -60), (2, 0)] {
            let robots = [robot(x, 3, 1, 0, Status::Active), robot(8, 8, 1, 0, Status::Active)];
            let state = State::from_robots(&board, Profile::Classic, &robots).expect("valid");
            let value = |evaluation| Evaluator::new(&board, &distances, evaluation).value(&state, 0);
            assert_eq!(value(doomed) - value(paper), difference);
        }
    }
}
