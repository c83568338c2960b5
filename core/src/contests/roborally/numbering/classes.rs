//! Classes of equivalent cards of a hand (rules §9): turns of one kind, and neighbouring moves of one length. The order
//! of two equivalent cards cannot matter in a turn.

use heapless::Vec;

use super::sizes::Sizes;
use crate::contests::roborally::card::{Card, CardSet};
use crate::contests::roborally::state::{HAND_CAP, REGISTERS};

/// Cards for the unlocked registers, the first register first.
pub type Program = Vec<Card, REGISTERS, u8>;

/// Bits of the first cards of each kind of move, from card 43 on: forward by one, two and three cells, and the end.
const MOVE_KINDS: u64 = 1 << 6 | 1 << 24 | 1 << 36 | 1 << 42;

/// Calls `class` with each class of a hand in canonical order: bits of cards, and the card that bit 0 stands for.
pub(super) fn split(hand: CardSet, mut class: impl FnMut(u64, u8)) {
    let turns = [CardSet::U_TURNS, CardSet::LEFT_TURNS, CardSet::RIGHT_TURNS];
    let [u_turns, left, right] = turns.map(|kind| hand.intersection(kind).low_word());
    let left_first = left.trailing_zeros() < right.trailing_zeros();
    let [first, second] = if left_first { [left, right] } else { [right, left] };
    for turns in [u_turns, first, second] {
        if turns != 0 {
            class(turns, 0);
        }
    }
    let mut moves = hand.moves_word();
    while moves != 0 {
        // A run ends before a card that is missing, or does something else.
        let start = moves & moves.wrapping_neg();
        let after_run = moves.wrapping_add(start) & !moves;
        let after_kind = MOVE_KINDS & !(start | (start - 1));
        let ends = after_run | after_kind;
        let run = moves & (ends & ends.wrapping_neg()).wrapping_sub(1);
        class(run, CardSet::FIRST_MOVE);
        moves ^= run;
    }
}

/// A hand sorted into classes: classes ascending by their smallest card, cards ascending within.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Classes {
    cards: [Card; HAND_CAP],
    /// Index of the first card of each class.
    starts: [u8; HAND_CAP],
    sizes: Sizes,
}

impl Classes {
    /// The classes of a hand; `None` if it has more than nine cards.
    pub fn of(hand: CardSet) -> Option<Classes> {
        let mut classes = Classes::empty(hand)?;
        let mut dealt = 0;
        split(hand, |class, base| classes.push(&mut dealt, class, base));
        Some(classes)
    }

    /// Classes of one card each: the raw actions, all ordered choices of cards. `None` if the hand has more than nine
    /// cards.
    pub fn raw(hand: CardSet) -> Option<Classes> {
        let mut classes = Classes::empty(hand)?;
        let mut dealt = 0;
        for card in hand {
            classes.push(&mut dealt, 1, card.number());
        }
        Some(classes)
    }

    fn empty(hand: CardSet) -> Option<Classes> {
        let (cards, starts) = ([Card::LAST_TURN; HAND_CAP], [0; HAND_CAP]);
        (hand.len() <= HAND_CAP).then_some(Classes { cards, starts, sizes: Sizes::default() })
    }

    /// Adds a class: bits of cards, where bit 0 stands for card `base`. `dealt` is the number of cards in classes.
    fn push(&mut self, dealt: &mut usize, mut class: u64, base: u8) {
        if let Some(start) = self.starts.get_mut(self.sizes.classes as usize) {
            *start = *dealt as u8;
        }
        self.sizes.push(class.count_ones() as u8);
        while class != 0 {
            if let Some(place) = self.cards.get_mut(*dealt) {
                *place = Card::at_bit(base + class.trailing_zeros() as u8);
            }
            *dealt += 1;
            class &= class - 1;
        }
    }

    /// Sizes of the classes, which number the actions.
    pub const fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// The cards of each class.
    pub fn iter(&self) -> impl Iterator<Item = &[Card]> {
        let bounds = self.starts.iter().zip(self.sizes.sizes());
        bounds.filter_map(|(&start, &size)| self.cards.get(start as usize..(start + size) as usize))
    }

    /// The cards of an action: per register the smallest unused card of the class. `None` for an impossible action.
    pub fn cards(&self, action: &[u8]) -> Option<Program> {
        let mut rest = self.sizes;
        let mut program = Program::new();
        for &class in action {
            let card = self.next_card(&rest, class)?;
            rest.take(class)?;
            program.push(card).ok()?;
        }
        Some(program)
    }

    /// The cards of the action with a dense number, for a number of registers. `None` beyond the last number.
    pub fn program(&self, registers: usize, number: u32) -> Option<Program> {
        if number >= self.sizes.count(registers) {
            return None;
        }
        let mut rest = self.sizes;
        let mut next = self.starts;
        let mut left = number;
        let mut program = Program::new();
        for after in (0..registers).rev() {
            let class = rest.unrank(after, &mut left);
            rest.take(class)?;
            let place = next.get_mut(class as usize)?;
            program.push(*self.cards.get(*place as usize)?).ok()?;
            *place += 1;
        }
        Some(program)
    }

