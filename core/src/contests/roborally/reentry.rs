//! Re-entry of destroyed robots (rules §6).

use super::board::{Board, Dock};
use super::geometry::{Cell, Direction};
use super::state::State;

/// Distance in cells within which a robot that re-enters beside its archive may not face another robot.
const CLEAR_SIGHT: u8 = 3;

impl State {
    /// Brings destroyed robots back in the order of their destruction.
    pub(super) fn reenter(&mut self, board: &Board, powered_down: u8) {
        for place in 0..self.fallen_count as usize {
            let robot = self.fallen[place] as usize;
            // A board without room cannot be: it has a dock for each robot. Given positions may lack docks.
            let Some(entry) = self.entry(board, robot) else { continue };
            let bit = 1 << robot;
            self.cell[robot] = entry.cell;
            self.facing[robot] = entry.facing;
            self.damage[robot] = 2;
            self.destroyed &= !bit;
            self.present |= bit;
            self.announced |= powered_down & bit;
        }
        let kept = self.fallen;
        let count = self.fallen_count as usize;
        self.fallen_count = 0;
        for &robot in &kept[..count.min(kept.len())] {
            if self.destroyed >> robot & 1 == 1 {
                self.fallen[self.fallen_count as usize] = robot;
                self.fallen_count += 1;
            }
        }
    }

    /// Cell and facing on which a destroyed robot would re-enter now; `None` if there is no room.
    pub fn entry(&self, board: &Board, robot: usize) -> Option<Dock> {
        let archive = *self.archive.get(robot)?;
        if self.standing_on(archive.cell) == 0 {
            return Some(archive);
        }
        let farthest = board.width().max(board.height()) as i8;
        let ring = |radius| ring(archive.cell, radius);
        (1..=farthest).flat_map(ring).find_map(|cell| {
            if !board.is_inside(cell) || board.is_pit(cell) || self.standing_on(cell) != 0 {
                return None;
            }
            self.clear_facing(board, cell, archive.facing).map(|facing| Dock { cell, facing })
        })
    }

    /// The first facing clockwise from `from` in which no robot is near.
    fn clear_facing(&self, board: &Board, cell: Cell, from: Direction) -> Option<Direction> {
        let clear = |&facing: &Direction| {
            let range = board.sight(cell, facing).min(CLEAR_SIGHT);
            self.nearest(cell, facing, range, self.in_line(cell, facing)).is_none()
        };
        (0..4).map(|quarters| from.turned(quarters)).find(clear)
    }
}

/// The cells at this Chebyshev distance, clockwise from due north. Cells beyond the grid are left out.
fn ring(centre: Cell, radius: i8) -> impl Iterator<Item = Cell> {
    let sides = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)];
    // North to the corner is half a side, as is the way back to it.
    let lengths = [radius, 2 * radius, 2 * radius, 2 * radius, radius];
    let steps = sides.into_iter().zip(lengths).flat_map(|(side, length)| (0..length).map(move |_| side));
    steps
        .scan((0, -radius), |offset, (dx, dy)| {
            let here = *offset;
            *offset = (here.0 + dx, here.1 + dy);
            Some(here)
        })
        .filter_map(move |(dx, dy)| {
            let [x, y] = [centre.x() + dx, centre.y() + dy];
            ((0..30).contains(&x) && (0..30).contains(&y)).then(|| Cell::new(x, y))
        })
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn rings_go_clockwise_from_north() {
        let cells: Vec<(i8, i8)> = ring(Cell::new(5, 5), 1).map(|cell| (cell.x(), cell.y())).collect();
        assert_eq!(cells, [(5, 4), (6, 4), (6, 5), (6, 6), (5, 6), (4, 6), (4, 5), (4, 4)]);
        assert_eq!(ring(Cell::new(12, 12), 3).count(), 24);
        assert_eq!(ring(Cell::new(0, 0), 1).count(), 3);
        assert_eq!(ring(Cell::new(23, 27), 28).next(), None);
    }
}
