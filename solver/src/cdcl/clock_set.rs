//! Sets of clocks.

/// Most clocks of a problem.
pub const MAX_CLOCKS: usize = 256;

/// Set of clocks.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ClockSet([u64; MAX_CLOCKS / 64]);

impl ClockSet {
    pub(crate) const EMPTY: ClockSet = ClockSet([0; MAX_CLOCKS / 64]);

    /// Adds a clock, and returns whether it is new.
    pub(crate) fn insert(&mut self, clock: u8) -> bool {
        let bit = 1 << (clock % 64);
        self.0.get_mut(usize::from(clock / 64)).is_some_and(|word| {
            let new = *word & bit == 0;
            *word |= bit;
            new
        })
    }

    /// Whether a clock is in the set.
    pub(crate) fn contains(&self, clock: u8) -> bool {
        self.0.get(usize::from(clock / 64)).is_some_and(|word| word >> (clock % 64) & 1 != 0)
    }

    /// Removes and returns the smallest clock.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let (index, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let clock = 64 * index + word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(clock)
    }

    /// Number of clocks.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::collections::BTreeSet;

    use barrow_core::rng::Rng;

    use super::*;

    #[test]
    fn a_set_is_what_went_in_and_did_not_come_out() {
        let (mut rng, mut set, mut slow) = (Rng::new(3), ClockSet::EMPTY, BTreeSet::new());
        for round in 0..4_000 {
            // It fills up and empties.
            if rng.chance(if round / 1_000 % 2 == 0 { 3 } else { 1 }, 4) {
                let clock = rng.below(MAX_CLOCKS as u32) as u8;
                assert_eq!(set.insert(clock), slow.insert(clock));
            } else {
                assert_eq!(set.pop(), slow.pop_first().map(usize::from));
            }
            assert_eq!(set.len(), slow.len());
            let clock = rng.below(MAX_CLOCKS as u32) as u8;
            assert_eq!(set.contains(clock), slow.contains(&clock));
        }
    }
}
