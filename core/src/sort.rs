//! Sorting that cannot panic: the library's own panics when an order contradicts itself. Insertion for short slices, a
//! heap for long ones (Williams, "Algorithm 232: Heapsort", 1964). Equal items end up in any order, so keys that tell
//! all items apart give the same result everywhere.

/// Length up to which insertion is used.
const SHORT: usize = 48;

/// Sorts a slice.
///
/// ```
/// let mut letters = *b"barrow";
/// barrow_core::sort::sort(&mut letters);
/// assert_eq!(&letters, b"aborrw");
/// ```
pub fn sort<T: Ord + Copy>(items: &mut [T]) {
    sort_by_key(items, |&item| item);
}

/// Sorts a slice by a key.
pub fn sort_by_key<T: Copy, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    if items.len() <= SHORT {
        for len in 2..=items.len() {
            insert_last(items.get_mut(..len).unwrap_or_default(), &mut key);
        }
        return;
    }
    // The largest item of a heap is the first; it goes to the end, where the sorted items grow.
    for root in (0..items.len() / 2).rev() {
        sink(items, root, &mut key);
    }
    let mut heap = items;
    while let [first, .., last] = heap {
        core::mem::swap(first, last);
        let Some((_, rest)) = heap.split_last_mut() else { return };
        sink(rest, 0, &mut key);
        heap = rest;
    }
}

/// Moves the last item down to its place among those before it, which are sorted.
fn insert_last<T: Copy, K: Ord>(items: &mut [T], key: &mut impl FnMut(&T) -> K) {
    let Some((mut place, sorted)) = items.split_last_mut() else { return };
    let item = *place;
    let item_key = key(&item);
    for other in sorted.iter_mut().rev() {
        if key(other) <= item_key {
            break;
        }
        *place = *other;
        place = other;
    }
    *place = item;
}

/// Moves an item of a heap away from the root until none of its two successors is larger.
fn sink<T: Copy, K: Ord>(heap: &mut [T], root: usize, key: &mut impl FnMut(&T) -> K) {
    let Some(&item) = heap.get(root) else { return };
    let item_key = key(&item);
    let mut at = root;
    loop {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        let Some(&(mut next)) = heap.get(left) else { break };
        let (mut place, mut next_key) = (left, key(&next));
        if let Some(other) = heap.get(right) {
            let other_key = key(other);
            if next_key < other_key {
                (next, place, next_key) = (*other, right, other_key);
            }
        }
        if next_key <= item_key {
            break;
        }
        if let Some(slot) = heap.get_mut(at) {
            *slot = next;
        }
        at = place;
    }
    if let Some(slot) = heap.get_mut(at) {
        *slot = item;
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
            sort_by_key(&mut items, |_| {
                left = left.rotate_left(1);
                left & 1
            });
            known.sort_unstable();
            items.sort_unstable();
            prop_assert_eq!(items, known);
        }
    }
}
