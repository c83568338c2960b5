//! When a robot powers down (rules §11.2, §11.4): thresholds of damage, the same in playouts and in races.

use crate::contests::roborally::{Decisions, State, Status};

/// Thresholds of damage for powering down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PowerDownPolicy {
    /// Least damage with which a robot announces power down.
    pub announce: u8,
    /// Least damage after the turn with which a robot stays powered down.
    pub stay: u8,
}

impl PowerDownPolicy {
    /// The usual thresholds.
    pub const USUAL: PowerDownPolicy = PowerDownPolicy { announce: 5, stay: 3 };

    /// Whether a robot announces power down, without regard to its program.
    pub fn announces(&self, state: &State, robot: usize) -> bool {
        state.robot(robot).is_some_and(|seen| seen.damage >= self.announce.max(1))
            && state.is_programming(robot)
    }

    /// Whether a powered-down robot stays powered down.
    pub fn stays(&self, state: &State, robot: usize) -> bool {
        state.robot(robot).is_some_and(|seen| seen.status == Status::PoweredDown && seen.damage >= self.stay)
    }

    /// Decisions of all robots at the end of a turn; none re-enters powered down.
    pub fn decisions(&self, state: &State) -> Decisions {
        self.decisions_but(state, 0)
    }

    /// Decisions at the end of a turn of all robots but some, given as bits.
    pub(super) fn decisions_but(&self, state: &State, some: u8) -> Decisions {
        let stay = (0..state.robots()).filter(|&robot| some >> robot & 1 == 0 && self.stays(state, robot));
        Decisions { stay_down: stay.fold(0, |set, robot| set | 1 << robot), ..Decisions::default() }
    }
}
