//! Families of attacks: the kinds of requests of the attack stage.

use core::fmt;

/// Number of families that follow the prophecy with noise, each with noise of its own.
const NOISES: u8 = 11;

/// Family of an attack candidate: the kind of the request that the attack answers. A further request of the same
/// family forbids the attacks already found (a fine refinement), which can exhaust the family; each [`Family::Noise`]
/// is a coarse refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Family {
    /// The attack follows the prophecy as it is.
    #[default]
    Foretold,
    /// Nobody fights.
    Peace,
    /// The attack removes enemies that threaten the own necromancer or hold too many graveyards.
    Defence,
    /// A spell finishes off a wounded enemy.
    Spells,
    /// The board is given up.
    Resignation,
    /// The attack follows the prophecy with noise; the number, below 11, selects the noise.
    Noise(u8),
    /// The attack follows another prophecy of the board as it is; the number, from 1, is that of
    /// [`AttackPolicy::prophesy`](super::ports::AttackPolicy::prophesy). Each is asked for once, except to refine its
    /// attack, so it is never exhausted.
    Mode(u8),
    /// The attack is part of a whole turn of the general policy and answers no request.
    WholeTurn,
}

impl Family {
    /// The families with noise, beginning with that whose turn it is for the attack that follows this many others.
    pub(super) fn noises_after(attacks: u32) -> impl Iterator<Item = Family> {
        let first = (attacks % u32::from(NOISES)) as u8;
        (0..NOISES).map(move |step| Family::Noise((first + step) % NOISES))
    }

    /// Number of a family: 0..16 for those that can be exhausted, 16 for [`Family::WholeTurn`], from 17 on for modes.
    /// Part of the seed of a request.
    pub(super) const fn number(self) -> u8 {
        match self {
            Family::Foretold => 0,
            Family::Peace => 1,
            Family::Defence => 2,
            Family::Spells => 3,
            Family::Resignation => 4,
            Family::Noise(noise) => 5 + noise % NOISES,
            Family::WholeTurn => FamilySet::SIZE,
            Family::Mode(mode) => FamilySet::SIZE.saturating_add(mode),
        }
    }

    /// All families that can be exhausted, by number.
    pub(super) fn all() -> impl Iterator<Item = Family> {
        use Family::{Defence, Foretold, Peace, Resignation, Spells};
        [Foretold, Peace, Defence, Spells, Resignation].into_iter().chain((0..NOISES).map(Family::Noise))
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Foretold => "as foretold",
            Family::Peace => "peace",
            Family::Defence => "defence",
            Family::Spells => "spells",
            Family::Resignation => "resignation",
            Family::Noise(noise) => return write!(f, "noise {}", noise + 1),
            Family::Mode(mode) => return write!(f, "mode {}", u16::from(*mode) + 1),
            Family::WholeTurn => "whole turn",
        })
    }
}

/// A set of families that can be exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FamilySet(u16);

impl FamilySet {
    /// The empty set.
    pub const EMPTY: FamilySet = FamilySet(0);

    /// Number of families in a full set.
    const SIZE: u8 = 16;

    /// The set of this family alone; empty for a family that cannot be exhausted.
    const fn of(family: Family) -> FamilySet {
        let number = family.number();
        FamilySet(if number < FamilySet::SIZE { 1 << number } else { 0 })
    }

    /// Adds a family.
    pub const fn insert(&mut self, family: Family) {
        self.0 |= FamilySet::of(family).0;
    }

    /// Whether the family is in the set.
    pub const fn contains(self, family: Family) -> bool {
        self.0 & FamilySet::of(family).0 != 0
    }

    /// Whether every family is in the set.
    pub const fn is_full(self) -> bool {
        self.0 == u16::MAX
    }

    /// The families in the set, by number.
    pub fn iter(self) -> impl Iterator<Item = Family> {
        Family::all().filter(move |&family| self.contains(family))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn families_have_different_bits_that_fill_a_set() {
        let mut set = FamilySet::EMPTY;
        for (family, number) in Family::all().zip(0..) {
            assert_eq!(family.number(), number);
            assert!(!set.contains(family) && !set.is_full());
            set.insert(family);
            assert!(set.contains(family));
            assert_eq!(set.iter().last(), Some(family));
        }
        assert!(set.is_full());
    }

    #[test]
    fn whole_turns_and_modes_are_in_no_set() {
        for family in [Family::WholeTurn, Family::Mode(1), Family::Mode(u8::MAX)] {
            let mut set = FamilySet::EMPTY;
            set.insert(family);
            assert_eq!(set, FamilySet::EMPTY);
            assert!(!FamilySet(u16::MAX).contains(family));
        }
        assert_eq!(std::format!("{}", Family::Mode(1)), "mode 2");
    }

    #[test]
    fn kinds_of_noise_come_by_turns() {
        assert!(Family::noises_after(3).eq([3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2].map(Family::Noise)));
        assert!(Family::noises_after(22).eq(Family::noises_after(0)));
    }
}
