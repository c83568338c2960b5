//! Uniform draws of actions, faster than by number: which class comes next depends on sizes alone (spec §9), so
//! classes of equal size are drawn together.

use super::classes::{Classes, Program};
use super::shapes::Shape;
use super::sizes::Sizes;
use crate::rng::Rng;
use crate::roborally::state::HAND_CAP;

/// Where the classes of each size lie: nine cards have at most nine classes of one, four of two, and so on.
const PLACES: [u8; 16] = [0, 0, 9, 13, 16, 18, 19, 20, 21, 22, 23, 23, 23, 23, 23, 23];

/// Room for them all, rounded up.
const ROOM: usize = 32;

/// The classes of a hand by their sizes.
#[derive(Clone, Debug)]
pub struct Pool {
    classes: [u8; ROOM],
    counts: [u8; 16],
    sizes: [u8; 16],
    shape: Shape,
}

impl Pool {
    /// The pool of a hand whose classes have these sizes.
    pub fn new(sizes: &Sizes) -> Pool {
        let mut pool = Pool { classes: [0; ROOM], counts: [0; 16], sizes: [0; 16], shape: sizes.shape() };
        for (class, &size) in (0_u8..).zip(sizes.sizes()) {
            pool.sizes[class as usize & 15] = size;
            pool.put(class, size);
        }
        pool
    }

    /// A uniformly drawn action of the hand that this is the pool of; nothing if the hand is too small.
    pub fn draw(&self, hand: &Classes, registers: usize, dice: &mut Rng) -> Program {
        let mut rest = self.clone();
        let mut program = Program::new();
        let mut number = dice.below(rest.shape.count(registers));
        for after in (0..registers).rev() {
            let Some((class, size)) = rest.take(after, &mut number) else { return Program::new() };
            let used = self.sizes[class as usize & 15] - size;
            let Some(card) = hand.card(class, used) else { return Program::new() };
            if program.push(card).is_err() {
                return Program::new();
            }
        }
        program
    }

    /// Takes a card of the class that this number says, when `after` further registers are to be filled; the class
    /// and its size before.
    fn take(&mut self, after: usize, number: &mut u32) -> Option<(u8, u8)> {
        let ways = self.shape.after(after);
        for size in 1..=HAND_CAP {
            let each = u32::from(ways[size]);
            let all = u32::from(self.counts[size]) * each;
            if *number < all {
                let place = *number / each;
                *number %= each;
                let class = self.cut(size, place as usize);
                self.shape = self.shape.less(size as u8);
                self.put(class, size as u8 - 1);
                return Some((class, size as u8));
            }
            *number -= all;
        }
        None
    }

    fn put(&mut self, class: u8, size: u8) {
        let size = size as usize & 15;
        let place = (PLACES[size] + self.counts[size]) as usize & (ROOM - 1);
        // Classes of size 0 are gone.
        if size > 0 {
            self.classes[place] = class;
            self.counts[size] += 1;
        }
    }

    /// Removes the class at a place among those of its size.
    fn cut(&mut self, size: usize, place: usize) -> u8 {
        let first = PLACES[size & 15] as usize;
        self.counts[size & 15] -= 1;
        let last = self.classes[(first + self.counts[size & 15] as usize) & (ROOM - 1)];
        core::mem::replace(&mut self.classes[(first + place) & (ROOM - 1)], last)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::roborally::card::{Card, CardSet};
    use std::collections::BTreeMap;

    #[test]
    fn every_action_is_drawn_as_often() {
        for hand in [&[1, 2, 49, 51][..], &[1, 7, 9, 11, 49, 50], &[43, 44, 45, 46, 79, 80]] {
            let hand: CardSet = hand.iter().filter_map(|&card| Card::new(card)).collect();
            let classes = Classes::of(hand).expect("few cards");
            let count = classes.sizes().count(4);
            let mut drawn: BTreeMap<Program, u32> = BTreeMap::new();
            let mut dice = Rng::new(6);
            let pool = Pool::new(classes.sizes());
            for _ in 0..count * 1000 {
                *drawn.entry(pool.draw(&classes, 4, &mut dice)).or_default() += 1;
            }
            assert_eq!(drawn.len(), count as usize);
            assert!(drawn.values().all(|times| (850..1150).contains(times)), "{drawn:?}");
            assert!((0..count).all(|number| drawn.contains_key(&classes.program(4, number).expect("an action"))));
            assert!(pool.draw(&classes, 7, &mut dice).is_empty());
        }
    }
}
