//! Land to fill: what a unit reaches before any other, so that units share it out among themselves.

use crate::contests::ice_and_fire::{Cell, CellSet, State};

/// Steps that a unit's land is counted for.
const STEPS: u8 = 6;

/// Worth of the unowned land that a unit on a cell would reach before any of `others`, as sure as not they start to
/// walk there: each cell counts more the nearer it is.
pub(super) fn land_to_fill(state: &State, cell: Cell, others: CellSet) -> u8 {
    let unowned = state.unowned();
    let (mut mine, mut theirs) = (cell.to_set(), others);
    let mut worth = (mine & unowned).len() * u32::from(STEPS);
    for step in (1..STEPS).rev() {
        let wider = (theirs | (theirs.neighbours() & state.open())) - mine;
        let reached = (mine.neighbours() & state.open()) - mine - theirs;
        worth += (reached & unowned).len() * u32::from(step);
        mine |= reached;
        theirs = wider;
    }
    worth.min(u32::from(u8::MAX)) as u8
}
