//! Values by hex, in an array that no hex can miss.

use core::ops::{Index, IndexMut};

use super::point::Hex;

/// Slots of the array: as many as seven bits number.
const ROWS: usize = 128;

/// A value for each hex of the board. There are slots for all seven bits of a hex's index, so that looking one up cannot
/// panic; those from 100 on are never used.
///
/// ```
/// use barrow_core::hex::{ByHex, Hex};
/// let [a0, j9] = ["a0", "j9"].map(|name| Hex::named(name).unwrap());
/// let mut visits = ByHex::new(0);
/// visits[j9] += 1;
/// assert_eq!((visits[a0], visits[j9]), (0, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ByHex<T>([T; ROWS]);

impl<T: Copy> ByHex<T> {
    /// Array with the same value for every hex.
    pub const fn new(value: T) -> ByHex<T> {
        ByHex([value; ROWS])
    }
}

impl<T> Index<Hex> for ByHex<T> {
    type Output = T;

    #[inline]
    fn index(&self, hex: Hex) -> &T {
        &self.0[hex.index() % ROWS]
    }
}

impl<T> IndexMut<Hex> for ByHex<T> {
    #[inline]
    fn index_mut(&mut self, hex: Hex) -> &mut T {
        &mut self.0[hex.index() % ROWS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hex_has_a_value_of_its_own() {
        let mut numbers = ByHex::new(usize::MAX);
        Hex::all().for_each(|hex| numbers[hex] = hex.index());
        assert!(Hex::all().all(|hex| numbers[hex] == hex.index()));
    }
}
