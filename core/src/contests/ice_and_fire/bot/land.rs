//! Filling land in the opening (seed 004, "Unfinished business"): units go and are trained where most unowned land
//! is nearer to them than to any other own unit, so that they share it out among themselves.

use crate::contests::ice_and_fire::{Cell, CellSet, Player, State};

use super::planner::Planner;

/// Steps that a unit's land is counted for.
const STEPS: u8 = 6;

/// Distance between the lands of both players above which there is nothing to do but fill land.
const FAR: u8 = 3;

impl Planner<'_> {
    /// Whether the planner fills land: the option is on, land is left, and the opponent is far.
    pub(super) fn fills_land(&self, state: &State) -> bool {
        self.options.fill > 0 && !state.unowned().is_empty() && are_apart(state)
    }
}

/// Whether the players' lands are more than [`FAR`] steps from each other.
fn are_apart(state: &State) -> bool {
    let [one, other] = Player::BOTH.map(|player| state.owned(player));
    let near = (0..FAR).fold(one, |near, _| near | (near.neighbours() & state.open()));
    !near.intersects(other)
}

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
