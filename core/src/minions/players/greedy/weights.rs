//! The frozen weights of Greedy. Better numbers belong to `players::heuristics`.

use crate::minions::players::appraisal::weights::{
    CaptureWeights, Pull, PurchaseWeights, TechWeights, Weights,
};

/// Weights of the baseline; no change here may alter a turn.
pub(super) static FROZEN: Weights = Weights {
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
    captures: CaptureWeights {
        unsummoned: 45,
        part: 4,
        seat: 90,
        freed: 100,
        next_prey: 15,
        spells: [40, 80],
    },
    purchases: PurchaseWeights {
        zombie: 70,
        zombie_lack: 7,
        zombies: 3,
        same_type: 4,
        thrift: 4,
        riches: 4,
        most_riches: 12,
        shelter: 350,
        necromancer_seat: 90,
    },
    techs: TechWeights {
        worthwhile: 92,
        worthwhile_more: 4,
        copycat: 50,
        copycat_more: 6,
        thaumaturgy: 45,
        metamagic: 30,
        unit_money: 14,
    },
};
