//! Hexes of the board: index, name, neighbours and distances (rules §2).

use core::fmt;
use core::str::FromStr;

use super::direction::Direction;
use super::set::HexSet;
use super::tables;

/// A hex, stored as its index `x + 10 * y` in 0..100 (column `x`, row `y`, both 0..10).
///
/// The name is a letter for the column and a digit for the row: `c2` is column 2, row 2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex(u8);

impl Hex {
    /// Number of hexes on a board.
    pub const COUNT: usize = 100;
    /// Number of columns, and of rows.
    pub const WIDTH: u8 = 10;
    /// The hex with index 0, `a0`.
    pub const FIRST: Hex = Hex(0);

    /// The hex with this index, if it is below 100.
    pub const fn new(index: u8) -> Option<Hex> {
        if (index as usize) < Hex::COUNT { Some(Hex(index)) } else { None }
    }

    /// The hex in column `x` and row `y`, if both are below 10.
    pub const fn at(x: u8, y: u8) -> Option<Hex> {
        if x < Hex::WIDTH && y < Hex::WIDTH { Some(Hex(x + Hex::WIDTH * y)) } else { None }
    }

    /// The hex with this name, usable in constants.
    ///
    /// ```
    /// use barrow_core::hex::Hex;
    /// const HOME: Option<Hex> = Hex::named("c2");
    /// assert_eq!(HOME, Hex::at(2, 2));
    /// assert_eq!(Hex::named("k0"), None);
    /// ```
    pub const fn named(name: &str) -> Option<Hex> {
        Hex::parse(name.as_bytes())
    }

    /// The hex whose name is exactly these two bytes, e.g. `b"c2"`.
    pub const fn parse(name: &[u8]) -> Option<Hex> {
        match *name {
            [column @ b'a'..=b'j', row @ b'0'..=b'9'] => Hex::at(column - b'a', row - b'0'),
            _ => None,
        }
    }

    /// Every hex in ascending index.
    pub fn all() -> impl Iterator<Item = Hex> {
        (0..Hex::COUNT as u8).map(Hex)
    }

    /// The index, 0..100.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, 0..10.
    pub const fn x(self) -> u8 {
        self.0 % Hex::WIDTH
    }

    /// The row, 0..10.
    pub const fn y(self) -> u8 {
        self.0 / Hex::WIDTH
    }

    /// The name as two ASCII bytes.
    pub const fn name(self) -> [u8; 2] {
        [b'a' + self.x(), b'0' + self.y()]
    }

    /// The hex after turning the board by 180 degrees.
    pub const fn rotated(self) -> Hex {
        Hex(Hex::COUNT as u8 - 1 - self.0)
    }

    /// The hex after reflecting the board in its long diagonal, which goes from a0 to j9.
    pub const fn reflected(self) -> Hex {
        Hex(self.x() * Hex::WIDTH + self.y())
    }

    /// The neighbour in that direction, unless it would lie outside the board.
    pub const fn step(self, direction: Direction) -> Option<Hex> {
        let x = self.x().checked_add_signed(direction.dx());
        let y = self.y().checked_add_signed(direction.dy());
        match (x, y) {
            (Some(x), Some(y)) => Hex::at(x, y),
            _ => None,
        }
    }

    /// The two to six neighbours, in the order of the rules (see [`Direction`]).
    pub fn neighbours(self) -> &'static [Hex] {
        tables::neighbours(self)
    }

    /// Number of steps to the other hex over an empty board, 0 to 18.
    ///
    /// ```
    /// use barrow_core::hex::Hex;
    /// let [a0, j9] = ["a0", "j9"].map(|name| Hex::named(name).unwrap());
    /// assert_eq!(a0.distance(j9), 18);
    /// ```
    #[inline]
    pub const fn distance(self, other: Hex) -> u8 {
        tables::distance(self, other)
    }

    /// The set that holds just this hex.
    pub const fn to_set(self) -> HexSet {
        HexSet::single(self)
    }

    /// The hex with this index, for tables that are made at compile time; 100 and above wrap around.
    pub(super) const fn wrapped(index: usize) -> Hex {
        Hex((index % Hex::COUNT) as u8)
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [column, row] = self.name();
        write!(f, "{}{}", column as char, row as char)
    }
}

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error for a text that is not the name of a hex, a letter `a` to `j` and a digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseHexError;

impl fmt::Display for ParseHexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a hex is a letter a-j and a digit 0-9")
    }
}

impl core::error::Error for ParseHexError {}

impl FromStr for Hex {
    type Err = ParseHexError;

    fn from_str(text: &str) -> Result<Hex, ParseHexError> {
        Hex::named(text).ok_or(ParseHexError)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn names_and_indices_go_both_ways() {
        for hex in Hex::all() {
            assert_eq!(Hex::new(hex.index() as u8), Some(hex));
            assert_eq!(Hex::at(hex.x(), hex.y()), Some(hex));
            assert_eq!(Hex::parse(&hex.name()), Some(hex));
            assert_eq!(hex.to_string().parse(), Ok(hex));
            assert_eq!(hex.rotated().rotated(), hex);
            assert_eq!((hex.rotated().x(), hex.rotated().y()), (9 - hex.x(), 9 - hex.y()));
            assert_eq!((hex.reflected().x(), hex.reflected().y()), (hex.y(), hex.x()));
            let [neighbours, reflected] = [hex, hex.reflected()].map(|hex| hex.neighbours().to_vec());
            assert!(neighbours.iter().all(|hex| reflected.contains(&hex.reflected())));
        }
        assert_eq!(Hex::all().count(), Hex::COUNT);
    }

    #[test]
    fn whatever_is_outside_is_refused() {
        assert_eq!((Hex::new(100), Hex::new(255)), (None, None));
        assert_eq!((Hex::at(10, 0), Hex::at(0, 10), Hex::at(255, 255)), (None, None, None));
        for name in ["", "c", "c2 ", "C2", "k0", "2c", "c:", "`0", "é"] {
            assert_eq!(name.parse::<Hex>(), Err(ParseHexError), "{name:?}");
        }
    }

    fn names(hexes: &[Hex]) -> std::string::String {
        let names: Vec<_> = hexes.iter().map(Hex::to_string).collect();
        names.join(" ")
    }

    #[test]
    fn minions_rule_02_e1_neighbours() {
        for (name, expected) in [
            ("c2", "c1 d1 d2 c3 b3 b2"),
            ("a0", "b0 a1"),
            ("j0", "j1 i1 i0"),
            ("a9", "a8 b8 b9"),
            ("j9", "j8 i9"),
            ("h7", "h6 i6 i7 h8 g8 g7"),
        ] {
            assert_eq!(names(Hex::named(name).unwrap().neighbours()), expected, "{name}");
        }
    }

    #[test]
    fn minions_rule_02_e2_distances() {
        for (from, to, expected) in [
            ("c2", "h7", 10),
            ("c2", "d1", 1),
            ("c2", "d3", 2),
            ("c2", "e0", 2),
            ("a0", "j9", 18),
            ("a9", "j0", 9),
            ("e4", "c8", 4),
        ] {
            let (from, to): (Hex, Hex) = (from.parse().unwrap(), to.parse().unwrap());
            assert_eq!(from.distance(to), expected, "{from}-{to}");
            assert_eq!(to.distance(from), expected, "{to}-{from}");
        }
    }
}
