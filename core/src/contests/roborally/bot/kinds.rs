//! Kinds of cards: all of a card that matters to a robot alone.

use crate::contests::roborally::card::CardEffect;
use crate::contests::roborally::{Card, CardSet};
use crate::rng::Rng;

/// Kinds of cards: three turns, back up, and moves of one to three cells.
pub(super) const KINDS: usize = 7;

/// First card of each kind, for examples, and the number of its cards.
const FIRST: [u8; KINDS] = [1, 7, 8, 43, 49, 67, 79];

/// The kind of a card.
pub(super) const fn kind_of(card: Card) -> usize {
    match card.effect() {
        CardEffect::Turn(2) => 0,
        CardEffect::Turn(3) => 1,
        CardEffect::Turn(_) => 2,
        _ => match card.cells() {
            i8::MIN..=0 => 3,
            1 => 4,
            2 => 5,
            _ => 6,
        },
    }
}

/// The cards of a hand by kind.
#[derive(Clone, Debug)]
pub(super) struct HandKinds {
    counts: [u8; KINDS],
}

impl HandKinds {
    /// The kinds of a hand.
    pub(super) fn of(hand: CardSet) -> HandKinds {
        let mut counts = [0; KINDS];
        for card in hand {
            counts[kind_of(card)] += 1;
        }
        HandKinds { counts }
    }

    /// A random hand of a full deck.
    pub(super) fn draw(cards: usize, dice: &mut Rng) -> HandKinds {
        let mut hand = CardSet::EMPTY;
        while hand.len() < cards.min(Card::COUNT) {
            if let Some(card) = Card::new(1 + dice.below(Card::COUNT as u32) as u8) {
                hand = hand.union([card].into_iter().collect::<CardSet>());
            }
        }
        HandKinds::of(hand)
    }

    /// A card of a kind.
    pub(super) fn example(kind: usize) -> Option<Card> {
        FIRST.get(kind).and_then(|&number| Card::new(number))
    }

    /// Takes a card of a kind. Returns whether there was one.
    pub(super) fn take(&mut self, kind: usize) -> bool {
        match self.counts.get_mut(kind) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// Puts a card of a kind back.
    pub(super) fn put_back(&mut self, kind: usize) {
        if let Some(count) = self.counts.get_mut(kind) {
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_an_example() {
        for kind in 0..KINDS {
            assert_eq!(HandKinds::example(kind).map(kind_of), Some(kind));
        }
    }
}
