//! Sequences of operations on a `HexSet` and on a model, an array of 100 booleans; both stay equal.

#![no_main]

use arbitrary::Arbitrary;
use barrow_core::hex::{Direction, Hex, HexSet, flood};
use libfuzzer_sys::fuzz_target;

/// Largest number of operations in a sequence.
const STEPS: usize = 8;

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

fn hex(number: u8) -> Hex {
    Hex::new(number % Hex::COUNT as u8).expect("the remainder is on the board")
}

fn bit(bits: u128, hex: Hex) -> bool {
    bits >> hex.index() & 1 == 1
}

fn model(member: impl Fn(Hex) -> bool) -> Model {
    core::array::from_fn(|index| member(hex(index as u8)))
}

fn apply(step: &Step, set: &mut HexSet, list: &mut Model) {
    let before = *list;
    let old = |hex: Hex| before[hex.index()];
    let near = |members: &Model, hex: Hex| hex.neighbours().iter().any(|near| members[near.index()]);
    match *step {
        Step::Insert(at) => {
            assert_eq!(set.insert(hex(at)), !old(hex(at)));
            list[hex(at).index()] = true;
        }
        Step::Remove(at) => {
            assert_eq!(set.remove(hex(at)), old(hex(at)));
            list[hex(at).index()] = false;
        }
        Step::And(bits) => {
            *set &= HexSet::from_bits(bits);
            *list = model(|hex| old(hex) && bit(bits, hex));
        }
        Step::Or(bits) => {
            *set |= HexSet::from_bits(bits);
            *list = model(|hex| old(hex) || bit(bits, hex));
        }
        Step::Xor(bits) => {
            *set ^= HexSet::from_bits(bits);
            *list = model(|hex| old(hex) != bit(bits, hex));
        }
        Step::Subtract(bits) => {
            *set -= HexSet::from_bits(bits);
            *list = model(|hex| old(hex) && !bit(bits, hex));
        }
        Step::Complement => {
            *set = !*set;
            *list = model(|hex| !old(hex));
        }
        Step::Grow => {
            *set = set.grown();
            *list = model(|hex| old(hex) || near(&before, hex));
        }
        Step::Rotate => {
            *set = set.rotated();
            *list = model(|hex| old(hex.rotated()));
        }
        Step::Shift(number) => {
            let direction = Direction::ALL[usize::from(number) % 6];
            *set = set.shifted(direction);
            *list = model(|hex| hex.step(direction.opposite()).is_some_and(old));
        }
        Step::Ball(at, radius) => {
            *set ^= HexSet::ball(hex(at), radius);
            *list = model(|place| old(place) != (place.distance(hex(at)) <= radius));
        }
        Step::Flood(at, steps) => {
            let mut reached = model(|place| place == hex(at));
            let mut border = vec![hex(at)];
            for _ in 0..steps {
                let near = border.iter().flat_map(|place| place.neighbours().iter().copied());
                let next: Vec<Hex> = near.filter(|place| old(*place)).collect();
                border.clear();
                border.extend(
                    next.into_iter().filter(|place| !std::mem::replace(&mut reached[place.index()], true)),
                );
                if border.is_empty() {
                    break;
                }
            }
            *set = flood(hex(at), steps, *set);
            *list = reached;
        }
    }
}

fuzz_target!(|steps: Vec<Step>| {
    let mut set = HexSet::EMPTY;
    let mut list = [false; Hex::COUNT];
    for step in steps.iter().take(STEPS) {
        apply(step, &mut set, &mut list);
        let bits = list.iter().rev().fold(0, |bits, &member| bits << 1 | u128::from(member));
        assert_eq!(set.bits(), bits, "{step:?}");
    }
    // Every beginning of a sequence is an input of its own, so that what is asked last is asked after each step.
    assert!(Hex::all().all(|hex| set.contains(hex) == list[hex.index()]));
    assert_eq!(set.len(), list.iter().filter(|member| **member).count());
    assert!(set.iter().eq(Hex::all().filter(|hex| list[hex.index()])));
    assert_eq!(set.first().map(Hex::index), list.iter().position(|member| *member));
});
