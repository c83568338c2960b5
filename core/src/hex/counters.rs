//! Counters of all hexes at once, bit-sliced: plane `i` holds bit `i` of every hex's number, so that a zone gains an
//! amount, and a number is compared, in a few operations on whole sets (carry-save addition; H. Warren, Hacker's Delight,
//! 2013, ch. 8).

use super::point::Hex;
use super::set::HexSet;

/// Counters: a number of `PLANES` bits, 16 at most, for each hex; sums wrap.
///
/// ```
/// use barrow_core::hex::{Hex, HexCounters, HexSet};
/// let hex = |name| Hex::named(name).unwrap();
/// let mut damage = HexCounters::<4>::ZERO;
/// damage.add(HexSet::from_iter([hex("c2"), hex("d2")]), 3);
/// damage.add(HexSet::single(hex("d2")), 2);
/// assert_eq!((damage.at(hex("c2")), damage.at(hex("d2"))), (3, 5));
/// assert_eq!(damage.at_least(4), HexSet::single(hex("d2")));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HexCounters<const PLANES: usize> {
    planes: [HexSet; PLANES],
    /// Number of planes in use; those behind them are empty, and most numbers are small.
    // A word in place of padding: a byte would be read as a word, and that waits for the byte if it was just written.
    used: u32,
}

impl<const PLANES: usize> PartialEq for HexCounters<PLANES> {
    fn eq(&self, other: &Self) -> bool {
        self.planes == other.planes
    }
}

impl<const PLANES: usize> Eq for HexCounters<PLANES> {}

impl<const PLANES: usize> HexCounters<PLANES> {
    /// Counters that are all zero.
    pub const ZERO: Self = HexCounters { planes: [HexSet::EMPTY; PLANES], used: 0 };

    /// Adds an amount to the numbers of some hexes.
    pub fn add(&mut self, hexes: HexSet, amount: u16) {
        let mut carry = HexSet::EMPTY;
        let mut rest = amount;
        for (plane, number) in self.planes.iter_mut().zip(1..) {
            if rest == 0 && carry.is_empty() {
                return;
            }
            self.used = self.used.max(number);
            let old = *plane;
            if rest & 1 == 1 {
                let half = old ^ hexes;
                *plane = half ^ carry;
                carry = (old & hexes) | (half & carry);
            } else {
                *plane = old ^ carry;
                carry &= old;
            }
            rest >>= 1;
        }
    }

    /// Subtracts an amount from the numbers of some hexes.
    pub fn subtract(&mut self, hexes: HexSet, amount: u16) {
        let mut borrow = HexSet::EMPTY;
        let mut rest = amount;
        for (plane, number) in self.planes.iter_mut().zip(1..) {
            if rest == 0 && borrow.is_empty() {
                return;
            }
            self.used = self.used.max(number);
            let subtrahend = if rest & 1 == 1 { hexes } else { HexSet::EMPTY };
            let (old, half) = (*plane, *plane ^ subtrahend);
            *plane = half ^ borrow;
            borrow = (subtrahend - old) | (borrow - half);
            rest >>= 1;
        }
    }

    /// Number of a hex.
    pub fn at(&self, hex: Hex) -> u16 {
        let bits = self.in_use().iter().map(|plane| u16::from(plane.contains(hex)));
        bits.rev().fold(0, |number, bit| (number << 1) | bit)
    }

    /// Planes in use.
    #[inline]
    fn in_use(&self) -> &[HexSet] {
        self.planes.get(..self.used as usize).unwrap_or(&self.planes)
    }

    /// Hexes whose number reaches a threshold.
    pub fn at_least(&self, threshold: u16) -> HexSet {
        let mut rest = threshold;
        let reached = self.in_use().iter().fold(HexSet::ALL, |reached, &plane| {
            let wanted = rest & 1 == 1;
            rest >>= 1;
            if wanted { plane & reached } else { plane | reached }
        });
        if rest == 0 { reached } else { HexSet::EMPTY }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use proptest::prelude::*;

    use super::*;

    /// Counters and a plain number for each hex after the same steps.
    fn counted<const PLANES: usize>(steps: &[(u128, u16, bool)]) -> (HexCounters<PLANES>, [u16; Hex::COUNT]) {
        let (mut counters, mut numbers) = (HexCounters::ZERO, [0_u16; Hex::COUNT]);
        let mask = (1_u32 << PLANES) - 1;
        for &(bits, amount, more) in steps {
            let hexes = HexSet::from_bits(bits);
            if more {
                counters.add(hexes, amount);
            } else {
                counters.subtract(hexes, amount);
            }
            for hex in hexes {
                let number = &mut numbers[hex.index()];
                *number = if more { number.wrapping_add(amount) } else { number.wrapping_sub(amount) };
                *number &= mask as u16;
            }
        }
        (counters, numbers)
    }

    fn check<const PLANES: usize>(steps: &[(u128, u16, bool)], threshold: u16) {
        let (counters, numbers) = counted::<PLANES>(steps);
        let some = numbers[usize::from(threshold) % Hex::COUNT];
        for hex in Hex::all() {
            assert_eq!(counters.at(hex), numbers[hex.index()]);
        }
        for limit in [0, 1, threshold, threshold % 64, some, some.wrapping_add(1), u16::MAX] {
            let reached = Hex::all().filter(|hex| numbers[hex.index()] >= limit).collect::<HexSet>();
            assert_eq!(counters.at_least(limit), reached, "{limit}");
        }
    }

    proptest! {
        #[test]
        fn counters_count_as_a_number_for_each_hex_does(
            small in prop::collection::vec((any::<u128>(), 0_u16..9, Just(true)), 0..40),
            large in prop::collection::vec((any::<u128>(), any::<u16>(), any::<bool>()), 0..12),
            threshold in any::<u16>(),
        ) {
            let steps: std::vec::Vec<_> = small.into_iter().chain(large).collect();
            check::<16>(&steps, threshold);
            check::<12>(&steps, threshold);
            check::<1>(&steps, threshold);
        }
    }
}
