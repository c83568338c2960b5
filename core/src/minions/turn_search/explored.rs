//! Candidates whose statistics are compared without the effects of others, and among them those that are selected by
//! prior and statistics: choices of the general and attacks.

use super::candidates::{AttackCandidate, GeneralCandidate, MoneyCandidate, StageCandidate};
use super::main_effect::MainEffect;
use crate::search::stats::Stats;

/// A candidate whose statistics are compared without the [main effects](super::main_effect) of the other candidates of its
/// turns.
pub(super) trait Compared: StageCandidate {
    /// The statistics.
    fn stats(&self) -> &Stats;

    /// The main effect.
    fn main_effect(&self) -> &MainEffect;

    /// The main effect, to fit.
    fn main_effect_mut(&mut self) -> &mut MainEffect;

    /// The mean of the statistics if the candidate's turns had had average other candidates, in 1/65,536 of a win chance: a
    /// little beyond what win chances there are, perhaps. The mean itself where main effects are not fitted.
    fn fair_mean(&self) -> i32 {
        self.main_effect().fair_mean(self.stats())
    }
}

macro_rules! compared {
    ($($name:ident),*) => {
        $(impl Compared for $name {
            fn stats(&self) -> &Stats {
                &self.stats
            }

            fn main_effect(&self) -> &MainEffect {
                &self.main_effect
            }

            fn main_effect_mut(&mut self) -> &mut MainEffect {
                &mut self.main_effect
            }
        })*
    };
}

compared!(GeneralCandidate, AttackCandidate, MoneyCandidate);

/// A candidate that is selected by prior and statistics: of the general stage or the attack stage.
pub(super) trait Explored: Compared {
    /// Plausibility before any visit, 0..=65,535.
    fn prior(&self) -> u16;

    /// Whether the candidate is bad beyond doubt; only attacks can be.
    fn is_pruned(&self) -> bool {
        false
    }
}

impl Explored for GeneralCandidate {
    fn prior(&self) -> u16 {
        self.prior
    }
}

impl Explored for AttackCandidate {
    fn prior(&self) -> u16 {
        self.prior
    }

    fn is_pruned(&self) -> bool {
        self.pruned
    }
}
