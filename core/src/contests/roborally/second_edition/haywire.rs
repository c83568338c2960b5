//! Damage of 2023 (rules §17.1): SPAM, and Haywire cards, each of which is there once and does something of its own.

use crate::rng::Rng;

/// A Haywire card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Haywire {
    /// Two cells ahead, then a quarter to the right.
    Move2Right,
    /// Two cells ahead, then a quarter to the left.
    Move2Left,
    /// A cell ahead, a quarter to the right, a cell ahead.
    Move1RightMove1,
    /// A cell ahead, a quarter to the left, a cell ahead.
    Move1LeftMove1,
    /// Three cells ahead, then half a circle.
    Move3UTurn,
    /// Three cells back.
    Back3,
    /// A cell back, then half a circle.
    BackUTurn,
    /// A cell back; one damage card among the discards is gone for good.
    BackScrap,
    /// Five cells ahead, and a damage card if a wall stops that.
    Move5,
    /// A cell ahead; the robot's laser is stronger in this register.
    Move1Laser,
    /// A cell ahead; the priority token, which then stays for the next turn.
    Move1Token,
    /// A quarter to either side.
    Turn,
    /// Any facing, then a cell ahead.
    FaceMove1,
    /// Two cells to either side, facing unchanged.
    Sideways2,
    /// Up to eight of the robot's energy, and two cells ahead for each.
    Pay,
    /// The next two cards of the deck.
    DrawTwo,
    /// An upgrade card for nothing; nothing happens, since upgrades are left out.
    Upgrade,
}

impl Haywire {
    /// All cards.
    pub const ALL: [Haywire; 17] = [
        Haywire::Move2Right,
        Haywire::Move2Left,
        Haywire::Move1RightMove1,
        Haywire::Move1LeftMove1,
        Haywire::Move3UTurn,
        Haywire::Back3,
        Haywire::BackUTurn,
        Haywire::BackScrap,
        Haywire::Move5,
        Haywire::Move1Laser,
        Haywire::Move1Token,
        Haywire::Turn,
        Haywire::FaceMove1,
        Haywire::Sideways2,
        Haywire::Pay,
        Haywire::DrawTwo,
        Haywire::Upgrade,
    ];

    const fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// A damage card of 2023.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage {
    /// SPAM.
    Spam,
    /// A Haywire card.
    Haywire(Haywire),
}

/// A pile of damage cards without order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct DamagePile {
    /// Number of SPAM cards.
    spam: u8,
    /// Haywire cards, as bits.
    haywires: u32,
}

impl DamagePile {
    /// The empty pile.
    pub const EMPTY: DamagePile = DamagePile { spam: 0, haywires: 0 };

    /// The damage cards at the start of a race: 23 SPAM and each Haywire card.
    pub const ALL: DamagePile = DamagePile { spam: 23, haywires: (1 << Haywire::ALL.len()) - 1 };

    /// Number of cards.
    pub const fn len(&self) -> usize {
        self.spam as usize + self.haywires.count_ones() as usize
    }

    /// Whether the pile is empty.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of SPAM cards.
    pub const fn spam(&self) -> u8 {
        self.spam
    }

    /// The Haywire cards.
    pub fn haywires(&self) -> impl Iterator<Item = Haywire> + use<> {
        let haywires = self.haywires;
        Haywire::ALL.into_iter().filter(move |card| haywires & card.bit() != 0)
    }

    /// Adds a card.
    pub const fn add(&mut self, card: Damage) {
        match card {
            Damage::Spam => self.spam = self.spam.saturating_add(1),
            Damage::Haywire(card) => self.haywires |= card.bit(),
        }
    }

    /// Takes a card. Returns whether it was there.
    pub const fn take(&mut self, card: Damage) -> bool {
        match card {
            Damage::Spam if self.spam > 0 => self.spam -= 1,
            Damage::Haywire(card) if self.haywires & card.bit() != 0 => self.haywires &= !card.bit(),
            _ => return false,
        }
        true
    }

    /// Draws a random card; `None` from an empty pile.
    pub fn draw(&mut self, dice: &mut Rng) -> Option<Damage> {
        if self.is_empty() {
            return None;
        }
        let place = dice.below(self.len() as u32);
        let drawn = match place.checked_sub(u32::from(self.spam)) {
            None => Damage::Spam,
            Some(place) => Damage::Haywire(self.haywires().nth(place as usize)?),
        };
        self.take(drawn).then_some(drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_damage_card_is_drawn_once() {
        let (mut deck, mut drawn, mut dice) = (DamagePile::ALL, DamagePile::EMPTY, Rng::new(2));
        assert_eq!((deck.len(), deck.spam(), deck.haywires().count()), (40, 23, 17));
        while let Some(card) = deck.draw(&mut dice) {
            drawn.add(card);
        }
        assert!(deck.is_empty() && drawn == DamagePile::ALL);
        assert!(drawn.take(Damage::Haywire(Haywire::Pay)) && !drawn.take(Damage::Haywire(Haywire::Pay)));
    }

    #[test]
    fn cards_have_their_numbers() {
        assert!((0..).zip(Haywire::ALL).all(|(number, card)| card as u8 == number));
    }
}
