//! Numbers of actions, given how many cards each class has: the dense number (rules §10.3) and the corrected
//! mixed-radix code of the paper (rules §10.2).

use heapless::Vec;

use super::shapes::Shape;
use crate::contests::roborally::state::{HAND_CAP, REGISTERS};

/// An action: the class of the card in each unlocked register, the first register first, classes counted from 0.
pub type Action = Vec<u8, REGISTERS, u8>;

/// Class sizes ("multiplicities") in canonical order, at most nine cards in all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sizes {
    pub(super) left: [u8; HAND_CAP],
    pub(super) classes: u8,
    shape: Shape,
}

impl Sizes {
    /// Class sizes of at least 1 each and at most nine in all; `None` otherwise.
    pub fn new(sizes: &[u8]) -> Option<Sizes> {
        let cards: usize = sizes.iter().map(|&size| size as usize).sum();
        if cards > HAND_CAP || sizes.contains(&0) {
            return None;
        }
        let mut all = Sizes::default();
        for &size in sizes {
            all.push(size);
        }
        Some(all)
    }

    /// Adds a class if there is room.
    pub(super) fn push(&mut self, size: u8) {
        if let Some(place) = self.left.get_mut(self.classes as usize) {
            *place = size;
            self.classes += 1;
            self.shape = self.shape.more(size);
        }
    }

    /// The size of each class.
    pub fn sizes(&self) -> &[u8] {
        &self.left[..self.classes as usize % (HAND_CAP + 1)]
    }

    /// Number of actions that fill this many registers: the size of A (rules §9). 0 for more than five.
    pub fn count(&self, registers: usize) -> u32 {
        self.shape.count(registers)
    }

    /// `ACTION-NUMBER` of the paper in its dense form: the place of the action among all of its length in
    /// lexicographic order. `None` if it uses a class that is not there or used up, or is longer than five.
    pub fn number(&self, action: &[u8]) -> Option<u32> {
        let mut rest = *self;
        let mut number = 0;
        for (place, &class) in action.iter().enumerate().take(REGISTERS + 1) {
            let after = REGISTERS.min(action.len()) - (place + 1).min(action.len());
            for lower in 0..class.min(rest.classes) {
                number += rest.count_after(lower, after);
            }
            rest.take(class)?;
        }
        (action.len() <= REGISTERS).then_some(number)
    }

    /// `NUMBER-ACTION` of the paper in its dense form: the inverse of [`number`](Sizes::number) for actions of this
    /// many registers. `None` for a number that is not below [`count`](Sizes::count).
    pub fn action(&self, registers: usize, number: u32) -> Option<Action> {
        if number >= self.count(registers) {
            return None;
        }
        let mut rest = *self;
        let mut left = number;
        let mut action = Action::new();
        for place in 0..registers {
            let class = rest.unrank(registers - place - 1, &mut left);
            rest.take(class)?;
            action.push(class).ok()?;
        }
        Some(action)
    }

    /// The class of the first register of the action with this number, when `after` further registers follow. `number`
    /// becomes the number of the rest of the action.
    pub(super) fn unrank(&self, after: usize, number: &mut u32) -> u8 {
        let counts = self.shape.after(after);
        // Without branches: which class it is cannot be foreseen.
        let (mut class, mut sum, mut below) = (0, 0, 0);
        for size in self.left {
            sum += u32::from(counts[size as usize & 15]);
            let passed = sum <= *number;
            class += u8::from(passed);
            below = if passed { sum } else { below };
        }
        *number -= below;
        class
    }

    /// Number of ways to fill `after` registers, four at most, after a card of a class is taken.
    pub(in crate::contests::roborally) fn count_after(&self, class: u8, after: usize) -> u32 {
        let size = self.left.get(class as usize).map_or(0, |&size| size as usize & 15);
        u32::from(self.shape.after(after)[size])
    }

    /// Takes a card of a class; `None` if the class has none left.
    pub(super) fn take(&mut self, class: u8) -> Option<()> {
        let size = self.left.get_mut(class as usize).filter(|size| **size > 0)?;
        self.shape = self.shape.less(*size);
        *size -= 1;
        Some(())
    }

    /// `ACTION-NUMBER` as the paper means it (Algorithm 2, corrected as in rules §10.1): digits of a mixed radix, the
    /// first register least significant. Injective, with gaps.
    pub fn mixed_radix_number(&self, action: &[u8]) -> Option<u32> {
        if action.len() > REGISTERS {
            return None;
        }
        let mut rest = *self;
        let mut radix = u32::from(self.classes);
        let mut weight = 1;
        let mut number = 0;
        for &class in action {
            rest.take(class)?;
            let used_up = rest.left[..class as usize].iter().map(|&size| u32::from(size == 0)).sum::<u32>();
            number += weight * (u32::from(class) - used_up);
            weight *= radix;
            radix -= u32::from(rest.left[class as usize] == 0);
        }
        Some(number)
    }

