//! When a robot powers down (rules §11.2, §11.4): a few thresholds, the same in playouts and at the table.

use crate::contests::roborally::{Decisions, State, Status};

/// Thresholds of damage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PowerDownPolicy {
    /// Announces with at least this damage.
    pub announce: u8,
    /// Stays powered down with at least this damage after the turn.
    pub stay: u8,
}

impl PowerDownPolicy {
    /// The usual thresholds. Nobody re-enters powered down.
    pub const USUAL: PowerDownPolicy = PowerDownPolicy { announce: 5, stay: 3 };

    /// Whether the robot announces, its program aside.
    pub fn announces(&self, state: &State, robot: usize) -> bool {
        state.robot(robot).is_some_and(|seen| seen.damage >= self.announce.max(1))
            && state.is_programming(robot)
    }

    /// Whether the robot, powered down, stays so.
    pub fn stays(&self, state: &State, robot: usize) -> bool {
        state.robot(robot).is_some_and(|seen| seen.status == Status::PoweredDown && seen.damage >= self.stay)
    }

    /// What all robots decide at the end of a turn.
    pub fn decisions(&self, state: &State) -> Decisions {
        let stay = (0..state.robots()).filter(|&robot| self.stays(state, robot));
        Decisions { stay_down: stay.fold(0, |set, robot| set | 1 << robot), reenter_down: 0 }
    }
}