    fn next_card(&self, rest: &Sizes, class: u8) -> Option<Card> {
        let class = class as usize;
        let used = self.sizes.left.get(class)?.checked_sub(*rest.left.get(class)?)?;
        let start = *self.starts.get(class)?;
        self.cards.get((start + used) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::contests::roborally::card::CardEffect;
    use proptest::prelude::*;
    use std::vec;

    type Cards = std::vec::Vec<u8>;

    fn set(cards: &[u8]) -> CardSet {
        cards.iter().filter_map(|&card| Card::new(card)).collect()
    }

    fn listed(classes: &Classes) -> std::vec::Vec<Cards> {
        classes.iter().map(|class| class.iter().map(|card| card.number()).collect()).collect()
    }

    /// The finest equivalence of rules §9, by joining classes pair by pair.
    fn oracle(hand: CardSet) -> std::vec::Vec<Cards> {
        let mut classes: std::vec::Vec<std::vec::Vec<Card>> = hand.iter().map(|card| vec![card]).collect();
        let alike = |a: Card, b: Card| {
            let both_turn = a.number() <= 42 && b.number() <= 42;
            let both_move = a.number() >= 43 && b.number() >= 43;
            a.effect() == b.effect() && (both_turn || both_move && a.number().abs_diff(b.number()) == 1)
        };
        while let Some((a, b)) = (0..classes.len())
            .flat_map(|a| (0..a).map(move |b| (b, a)))
            .find(|&(a, b)| classes[a].iter().any(|&x| classes[b].iter().any(|&y| alike(x, y))))
        {
            let joined = classes.remove(b);
            classes[a].extend(joined);
        }
        let mut sorted: std::vec::Vec<Cards> =
            classes.iter().map(|class| class.iter().map(|card| card.number()).collect()).collect();
        for class in &mut sorted {
            class.sort_unstable();
        }
        sorted.sort();
        sorted
    }

    #[test]
    fn roborally_rule_9_the_example_hand() {
        let hand = set(&[11, 83, 57, 49, 35, 21, 3, 50, 4]);
        let classes = Classes::of(hand).expect("nine cards");
        assert_eq!(listed(&classes), [vec![3, 4], vec![11, 21, 35], vec![49, 50], vec![57], vec![83]]);
        assert_eq!(classes.sizes().count(5), 1250);
        let raw = Classes::raw(hand).expect("nine cards");
        assert_eq!((raw.sizes().count(5), listed(&raw).len()), (15_120, 9));
        let program = classes.cards(&[1, 2, 1, 2, 0]).expect("an action");
        assert_eq!(program.iter().map(|card| card.number()).collect::<Cards>(), [11, 49, 21, 50, 3]);
        assert_eq!(classes.cards(&[2, 2, 2]), None);
    }

    #[test]
    fn roborally_rule_9_insertion_order_does_not_matter() {
        let classes = Classes::of(set(&[49, 51, 50])).expect("three cards");
        assert_eq!(listed(&classes), [[49, 50, 51]]);
        let apart = Classes::of(set(&[42, 43, 48, 49, 66, 67, 78, 79])).expect("eight cards");
        assert_eq!(listed(&apart).len(), 8);
        assert_eq!(Classes::of(CardSet::DECK), None);
        assert_eq!(Classes::of(CardSet::EMPTY).map(|classes| classes.sizes().count(0)), Some(1));
    }

    proptest! {
        #[test]
        fn classes_equal_the_definition(cards in prop::collection::btree_set(1_u8..=84, 0..=9)) {
            let hand: CardSet = cards.iter().filter_map(|&card| Card::new(card)).collect();
            let classes = Classes::of(hand).expect("nine cards at most");
            prop_assert_eq!(listed(&classes), oracle(hand));
            let registers = cards.len().min(5);
            let last = classes.sizes().count(registers) - 1;
            for number in [0, last / 2, last] {
                let program = classes.program(registers, number).expect("a number of an action");
                let action = classes.sizes().action(registers, number).expect("the same");
                prop_assert_eq!(classes.cards(&action), Some(program.clone()));
                let used: CardSet = program.iter().copied().collect();
                prop_assert!(used.len() == registers && used.minus(hand).is_empty());
            }
            prop_assert_eq!(classes.program(registers, last + 1), None);
        }

        #[test]
        fn equal_effects_make_equal_classes(cards in prop::collection::btree_set(1_u8..=84, 9)) {
            let hand: CardSet = cards.iter().filter_map(|&card| Card::new(card)).collect();
            for class in Classes::of(hand).expect("nine cards").iter() {
                let effects: std::vec::Vec<CardEffect> = class.iter().map(|card| card.effect()).collect();
                prop_assert!(effects.windows(2).all(|pair| pair[0] == pair[1]));
            }
        }
    }
}
