//! The 84 program cards (rules §1) and sets of them. The number of a card is also its rank: a higher number moves
//! first. The number of a card also decides its effect.

use core::iter::FusedIterator;

/// A program card, 1..=84. The priority printed on it is ten times its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card(u8);

/// The effect of a card on the robot that executes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CardEffect {
    /// Quarter turns clockwise: 1 right, 2 U-turn, 3 left (the paper's ω).
    Turn(u8),
    /// Cells forwards, 1 to 3 (the paper's τ).
    Forward(u8),
    /// One cell backwards, facing unchanged.
    BackUp,
}

impl Card {
    /// Number of cards in the deck.
    pub const COUNT: usize = 84;

    /// The turning card with the highest number; all higher cards move.
    pub const LAST_TURN: Card = Card(42);

    /// The card of this number, if there is one.
    pub const fn new(number: u8) -> Option<Card> {
        match number {
            1..=84 => Some(Card(number)),
            _ => None,
        }
    }

    /// The card of a bit of a [`CardSet`]; bits beyond the deck become the nearest card.
    pub(super) const fn at_bit(bit: u8) -> Card {
        match bit {
            0 => Card(1),
            1..=84 => Card(bit),
            _ => Card(84),
        }
    }

    /// Number of the card, 1..=84.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whether the card turns the robot instead of moving it.
    pub const fn is_turn(self) -> bool {
        self.0 <= Card::LAST_TURN.0
    }

    /// Number of cells that the card moves a robot, negative for backwards, 0 for turns.
    pub(super) const fn cells(self) -> i8 {
        CELLS[self.0 as usize & 127]
    }

    /// Effect of the card.
    pub const fn effect(self) -> CardEffect {
        match self.0 {
            0..=6 => CardEffect::Turn(2),
            7..=42 if self.0 % 2 == 1 => CardEffect::Turn(3),
            7..=42 => CardEffect::Turn(1),
            43..=48 => CardEffect::BackUp,
            49..=66 => CardEffect::Forward(1),
            67..=78 => CardEffect::Forward(2),
            _ => CardEffect::Forward(3),
        }
    }
}

/// Cells that each card moves, by number: a table, so that random cards need no branches.
static CELLS: [i8; 128] = {
    let mut cells = [0; 128];
    let mut number = 1;
    while number <= Card::COUNT {
        cells[number] = match Card(number as u8).effect() {
            CardEffect::Forward(cells) => cells as i8,
            CardEffect::BackUp => -1,
            CardEffect::Turn(_) => 0,
        };
        number += 1;
    }
    cells
};

/// A set of cards: 84 bits in two words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CardSet(u128);

impl CardSet {
    /// The empty set.
    pub const EMPTY: CardSet = CardSet(0);

    /// The whole deck.
    pub const DECK: CardSet = CardSet(((1 << Card::COUNT) - 1) << 1);

    /// Cards for a U-turn.
    pub const U_TURNS: CardSet = CardSet(0b111_1110);

    /// Cards for a turn to the left.
    pub const LEFT_TURNS: CardSet = CardSet(0x2aa_aaaa_aa80);

    /// Cards for a turn to the right.
    pub const RIGHT_TURNS: CardSet = CardSet(0x555_5555_5500);

    /// Cards that move the robot.
    pub const MOVES: CardSet = CardSet(CardSet::DECK.0 >> CardSet::FIRST_MOVE << CardSet::FIRST_MOVE);

    /// The number of the first card that moves.
    pub(super) const FIRST_MOVE: u8 = 43;

    /// Bits of the cards 0 to 63.
    pub(super) const fn low_word(self) -> u64 {
        self.0 as u64
    }

    /// Bits of the cards that move; bit 0 is card [`FIRST_MOVE`](CardSet::FIRST_MOVE).
    pub(super) const fn moves_word(self) -> u64 {
        (self.0 >> CardSet::FIRST_MOVE) as u64
    }

    /// The set with one more card.
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.0)
    }

    /// The set without a card.
    pub const fn without(self, card: Card) -> CardSet {
        CardSet(self.0 & !(1 << card.0))
    }

    /// The union of two sets.
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// The cards of this set that are not in the other.
    pub const fn minus(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// The intersection of two sets.
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// Whether the set contains a card.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// The card with the highest number; `None` for the empty set.
    pub const fn last(self) -> Option<Card> {
        match self.0.checked_ilog2() {
            Some(number) => Some(Card(number as u8)),
            None => None,
        }
    }

    /// Number of cards.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards in ascending order.
    pub const fn iter(self) -> Cards {
        Cards([self.0 as u64, (self.0 >> 64) as u64])
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    fn into_iter(self) -> Cards {
        self.iter()
    }
}

/// Iterator over the cards of a [`CardSet`] in ascending order.
#[derive(Clone, Debug)]
pub struct Cards([u64; 2]);

impl Iterator for Cards {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let [low, high] = &mut self.0;
        let (word, base) = if *low == 0 { (high, 64) } else { (low, 0) };
        if *word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as u8;
        *word &= *word - 1;
        Some(Card(base + bit))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.0[0].count_ones() + self.0[1].count_ones()) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Cards {}

impl FusedIterator for Cards {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn roborally_rule_1_the_deck() {
        let count = |effect| CardSet::DECK.iter().filter(|card| card.effect() == effect).count();
        assert_eq!([CardEffect::Turn(2), CardEffect::Turn(3), CardEffect::Turn(1)].map(count), [6, 18, 18]);
        assert_eq!(count(CardEffect::BackUp), 6);
        assert_eq!([1, 2, 3].map(|cells| count(CardEffect::Forward(cells))), [18, 12, 6]);
        assert_eq!((Card::new(0), Card::new(85), CardSet::DECK.len()), (None, None, Card::COUNT));
        let turns = CardSet::DECK.iter().filter(|card| card.is_turn()).count();
        assert_eq!(turns, 42);
        assert_eq!([42, 43, 49, 67, 84].map(|card| Card(card).cells()), [0, -1, 1, 2, 3]);
        assert_eq!(Card::new(41).map(Card::effect), Some(CardEffect::Turn(3)));
        let kinds = [
            (CardSet::U_TURNS, CardEffect::Turn(2)),
            (CardSet::LEFT_TURNS, CardEffect::Turn(3)),
            (CardSet::RIGHT_TURNS, CardEffect::Turn(1)),
        ];
        for (set, effect) in kinds {
            assert_eq!(set, CardSet::DECK.iter().filter(|card| card.effect() == effect).collect());
        }
        assert_eq!(CardSet::MOVES, CardSet::DECK.iter().filter(|card| !card.is_turn()).collect());
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let numbers = [84, 1, 63, 64, 65, 7];
        let set: CardSet = numbers.into_iter().filter_map(Card::new).collect();
        let back: Vec<u8> = set.iter().map(Card::number).collect();
        assert_eq!(back, [1, 7, 63, 64, 65, 84]);
        assert_eq!((set.len(), set.iter().len(), CardSet::EMPTY.is_empty()), (6, 6, true));
        let seven = Card(7);
        assert!(set.contains(seven) && !set.without(seven).contains(seven));
        assert_eq!(set.minus(CardSet::DECK), CardSet::EMPTY);
        assert_eq!(CardSet::DECK.minus(set).union(set), CardSet::DECK);
        assert_eq!(set.intersection(CardSet::EMPTY.with(seven)).len(), 1);
    }
}
