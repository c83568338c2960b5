//! Weights of the search's hand-written policies, and of the whole turn that begins each of its positions.
//!
//! Numbers found by SPSA (J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", 1992), all at once, in games between two such players without a search; they began as those of Greedy.
//! How, and what they are worth: docs/search-history.md, "Better first turns".

use crate::minions::players::appraisal::weights::{
    CaptureWeights, Pull, PurchaseWeights, TechWeights, Weights,
};

/// Weights by which the fallback policies and the first turns of a search judge units, hexes and techs.
pub(in crate::minions::players) static WEIGHTS: Weights = Weights {
    strength: [
        44, 73, 105, 72, 53, 217, 86, 70, 174, 72, 80, 87, 121, 122, 36, 129, 67, 197, 86, 25, 117, 210,
    ],
    plain_strength: 95,
    beats: -3,
    beaten_by: 0,
    rebate: -28,
    caution: 17,
    caution_turns: 1,
    least_caution: 6,
    lethal: 3997,
    lethal_surplus: 85,
    unease: 46,
    zombies: Pull { graveyard: 35, prey: 9 },
    idle_zombies: Pull { graveyard: -1, prey: 10 },
    others: Pull { graveyard: 2, prey: 12 },
    idle_others: Pull { graveyard: -2, prey: 23 },
    seat: 11,
    captures: CaptureWeights {
        unsummoned: 37,
        part: 14,
        seat: 79,
        freed: 8,
        next_prey: 18,
        spells: [39, 61],
    },
    purchases: PurchaseWeights {
        zombie: 21,
        zombie_lack: 8,
        zombies: -3,
        same_type: 0,
        thrift: 1,
        riches: 6,
        most_riches: 23,
        shelter: 444,
        necromancer_seat: 72,
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
