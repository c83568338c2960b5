//! Memory that one composition of a turn may need at most. The search checks for it in advance, so that a composition
//! never fails half-way.

use super::candidates::{Candidates, Demand};
use super::ports::{ATTACK_CAP, GENERAL_CAP};
use super::spawn_stage::SPAWN_ACTION_CAP;

/// General candidates of one position at most.
pub(super) const GENERALS: usize = 24;

/// Positions whose general candidates the slice of general candidates must be able to hold.
const POSITIONS: usize = 20;

/// Demand of that many compositions, each in a position with this many boards.
pub(super) fn demand(compositions: usize, boards: usize, candidates: &Candidates<'_>) -> Demand {
    let generals = generals_in(candidates);
    let actions = generals * (GENERAL_CAP + boards) + boards * (ATTACK_CAP + SPAWN_ACTION_CAP);
    Demand {
        stages: compositions,
        generals: compositions * generals,
        boards: compositions * boards,
        actions: compositions * actions,
    }
}

/// General candidates that are listed in each position: fewer where their slice is short.
pub(super) fn generals_in(candidates: &Candidates<'_>) -> usize {
    (candidates.generals.capacity() / POSITIONS).clamp(2, GENERALS)
}
