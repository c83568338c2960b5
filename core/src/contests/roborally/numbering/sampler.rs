//! Uniform sampling of actions, faster than by number: the probability of a class depends on its size alone (rules §9),
//! so classes of equal size are drawn together.

use super::classes::{Program, split};
use super::shapes::Shape;
use crate::contests::roborally::card::{Card, CardSet};
use crate::contests::roborally::state::HAND_CAP;
use crate::rng::Rng;

/// First slot of the classes of each size: nine cards have at most nine classes of one, four of two, and so on.
const PLACES: [u8; 16] = [0, 0, 9, 13, 16, 18, 19, 20, 21, 22, 23, 23, 23, 23, 23, 23];

/// Slots for all classes, rounded up to a power of two.
const ROOM: usize = 32;

/// A sampler of a hand's actions: the hand's classes grouped by size.
#[derive(Clone, Debug)]
pub struct ActionSampler {
    /// Cards by class, ascending within a class.
    cards: [Card; 16],
    /// Index of the smallest unused card of each class, by slot.
    next: [u8; ROOM],
    /// Number of classes of each size.
    counts: [u8; 16],
    shape: Shape,
}

impl ActionSampler {
    /// The sampler of a hand; `None` if the hand has more than nine cards.
    pub fn of(hand: CardSet) -> Option<ActionSampler> {
        if hand.len() > HAND_CAP {
            return None;
        }
        let (cards, next, counts) = ([Card::LAST_TURN; 16], [0; ROOM], [0; 16]);
        let mut sampler = ActionSampler { cards, next, counts, shape: Shape::default() };
        let mut dealt = 0;
        split(hand, |class, base| {
            let (mut class, start) = (class, dealt);
            while class != 0 {
                sampler.cards[dealt & 15] = Card::at_bit(base + class.trailing_zeros() as u8);
                dealt += 1;
                class &= class - 1;
            }
            let size = dealt - start;
            sampler.shape = sampler.shape.more(size as u8);
            sampler.put(start as u8, size);
        });
        Some(sampler)
    }

    /// Draws a uniform action for a number of registers, as cards; empty if the hand is too small.
    pub fn draw(&self, registers: usize, dice: &mut Rng) -> Program {
        self.clone().draw_last(registers, dice)
    }

    /// Draws as [`draw`](ActionSampler::draw) does, and uses the sampler up.
    pub fn draw_last(&mut self, registers: usize, dice: &mut Rng) -> Program {
        let mut program = Program::new();
        let mut number = dice.below(self.shape.count(registers));
        for after in (0..registers).rev() {
            let card = self.take(after, &mut number);
            if card.is_none_or(|card| program.push(card).is_err()) {
                return Program::new();
            }
        }
        program
    }

    /// Takes a card of the class that `number` selects, when `after` further registers are to be filled.
    fn take(&mut self, after: usize, number: &mut u32) -> Option<Card> {
        let ways = self.shape.after(after);
        for (size, &each) in ways.iter().enumerate().take(HAND_CAP + 1).skip(1) {
            let each = u32::from(each);
            let all = u32::from(self.counts[size]) * each;
            if *number < all {
                let place = *number / each;
                *number -= place * each;
                let card = self.cut(size, place as usize);
                self.shape = self.shape.less(size as u8);
                self.put(card + 1, size - 1);
                return Some(self.cards[card as usize & 15]);
            }
            *number -= all;
        }
        None
    }

    fn put(&mut self, card: u8, size: usize) {
        // Classes of size 0 are gone.
        if size > 0 {
            let place = (PLACES[size & 15] + self.counts[size & 15]) as usize;
            self.next[place & (ROOM - 1)] = card;
            self.counts[size & 15] += 1;
        }
    }

    /// Removes the class at a place among the classes of its size. Returns the index of its smallest unused card.
    fn cut(&mut self, size: usize, place: usize) -> u8 {
        let first = PLACES[size & 15] as usize;
        self.counts[size & 15] -= 1;
        let last = self.next[(first + self.counts[size & 15] as usize) & (ROOM - 1)];
        core::mem::replace(&mut self.next[(first + place) & (ROOM - 1)], last)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::numbering::Classes;
    use std::collections::BTreeMap;

    #[test]
    fn roborally_rule_9_every_action_is_drawn_as_often() {
        for hand in [&[1, 2, 49, 51][..], &[1, 7, 9, 11, 49, 50], &[43, 44, 45, 46, 79, 80]] {
            let hand: CardSet = hand.iter().filter_map(|&card| Card::new(card)).collect();
            let classes = Classes::of(hand).expect("few cards");
            let count = classes.sizes().count(4);
            let mut drawn: BTreeMap<Program, u32> = BTreeMap::new();
            let mut dice = Rng::new(6);
            let sampler = ActionSampler::of(hand).expect("few cards");
            for _ in 0..count * 1000 {
                *drawn.entry(sampler.draw(4, &mut dice)).or_default() += 1;
            }
            assert_eq!(drawn.len(), count as usize);
            assert!(drawn.values().all(|times| (850..1150).contains(times)), "{drawn:?}");
            assert!(
                (0..count).all(|number| drawn.contains_key(&classes.program(4, number).expect("an action")))
            );
            assert!(sampler.draw(7, &mut dice).is_empty());
        }
        assert!(ActionSampler::of(CardSet::DECK).is_none());
    }
}
