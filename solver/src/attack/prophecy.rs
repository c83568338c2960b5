//! Prophecies: how likely each enemy is to be removed, and each friend not to fight (seed 000).

use barrow_core::hex::Hex;
use barrow_core::rng::Rng;
use heapless::Vec;

use super::model::PIECE_CAP;
use super::plan::Wish;
use crate::cdcl::{Capacity, Resource};

/// A probability in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Chance(u16);

impl Chance {
    /// Never.
    pub const NEVER: Chance = Chance(0);
    /// As often as not; the customary threshold.
    pub const HALF: Chance = Chance(500);
    /// Always.
    pub const ALWAYS: Chance = Chance(1000);

    /// This many thousandths, at most a thousand.
    pub const fn permille(thousandths: u16) -> Chance {
        if thousandths > 1000 { Chance::ALWAYS } else { Chance(thousandths) }
    }

    /// Thousandths, 0..=1000.
    pub const fn thousandths(self) -> u16 {
        self.0
    }
}

/// What is foretold of one piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Fate {
    Removed,
    Passive,
}

/// A map from the pieces of a board, named by the hexes they stand on, to probabilities.
///
/// ```
/// use barrow_core::hex::Hex;
/// use barrow_solver::attack::{Chance, Prophecy, Wish};
/// let [c2, d2, e2] = ["c2", "d2", "e2"].map(|name| Hex::named(name).unwrap());
/// let mut prophecy = Prophecy::default();
/// prophecy.removed(c2, Chance::permille(600)).unwrap();
/// prophecy.passive(d2, Chance::permille(900)).unwrap();
/// prophecy.removed(e2, Chance::permille(499)).unwrap();
/// assert_eq!(prophecy.wishes(Chance::HALF), [Wish::Passive(d2), Wish::Remove(c2)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prophecy {
    fates: Vec<(Hex, Fate, Chance), { 2 * PIECE_CAP }, u8>,
}

/// Wishes in falling order of importance.
pub type Wishes = Vec<Wish, { 2 * PIECE_CAP }, u8>;

impl Prophecy {
    /// Foretells that the enemy on `at` is removed. What was foretold of that hex before is forgotten.
    pub fn removed(&mut self, at: Hex, chance: Chance) -> Result<(), Capacity> {
        self.foretell(at, Fate::Removed, chance)
    }

    /// Foretells that the friend on `at` does not fight. What was foretold of that hex before is forgotten.
    pub fn passive(&mut self, at: Hex, chance: Chance) -> Result<(), Capacity> {
        self.foretell(at, Fate::Passive, chance)
    }

    fn foretell(&mut self, at: Hex, fate: Fate, chance: Chance) -> Result<(), Capacity> {
        if let Some(known) = self.fates.iter_mut().find(|known| known.0 == at) {
            *known = (at, fate, chance);
            return Ok(());
        }
        let available = 2 * PIECE_CAP;
        self.fates.push((at, fate, chance)).map_err(|_| Capacity {
            what: Resource::Pieces,
            needed: available + 1,
            available,
        })
    }

    /// What is foretold of the piece on a hex.
    pub fn chance(&self, at: Hex) -> Option<Chance> {
        self.fates.iter().find(|known| known.0 == at).map(|known| known.2)
    }

    /// The wishes that are more likely than the threshold, or as likely: the likeliest first, those equally likely
    /// in the order of their hexes.
    pub fn wishes(&self, threshold: Chance) -> Wishes {
        let mut likely = self.fates.clone();
        likely.retain(|fate| fate.2 >= threshold);
        likely.sort_unstable_by_key(|&(at, _, chance)| (core::cmp::Reverse(chance), at));
        let wish = |&(at, fate, _): &(Hex, Fate, Chance)| match fate {
            Fate::Removed => Wish::Remove(at),
            Fate::Passive => Wish::Passive(at),
        };
        likely.iter().map(wish).collect()
    }

    /// A coarse refinement (seed 000): to every probability a number of thousandths between minus and plus `noise`
    /// is added, each equally likely, and the sum is cut off at 0 and 1000. Numbers are drawn in the order of the
    /// hexes, so the result depends on the generator and on what was foretold, not on the order of foretelling.
    #[must_use]
    pub fn with_noise(&self, rng: &mut Rng, noise: Chance) -> Prophecy {
        let mut noisy = self.clone();
        noisy.fates.sort_unstable_by_key(|fate| fate.0);
        for fate in &mut noisy.fates {
            let drawn = rng.below(2 * u32::from(noise.0) + 1) as u16;
            fate.2 = Chance::permille((fate.2.0 + drawn).saturating_sub(noise.0));
        }
        noisy
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    fn prophecy(entries: &[(u8, bool, u16)]) -> Prophecy {
        let mut all = Prophecy::default();
        for &(index, removed, thousandths) in entries {
            let (at, chance) = (Hex::new(index).unwrap(), Chance::permille(thousandths));
            if removed { all.removed(at, chance) } else { all.passive(at, chance) }.unwrap();
        }
        all
    }

    #[test]
    fn order_of_foretelling_makes_no_difference() {
        let entries = [(3, true, 700), (90, false, 700), (7, true, 500), (8, false, 499), (50, true, 1000)];
        let mut backwards = entries;
        backwards.reverse();
        let hex = |index| Hex::new(index).unwrap();
        let expected =
            [Wish::Remove(hex(50)), Wish::Remove(hex(3)), Wish::Passive(hex(90)), Wish::Remove(hex(7))];
        for order in [entries, backwards] {
            let foretold = prophecy(&order);
            assert_eq!(foretold.wishes(Chance::HALF), expected);
            let noisy = foretold.with_noise(&mut Rng::new(5), Chance::permille(300));
            let other = prophecy(&entries).with_noise(&mut Rng::new(5), Chance::permille(300));
            assert_eq!(noisy.wishes(Chance::NEVER), other.wishes(Chance::NEVER));
        }
        assert_eq!(prophecy(&[(3, true, 1), (3, false, 800)]).wishes(Chance::HALF), [Wish::Passive(hex(3))]);
    }

    #[test]
    fn noise_is_bounded_and_even() {
        let foretold = prophecy(&[(1, true, 600), (2, false, 50), (3, true, 990)]);
        assert_eq!(foretold.with_noise(&mut Rng::new(1), Chance::NEVER), foretold);
        let mut rng = Rng::new(2);
        let mut sum = 0;
        for _ in 0..10_000 {
            let noisy = foretold.with_noise(&mut rng, Chance::permille(100));
            let at = |index| noisy.chance(Hex::new(index).unwrap()).unwrap().thousandths();
            assert!((500..=700).contains(&at(1)) && at(2) <= 150 && (890..=1000).contains(&at(3)));
            sum += u32::from(at(1));
        }
        assert!((598 * 10_000..602 * 10_000).contains(&sum), "{sum}");
    }
}
