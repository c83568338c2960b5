//! Memory that one composition of a turn may need at most. The search checks for it in advance, so that a composition
//! never fails half-way.

use super::candidate_usage::Demand;
use super::candidates::Candidates;
use super::ports::{ATTACK_CAP, GENERAL_CAP};
use super::spawn_stage::SPAWN_ACTION_CAP;

/// General candidates of one position at most.
pub(super) const GENERALS: usize = 24;

/// General candidates of one position at least.
pub(super) const LEAST_GENERALS: usize = 2;

/// Positions whose general candidates the slice of general candidates must be able to hold.
const POSITIONS: usize = 20;

/// Boards whose actions can be counted, at most.
const COUNTED_BOARDS: usize =
    (usize::MAX - GENERALS * GENERAL_CAP) / (GENERALS + ATTACK_CAP + SPAWN_ACTION_CAP);

/// Demand of that many compositions, each in a position with this many boards.
pub(super) fn demand(compositions: usize, boards: usize, candidates: &Candidates<'_>) -> Demand {
    let generals = generals_in(candidates);
    Demand {
        stages: compositions,
        generals: compositions * generals,
        boards: compositions * boards,
        actions: compositions * actions_of_turn(generals, boards),
    }
}

/// Actions of all candidates of one composition with so many general candidates and boards, at most.
const fn actions_of_turn(generals: usize, boards: usize) -> usize {
    generals * (GENERAL_CAP + boards) + boards * (ATTACK_CAP + SPAWN_ACTION_CAP)
}

/// Actions of a turn as [`actions_of_turn`] counts them, for any number of boards: the largest number there is where they
/// cannot be counted.
pub(super) const fn actions_of_any_turn(generals: usize, boards: usize) -> usize {
    if boards > COUNTED_BOARDS { usize::MAX } else { actions_of_turn(generals, boards) }
}

/// General candidates that are listed in each position: fewer where their slice is short.
pub(super) fn generals_in(candidates: &Candidates<'_>) -> usize {
    generals_listed(candidates.generals.capacity())
}

/// General candidates that are listed in each position, from the length of their slice.
pub(super) const fn generals_listed(capacity: usize) -> usize {
    let share = capacity / POSITIONS;
    if share < LEAST_GENERALS {
        LEAST_GENERALS
    } else if share > GENERALS {
        GENERALS
    } else {
        share
    }
}
