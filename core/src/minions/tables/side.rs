//! Sides, and arrays with one value per side (seed 000 "SideArray").

use core::ops::{Index, IndexMut};

/// Side of a player. Yellow moves first (rules §1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// Side 0, which moves first.
    Yellow = 0,
    /// Side 1, which starts with more souls.
    Blue = 1,
}

impl Side {
    /// Both sides, Yellow first.
    pub const ALL: [Side; 2] = [Side::Yellow, Side::Blue];

    /// Opponent of the side.
    pub const fn opponent(self) -> Side {
        match self {
            Side::Yellow => Side::Blue,
            Side::Blue => Side::Yellow,
        }
    }

    /// Index of the side: 0 for Yellow, 1 for Blue.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side with this number, if it is 0 or 1.
    pub const fn from_index(index: u8) -> Option<Side> {
        match index {
            0 => Some(Side::Yellow),
            1 => Some(Side::Blue),
            _ => None,
        }
    }

    /// Name of the side in the protocol: `Yellow` or `Blue`.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Yellow => "Yellow",
            Side::Blue => "Blue",
        }
    }
}

/// Pair of values, one for each side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SideArray<T>(pub [T; 2]);

impl<T> SideArray<T> {
    /// An array of Yellow's value and Blue's.
    pub const fn new(yellow: T, blue: T) -> Self {
        SideArray([yellow, blue])
    }
}

impl<T> Index<Side> for SideArray<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        let [yellow, blue] = &self.0;
        match side {
            Side::Yellow => yellow,
            Side::Blue => blue,
        }
    }
}

impl<T> IndexMut<Side> for SideArray<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        let [yellow, blue] = &mut self.0;
        match side {
            Side::Yellow => yellow,
            Side::Blue => blue,
        }
    }
}
