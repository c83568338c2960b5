//! An operation on any `HexSet` and on a model, an array of 100 booleans; both stay equal. The bits of a set are all that
//! it is, so that the second operation of a sequence is one on another set.
//!
//! The model's loops are plain: the fuzzer counts every edge of an iterator's adapters, which takes most of the time.

#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use barrow_core::hex::{Direction, Hex, HexSet, flood};
use libfuzzer_sys::fuzz_target;

/// An operation on a set; numbers of hexes are taken modulo 100.
#[derive(Arbitrary, Debug)]
enum Step {
    Insert(u8),
    Remove(u8),
    And(u128),
    Or(u128),
    Xor(u128),
    Subtract(u128),
    Complement,
    Grow,
    Rotate,
    Shift(u8),
    Ball(u8, u8),
    Flood(u8, u8),
}

type Model = [bool; Hex::COUNT];

/// The hexes in the order of their numbers.
static HEXES: LazyLock<[Hex; Hex::COUNT]> =
    LazyLock::new(|| core::array::from_fn(|index| Hex::new(index as u8).expect("a hex of the board")));

fn hex(number: u8) -> Hex {
    HEXES[usize::from(number) % Hex::COUNT]
}

/// The model whose members are the hexes that satisfy a condition.
fn model(mut member: impl FnMut(usize, Hex) -> bool) -> Model {
    let mut list = [false; Hex::COUNT];
    for (index, is_member) in list.iter_mut().enumerate() {
        *is_member = member(index, HEXES[index]);
    }
    list
}

/// The model of bits, the lowest first.
fn unpacked(bits: u128) -> Model {
    model(|index, _| bits >> index & 1 == 1)
}

/// Hexes within so many steps of a hex, by steps onto members only.
fn reached(from: Hex, steps: u8, members: &Model) -> Model {
    let mut reached = [false; Hex::COUNT];
    reached[from.index()] = true;
    let mut border = vec![from];
    for _ in 0..steps {
        let mut next = Vec::new();
        for place in &border {
            for near in place.neighbours() {
                if members[near.index()] && !reached[near.index()] {
                    reached[near.index()] = true;
                    next.push(*near);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        border = next;
    }
    reached
}

/// Applies an operation to a set, and to its model.
fn apply(step: &Step, set: &mut HexSet, old: &Model) -> Model {
    match *step {
        Step::Insert(at) => {
            assert_eq!(set.insert(hex(at)), !old[hex(at).index()]);
            model(|index, place| old[index] | (place == hex(at)))
        }
        Step::Remove(at) => {
            assert_eq!(set.remove(hex(at)), old[hex(at).index()]);
            model(|index, place| old[index] & (place != hex(at)))
        }
        Step::And(bits) => {
            *set &= HexSet::from_bits(bits);
            let other = unpacked(bits);
            model(|index, _| old[index] & other[index])
        }
        Step::Or(bits) => {
            *set |= HexSet::from_bits(bits);
            let other = unpacked(bits);
            model(|index, _| old[index] | other[index])
        }
        Step::Xor(bits) => {
            *set ^= HexSet::from_bits(bits);
            let other = unpacked(bits);
            model(|index, _| old[index] != other[index])
        }
        Step::Subtract(bits) => {
            *set -= HexSet::from_bits(bits);
            let other = unpacked(bits);
            model(|index, _| old[index] & !other[index])
        }
        Step::Complement => {
            *set = !*set;
            model(|index, _| !old[index])
        }
        Step::Grow => {
            *set = set.grown();
            let mut list = *old;
            for (index, place) in HEXES.iter().enumerate() {
                for near in place.neighbours() {
                    list[near.index()] |= old[index];
                }
            }
            list
        }
        Step::Rotate => {
            *set = set.rotated();
            model(|_, place| old[place.rotated().index()])
        }
        Step::Shift(number) => {
            let direction = Direction::ALL[usize::from(number) % 6];
            *set = set.shifted(direction);
            let back = direction.opposite();
            model(|_, place| place.step(back).is_some_and(|from| old[from.index()]))
        }
        Step::Ball(at, radius) => {
            *set ^= HexSet::ball(hex(at), radius);
            model(|index, place| old[index] != (place.distance(hex(at)) <= radius))
        }
        Step::Flood(at, steps) => {
            *set = flood(hex(at), steps, *set);
            reached(hex(at), steps, old)
        }
    }
}

fuzz_target!(|input: (u128, Step)| {
    let (start, step) = input;
    let mut set = HexSet::from_bits(start);
    let list = apply(&step, &mut set, &unpacked(start));
    let (mut members, mut bits, mut count) = (set.iter(), 0, 0);
    for (index, place) in HEXES.iter().enumerate() {
        assert_eq!(set.contains(*place), list[index], "{step:?}: {place:?}");
        if list[index] {
            if count == 0 {
                assert_eq!(set.first(), Some(*place));
            }
            assert_eq!(members.next(), Some(*place));
            bits |= 1 << index;
            count += 1;
        }
    }
    assert_eq!((set.bits(), set.len(), members.next()), (bits, count, None), "{step:?}");
    assert!(count > 0 || set.first().is_none());
});
