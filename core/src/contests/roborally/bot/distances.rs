//! Informed distances (seed 002 "Informed Distance to Checkpoint"): steps to each flag around walls and pits, one
//! breadth-first search per flag before the race.

use crate::contests::roborally::board::{FLAG_CAP, HEIGHT_CAP, WIDTH_CAP};
use crate::contests::roborally::{Board, Cell, Direction};

/// Steps from every cell to every flag; the number of cells where there is no way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distances {
    steps: [[u16; Cell::COUNT]; FLAG_CAP],
}

impl Distances {
    /// The distances of a board.
    pub fn new(board: &Board) -> Distances {
        let unreachable = u16::from(board.width()) * u16::from(board.height());
        let mut steps = [[unreachable; Cell::COUNT]; FLAG_CAP];
        for (row, &flag) in steps.iter_mut().zip(board.flags()) {
            flood(board, flag, row);
        }
        Distances { steps }
    }

    /// Steps from a cell to a flag, counted from 1. Cells in pits and outside have no way; 0 for no such flag.
    pub fn to_flag(&self, flag: u8, from: Cell) -> u32 {
        let row = flag.checked_sub(1).and_then(|place| self.steps.get(place as usize));
        row.map_or(0, |row| u32::from(row[from.index()]))
    }
}

/// Steps are as long back as forth: walls stop both ways, and a way never enters a pit.
fn flood(board: &Board, flag: Cell, steps: &mut [u16; Cell::COUNT]) {
    let mut queue = [Cell::NOWHERE; WIDTH_CAP * HEIGHT_CAP];
    let (mut next, mut end) = (0, 1);
    queue[0] = flag;
    steps[flag.index()] = 0;
    let unreachable = u16::from(board.width()) * u16::from(board.height());
    while next < end {
        let cell = queue[next];
        next += 1;
        for direction in Direction::ALL {
            let to = cell.step(direction);
            let closed = board.has_wall(cell, direction) || board.is_pit(to);
            if !closed && steps[to.index()] == unreachable && to != flag {
                steps[to.index()] = steps[cell.index()] + 1;
                if let Some(place) = queue.get_mut(end) {
                    *place = to;
                    end += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::roborally::{BoardBuilder, COURSES, Terrain};

    #[test]
    fn ways_lead_around_walls_and_pits() {
        let mut plan = BoardBuilder::new(4, 3).expect("small");
        plan.flag(3, 0).expect("inside");
        plan.terrain(2, 1, Terrain::Pit).expect("inside");
        plan.wall(2, 0, Direction::East).expect("inside");
        plan.terrain(1, 2, Terrain::Pit).expect("inside");
        let board = plan.finish().expect("a board");
        let distances = Distances::new(&board);
        let from = |x, y| distances.to_flag(1, Cell::new(x, y));
        assert_eq!([from(3, 0), from(3, 1), from(2, 2), from(2, 0), from(0, 0)], [0, 1, 3, 12, 12]);
        assert_eq!(
            [from(2, 1), distances.to_flag(0, Cell::new(0, 0)), distances.to_flag(2, Cell::new(0, 0))],
            [12, 0, 12]
        );
        assert_eq!(distances.to_flag(9, Cell::new(0, 0)), 0);
    }

    #[test]
    fn tables_equal_relaxation() {
        for course in &COURSES {
            let board = course.board().expect("a course");
            let distances = Distances::new(&board);
            for (number, &flag) in (1..).zip(board.flags()) {
                for cell in board.cells().filter(|&cell| !board.is_pit(cell)) {
                    let open =
                        |way: &Direction| !board.has_wall(cell, *way) && !board.is_pit(cell.step(*way));
                    let nearest = Direction::ALL.into_iter().filter(open);
                    let nearest = nearest.map(|way| distances.to_flag(number, cell.step(way))).min();
                    let steps = distances.to_flag(number, cell);
                    let most = u32::from(board.width()) * u32::from(board.height());
                    let expected = if cell == flag { 0 } else { (nearest.unwrap_or(most) + 1).min(most) };
                    assert_eq!(steps, expected, "{}: {cell:?}", course.name());
                    assert!(steps >= cell.manhattan(flag));
                }
            }
        }
    }
}
