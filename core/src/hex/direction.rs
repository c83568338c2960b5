//! Directions in the order in which the rules enumerate neighbours (rules §2).

/// Direction of one step to a neighbouring hex. The names fit a picture with row 0 on top, in which each row is shifted
/// half a hex to the right of the row above.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// (x, y-1)
    UpLeft = 0,
    /// (x+1, y-1)
    UpRight = 1,
    /// (x+1, y)
    Right = 2,
    /// (x, y+1)
    DownRight = 3,
    /// (x-1, y+1)
    DownLeft = 4,
    /// (x-1, y)
    Left = 5,
}

impl Direction {
    /// All six directions in the order of the rules.
    pub const ALL: [Direction; 6] = [
        Direction::UpLeft,
        Direction::UpRight,
        Direction::Right,
        Direction::DownRight,
        Direction::DownLeft,
        Direction::Left,
    ];

    /// Change of column, -1 to 1.
    pub const fn dx(self) -> i8 {
        match self {
            Direction::UpLeft | Direction::DownRight => 0,
            Direction::UpRight | Direction::Right => 1,
            Direction::DownLeft | Direction::Left => -1,
        }
    }

    /// Change of row, -1 to 1.
    pub const fn dy(self) -> i8 {
        match self {
            Direction::UpLeft | Direction::UpRight => -1,
            Direction::Right | Direction::Left => 0,
            Direction::DownRight | Direction::DownLeft => 1,
        }
    }

    /// The opposite direction.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::UpLeft => Direction::DownRight,
            Direction::UpRight => Direction::DownLeft,
            Direction::Right => Direction::Left,
            Direction::DownRight => Direction::UpLeft,
            Direction::DownLeft => Direction::UpRight,
            Direction::Left => Direction::Right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_directions_cancel() {
        for (number, direction) in Direction::ALL.into_iter().enumerate() {
            assert_eq!(direction as usize, number);
            assert_eq!(direction.dx() + direction.opposite().dx(), 0);
            assert_eq!(direction.dy() + direction.opposite().dy(), 0);
            assert_eq!(direction.opposite().opposite(), direction);
        }
    }
}
