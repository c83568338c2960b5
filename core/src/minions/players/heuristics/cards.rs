//! Preference between spell cards, for the choice of which board gets which card.

use crate::minions::Spell;

/// Preference for a card, 1 to 9: high for those that the hand-written policies know how to use.
pub(in crate::minions::players) fn preference(spell: Spell) -> u8 {
    match spell {
        Spell::RaiseZombie => 9,
        Spell::Dismember | Spell::Weaken => 7,
        Spell::Fester => 6,
        Spell::Shield | Spell::Protection => 5,
        Spell::FreezeRay | Spell::Shackle => 4,
        Spell::Lumbering => 3,
        Spell::DoubleCantrip => 2,
        _ => 1,
    }
}
