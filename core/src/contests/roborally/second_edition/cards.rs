//! Cards of the second edition and piles of them (rules §16.1). What lies in a pile is known, its order is not: a draw
//! is random.

use crate::rng::Rng;

/// A card that a register can hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum PlayCard {
    /// Move by one cell ahead.
    Move1,
    /// Move by two cells ahead.
    Move2,
    /// Move by three cells ahead.
    Move3,
    /// Move by one cell back, facing unchanged.
    BackUp,
    /// Turn by a quarter to the left.
    TurnLeft,
    /// Turn by a quarter to the right.
    TurnRight,
    /// Turn by half a circle.
    UTurn,
    /// Energy: one cube.
    PowerUp,
    /// Repetition of the register before.
    Again,
    /// Damage: a card from the deck is played instead.
    Spam,
    /// Damage: two SPAM cards, and a card from the deck is played instead.
    TrojanHorse,
    /// Damage: a virus for all robots near, and a card from the deck is played instead.
    Virus,
    /// Damage: the robot reboots.
    Worm,
}

impl PlayCard {
    /// All kinds of cards.
    pub const ALL: [PlayCard; 13] = [
        PlayCard::Move1,
        PlayCard::Move2,
        PlayCard::Move3,
        PlayCard::BackUp,
        PlayCard::TurnLeft,
        PlayCard::TurnRight,
        PlayCard::UTurn,
        PlayCard::PowerUp,
        PlayCard::Again,
        PlayCard::Spam,
        PlayCard::TrojanHorse,
        PlayCard::Virus,
        PlayCard::Worm,
    ];

    /// Whether the card is damage.
    pub const fn is_damage(self) -> bool {
        self as u8 >= PlayCard::Spam as u8
    }
}

/// A pile of cards without order: how many of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pile([u8; PlayCard::ALL.len()]);

impl Pile {
    /// The empty pile.
    pub const EMPTY: Pile = Pile([0; PlayCard::ALL.len()]);

    /// The twenty cards that each robot starts with.
    pub const DECK: Pile = Pile([5, 3, 1, 1, 3, 3, 1, 1, 2, 0, 0, 0, 0]);

    /// The twenty cards that each robot starts with by the rules of 2023.
    pub const DECK_OF_2023: Pile = Pile([4, 3, 1, 1, 4, 4, 1, 1, 1, 0, 0, 0, 0]);

    /// The damage cards at the start of a race.
    pub const DAMAGE: Pile = Pile([0, 0, 0, 0, 0, 0, 0, 0, 0, 38, 12, 18, 6]);

    /// Number of cards of a kind.
    pub const fn count(&self, card: PlayCard) -> u8 {
        self.0[card as usize]
    }

    /// Number of cards.
    pub fn len(&self) -> usize {
        self.0.iter().map(|&count| usize::from(count)).sum()
    }

    /// All cards, by kind.
    pub fn iter(&self) -> impl Iterator<Item = PlayCard> + use<> {
        let counts = self.0;
        PlayCard::ALL.into_iter().zip(counts).flat_map(|(card, count)| (0..count).map(move |_| card))
    }

    /// Number of damage cards.
    pub fn damage(&self) -> u8 {
        self.0.iter().skip(PlayCard::Spam as usize).fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Whether the pile is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a card.
    pub const fn add(&mut self, card: PlayCard) {
        let count = &mut self.0[card as usize];
        *count = count.saturating_add(1);
    }

    /// Takes a card of a kind. Returns whether there was one.
    pub const fn take(&mut self, card: PlayCard) -> bool {
        let count = &mut self.0[card as usize];
        if *count == 0 {
            return false;
        }
        *count -= 1;
        true
    }

    /// Takes all cards of a kind. Returns how many there were.
    pub const fn take_all(&mut self, card: PlayCard) -> u8 {
        core::mem::replace(&mut self.0[card as usize], 0)
    }

    /// Adds all cards of another pile, which is empty afterwards.
    pub fn absorb(&mut self, other: &mut Pile) {
        for (count, more) in self.0.iter_mut().zip(&mut other.0) {
            *count = count.saturating_add(core::mem::take(more));
        }
    }

    /// Draws a random card; `None` from an empty pile.
    pub fn draw(&mut self, dice: &mut Rng) -> Option<PlayCard> {
        let cards = self.len();
        if cards == 0 {
            return None;
        }
        let mut place = dice.below(cards as u32);
        let drawn = PlayCard::ALL.into_iter().find(|&card| {
            let count = u32::from(self.count(card));
            let is_here = place < count;
            place = place.saturating_sub(count);
            is_here
        });
        drawn.filter(|&card| self.take(card))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_of_a_deck_is_drawn_once() {
        let (mut deck, mut drawn, mut dice) = (Pile::DECK, Pile::EMPTY, Rng::new(5));
        assert_eq!((deck.len(), Pile::DECK_OF_2023.len(), Pile::DAMAGE.len()), (20, 20, 74));
        while let Some(card) = deck.draw(&mut dice) {
            assert!(!card.is_damage());
            drawn.add(card);
        }
        assert_eq!((drawn, deck.is_empty()), (Pile::DECK, true));
        deck.absorb(&mut drawn);
        assert_eq!((deck, drawn.take(PlayCard::Move1)), (Pile::DECK, false));
    }

    #[test]
    fn cards_are_drawn_as_often_as_they_are_in_the_pile() {
        let mut dice = Rng::new(1);
        let moves = (0..4000).filter(|_| Pile::DECK.clone().draw(&mut dice) == Some(PlayCard::Move1)).count();
        assert!((900..1100).contains(&moves), "{moves} of 4000, a quarter expected");
    }
}
