//! Sets of hexes: one bit per hex in a `u128`, and the algebra on them.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use super::direction::Direction;
use super::point::Hex;
use super::tables;

/// A set of hexes. Bit `i` stands for the hex with index `i`; bits 100 to 127 are always clear.
///
/// ```
/// use barrow_core::hex::{Hex, HexSet};
/// let [a, b, c] = ["c2", "d2", "e2"].map(|name| Hex::named(name).unwrap());
/// let (left, right) = (HexSet::from_iter([a, b]), HexSet::from_iter([b, c]));
///
/// assert_eq!(left & right, b.to_set());
/// assert_eq!((left | right).len(), 3);
/// assert_eq!(left ^ right, (left | right) - (left & right));
/// assert_eq!(left - right, left & !right);
/// assert_eq!(!(left | right), !left & !right);
/// assert_eq!(!HexSet::EMPTY, HexSet::ALL);
/// assert!((left & right).is_subset(left) && left.intersects(right));
/// assert!(left.iter().eq([a, b]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HexSet(u128);

/// Column `a`, one bit per row.
const COLUMN_A: u128 = {
    let mut bits = 0;
    let mut row = 0;
    while row < Hex::WIDTH {
        bits |= 1 << (row * Hex::WIDTH);
        row += 1;
    }
    bits
};
/// Whether the target works on words of 32 bits, in which shifts of whole sets by a variable number are long.
const BY_WORDS: bool = usize::BITS <= u32::BITS;
const COLUMN_J: u128 = COLUMN_A << (Hex::WIDTH - 1);

impl HexSet {
    /// No hex.
    pub const EMPTY: HexSet = HexSet(0);
    /// All 100 hexes.
    pub const ALL: HexSet = HexSet((1 << Hex::COUNT) - 1);

    /// The set that holds just this hex.
    #[inline]
    pub const fn single(hex: Hex) -> HexSet {
        if BY_WORDS { tables::single(hex) } else { HexSet(1 << hex.index()) }
    }

    /// The set with these bits; bits 100 to 127 are ignored.
    pub const fn from_bits(bits: u128) -> HexSet {
        HexSet(bits & HexSet::ALL.0)
    }

    /// All hexes at most `radius` away from the center.
    pub const fn ball(center: Hex, radius: u8) -> HexSet {
        tables::ball(center, radius)
    }

    /// All hexes exactly `radius` away from the center.
    pub const fn ring(center: Hex, radius: u8) -> HexSet {
        tables::ring(center, radius)
    }

    /// The bits, of which 100 to 127 are clear.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Whether the hex is in the set.
    #[inline]
    pub const fn contains(self, hex: Hex) -> bool {
        // By halves, because shifting both at once takes longer.
        let index = hex.index() as u32;
        let half = if index < u64::BITS { self.0 as u64 } else { (self.0 >> u64::BITS) as u64 };
        if BY_WORDS {
            let word = if index & u32::BITS == 0 { half as u32 } else { (half >> u32::BITS) as u32 };
            return word >> (index % u32::BITS) & 1 == 1;
        }
        half >> (index % u64::BITS) & 1 == 1
    }

    /// Adds the hex; returns true if it was not there before.
    pub const fn insert(&mut self, hex: Hex) -> bool {
        let new = !self.contains(hex);
        self.0 |= HexSet::single(hex).0;
        new
    }

    /// Removes the hex; returns true if it was there before.
    pub const fn remove(&mut self, hex: Hex) -> bool {
        let old = self.contains(hex);
        self.0 &= !HexSet::single(hex).0;
        old
    }

    /// The set with the hex added.
    pub const fn with(self, hex: Hex) -> HexSet {
        HexSet(self.0 | HexSet::single(hex).0)
    }

    /// The set with the hex removed.
    pub const fn without(self, hex: Hex) -> HexSet {
        HexSet(self.0 & !HexSet::single(hex).0)
    }

    /// Number of hexes in the set, 0..=100.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set holds no hex.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The hex with the smallest index, if there is any.
    pub const fn first(self) -> Option<Hex> {
        Hex::new(self.0.trailing_zeros() as u8)
    }

