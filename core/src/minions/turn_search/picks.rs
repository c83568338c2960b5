//! The parts of a turn.

use super::candidates::{AttackIndex, GeneralIndex, SpawnIndex};
use super::threading::THREADED;
use crate::minions::BOARD_CAP;
use crate::search::stats::Stats;

/// A turn as the candidates that it is made of, one of each stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Picks {
    /// Plausibility of the turn when it was composed, as a share of the most plausible one, 0..=65,535. First, since it is
    /// read most (see [`Edge`](crate::search::tree::Edge)).
    pub plausibility: u16,
    /// Whether the turn is known to win the game at once.
    pub wins: bool,
    /// The general's choice.
    pub general: GeneralIndex,
    /// Attack and spawn candidate of each board, in index order; none beyond the last board.
    pub boards: [(AttackIndex, SpawnIndex); BOARD_CAP],
    /// Visits of the turn that its candidates have not counted yet, where several threads search.
    pub(super) uncounted: [Stats; THREADED],
}

impl Picks {
    /// No candidates.
    pub const NONE: Picks = Picks {
        general: GeneralIndex::NONE,
        boards: [(AttackIndex::NONE, SpawnIndex::NONE); BOARD_CAP],
        plausibility: 0,
        wins: false,
        uncounted: [Stats::EMPTY; THREADED],
    };

    /// Whether both turns are made of the same candidates.
    pub fn same(&self, other: &Picks) -> bool {
        self.general == other.general && self.boards == other.boards
    }
}

impl Default for Picks {
    fn default() -> Self {
        Picks::NONE
    }
}
