//! Weights of the fallback policies. They began as those of Greedy, and may improve.

use crate::minions::players::appraisal::weights::{Pull, Weights};

/// Weights by which the fallback policies judge units, hexes and techs.
pub(in crate::minions::players) static WEIGHTS: Weights = Weights {
    strength: [
        105, 105, 80, 90, 110, 95, 115, 95, 120, 95, 85, 115, 115, 110, 95, 90, 120, 110, 105, 80, 95, 110,
    ],
    plain_strength: 70,
    beats: 10,
    beaten_by: 8,
    rebate: 60,
    caution: 55,
    caution_turns: 3,
    least_caution: 10,
    lethal: 4000,
    lethal_surplus: 100,
    unease: 60,
    zombies: Pull { graveyard: 16, prey: 4 },
    idle_zombies: Pull { graveyard: 0, prey: 9 },
    others: Pull { graveyard: 6, prey: 14 },
    idle_others: Pull { graveyard: 0, prey: 16 },
    seat: 160,
};
