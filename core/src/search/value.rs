//! Values that a search works with: win chances in 1/65,536, estimates with their error, curves over money, and the
//! clock. All are whole numbers, so that two targets agree bit for bit.

/// The win chance of a game that is won.
pub const CERTAIN: i32 = 65_536;

/// The win chance of an even game.
pub const EVEN: i32 = CERTAIN / 2;

/// Souls at which the curve of a board is known; between them it is straight.
pub const KNOTS: [u8; 8] = [0, 2, 4, 7, 10, 14, 20, 28];

/// Value of a board for each of the [`KNOTS`].
pub type Curve = [i32; KNOTS.len()];

/// A judgement with its own doubt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Estimate {
    /// Win chance, 0..=[`CERTAIN`].
    pub win: i32,
    /// Expected distance from what a short look ahead would say, in the same unit.
    pub error: i32,
}

/// Time, as far as the search cares.
pub trait Clock {
    /// Whether to stop now. Asked once per iteration.
    fn is_over(&mut self, nodes: u64) -> bool;
}
