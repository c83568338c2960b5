//! Bounded lists: one that is `Copy`, for states that a search copies thousands of times, and the ways to fill any of
//! them from an iterator. Their own `collect` and `extend` would panic where the room ends, so nobody calls those:
//! [`all`], [`append`] and [`first`] say what happens there.

use core::fmt;
use core::ops::{Deref, DerefMut};

/// Error for a list that has no room for another item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// A list of bounded capacity.
pub trait Bounded: Default {
    /// Type of the items.
    type Item;

    /// Appends an item if there is room.
    fn offer(&mut self, item: Self::Item) -> Result<(), Full>;
}

impl<T: Copy + Default, const N: usize> Bounded for List<T, N> {
    type Item = T;

    fn offer(&mut self, item: T) -> Result<(), Full> {
        self.push(item)
    }
}

/// List of all items.
///
/// ```
/// use barrow_core::list::{self, Full, List};
/// let squares: Result<List<u8, 3>, Full> = list::all((0..3).map(|n| n * n));
/// assert_eq!(squares.unwrap()[..], [0, 1, 4]);
/// assert_eq!(list::all::<List<u8, 3>>(0..4), Err(Full));
/// ```
pub fn all<L: Bounded>(items: impl IntoIterator<Item = L::Item>) -> Result<L, Full> {
    let mut list = L::default();
    append(&mut list, items)?;
    Ok(list)
}

/// Appends all items. Those that fit stay in the list when there is no room for the others.
pub fn append<L: Bounded>(list: &mut L, items: impl IntoIterator<Item = L::Item>) -> Result<(), Full> {
    items.into_iter().try_for_each(|item| list.offer(item))
}

/// List of the first items, as many as fit: for those that are more than enough, and those that are never more.
///
/// ```
/// use barrow_core::list::{self, List};
/// assert_eq!(list::first::<List<u8, 3>>(5..)[..], [5, 6, 7]);
/// ```
pub fn first<L: Bounded>(items: impl IntoIterator<Item = L::Item>) -> L {
    let mut list = L::default();
    let _ = append(&mut list, items);
    list
}

/// List of up to `N` items in order; it dereferences to a slice.
///
/// ```
/// use barrow_core::list::List;
/// let mut list = List::<u8, 3>::new();
/// for item in [4, 5, 6] {
///     list.push(item).unwrap();
/// }
/// list.retain(|item| *item != 5);
/// assert_eq!(list[..], [4, 6]);
/// assert!(list.push(7).is_ok() && list.push(8).is_err());
/// ```
#[derive(Clone, Copy)]
pub struct List<T, const N: usize> {
    items: [T; N],
    /// Number of items, at most `N`.
    len: usize,
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// An empty list.
    pub fn new() -> List<T, N> {
        List { items: [T::default(); N], len: 0 }
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) -> Result<(), Full> {
        let slot = self.items.get_mut(self.len).ok_or(Full)?;
        *slot = item;
        self.len += 1;
        Ok(())
    }

    /// Removes the items for which `keep` returns false; the others stay in order.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let item = self.items[index];
            if keep(&item) {
                self.items[kept] = item;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> List<T, N> {
        List::new()
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items[..self.len]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &List<T, N>) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq, const N: usize> Eq for List<T, N> {}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    proptest! {
        #[test]
        fn lists_are_filled_up_to_their_capacity(items in prop::collection::vec(any::<u8>(), 0..12)) {
            type Short = heapless::Vec<u8, 6, u8>;
            let fits = items.len() <= 6;
            let known = items.get(..6).unwrap_or(&items);
            prop_assert_eq!(&first::<Short>(items.iter().copied())[..], known);
            prop_assert_eq!(&first::<List<u8, 6>>(items.iter().copied())[..], known);
            let filled = all::<Short>(items.iter().copied());
            prop_assert_eq!(filled.is_ok(), fits);
            prop_assert!(filled.is_err() || filled.unwrap()[..] == items[..]);
            let mut list = Short::new();
            prop_assert_eq!(append(&mut list, items.iter().copied()).is_ok(), fits);
            prop_assert_eq!(&list[..], known);
        }
    }

    proptest! {
        #[test]
        fn a_list_does_what_a_vector_does(deeds in prop::collection::vec(any::<u8>(), 0..40)) {
            let (mut list, mut vector) = (List::<u8, 12>::new(), Vec::new());
            for deed in deeds {
                match deed {
                    0..=199 => {
                        prop_assert_eq!(list.push(deed), if vector.len() < 12 { Ok(()) } else { Err(Full) });
                        if vector.len() < 12 {
                            vector.push(deed);
                        }
                    }
                    200..=249 => {
                        list.retain(|item| item % 3 != deed % 3);
                        vector.retain(|item| item % 3 != deed % 3);
                    }
                    _ => {
                        list.clear();
                        vector.clear();
                    }
                }
                prop_assert_eq!(&list[..], &vector[..]);
            }
            let mut copy = List::new();
            for item in list.iter_mut() {
                *item ^= 1;
                copy.push(*item).unwrap();
            }
            prop_assert_eq!(&copy, &list);
            copy.clear();
            prop_assert_eq!(copy == list, list.is_empty());
        }
    }
}
