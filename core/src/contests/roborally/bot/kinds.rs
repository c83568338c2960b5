//! Kinds of cards: all of a card that matters to a robot alone. Cards of the second edition add two of their own.

use crate::contests::roborally::card::CardEffect;
use crate::contests::roborally::{Card, CardSet};
use crate::rng::Rng;

/// Kinds of cards by what they do: three turns, back up, moves of one to three cells, and nothing ([`REST`]).
pub(super) const KINDS: usize = 8;

/// Kind of the cards that leave a robot where it is, of the second edition alone.
pub(super) const REST: usize = 7;

/// Kind of the cards that repeat the register before, of the second edition alone.
pub(super) const AGAIN: usize = 8;

/// Kinds of cards in a hand.
pub(super) const HAND_KINDS: usize = 9;

/// First card of each kind of the classic rules, for examples.
const FIRST: [u8; 7] = [1, 7, 8, 43, 49, 67, 79];

/// The kind that is executed for a kind of card after another one; `None` for a repetition of nothing.
pub(super) const fn executed(kind: usize, before: Option<usize>) -> Option<usize> {
    if kind == AGAIN { before } else { Some(kind) }
}

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
    counts: [u8; HAND_KINDS],
}

impl HandKinds {
    /// The kinds of a hand.
    pub(super) fn of(hand: CardSet) -> HandKinds {
        HandKinds::counted(hand.into_iter().map(|card| (kind_of(card), 1)))
    }

    /// The kinds of a hand, each with the number of its cards.
    pub(super) fn counted(cards: impl IntoIterator<Item = (usize, u8)>) -> HandKinds {
        let mut counts = [0; HAND_KINDS];
        for (kind, number) in cards {
            if let Some(count) = counts.get_mut(kind) {
                *count += number;
            }
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

    /// A classic card of a kind.
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
        for kind in 0..FIRST.len() {
            assert_eq!(HandKinds::example(kind).map(kind_of), Some(kind));
        }
    }
}
