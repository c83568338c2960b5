//! Facts in which the editions of 2016 and 2023 differ (rules §16, §17).

use super::cards::Pile;

/// The rules of an edition. What is no field here is the same in both, or is asked by [`Rules::year`] where it happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Year of the edition.
    pub year: u16,
    /// The twenty cards that each robot starts with.
    pub deck: Pile,
    /// Damage cards of 2016, kind by kind; those of 2023 are one shuffled deck.
    pub(super) damage: Pile,
    /// Energy at the start.
    pub(super) energy: u8,
    /// Most energy that a robot can have.
    pub(super) most_energy: u8,
}

impl Rules {
    /// The rules of 2016.
    pub const OF_2016: Rules =
        Rules { year: 2016, deck: Pile::DECK, damage: Pile::DAMAGE, energy: 5, most_energy: u8::MAX };

    /// The rules of 2023.
    pub const OF_2023: Rules =
        Rules { year: 2023, deck: Pile::DECK_OF_2023, damage: Pile::EMPTY, energy: 3, most_energy: 10 };

    /// The rules of a year.
    pub fn of(year: &str) -> Option<&'static Rules> {
        match year {
            "2016" => Some(&Rules::OF_2016),
            "2023" => Some(&Rules::OF_2023),
            _ => None,
        }
    }

    /// Whether damage is SPAM and Haywire out of one deck, a token says who moves first, and who falls is back in the
    /// next turn: the rules of 2023.
    pub const fn has_haywire(&self) -> bool {
        self.year >= 2023
    }
}
