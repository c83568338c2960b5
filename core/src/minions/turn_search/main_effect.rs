//! Main effect of a candidate: what it adds to the values of its turns, whatever the other stages choose.

use crate::search::stats::{FULL_WEIGHT, Stats};
use crate::search::value::CERTAIN;

/// Weight of the ridge, four visits: an effect that only so many visits speak for is halved.
pub(super) const RIDGE: i64 = 4 * FULL_WEIGHT as i64;

/// Main effect and context of a candidate: what it adds to the values of its turns, and what other candidates add to them.
// Packed, so that it fits into what alignment leaves of the candidates.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(Rust, packed(4))]
pub(super) struct MainEffect {
    /// Sum over the turns of this candidate of their weight times the effects of their other candidates.
    context: i64,
    /// Effect of this candidate alone, in 1/65,536 of a win chance. Always 0 for a sum of money, which depends on the attacks.
    effect: i32,
}

impl MainEffect {
    /// No effect.
    pub(super) const NONE: MainEffect = MainEffect { context: 0, effect: 0 };

    /// Effect of this candidate alone, in 1/65,536 of a win chance.
    pub(super) fn effect(&self) -> i32 {
        self.effect
    }

    /// The mean of the statistics of a candidate with this effect if its turns had had average other candidates, in 1/65,536 of a win
    /// chance; may lie beyond those that there are.
    pub(super) fn fair_mean(&self, stats: &Stats) -> i32 {
        stats.mean() - (self.context / i64::from(stats.weight()).max(1)) as i32
    }

    /// Forgets what other candidates add.
    pub(super) fn forget_context(&mut self) {
        self.context = 0;
    }

    /// Adds a turn of a weight, in sixteenths of a visit, whose effects have this sum.
    pub(super) fn add_context(&mut self, weight: u32, sum: i32) {
        let others = i64::from(weight) * i64::from(sum - self.effect);
        self.context = self.context.saturating_add(others);
    }

    /// Moves the effect towards what the values of the candidate's turns leave of it, less what the ridge holds back, by one of
    /// so many `parts` of the way.
    pub(super) fn adjust(&mut self, stats: &Stats, mean: i32, parts: i64) {
        let weight = i64::from(stats.weight());
        let rest = (i64::from(stats.mean() - mean) * weight).saturating_sub(self.context);
        let step = (rest / (weight + RIDGE) - i64::from(self.effect)) / parts.max(1);
        let most = i64::from(CERTAIN);
        self.effect = (i64::from(self.effect) + step).clamp(-most, most) as i32;
    }
}
