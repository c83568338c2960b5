//! Tests of `HexSet` against lists of hexes.

extern crate std;
use std::format;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;

fn any_set() -> impl Strategy<Value = HexSet> {
    prop_oneof![
        any::<u128>().prop_map(HexSet::from_bits),
        (any::<u128>(), any::<u128>(), any::<u128>()).prop_map(|(a, b, c)| HexSet::from_bits(a & b & c)),
    ]
}

fn any_hex() -> impl Strategy<Value = Hex> {
    (0..Hex::COUNT).prop_map(Hex::wrapped)
}

#[test]
fn shifts_of_single_hexes_are_steps() {
    for hex in Hex::all() {
        for direction in Direction::ALL {
            assert_eq!(hex.to_set().shifted(direction).first(), hex.step(direction), "{hex} {direction:?}");
        }
        assert_eq!(hex.to_set().grown(), tables::ball(hex, 1));
        assert_eq!(hex.to_set().neighbours(), tables::ring(hex, 1));
        assert_eq!(hex.to_set().rotated(), hex.rotated().to_set());
    }
}

#[test]
fn bounds_of_the_set() {
    assert_eq!(HexSet::ALL.len(), Hex::COUNT);
    assert_eq!(HexSet::from_bits(u128::MAX), HexSet::ALL);
    assert_eq!(HexSet::EMPTY.first(), None);
    assert_eq!(HexSet::default(), HexSet::EMPTY);
    assert!(HexSet::ALL.iter().eq(Hex::all()));
    assert_eq!(format!("{:?}", HexSet::from_bits(0b1001)), "{a0, d0}");
}

proptest! {
    #[test]
    fn shifts_of_sets_are_shifts_of_members(set in any_set()) {
        for direction in Direction::ALL {
            let one_by_one: HexSet = set.iter().filter_map(|hex| hex.step(direction)).collect();
            prop_assert_eq!(set.shifted(direction), one_by_one);
        }
        let neighbours: HexSet = set.iter().flat_map(|hex| hex.neighbours().iter().copied()).collect();
        prop_assert_eq!(set.neighbours(), neighbours);
        prop_assert_eq!(set.grown(), neighbours | set);
        prop_assert_eq!(set.rotated(), set.iter().map(Hex::rotated).collect::<HexSet>());
    }

    #[test]
    fn operators_work_hex_by_hex(a in any_set(), b in any_set()) {
        for hex in Hex::all() {
            let (in_a, in_b) = (a.contains(hex), b.contains(hex));
            prop_assert_eq!((a & b).contains(hex), in_a && in_b);
            prop_assert_eq!((a | b).contains(hex), in_a || in_b);
            prop_assert_eq!((a ^ b).contains(hex), in_a != in_b);
            prop_assert_eq!((a - b).contains(hex), in_a && !in_b);
            prop_assert_eq!((!a).contains(hex), !in_a);
        }
        prop_assert_eq!(a.is_subset(b), a.iter().all(|hex| b.contains(hex)));
        prop_assert_eq!(a.intersects(b), a.iter().any(|hex| b.contains(hex)));
        let (mut and, mut or, mut xor, mut sub) = (a, a, a, a);
        and &= b;
        or |= b;
        xor ^= b;
        sub -= b;
        prop_assert_eq!((and, or, xor, sub), (a & b, a | b, a ^ b, a - b));
    }

    #[test]
    fn insertion_removal_and_iteration_agree(set in any_set(), hex in any_hex()) {
        let mut changed = set;
        prop_assert_eq!(changed.insert(hex), !set.contains(hex));
        prop_assert_eq!(changed, set.with(hex));
        prop_assert_eq!(changed.remove(hex), true);
        prop_assert_eq!(changed, set.without(hex));
        let members: Vec<Hex> = set.iter().collect();
        prop_assert_eq!(members.len(), set.len());
        prop_assert_eq!(set.iter().len(), set.len());
        prop_assert!(members.is_sorted());
        prop_assert_eq!(members.first().copied(), set.first());
        prop_assert_eq!(members.into_iter().collect::<HexSet>(), set);
    }
}
