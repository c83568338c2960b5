//! The four directions, in the order that every rule uses (rules §1).

/// Where a step goes; y grows downwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// (0, -1).
    Up,
    /// (1, 0).
    Right,
    /// (0, 1).
    Down,
    /// (-1, 0).
    Left,
}

impl Direction {
    /// All of them in the rules' order.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// The direction whose place in the order is `index` mod 4.
    pub const fn nth(index: usize) -> Direction {
        match index & 3 {
            0 => Direction::Up,
            1 => Direction::Right,
            2 => Direction::Down,
            _ => Direction::Left,
        }
    }

    /// Its place in the order, 0..4.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What a step adds to x and y.
    pub const fn delta(self) -> (i16, i16) {
        match self {
            Direction::Up => (0, -1),
            Direction::Right => (1, 0),
            Direction::Down => (0, 1),
            Direction::Left => (-1, 0),
        }
    }

    /// Its name in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Up => "UP",
            Direction::Right => "RIGHT",
            Direction::Down => "DOWN",
            Direction::Left => "LEFT",
        }
    }
}