    /// Whether every hex of this set is in the other one.
    pub const fn is_subset(self, other: HexSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether the two sets share a hex.
    pub const fn intersects(self, other: HexSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Every hex of the set moved one step; hexes that would leave the board are dropped.
    ///
    /// ```
    /// use barrow_core::hex::{Direction, Hex, HexSet};
    /// let [i5, j5] = ["i5", "j5"].map(|name| Hex::named(name).unwrap());
    /// assert_eq!(HexSet::from_iter([i5, j5]).shifted(Direction::Right), j5.to_set());
    /// ```
    pub const fn shifted(self, direction: Direction) -> HexSet {
        HexSet::from_bits(match direction {
            Direction::UpLeft => self.0 >> 10,
            Direction::UpRight => (self.0 & !COLUMN_J) >> 9,
            Direction::Right => (self.0 & !COLUMN_J) << 1,
            Direction::DownRight => self.0 << 10,
            Direction::DownLeft => (self.0 & !COLUMN_A) << 9,
            Direction::Left => (self.0 & !COLUMN_A) >> 1,
        })
    }

    /// All hexes within one step of the set, the set itself included.
    #[inline]
    pub const fn grown(self) -> HexSet {
        HexSet::from_bits(self.0 | self.steps())
    }

    /// The hexes of `open` within one step of the set, those of the set itself among them.
    #[inline]
    pub const fn grown_within(self, open: HexSet) -> HexSet {
        HexSet((self.0 | self.steps()) & open.0)
    }

    /// One step in every direction, with bits of a row that the board lacks. Up to the right is up from the right, and down
    /// to the left is down from the left: that saves two shifts of six.
    #[inline]
    const fn steps(self) -> u128 {
        let (right, left) = ((self.0 & !COLUMN_J) << 1, (self.0 & !COLUMN_A) >> 1);
        right | left | (self.0 | right) >> 10 | (self.0 | left) << 10
    }

    /// All hexes that have a neighbour in the set, hexes of the set itself included.
    ///
    /// ```
    /// use barrow_core::hex::{Hex, HexSet};
    /// let set = HexSet::from_iter(["e4", "f4", "a0"].map(|name| Hex::named(name).unwrap()));
    /// assert!(set.neighbours().contains(Hex::named("e4").unwrap()));
    /// assert!(!set.neighbours().contains(Hex::named("a0").unwrap()));
    /// assert_eq!(set | set.neighbours(), set.grown());
    /// ```
    pub const fn neighbours(self) -> HexSet {
        HexSet::from_bits(self.steps())
    }

    /// The set after turning the board by 180 degrees.
    pub const fn rotated(self) -> HexSet {
        HexSet(self.0.reverse_bits() >> (u128::BITS as usize - Hex::COUNT))
    }

    /// The hexes in ascending index.
    pub const fn iter(self) -> HexSetIter {
        HexSetIter { low: self.0 as u64, high: (self.0 >> 64) as u64 }
    }
}

/// Iterator over a [`HexSet`] in ascending index.
#[derive(Clone, Debug)]
pub struct HexSetIter {
    // Halves, because the first member of one is found by two instructions.
    low: u64,
    high: u64,
}

/// Takes the first member out of half a set, word by word.
#[inline]
const fn take_first(half: &mut u64) -> Option<u32> {
    let (low, high) = (*half as u32, (*half >> u32::BITS) as u32);
    if low != 0 {
        *half = (high as u64) << u32::BITS | (low & (low - 1)) as u64;
        Some(low.trailing_zeros())
    } else if high != 0 {
        *half = ((high & (high - 1)) as u64) << u32::BITS;
        Some(u32::BITS + high.trailing_zeros())
    } else {
        None
    }
}

impl Iterator for HexSetIter {
    type Item = Hex;

    #[inline]
    fn next(&mut self) -> Option<Hex> {
        if BY_WORDS {
            let index = take_first(&mut self.low).or_else(|| Some(u64::BITS + take_first(&mut self.high)?));
            return Hex::new(index? as u8);
        }
        let index = if self.low != 0 {
            let index = self.low.trailing_zeros();
            self.low &= self.low - 1;
            index
        } else {
            let index = u64::BITS + self.high.trailing_zeros();
            self.high &= self.high.wrapping_sub(1);
            index
        };
        // No index reaches 100 but that of an empty half.
        Hex::new(index as u8)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.low.count_ones() + self.high.count_ones()) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for HexSetIter {}
impl FusedIterator for HexSetIter {}

impl IntoIterator for HexSet {
    type Item = Hex;
    type IntoIter = HexSetIter;

    fn into_iter(self) -> HexSetIter {
        self.iter()
    }
}

impl FromIterator<Hex> for HexSet {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> HexSet {
        hexes.into_iter().fold(HexSet::EMPTY, HexSet::with)
    }
}

impl Extend<Hex> for HexSet {
    fn extend<I: IntoIterator<Item = Hex>>(&mut self, hexes: I) {
        *self = hexes.into_iter().fold(*self, HexSet::with);
    }
}

impl From<Hex> for HexSet {
    fn from(hex: Hex) -> HexSet {
        HexSet::single(hex)
    }
}

impl BitAnd for HexSet {
    type Output = HexSet;
    fn bitand(self, other: HexSet) -> HexSet {
        HexSet(self.0 & other.0)
    }
}

impl BitOr for HexSet {
    type Output = HexSet;
    fn bitor(self, other: HexSet) -> HexSet {
        HexSet(self.0 | other.0)
    }
}

impl BitXor for HexSet {
    type Output = HexSet;
    fn bitxor(self, other: HexSet) -> HexSet {
        HexSet(self.0 ^ other.0)
    }
}

impl Sub for HexSet {
    type Output = HexSet;
    fn sub(self, other: HexSet) -> HexSet {
        HexSet(self.0 & !other.0)
    }
}

impl Not for HexSet {
    type Output = HexSet;
    fn not(self) -> HexSet {
        HexSet(!self.0 & HexSet::ALL.0)
    }
}

impl BitAndAssign for HexSet {
    fn bitand_assign(&mut self, other: HexSet) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for HexSet {
    fn bitor_assign(&mut self, other: HexSet) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for HexSet {
    fn bitxor_assign(&mut self, other: HexSet) {
        self.0 ^= other.0;
    }
}

impl SubAssign for HexSet {
    fn sub_assign(&mut self, other: HexSet) {
        self.0 &= !other.0;
    }
}

impl fmt::Debug for HexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;
