//! Order of the robots (rules §16.3): first the one nearest to the antenna, of equally near ones the first that a ray
//! from the antenna meets on its way clockwise.

use crate::contests::roborally::{Cell, Direction, Dock};

/// The sort key of a cell: its distance to the antenna, then the way of the ray to it.
pub(super) fn rank(antenna: Dock, cell: Cell) -> (u32, u32) {
    let right = i32::from(cell.x()) - i32::from(antenna.cell.x());
    let down = i32::from(cell.y()) - i32::from(antenna.cell.y());
    // Seen from the antenna, with its ray ahead.
    let (ahead, aside) = match antenna.facing {
        Direction::North => (-down, right),
        Direction::East => (right, down),
        Direction::South => (down, -right),
        Direction::West => (-right, -down),
    };
    let distance = antenna.cell.manhattan(cell);
    // Cells at one distance are a rhomb, which the ray goes round.
    let way = match (ahead > 0, aside > 0) {
        (true, _) if aside >= 0 => aside.unsigned_abs(),
        (_, true) => distance + ahead.unsigned_abs(),
        _ if ahead < 0 => 2 * distance + aside.unsigned_abs(),
        _ => 3 * distance + ahead.unsigned_abs(),
    };
    (distance, way)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn the_ray_goes_round_clockwise() {
        for facing in Direction::ALL {
            let antenna = Dock { cell: Cell::new(9, 9), facing };
            let around = [(0, -2), (1, -1), (2, 0), (1, 1), (0, 2), (-1, 1), (-2, 0), (-1, -1)];
            let mut cells: Vec<(i8, i8)> = around.to_vec();
            cells.sort_by_key(|&(x, y)| rank(antenna, Cell::new(9 + x, 9 + y)));
            let mut expected = around.to_vec();
            expected.rotate_left(2 * facing as usize);
            assert_eq!(cells, expected, "{facing:?}");
        }
        let antenna = Dock { cell: Cell::new(0, 5), facing: Direction::East };
        assert!(rank(antenna, Cell::new(1, 5)) < rank(antenna, Cell::new(0, 3)));
    }
}
