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
    // Captures, purchases and techs are weighed by whole turns only.
    ..FIRST_TURN
};

/// Weights of the fallback policies beside those that they share with players without a search: worths in hundredths of
/// a soul, and chances of prophecies.
#[derive(Clone, Copy, Debug)]
pub(in crate::minions::players) struct FallbackWeights {
    /// Worth of a graveyard on a board that is won.
    pub(in crate::minions::players) won_seat: i32,
    /// Worth of a graveyard for the necromancer.
    pub(in crate::minions::players) necromancer_seat: i32,
    /// Worth of staying on a graveyard for another unit.
    pub(in crate::minions::players) held_seat: i32,
    /// Worth of a hex next to the own necromancer in danger, for a unit that is placed.
    pub(in crate::minions::players) shelter: i32,
    /// Cost of terrain that a unit is placed on and could not leave.
    pub(in crate::minions::players) enclosed: i32,
    /// Worth of not moving.
    pub(in crate::minions::players) stay: i32,
    /// Zombies that are wanted beside one for each graveyard that is not held.
    pub(in crate::minions::players) zombies: i32,
    /// Usefulness of a zombie when there are as many as are wanted, in percent.
    pub(in crate::minions::players) zombie: i32,
    /// Percent that each zombie too few adds, and each too many takes.
    pub(in crate::minions::players) zombie_lack: i32,
    /// Worth of a zombie whatever its price.
    pub(in crate::minions::players) zombie_presence: i32,
    /// Percent that each unit of the same type takes.
    pub(in crate::minions::players) same_type: i32,
    /// Worth of any other unit whatever its price.
    pub(in crate::minions::players) presence: i32,
    /// Chance that the own necromancer stays passive, in thousandths.
    pub(in crate::minions::players) passive_necromancer: u16,
    /// What an enemy adds that has an attack to the chance that it falls, in thousandths.
    pub(in crate::minions::players) armed: u16,
    /// What each soul of an enemy's price, nine at most, adds to that chance.
    pub(in crate::minions::players) price: u16,
    /// What each soul of an enemy's rebate, five at most, takes from that chance.
    pub(in crate::minions::players) rebate: u16,
}

/// Weights by which the fallback policies judge places, purchases and fates.
pub(in crate::minions::players) static FALLBACK: FallbackWeights = FallbackWeights {
    won_seat: 101,
    necromancer_seat: 81,
    held_seat: 167,
    shelter: 358,
    enclosed: 479,
    stay: 3,
    zombies: 2,
    zombie: 38,
    zombie_lack: 7,
    zombie_presence: 26,
    same_type: 3,
    presence: 48,
    passive_necromancer: 932,
    armed: 32,
    price: 28,
    rebate: 11,
};
