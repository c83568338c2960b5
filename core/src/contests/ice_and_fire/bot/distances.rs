//! Distances over open cells.

use crate::contests::ice_and_fire::{CellSet, SLOTS};

/// Steps from every cell to the nearest of `goals` over `open` cells, by [`Cell::index`]; 255 where no path leads.
///
/// [`Cell::index`]: crate::contests::ice_and_fire::Cell::index
pub fn steps_to(goals: CellSet, open: CellSet) -> [u8; SLOTS] {
    let mut steps = [u8::MAX; SLOTS];
    let mut edge = goals & open;
    let mut reached = edge;
    let mut distance = 0;
    while !edge.is_empty() {
        for cell in edge.iter() {
            steps[cell.index()] = distance;
        }
        edge = (edge.neighbours() & open) - reached;
        reached |= edge;
        // No way is longer than the board has cells.
        distance = u8::saturating_add(distance, 1);
    }
    steps
}
