//! Value types of all searches: win chances in 1/65,536, estimates with their error, and curves over money.
//! All are whole numbers, so that two targets agree bit for bit.

/// Win chance of a game that is won: 65,536 stands for 1.
pub const CERTAIN: i32 = 65_536;

/// Win chance of an even game: one half.
pub const EVEN: i32 = CERTAIN / 2;

/// Units of money at which a [`Curve`] has values, in rising order; between two knots a curve is linear.
pub const KNOTS: [u8; 8] = [0, 2, 4, 7, 10, 14, 20, 28];

/// A money curve: the value of spending each of the [`KNOTS`], in 1/65,536 of a win chance.
pub type Curve = [i32; KNOTS.len()];

/// An estimate of a win chance with its expected error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Estimate {
    /// Win chance, 0..=[`CERTAIN`].
    pub win: i32,
    /// Root of the expected squared difference from the value of a short search, in 1/65,536.
    pub error: i32,
}
