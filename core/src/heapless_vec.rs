//! `heapless::Vec` as a bounded list, and its insertions, removals and copies that cannot panic. They have a file of their own
//! because the contest games' bots go without that crate.

use core::mem;

use heapless::{LenType, Vec};

use crate::list::{Bounded, Full};

impl<T, const N: usize, L: LenType> Bounded for Vec<T, N, L> {
    type Item = T;

    fn offer(&mut self, item: T) -> Result<(), Full> {
        self.push(item).map_err(|_| Full)
    }
}

/// Inserts an item at a place; items from there on move up by one. An error where the list is full or has no such place.
pub(crate) fn insert<T, const N: usize, L: LenType>(
    list: &mut Vec<T, N, L>,
    place: usize,
    item: T,
) -> Result<(), Full> {
    if list.is_full() {
        return Err(Full);
    }
    let later = list.get_mut(place..).ok_or(Full)?;
    let last = later.iter_mut().fold(item, |moved, other| mem::replace(other, moved));
    list.push(last).map_err(|_| Full)
}

/// Removes and returns the item at a place; later items move down by one. `None` where the list has no such place.
pub(crate) fn remove<T, const N: usize, L: LenType>(list: &mut Vec<T, N, L>, place: usize) -> Option<T> {
    if place >= list.len() {
        return None;
    }
    let last = list.pop()?;
    let later = list.get_mut(place..).unwrap_or_default();
    Some(later.iter_mut().rev().fold(last, |moved, other| mem::replace(other, moved)))
}

/// Makes a list the same as another one, in place: the copy that `clone_from` makes first would be waited for.
#[inline]
pub(crate) fn copy<T: Copy, const N: usize, L: LenType>(list: &mut Vec<T, N, L>, source: &Vec<T, N, L>) {
    list.clear();
    // There is room, since both have the same capacity.
    let _ = list.extend_from_slice(source);
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_are_inserted_and_removed_as_in_a_vector(
            deeds in prop::collection::vec((any::<bool>(), 0..9_usize, any::<u8>()), 0..40),
        ) {
            let (mut list, mut vector) = (Vec::<u8, 6, u8>::new(), std::vec::Vec::new());
            for (inserts, place, item) in deeds {
                if inserts {
                    let fits = vector.len() < 6 && place <= vector.len();
                    prop_assert_eq!(insert(&mut list, place, item), if fits { Ok(()) } else { Err(Full) });
                    if fits {
                        vector.insert(place, item);
                    }
                } else {
                    let there = place < vector.len();
                    prop_assert_eq!(remove(&mut list, place), there.then(|| vector.remove(place)));
                }
                prop_assert_eq!(&list[..], &vector[..]);
            }
            for length in 0..6 {
                let mut other = Vec::from_slice(&[7; 6][..length]).unwrap();
                copy(&mut other, &list);
                prop_assert_eq!(&other, &list);
            }
        }
    }
}
