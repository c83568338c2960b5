//! Sorting that cannot panic: the library's own panics when an order contradicts itself. Insertion for short slices, a
//! heap for long ones (Williams, "Algorithm 232: Heapsort", 1964). Equal items end up in any order, so keys that tell
//! all items apart give the same result everywhere.

use core::mem;

/// Length up to which insertion is used.
const SHORT: usize = 48;

/// Sorts a slice.
///
/// ```
/// let mut letters = *b"barrow";
/// barrow_core::sort::sort(&mut letters);
/// assert_eq!(&letters, b"aborrw");
/// ```
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_before(items, T::lt);
}

/// Sorts a slice by a key.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_before(items, |a, b| key(a) < key(b));
}

fn sort_before<T>(items: &mut [T], mut is_before: impl FnMut(&T, &T) -> bool) {
    if items.len() <= SHORT {
        for len in 2..=items.len() {
            insert_last(items.get_mut(..len).unwrap_or_default(), &mut is_before);
        }
        return;
    }
    // The largest item of a heap is the first; it goes to the end, where the sorted items grow.
    for root in (0..items.len() / 2).rev() {
        sink(items, root, &mut is_before);
    }
    let mut heap = items;
    while let [first, .., last] = heap {
        mem::swap(first, last);
        let Some((_, rest)) = heap.split_last_mut() else { return };
        sink(rest, 0, &mut is_before);
        heap = rest;
    }
}

/// Moves the last item down to its place among those before it, which are sorted.
fn insert_last<T>(items: &mut [T], is_before: &mut impl FnMut(&T, &T) -> bool) {
    let Some((mut item, sorted)) = items.split_last_mut() else { return };
    for other in sorted.iter_mut().rev() {
        if !is_before(item, other) {
            return;
        }
        mem::swap(item, other);
        item = other;
    }
}

/// Moves an item of a heap away from the root until none of its two successors is larger.
fn sink<T>(heap: &mut [T], root: usize, is_before: &mut impl FnMut(&T, &T) -> bool) {
    let mut at = root;
    loop {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        let Some(mut next) = heap.get(left) else { return };
        let mut place = left;
        if let Some(other) = heap.get(right)
            && is_before(next, other)
        {
            (next, place) = (other, right);
        }
        if !heap.get(at).is_some_and(|item| is_before(item, next)) {
            return;
        }
        if let Ok([item, other]) = heap.get_disjoint_mut([at, place]) {
            mem::swap(item, other);
        }
        at = place;
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slices_are_sorted_as_by_the_library(
            mut items in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..50),
                prop::collection::vec(any::<u8>(), 0..400),
            ],
        ) {
            let mut known = items.clone();
            known.sort_unstable();
            let mut falling = items.clone();
            sort(&mut items);
            prop_assert_eq!(&items, &known);
            known.reverse();
            sort_by_key(&mut falling, |item| core::cmp::Reverse(*item));
            prop_assert_eq!(&falling, &known);
        }

        #[test]
        fn an_order_that_contradicts_itself_ends_all_the_same(
            mut items in prop::collection::vec(any::<u8>(), 0..100),
            answers in any::<u64>(),
        ) {
            let (mut known, mut left) = (items.clone(), answers);
            sort_before(&mut items, |_, _| {
                left = left.rotate_left(1);
                left & 1 == 1
            });
            known.sort_unstable();
            items.sort_unstable();
            prop_assert_eq!(items, known);
        }
    }
}
