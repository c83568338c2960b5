//! The four directions of a step, in the order that every rule uses (rules §1).

/// The direction of a step; y grows downwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// y - 1.
    Up,
    /// x + 1.
    Right,
    /// y + 1.
    Down,
    /// x - 1.
    Left,
}

impl Direction {
    /// All directions in the order of the rules.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// The direction at place `index` mod 4 of the rules' order.
    pub const fn nth(index: usize) -> Direction {
        match index & 3 {
            0 => Direction::Up,
            1 => Direction::Right,
            2 => Direction::Down,
            _ => Direction::Left,
        }
    }

    /// Place of the direction in the rules' order, 0..4.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The step in x and y.
    pub const fn delta(self) -> (i16, i16) {
        match self {
            Direction::Up => (0, -1),
            Direction::Right => (1, 0),
            Direction::Down => (0, 1),
            Direction::Left => (-1, 0),
        }
    }

    /// Name of the direction in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Up => "UP",
            Direction::Right => "RIGHT",
            Direction::Down => "DOWN",
            Direction::Left => "LEFT",
        }
    }
}
