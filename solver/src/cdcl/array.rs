//! Arrays of a solver in lent memory. Their lengths are known only when the solver is made, so no type can keep an
//! index within them; an index beyond the end, which only a defect of the solver could lead to, meets a spare slot
//! instead of a panic. Builds with debug assertions stop there.

use core::hint::cold_path;
use core::ops::{Deref, DerefMut, Index, IndexMut, Range, RangeTo};

/// Content of a slot that is missing.
pub(super) trait Spare: Copy {
    /// All bits set, which ends every linked list.
    const SPARE: Self;
}

impl Spare for u8 {
    const SPARE: u8 = u8::MAX;
}

impl Spare for u16 {
    const SPARE: u16 = u16::MAX;
}

impl Spare for u32 {
    const SPARE: u32 = u32::MAX;
}

impl<T: Spare, const N: usize> Spare for [T; N] {
    const SPARE: [T; N] = [T::SPARE; N];
}

/// Array of a fixed length in lent memory; it dereferences to a slice.
pub(super) struct Array<'m, T> {
    items: &'m mut [T],
    /// Slot behind every index beyond the end.
    spare: T,
}

impl<'m, T: Spare> Array<'m, T> {
    /// Array over a slice.
    pub(super) fn new(items: &'m mut [T]) -> Self {
        Array { items, spare: T::SPARE }
    }

    /// Number of items.
    pub(super) const fn len(&self) -> usize {
        self.items.len()
    }

    /// Copies the items of another array of the same length.
    pub(super) fn copy_from(&mut self, other: &Array<'_, T>) {
        for (item, &value) in self.items.iter_mut().zip(other.items.iter()) {
            *item = value;
        }
    }

    /// Swaps two items.
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        (self[a], self[b]) = (self[b], self[a]);
    }

    /// Moves items to the front: those of a range to the places from `to` on, which is not behind them.
    pub(super) fn move_down(&mut self, range: Range<usize>, to: usize) {
        for (offset, from) in range.enumerate() {
            self[to + offset] = self[from];
        }
    }
}

impl<T> Deref for Array<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.items
    }
}

impl<T> DerefMut for Array<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.items
    }
}

impl<T: Spare> Index<usize> for Array<'_, T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        // No call on the way that is never taken: it would have the values around it saved on the stack.
        self.items.get(index).unwrap_or_else(|| {
            cold_path();
            debug_assert!(false, "an index beyond the end");
            &self.spare
        })
    }
}

impl<T: Spare> IndexMut<usize> for Array<'_, T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.items.get_mut(index).unwrap_or_else(|| {
            cold_path();
            debug_assert!(false, "an index beyond the end");
            self.spare = T::SPARE;
            &mut self.spare
        })
    }
}

impl<T: Spare> Index<Range<usize>> for Array<'_, T> {
    type Output = [T];

    #[inline]
    fn index(&self, range: Range<usize>) -> &[T] {
        let found = self.items.get(range);
        debug_assert!(found.is_some(), "a range beyond the end");
        found.unwrap_or_default()
    }
}

impl<T: Spare> Index<RangeTo<usize>> for Array<'_, T> {
    type Output = [T];

    #[inline]
    fn index(&self, range: RangeTo<usize>) -> &[T] {
        &self[0..range.end]
    }
}

impl<T: Spare> IndexMut<RangeTo<usize>> for Array<'_, T> {
    #[inline]
    fn index_mut(&mut self, range: RangeTo<usize>) -> &mut [T] {
        debug_assert!(range.end <= self.items.len(), "a range beyond the end");
        self.items.get_mut(range).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_is_read_and_written_as_a_slice() {
        let mut memory = [1_u16, 2, 3, 4, 5];
        let mut array = Array::new(&mut memory);
        array[1] = 9;
        array.swap(0, 4);
        assert_eq!((array.len(), &array[..3], &array[2..5]), (5, &[5, 9, 3][..], &[3, 4, 1][..]));
        array.move_down(1..4, 0);
        array[..1][0] += 1;
        assert_eq!(*array, [10, 3, 4, 4, 1]);
    }

    #[cfg(not(debug_assertions))]
    #[test]
    fn beyond_the_end_of_an_array_is_a_spare_slot() {
        let mut memory = [1_u16, 2];
        let mut array = Array::new(&mut memory);
        array[2] = 7;
        assert_eq!((array[9], &array[1..4]), (7, &[][..]));
        assert_eq!(memory, [1, 2]);
    }
}
