//! Shortlist of a decision: the actions that are best by themselves, which alone are searched. With hundreds of playouts
//! for thousands of actions, all others would just be noise. Not in the paper.

use heapless::Vec;
use heapless::binary_heap::{BinaryHeap, Min};

use crate::list;
use crate::rng::Rng;

/// Most actions of a shortlist.
pub const SHORTLIST_CAP: usize = 512;

/// Actions that are tried by themselves before it is asked whether to stop, and in any case.
pub(super) const TRIED_AT_ONCE: u32 = 32;

/// The actions of a shortlist in ascending order.
pub(super) type Listed = Vec<u32, SHORTLIST_CAP>;

/// The `most` of `count` actions (at most [`SHORTLIST_CAP`]) with the highest values, of equals any, and the best one.
///
/// Actions are tried in random order while `more` says so, some of them in any case; those not tried are not listed.
pub(super) fn best_by_value(
    (count, most): (u32, usize),
    dice: &mut Rng,
    mut value: impl FnMut(u32) -> i32,
    mut more: impl FnMut() -> bool,
) -> (Listed, Option<u32>) {
    let most = most.min(SHORTLIST_CAP);
    // The worst of the list lies on top.
    let mut worst_first: BinaryHeap<(i32, u32, u32), Min, SHORTLIST_CAP> = BinaryHeap::new();
    let mut best: Option<(i32, u32, u32)> = None;
    for (tried, action) in (1..).zip(shuffled(count, dice)) {
        let entry = (value(action), dice.next_u64() as u32, action);
        best = best.max(Some(entry));
        if worst_first.len() < most {
            // There is room: the heap is shorter than its capacity.
            let _ = worst_first.push(entry);
        } else if worst_first.peek().is_some_and(|worst| *worst < entry) {
            worst_first.pop();
            let _ = worst_first.push(entry);
        }
        if u32::is_multiple_of(tried, TRIED_AT_ONCE) && !more() {
            break;
        }
    }
    let mut listed: Listed = list::first(worst_first.into_iter().map(|entry| entry.2));
    listed.sort_unstable();
    (listed, best.map(|entry| entry.2))
}

/// All numbers below a count in an order without pattern: steps of a length that has no factor in common with it.
pub(super) fn shuffled(count: u32, dice: &mut Rng) -> impl Iterator<Item = u32> + use<> {
    let start = u64::from(dice.below(count.max(1)));
    let mut length = u64::from(count) / 2 + u64::from(dice.below(count.max(1)));
    while greatest_common_divisor(length, u64::from(count)) > 1 {
        length += 1;
    }
    (0..u64::from(count)).map(move |place| ((start + place * length) % u64::from(count)) as u32)
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec;

    #[test]
    fn shuffled_numbers_are_all_numbers() {
        for count in [1, 2, 7, 360, 15_120] {
            let mut numbers: vec::Vec<u32> = shuffled(count, &mut Rng::new(4)).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..count), "{count}");
        }
        assert_eq!(shuffled(0, &mut Rng::new(4)).count(), 0);
    }

    #[test]
    fn the_best_are_listed() {
        let value = |action: u32| (action * 7 % 100) as i32;
        let (listed, best) = best_by_value((100, 3), &mut Rng::new(1), value, || true);
        assert_eq!((listed.iter().map(|&action| value(action)).min(), best.map(value)), (Some(97), Some(99)));
        let (few, _) = best_by_value((100, 50), &mut Rng::new(1), value, || false);
        assert_eq!(few.len(), TRIED_AT_ONCE as usize);
    }
}
