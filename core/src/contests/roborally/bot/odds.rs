//! The chance of winning by the rounds that all robots should still need: that a robot finishes before each other one
//! is logistic in the difference of their rounds.

use super::solo::Solo;
use crate::contests::roborally::{FATAL_DAMAGE, ROBOT_CAP, State, Status};
use crate::search::value::CERTAIN;

/// Terms of the chance of winning, in hundredths of a round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Odds {
    /// Difference of rounds at which a robot is first in 73 of 100 cases, the scale of the logistic function.
    pub spread: i32,
    /// Rounds that a point of damage costs.
    pub wear: i32,
    /// Rounds that a robot with its last life is behind.
    pub last_life: i32,
}

impl Odds {
    /// The usual odds.
    pub const USUAL: Odds = Odds { spread: 70, wear: 25, last_life: 40 };

    /// Chance of a robot to win the race, 0..=[`CERTAIN`].
    pub(super) fn chance(&self, solo: &Solo, state: &State, robot: usize) -> i32 {
        let Some(seen) = state.robot(robot) else { return 0 };
        if state.is_over() {
            return if state.winner() == Some(robot) { CERTAIN } else { 0 };
        }
        if seen.status == Status::Out {
            return 0;
        }
        self.chance_by(state, robot, |robot| self.rounds(solo, state, robot))
    }

    /// Chance of a robot to win a race that goes on, 0..=[`CERTAIN`], by the rounds that each one still needs.
    pub(super) fn chance_by(&self, state: &State, robot: usize, rounds: impl Fn(usize) -> i32) -> i32 {
        let own = rounds(robot);
        let mut chance = i64::from(CERTAIN);
        for other in (0..state.robots().min(ROBOT_CAP)).filter(|&other| other != robot) {
            if state.robot(other).is_some_and(|other| other.status != Status::Out) {
                let lead = rounds(other) - own;
                chance = chance * i64::from(logistic(lead, self.spread)) / i64::from(CERTAIN);
            }
        }
        chance as i32
    }

    /// Rounds of a robot with what its damage and a last life cost, in hundredths.
    fn rounds(&self, solo: &Solo, state: &State, robot: usize) -> i32 {
        let rounds = solo.rounds(state, robot) as i32;
        let Some(seen) = state.robot(robot) else { return rounds };
        let damage = i32::from(seen.damage.min(FATAL_DAMAGE - 1));
        rounds + self.wear * damage + if seen.lives == 1 { self.last_life } else { 0 }
    }
}

/// The logistic function of 0, 1/2, 1, ... 8, in 1/65,536.
const LOGISTIC: [i32; 17] = [
    32_768, 40_793, 47_911, 53_592, 57_724, 60_565, 62_428, 63_614, 64_357, 64_815, 65_097, 65_270, 65_374,
    65_438, 65_476, 65_500, 65_514,
];

/// The logistic function of `lead / spread`, 0..=[`CERTAIN`]; linear between halves.
fn logistic(lead: i32, spread: i32) -> i32 {
    let steps = i64::from(lead.unsigned_abs()) * 512 / i64::from(spread.max(1));
    let place = (steps >> 8) as usize;
    let value = match (LOGISTIC.get(place), LOGISTIC.get(place + 1)) {
        (Some(low), Some(high)) => low + (((high - low) * (steps & 255) as i32) >> 8),
        _ => LOGISTIC[LOGISTIC.len() - 1],
    };
    if lead < 0 { CERTAIN - value } else { value }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::{BoardBuilder, Cell, Direction, Dock, Profile, Robot};
    use std::boxed::Box;

    #[test]
    fn who_needs_fewer_rounds_is_likelier_to_win() {
        let mut plan = BoardBuilder::new(12, 3).expect("small");
        plan.flag(11, 1).expect("inside");
        let board = plan.finish().expect("a board");
        let mut solo = Box::new(Solo::EMPTY);
        solo.load(&board, Profile::Classic);
        let robot = |x, y, damage, lives| Robot {
            cell: Cell::new(x, y),
            facing: Direction::East,
            damage,
            lives,
            next_flag: 1,
            archive: Dock { cell: Cell::new(x, y), facing: Direction::East },
            status: if lives == 0 { Status::Out } else { Status::Active },
            announced: false,
            is_virtual: false,
        };
        let chances = |robots: &[Robot]| {
            let mut robots: std::vec::Vec<Robot> = robots.to_vec();
            for out in robots.iter_mut().filter(|robot| robot.status == Status::Out) {
                out.cell = Cell::NOWHERE;
            }
            let state = State::from_robots(&board, Profile::Classic, &robots).expect("valid");
            [0, 1].map(|robot| Odds::USUAL.chance(&solo, &state, robot))
        };
        let [ahead, behind] = chances(&[robot(8, 1, 0, 3), robot(1, 1, 0, 3)]);
        assert!(ahead > CERTAIN * 3 / 4 && (ahead + behind - CERTAIN).abs() < 2, "{ahead} {behind}");
        let [worn, whole] = chances(&[robot(4, 0, 4, 3), robot(4, 2, 0, 3)]);
        let [spare, last] = chances(&[robot(4, 0, 0, 3), robot(4, 2, 0, 1)]);
        assert!(worn < whole && last < spare);
        let [left, out] = chances(&[robot(4, 0, 0, 3), robot(4, 2, 0, 0), robot(0, 0, 0, 1)]);
        assert!(left > CERTAIN / 2 && out == 0);
    }

    #[test]
    fn the_logistic_function_is_that_of_the_tables() {
        assert_eq!(logistic(0, 70), CERTAIN / 2);
        // 1 / (1 + exp(-1)) = 0.7311, 1 / (1 + exp(-2.25)) = 0.9047.
        assert!((logistic(70, 70) - 47_911).abs() < 5 && (logistic(9, 4) - 59_290).abs() < 300);
        assert_eq!(logistic(-70, 70), CERTAIN - logistic(70, 70));
        assert!(logistic(100_000, 1) < CERTAIN && logistic(i32::MIN + 1, 1) > 0);
        assert!((-900..900).all(|lead| logistic(lead, 70) <= logistic(lead + 1, 70)));
    }
}
