//! Re-entry of destroyed robots (rules §6).

use super::board::{Board, Dock};
use super::geometry::Cell;
use super::state::State;
use super::turn::Decisions;

/// Distance in cells within which a robot that re-enters beside its archive may not face another robot.
const CLEAR_SIGHT: u8 = 3;

impl State {
    /// Brings destroyed robots back in the order of their destruction.
    pub(super) fn reenter(&mut self, board: &Board, decisions: &Decisions) {
        for place in 0..self.fallen_count as usize {
            let robot = self.fallen[place] as usize;
            // A board without room cannot be: it has a dock for each robot. Given positions may lack docks.
            let chosen = decisions.entries.get(robot).copied().flatten();
            let chosen = chosen.filter(|entry| self.entries(board, robot).any(|allowed| allowed == *entry));
            let Some(entry) = chosen.or_else(|| self.entry(board, robot)) else { continue };
            let bit = 1 << robot;
            self.cell[robot] = entry.cell;
            self.facing[robot] = entry.facing;
            self.damage[robot] = 2;
            self.destroyed &= !bit;
            self.present |= bit;
            self.announced |= decisions.reenter_down & bit;
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

    /// Cell and facing on which a destroyed robot re-enters now if its owner does not choose: the first of
    /// [`entries`](State::entries). `None` if there is no room.
    pub fn entry(&self, board: &Board, robot: usize) -> Option<Dock> {
        self.entries(board, robot).next()
    }

    /// Cells and facings on which a destroyed robot may re-enter now: every facing on its archive's cell, the archived
    /// one first, or on the cells of the nearest ring that has an allowed one.
    pub fn entries(&self, board: &Board, robot: usize) -> impl Iterator<Item = Dock> {
        let archive = self.archive.get(robot).copied();
        let is_free = archive.is_some_and(|archive| self.standing_on(archive.cell) == 0);
        let on_archive = archive.filter(|_| is_free).into_iter().flat_map(quarters);
        let farthest = board.width().max(board.height()) as i8;
        let beside = archive.filter(|_| !is_free).and_then(|archive| {
            let on = move |radius| self.entries_at(board, archive, radius);
            (1..=farthest).map(on).find(|entries| entries.clone().next().is_some())
        });
        on_archive.chain(beside.into_iter().flatten())
    }

    /// Cells and facings at a distance from an archive that the rules allow.
    fn entries_at(&self, board: &Board, archive: Dock, radius: i8) -> impl Iterator<Item = Dock> + Clone {
        let is_free =
            move |&cell: &Cell| board.is_inside(cell) && !board.is_pit(cell) && self.standing_on(cell) == 0;
        let from = move |cell| quarters(Dock { cell, facing: archive.facing });
        let cells = ring(archive.cell, radius).filter(is_free);
        cells.flat_map(from).filter(move |entry| self.is_clear(board, *entry))
    }

    /// Whether no robot is near in the direction of a facing.
    fn is_clear(&self, board: &Board, Dock { cell, facing }: Dock) -> bool {
        let range = board.sight(cell, facing).min(CLEAR_SIGHT);
        self.nearest(cell, facing, range, self.in_line(cell, facing)).is_none()
    }
}

/// A cell with all facings, clockwise from a first one.
fn quarters(first: Dock) -> impl Iterator<Item = Dock> + Clone {
    (0..4).map(move |turns| Dock { cell: first.cell, facing: first.facing.turned(turns) })
}

/// The cells at this Chebyshev distance, clockwise from due north. Cells beyond the grid are left out.
fn ring(centre: Cell, radius: i8) -> impl Iterator<Item = Cell> + Clone {
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
    use crate::contests::roborally::{BoardBuilder, Direction, Profile, Robot, Status};
    use std::vec::Vec;

    #[test]
    fn rings_go_clockwise_from_north() {
        let cells: Vec<(i8, i8)> = ring(Cell::new(5, 5), 1).map(|cell| (cell.x(), cell.y())).collect();
        assert_eq!(cells, [(5, 4), (6, 4), (6, 5), (6, 6), (5, 6), (4, 6), (4, 5), (4, 4)]);
        assert_eq!(ring(Cell::new(12, 12), 3).count(), 24);
        assert_eq!(ring(Cell::new(0, 0), 1).count(), 3);
        assert_eq!(ring(Cell::new(23, 27), 28).next(), None);
    }

    #[test]
    fn owners_choose_among_what_is_allowed() {
        let mut plan = BoardBuilder::new(9, 9).expect("small");
        plan.flag(8, 8).expect("inside");
        let board = plan.finish().expect("a board");
        let archive = Dock { cell: Cell::new(4, 4), facing: Direction::West };
        let robot = |cell, status, damage| Robot {
            cell,
            facing: Direction::North,
            damage,
            lives: 2,
            next_flag: 1,
            archive,
            status,
            announced: false,
            is_virtual: false,
        };
        let fallen = robot(Cell::NOWHERE, Status::Destroyed, 10);
        for (other, is_free) in [(Cell::new(0, 0), true), (archive.cell, false)] {
            let robots = [fallen, robot(other, Status::Active, 0)];
            let state = State::from_robots(&board, Profile::Classic, &robots).expect("valid");
            let entries: Vec<Dock> = state.entries(&board, 0).collect();
            // Beside the archive, four of eight cells have two robots' lines less each.
            assert_eq!(
                (entries[0], entries.len()),
                (state.entry(&board, 0).expect("room"), if is_free { 4 } else { 28 })
            );
            let after = |entry| {
                let mut decisions = Decisions::default();
                decisions.entries[0] = entry;
                let mut after = state;
                after.clean_up(&board, decisions);
                assert_eq!(after.check(&board), Ok(()));
                let seen = after.robot(0).expect("a robot");
                Dock { cell: seen.cell, facing: seen.facing }
            };
            assert!(entries.iter().all(|&entry| after(Some(entry)) == entry));
            let far = Dock { cell: Cell::new(8, 0), facing: Direction::East };
            assert_eq!([after(None), after(Some(far))], [entries[0]; 2]);
        }
    }
}
