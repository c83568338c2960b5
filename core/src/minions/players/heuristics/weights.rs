//! Weights of the search's hand-written policies, and of the whole turn that begins each of its positions.
//!
//! Numbers found by SPSA (J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", 1992), all at once, in games between two searches; they began as those of Greedy. How, and what they
//! are worth: docs/search-history.md, "Tuned in games of searches".

use crate::minions::players::appraisal::weights::{
    CaptureWeights, Pull, PurchaseWeights, TechWeights, Weights,
};

/// Weights by which the whole turn is chosen that begins each position of a search.
pub(in crate::minions::players) static FIRST_TURN: Weights = Weights {
    strength: [
        22, 47, 102, 58, 55, 200, 91, 85, 268, 72, 85, 84, 119, 95, 18, 115, 80, 221, 64, 41, 104, 234,
    ],
    plain_strength: 83,
    beats: -1,
    beaten_by: 0,
    rebate: -43,
    caution: 9,
    caution_turns: 1,
    least_caution: 9,
    lethal: 4474,
    lethal_surplus: 76,
    unease: 59,
    zombies: Pull { graveyard: 28, prey: 10 },
    idle_zombies: Pull { graveyard: -1, prey: 15 },
    others: Pull { graveyard: 5, prey: 15 },
    idle_others: Pull { graveyard: -2, prey: 24 },
    seat: 72,
    captures: CaptureWeights {
        unsummoned: 32,
        part: 21,
        seat: 33,
        freed: 9,
        next_prey: 21,
        spells: [36, 46],
    },
    purchases: PurchaseWeights {
        zombie: 22,
        zombie_lack: 9,
        zombies: -3,
        same_type: 0,
        thrift: 1,
        riches: 6,
        most_riches: 22,
        shelter: 345,
        necromancer_seat: 85,
    },
    techs: TechWeights {
        worthwhile: 150,
        worthwhile_more: 3,
        copycat: 62,
        copycat_more: 12,
        thaumaturgy: 48,
        metamagic: 35,
        unit_money: 15,
    },
};

/// Weights by which the fallback policies judge units, hexes and techs.
pub(in crate::minions::players) static POLICY: Weights = Weights {
    strength: [
        50, 104, 97, 89, 48, 241, 134, 64, 262, 67, 67, 105, 97, 125, 39, 126, 89, 261, 64, 35, 93, 190,
    ],
    plain_strength: 90,
    beats: 0,
    beaten_by: -2,
    rebate: -6,
    caution: 33,
    caution_turns: 1,
    least_caution: 9,
    lethal: 3398,
    lethal_surplus: 64,
    unease: 42,
    zombies: Pull { graveyard: 30, prey: 11 },
    idle_zombies: Pull { graveyard: -1, prey: 10 },
    others: Pull { graveyard: 4, prey: 13 },
    idle_others: Pull { graveyard: -3, prey: 29 },
    seat: 138,
    purchases: PurchaseWeights {
        zombie: 38,
        zombie_lack: 7,
        zombies: 2,
        same_type: 3,
        shelter: 358,
        necromancer_seat: 81,
        ..FIRST_TURN.purchases
    },
    // Captures, techs and what dear units are worth to the rich are weighed by whole turns only.
    ..FIRST_TURN
};

/// Weights of the fallback policies beside those that they share with players without a search: worths in hundredths of
/// a soul, and chances of prophecies.
#[derive(Clone, Copy, Debug)]
pub(in crate::minions::players) struct FallbackWeights {
    /// Worth of a graveyard on a board that is won.
    pub(in crate::minions::players) won_seat: i32,
    /// Worth of staying on a graveyard for another unit.
    pub(in crate::minions::players) held_seat: i32,
    /// Cost of terrain that a unit is placed on and could not leave.
    pub(in crate::minions::players) enclosed: i32,
    /// Worth of not moving.
    pub(in crate::minions::players) stay: i32,
    /// Worth of a zombie whatever its price.
    pub(in crate::minions::players) zombie_presence: i32,
    /// Worth of any other unit whatever its price.
    pub(in crate::minions::players) presence: i32,
    /// Chance that the own necromancer stays passive, in thousandths.
    pub(in crate::minions::players) passive_necromancer: u16,
    /// Chance that an enemy with an attack is likelier to fall by, in thousandths.
    pub(in crate::minions::players) armed: u16,
    /// Chance that each soul of its price, nine at most, makes an enemy likelier to fall by, in thousandths.
    pub(in crate::minions::players) price: u16,
    /// Chance that each soul of its rebate, five at most, makes an enemy less likely to fall by, in thousandths.
    pub(in crate::minions::players) rebate: u16,
}

/// Weights by which the fallback policies judge places, purchases and fates.
pub(in crate::minions::players) static FALLBACK: FallbackWeights = FallbackWeights {
    won_seat: 101,
    held_seat: 167,
    enclosed: 479,
    stay: 3,
    zombie_presence: 26,
    presence: 48,
    passive_necromancer: 932,
    armed: 32,
    price: 28,
    rebate: 11,
};