    /// `NUMBER-ACTION` as the paper means it (Algorithm 3, corrected): the inverse of
    /// [`mixed_radix_number`](Sizes::mixed_radix_number). `None` for a number without an action.
    pub fn mixed_radix_action(&self, registers: usize, number: u32) -> Option<Action> {
        let mut rest = *self;
        let mut radix = u32::from(self.classes);
        let mut number = number;
        let mut action = Action::new();
        for _ in 0..registers {
            let digit = number.checked_rem(radix)?;
            number /= radix;
            let mut open = (0..self.classes).filter(|&class| rest.left[class as usize] > 0);
            let class = open.nth(digit as usize)?;
            rest.take(class)?;
            radix -= u32::from(rest.left[class as usize] == 0);
            action.push(class).ok()?;
        }
        (number == 0).then_some(action)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::collections::BTreeSet;
    use std::vec;

    /// All class sizes of at most nine cards, order included: 512 vectors, and the empty one among them.
    fn all_sizes() -> std::vec::Vec<std::vec::Vec<u8>> {
        let mut all = vec![vec![]];
        let mut next = 0;
        while next < all.len() {
            let sizes = all[next].clone();
            let cards: u8 = sizes.iter().sum();
            for size in 1..=9 - cards {
                let mut grown = sizes.clone();
                grown.push(size);
                all.push(grown);
            }
            next += 1;
        }
        all
    }

    /// All actions of a length in lexicographic order, by definition.
    fn all_actions(sizes: &[u8], registers: usize) -> std::vec::Vec<std::vec::Vec<u8>> {
        let mut actions = vec![vec![]];
        for _ in 0..registers {
            let mut longer = vec![];
            for action in &actions {
                for class in 0..sizes.len() as u8 {
                    let used = action.iter().map(|&other| usize::from(other == class)).sum::<usize>();
                    if used < sizes[class as usize] as usize {
                        let mut grown = action.clone();
                        grown.push(class);
                        longer.push(grown);
                    }
                }
            }
            actions = longer;
        }
        actions
    }

    #[test]
    fn roborally_rule_10_numbers_are_bijections_exhaustively() {
        let (mut cases, mut gapped) = (0, 0);
        let mut largest = 0;
        for sizes in all_sizes() {
            let cards: u8 = sizes.iter().sum();
            let all = Sizes::new(&sizes).expect("nine cards at most");
            assert_eq!(all.sizes(), sizes);
            for registers in 0..=REGISTERS {
                let actions = all_actions(&sizes, registers);
                assert_eq!(all.count(registers) as usize, actions.len(), "{sizes:?} {registers}");
                if actions.is_empty() {
                    assert_eq!(all.action(registers, 0), None);
                    continue;
                }
                cases += usize::from(cards > 0);
                let mut codes = BTreeSet::new();
                for (number, action) in (0..).zip(&actions) {
                    assert_eq!(all.number(action), Some(number), "{sizes:?} {action:?}");
                    assert_eq!(all.action(registers, number).as_deref(), Some(action.as_slice()));
                    let code = all.mixed_radix_number(action).expect("an action");
                    assert_eq!(all.mixed_radix_action(registers, code).as_deref(), Some(action.as_slice()));
                    assert!(codes.insert(code), "{sizes:?} {action:?}: the code {code} comes twice");
                }
                assert_eq!(all.action(registers, actions.len() as u32), None);
                let last = codes.last().copied().unwrap_or(0);
                largest = largest.max(last);
                gapped += usize::from(cards > 0 && last as usize >= actions.len());
            }
        }
        // The spec's figures: 3,040 cases with at least as many cards as registers, gaps in 1,814 of them.
        assert_eq!((cases, gapped, largest), (3040, 1814, 15_119));
    }

    #[test]
    fn roborally_rule_10_vectors_of_the_example() {
        let example = Sizes::new(&[2, 3, 2, 1, 1]).expect("nine cards");
        let vectors: [([u8; 5], u32, u32); 9] = [
            ([0, 0, 1, 1, 1], 0, 0),
            ([0, 0, 1, 1, 2], 1, 400),
            ([0, 1, 2, 3, 4], 94, 2305),
            ([1, 1, 1, 0, 0], 391, 31),
            ([1, 2, 1, 2, 1], 485, 911),
            ([1, 4, 2, 2, 0], 625, 271),
            ([2, 2, 4, 3, 1], 839, 587),
            ([4, 3, 2, 1, 0], 1245, 119),
            ([4, 3, 2, 2, 1], 1249, 359),
        ];
        for (action, dense, mixed) in vectors {
            assert_eq!(example.number(&action), Some(dense));
            assert_eq!(example.mixed_radix_number(&action), Some(mixed));
        }
        let other = Sizes::new(&[3, 2, 1, 1, 1, 1]).expect("nine cards");
        for (action, dense, mixed) in
            [([5, 4, 3, 2, 1], 2249, 719), ([5, 1, 2, 1, 0], 2086, 221), ([0, 3, 0, 0, 1], 354, 18)]
        {
            assert_eq!(
                (other.number(&action), other.mixed_radix_number(&action)),
                (Some(dense), Some(mixed))
            );
        }
    }

    #[test]
    fn what_is_no_action_has_no_number() {
        let sizes = Sizes::new(&[2, 1]).expect("three cards");
        for action in [&[1, 1][..], &[2], &[0, 0, 0], &[0, 1, 0, 1, 0, 1], &[9], &[255]] {
            assert_eq!((sizes.number(action), sizes.mixed_radix_number(action)), (None, None), "{action:?}");
        }
        assert_eq!((Sizes::new(&[5, 5]), Sizes::new(&[1, 0]), Sizes::new(&[1; 10])), (None, None, None));
        assert_eq!(
            (sizes.action(6, 0), sizes.mixed_radix_action(6, 0), sizes.action(4, 0)),
            (None, None, None)
        );
        assert_eq!((sizes.number(&[]), sizes.action(0, 0)), (Some(0), Some(Action::new())));
    }
}
