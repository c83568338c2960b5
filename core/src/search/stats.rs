//! Statistics of one candidate: mean and deviation of the values of its visits, confidence bounds, and the selection
//! rules built on them.
//!
//! Values are win chances in 1/65,536 ([`CERTAIN`]). A visit carries a weight of 1 to 16 sixteenths, the confidence
//! of its value. Sums are exact, so the order of visits and merges does not matter. The selection rules are
//! UCB1 (P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002) and
//! PUCT (C. Rosin, "Multi-armed bandits with episode context", 2011, in the form that D. Silver et al. gave it in
//! "Mastering the game of Go without human knowledge", 2017).

use super::logarithm::{LN_2, log2};
use super::value::{CERTAIN, EVEN};

/// Weight of a fully trusted visit, in sixteenths of a visit.
pub const FULL_WEIGHT: u32 = 16;

/// Largest exploration constant of [`ucb1`] and [`puct`], in 1/65,536 of a win chance; larger ones are clamped.
pub const MAX_EXPLORATION: u32 = 256 * CERTAIN as u32;

/// Sums over the visits of one candidate, 24 bytes.
///
/// The total weight may reach 2^32 - 1, which is 2^28 trusted visits. A weight beyond that halves all sums, so that
/// mean and deviation stay and later visits count for more.
///
/// ```
/// use barrow_core::search::stats::{FULL_WEIGHT, Stats};
/// use barrow_core::search::value::{CERTAIN, EVEN};
/// let mut stats = Stats::EMPTY;
/// stats.add(CERTAIN, FULL_WEIGHT);
/// stats.add(0, FULL_WEIGHT);
/// assert_eq!((stats.visits(), stats.mean(), stats.deviation()), (2, EVEN, EVEN));
/// let vague = Stats::prior(EVEN, EVEN, FULL_WEIGHT);
/// assert!(stats.lower(32, &vague) < EVEN && EVEN < stats.upper(32, &vague));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Sum of weight times value squared; at most `CERTAIN * sum`.
    squares: u64,
    /// Sum of weight times value; at most `CERTAIN * weight`.
    sum: u64,
    /// Sum of the weights.
    weight: u32,
    visits: u32,
}

impl Stats {
    /// Statistics without visits and prior.
    pub const EMPTY: Stats = Stats { squares: 0, sum: 0, weight: 0, visits: 0 };

    /// A prior: statistics with a weight, in sixteenths of a visit, but no visits. A deviation larger than win
    /// chances of this mean can have becomes the largest possible one.
    pub const fn prior(mean: i32, deviation: i32, weight: u32) -> Stats {
        let mean = clamp(mean);
        let (spread, widest) = (clamp(deviation).pow(2), mean * (CERTAIN as u64 - mean));
        let spread = if spread < widest { spread } else { widest };
        let weight_wide = weight as u64;
        Stats { squares: weight_wide * (mean * mean + spread), sum: weight_wide * mean, weight, visits: 0 }
    }

    /// Adds a visit with this `value` (clamped to 0..=[`CERTAIN`]) with `weight` sixteenths of confidence
    /// (clamped to 1..=[`FULL_WEIGHT`]).
    pub const fn add(&mut self, value: i32, weight: u32) {
        let weight = match weight {
            0 => 1,
            1..=FULL_WEIGHT => weight,
            _ => FULL_WEIGHT,
        };
        self.merge(&Stats { visits: 1, ..Stats::prior(value, 0, weight) });
    }

    /// Adds all visits and priors of other statistics.
    pub const fn merge(&mut self, other: &Stats) {
        let mut other = *other;
        while self.weight.checked_add(other.weight).is_none() {
            self.halve();
            other.halve();
        }
        self.squares += other.squares;
        self.sum += other.sum;
        self.weight += other.weight;
        self.visits = self.visits.saturating_add(other.visits);
    }

    /// Halves the weight and keeps mean and deviation; rounding keeps the limits of the fields.
    const fn halve(&mut self) {
        self.weight = self.weight.div_ceil(2);
        self.sum /= 2;
        let most = self.sum * CERTAIN as u64;
        self.squares = if self.squares / 2 < most { self.squares / 2 } else { most };
    }

    /// The statistics from the other side's view: every value `v` becomes `CERTAIN - v`.
    pub const fn flipped(&self) -> Stats {
        let all = self.weight as u64 * CERTAIN as u64;
        let sum = all - self.sum;
        let wide = all as u128 * CERTAIN as u128 + self.squares as u128;
        let squares = wide.saturating_sub(2 * CERTAIN as u128 * self.sum as u128);
        let most = sum * CERTAIN as u64;
        Stats { squares: if squares < most as u128 { squares as u64 } else { most }, sum, ..*self }
    }

    /// Number of visits; stays at `u32::MAX` once there.
    pub const fn visits(&self) -> u32 {
        self.visits
    }

    /// Sum of the weights, in sixteenths of a visit.
    pub const fn weight(&self) -> u32 {
        self.weight
    }

    /// Whether there is neither a visit nor a prior.
    pub const fn is_empty(&self) -> bool {
        self.weight == 0
    }

    /// The weighted mean, rounded to the nearest; [`EVEN`] for empty statistics.
    pub const fn mean(&self) -> i32 {
        self.mean_or(EVEN)
    }

    /// The weighted mean, or `unvisited` for empty statistics.
    pub const fn mean_or(&self, unvisited: i32) -> i32 {
        if self.weight == 0 {
            return unvisited;
        }
        let dividend = self.sum + self.weight as u64 / 2;
        // A short quotient takes less time on most processors.
        if dividend <= u32::MAX as u64 {
            return (dividend as u32 / self.weight) as i32;
        }
        (dividend / self.weight as u64) as i32
    }

    /// The weighted variance of the values, in `CERTAIN * CERTAIN`ths, at most `EVEN * EVEN`. It exceeds the exact
    /// one by at most 4 and falls short of it by at most 1. Empty statistics have variance 0.
    pub const fn variance(&self) -> u32 {
        if self.weight == 0 {
            return 0;
        }
        let weight = self.weight as u64;
        // The mean with 15 more bits, its square and the mean of squares with 30 more: at most 2^62 each.
        let mean = (self.sum << 15) / weight;
        let squares = ((self.squares / weight) << 30) + ((self.squares % weight) << 30) / weight;
        let variance = (squares.saturating_sub(mean * mean) >> 30) as u32;
        let widest = EVEN.pow(2) as u32;
        if variance < widest { variance } else { widest }
    }

    /// The standard deviation of the values, rounded down; 0..=[`EVEN`].
    pub const fn deviation(&self) -> i32 {
        self.variance().isqrt() as i32
    }

    /// Lower confidence bound: `z` sixteenths of standard errors below the mean, after `prior` has been merged in. At
    /// least 0; 0 if statistics and prior are empty.
    ///
    /// The standard error is `deviation / sqrt(weight / 16)`. That many visits are never more than the effective
    /// sample of weighted visits (L. Kish, "Survey sampling", 1965), so the bound errs on the wide side. A prior
    /// keeps a candidate whose few visits happen to agree from looking certain.
    pub const fn lower(&self, z: u32, prior: &Stats) -> i32 {
        let known = self.with(prior);
        if known.weight == 0 {
            return 0;
        }
        let bound = known.mean() - known.margin(z);
        if bound < 0 { 0 } else { bound }
    }

    /// Upper confidence bound: `z` sixteenths of standard errors above the mean, after `prior` has been merged in. At
    /// most [`CERTAIN`]; [`CERTAIN`] if statistics and prior are empty.
    pub const fn upper(&self, z: u32, prior: &Stats) -> i32 {
        let known = self.with(prior);
        if known.weight == 0 {
            return CERTAIN;
        }
        let bound = known.mean() + known.margin(z);
        if bound > CERTAIN { CERTAIN } else { bound }
    }

    const fn with(mut self, prior: &Stats) -> Stats {
        self.merge(prior);
        self
    }

    /// Width of `z` sixteenths of standard errors, at most `CERTAIN`. The weight must not be 0.
    const fn margin(&self, z: u32) -> i32 {
        let squared = ((self.variance() as u64) << 20) / self.weight as u64;
        // The root counts 1/256 and z counts 1/16.
        let margin = (squared.isqrt() * z as u64) >> 12;
        if margin < CERTAIN as u64 { margin as i32 } else { CERTAIN }
    }
}

const fn clamp(value: i32) -> u64 {
    match value {
        ..0 => 0,
        0..=CERTAIN => value as u64,
        _ => CERTAIN as u64,
    }
}

/// The value of a candidate with the bonus of UCB1: `mean + c * sqrt(ln(total) / visits)`, where `total` and the
/// visits are weights in sixteenths of a visit and `c` is in 1/65,536 (the paper's `sqrt(2)` is 92,682; up to
/// [`MAX_EXPLORATION`]). A candidate without visits has `i32::MAX`.
///
/// The bonus is within 2 + c/65,536 + one part in 4,000 of the exact one for totals of at least two trusted visits.
pub const fn ucb1(stats: &Stats, total: u64, c: u32) -> i32 {
    if stats.weight == 0 {
        return i32::MAX;
    }
    let total = if total < FULL_WEIGHT as u64 { FULL_WEIGHT as u64 } else { total };
    let ln = ((log2(total) - log2(FULL_WEIGHT as u64)) as u64 * LN_2) >> 16;
    let root = ((ln << 20) / stats.weight as u64).isqrt();
    stats.mean() + ((exploration(c) * root) >> 16) as i32
}

/// The value of a candidate with the bonus of [`puct_bonus`]. Empty statistics count as the value `unvisited`.
pub const fn puct(stats: &Stats, unvisited: i32, prior: u32, total: u64, c: u32) -> i64 {
    Puct::new(total, c).value(stats, unvisited, prior)
}

/// The bonus of PUCT, `c * prior * sqrt(total) / (1 + visits)`: `prior` is a probability in 1/65,536 (up to
/// [`CERTAIN`]), `total` is the weight of all candidates and `weight` that of this one, both in sixteenths of a
/// visit, and `c` is in 1/65,536 (up to [`MAX_EXPLORATION`]). Totals count up to 2^36.
///
/// The bonus is at most 2 + one part in 65,536 below the exact one, and never above it.
pub const fn puct_bonus(weight: u32, prior: u32, total: u64, c: u32) -> i64 {
    Puct::new(total, c).bonus(weight, prior)
}

/// The rule of [`puct`] for all candidates of one decision; factors that they share are computed once.
#[derive(Clone, Copy, Debug)]
pub struct Puct {
    /// `c * sqrt(total)`, in 1/65,536.
    scale: u64,
}

impl Puct {
    /// The rule for candidates of this total weight, in sixteenths of a visit; `c` as for [`puct_bonus`].
    pub const fn new(total: u64, c: u32) -> Puct {
        const MOST: u64 = (1 << 36) - 1;
        // The root of the total counts 1/65,536: at most 2^32. The product with c is at most 2^56.
        let root = ((if total < MOST { total } else { MOST }) << 28).isqrt();
        Puct { scale: (exploration(c) * root) >> 16 }
    }

    /// The bonus of one candidate, see [`puct_bonus`].
    pub const fn bonus(self, weight: u32, prior: u32) -> i64 {
        let prior = if prior < CERTAIN as u32 { prior as u64 } else { CERTAIN as u64 };
        (((self.scale * prior) >> 12) / (FULL_WEIGHT as u64 + weight as u64)) as i64
    }

    /// The sum of value and bonus of one candidate, see [`puct`].
    pub const fn value(self, stats: &Stats, unvisited: i32, prior: u32) -> i64 {
        stats.mean_or(unvisited) as i64 + self.bonus(stats.weight, prior)
    }

    /// The [`Puct::value`] of a candidate if it is at least `least`. Most candidates of a choice are behind the best one,
    /// which a product tells in a fraction of the time of a quotient.
    pub const fn reaching(self, least: i64, stats: &Stats, unvisited: i32, prior: u32) -> Option<i64> {
        let prior = if prior < CERTAIN as u32 { prior as u64 } else { CERTAIN as u64 };
        let (all, parts) = ((self.scale * prior) >> 12, FULL_WEIGHT as u64 + stats.weight as u64);
        let mean = stats.mean_or(unvisited) as i64;
        let missing = least.saturating_sub(mean);
        if 0 < missing && missing < 1 << 30 && all < missing as u64 * parts {
            return None;
        }
        let value = mean + (all / parts) as i64;
        if value < least { None } else { Some(value) }
    }
}

const fn exploration(c: u32) -> u64 {
    if c < MAX_EXPLORATION { c as u64 } else { MAX_EXPLORATION as u64 }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    const FULL: u32 = FULL_WEIGHT;

    fn stats(visits: &[(i32, u32)]) -> Stats {
        let mut stats = Stats::EMPTY;
        for &(value, weight) in visits {
            stats.add(value, weight);
        }
        stats
    }

    /// Weight, mean and variance of the visits, by definition.
    fn exact(visits: &[(i32, u32)]) -> (f64, f64, f64) {
        let weight: f64 = visits.iter().map(|visit| f64::from(visit.1)).sum();
        let mean = visits.iter().map(|visit| f64::from(visit.0) * f64::from(visit.1)).sum::<f64>() / weight;
        let squared = |&(value, weight)| (f64::from(value) - mean).powi(2) * f64::from(weight);
        (weight, mean, visits.iter().map(squared).sum::<f64>() / weight)
    }

    #[test]
    fn stats_are_small() {
        assert_eq!(size_of::<Stats>(), 24);
    }

    #[test]
    fn nothing_counted_says_nothing() {
        let empty = Stats::EMPTY;
        assert_eq!((empty.mean(), empty.variance(), empty.visits()), (EVEN, 0, 0));
        assert_eq!((empty.lower(16, &empty), empty.upper(16, &empty)), (0, CERTAIN));
        assert_eq!((empty.mean_or(7), empty.flipped()), (7, empty));
        let mut merged = stats(&[(5, 3)]);
        merged.merge(&empty);
        assert_eq!(merged, stats(&[(5, 3)]));
    }

    #[test]
    fn values_and_weights_out_of_range_are_clamped() {
        assert_eq!(stats(&[(-5, 0), (CERTAIN + 1, 99)]), stats(&[(0, 1), (CERTAIN, FULL)]));
        assert_eq!(Stats::prior(i32::MIN, i32::MAX, 9), Stats::prior(0, 0, 9));
        assert_eq!(
            Stats::prior(CERTAIN / 4, CERTAIN, 16).variance(),
            (CERTAIN / 4 * 3 / 4) as u32 * CERTAIN as u32
        );
    }

    #[test]
    fn a_prior_counts_as_that_many_visits() {
        let prior = Stats::prior(EVEN, EVEN, 2 * FULL);
        assert_eq!((prior.visits(), prior.deviation()), (0, EVEN));
        assert_eq!(Stats { visits: 2, ..prior }, stats(&[(0, FULL), (CERTAIN, FULL)]));
        // One win and the prior of two visits: (1 + 2 * 1/2) / 3.
        let one_win = stats(&[(CERTAIN, FULL)]);
        assert_eq!((one_win.lower(0, &prior), one_win.upper(0, &prior)), (43_691, 43_691));
        // Variance 2/9, three visits: the standard error is sqrt(2/27).
        assert_eq!(43_691 - one_win.lower(16, &prior), 17_836);
        assert_eq!(one_win.upper(16, &prior), 43_691 + 17_836);
        assert_eq!((one_win.lower(99, &prior), one_win.upper(u32::MAX, &prior)), (0, CERTAIN));
    }

    proptest! {
        #[test]
        fn a_value_is_reached_or_not(
            visits in proptest::collection::vec((0..=CERTAIN, 1..=FULL), 0..9),
            (prior, total, c) in (0..=70_000u32, 0..1u64 << 38, 0..=MAX_EXPLORATION),
            (unvisited, off) in (0..=CERTAIN, -3..=3i64),
        ) {
            let (puct, stats) = (Puct::new(total, c), stats(&visits));
            let value = puct.value(&stats, unvisited, prior);
            for least in [value + off, i64::MIN, i64::MAX, 0, i64::from(CERTAIN)] {
                prop_assert_eq!(puct.reaching(least, &stats, unvisited, prior), (value >= least).then_some(value));
            }
        }
    }

    #[test]
    fn two_to_the_31_visits_fit() {
        for weight in [1, FULL] {
            let mut doubled = stats(&[(CERTAIN, weight), (0, weight), (CERTAIN, weight), (CERTAIN, weight)]);
            for _ in 0..29 {
                let copy = doubled;
                doubled.merge(&copy);
            }
            assert_eq!(doubled.visits(), 1 << 31);
            assert_eq!((doubled.mean(), doubled.deviation()), (CERTAIN / 4 * 3, 28_377));
            for _ in 0..5 {
                doubled.add(CERTAIN, FULL);
                let copy = doubled;
                doubled.merge(&copy);
            }
            assert_eq!(doubled.visits(), u32::MAX);
            assert!((0..3).contains(&(doubled.mean() - CERTAIN / 4 * 3)));
            assert_eq!(doubled.flipped().mean(), CERTAIN - doubled.mean());
        }
        let mut most = Stats::prior(CERTAIN, 0, u32::MAX);
        most.add(CERTAIN, FULL);
        assert_eq!((most.mean(), most.flipped().mean()), (CERTAIN, 0));
        assert!(most.variance() < 5);
        let mut narrow = Stats::prior(EVEN, 1000, u32::MAX);
        narrow.merge(&Stats::prior(EVEN, 1000, u32::MAX));
        assert_eq!((narrow.mean(), narrow.deviation()), (EVEN, 1000));
        let widest = Stats::prior(EVEN, EVEN, u32::MAX);
        assert_eq!((widest.variance(), widest.lower(16, &widest)), (1 << 30, EVEN - 2));
    }

    #[test]
    fn bonuses_fall_with_visits_and_rise_with_the_total() {
        let [few, many] = [10, 1000].map(|visits| Stats { visits, ..Stats::prior(EVEN, 0, visits * FULL) });
        let c = 92_682;
        assert!(ucb1(&few, 20_000, c) > ucb1(&many, 20_000, c));
        assert!(ucb1(&few, 200_000, c) > ucb1(&few, 20_000, c));
        assert_eq!((ucb1(&Stats::EMPTY, 1, c), ucb1(&few, 3, c)), (i32::MAX, EVEN));
        assert!(puct(&few, 0, 9_000, 20_000, c) > puct(&many, 0, 9_000, 20_000, c));
        // An unvisited candidate with prior 1/2 after 100 visits: half of ten, and the value it is given.
        let fresh = puct(&Stats::EMPTY, 77, EVEN as u32, 100 * 16, CERTAIN as u32);
        assert_eq!(fresh, 77 + 5 * i64::from(CERTAIN));
        assert_eq!(puct_bonus(0, u32::MAX, u64::MAX, u32::MAX), 256 * 65_536 * 65_536 - 256);
        assert_eq!(puct_bonus(u32::MAX, 1, 0, 1), 0);
    }

    fn visits() -> impl Strategy<Value = Vec<(i32, u32)>> {
        let value = prop_oneof![0..=CERTAIN, 30_000..30_100_i32, Just(0), Just(CERTAIN)];
        prop::collection::vec((value, 1..=FULL), 1..60)
    }

    proptest! {
        #[test]
        fn sums_equal_the_definitions(visits in visits(), z in 0..100_u32) {
            let stats = stats(&visits);
            let (weight, mean, variance) = exact(&visits);
            prop_assert_eq!(f64::from(stats.weight()).to_bits(), weight.to_bits());
            prop_assert_eq!(stats.visits() as usize, visits.len());
            prop_assert!((f64::from(stats.mean()) - mean).abs() < 0.501);
            let error = f64::from(stats.variance()) - variance;
            prop_assert!((-1.001..4.001).contains(&error), "{error}");
            prop_assert_eq!(stats.deviation(), stats.variance().isqrt() as i32);
            let margin = f64::from(z) / 16.0 * (f64::from(stats.variance()) * 16.0 / weight).sqrt();
            let none = Stats::EMPTY;
            let allowed = 1.6 + f64::from(z) / 4096.0;
            let expected = (mean - margin).max(0.0);
            prop_assert!((f64::from(stats.lower(z, &none)) - expected).abs() < allowed);
            let expected = (mean + margin).min(f64::from(CERTAIN));
            prop_assert!((f64::from(stats.upper(z, &none)) - expected).abs() < allowed);
        }

        #[test]
        fn order_and_grouping_do_not_matter(mut visits in visits(), split in 0..60_usize, prior in 0..CERTAIN) {
            let all = stats(&visits);
            let (first, second) = visits.split_at(split.min(visits.len()));
            let mut merged = stats(second);
            merged.merge(&stats(first));
            prop_assert_eq!(merged, all);
            visits.reverse();
            prop_assert_eq!(stats(&visits), all);
            let prior = Stats::prior(prior, 9_000, 40);
            let mut with = all;
            with.merge(&prior);
            prop_assert_eq!(all.lower(20, &prior), with.lower(20, &Stats::EMPTY));
        }

        #[test]
        fn the_other_side_sees_the_opposite(visits in visits()) {
            let flipped: Vec<_> = visits.iter().map(|&(value, weight)| (CERTAIN - value, weight)).collect();
            prop_assert_eq!(stats(&visits).flipped(), stats(&flipped));
            prop_assert_eq!(stats(&visits).flipped().flipped(), stats(&visits));
        }

        #[test]
        fn the_fields_keep_their_limits(steps in prop::collection::vec((any::<[i32; 2]>(), any::<u32>()), 1..40)) {
            let mut total = Stats::EMPTY;
            for ([mean, deviation], weight) in steps {
                total.merge(&Stats::prior(mean & 0x1_ffff, deviation & 0xffff, weight));
                for seen in [total, total.flipped()] {
                    prop_assert!(seen.sum <= u64::from(seen.weight) * CERTAIN as u64);
                    prop_assert!(seen.squares <= seen.sum * CERTAIN as u64);
                    prop_assert!((0..=CERTAIN).contains(&seen.mean()) && seen.variance() <= 1 << 30);
                    prop_assert!(seen.lower(weight, &total) <= seen.upper(weight, &total));
                }
                prop_assert!((total.mean() + total.flipped().mean() - CERTAIN).abs() <= 1);
            }
        }

        #[test]
        fn ucb1_is_close(mean in 0..=CERTAIN, weight in 1..100_000_u32, more in 32..1_000_000_u32, c in 0..200_000_u32) {
            let stats = Stats::prior(mean, 0, weight);
            let total = weight + more;
            let bonus = (f64::from(total) / 16.0).ln() * 16.0 / f64::from(weight);
            let bonus = f64::from(c) * bonus.sqrt();
            let error = f64::from(ucb1(&stats, u64::from(total), c) - mean) - bonus;
            prop_assert!(error.abs() <= 2.0 + f64::from(c) / 65_536.0 + bonus / 4000.0, "{error} of {bonus}");
        }

        #[test]
        fn puct_is_close(weight in 0..1_000_000_u32, more in 16..1_000_000_u32, prior in 0..=CERTAIN as u32,
            c in 0..500_000_u32) {
            let total = weight + more;
            let exact = f64::from(c) * f64::from(prior) / 65_536.0 * (f64::from(total) / 16.0).sqrt()
                / (1.0 + f64::from(weight) / 16.0);
            let error = exact - f64::from(puct_bonus(weight, prior, u64::from(total), c) as i32);
            prop_assert!((-1e-6..=2.0 + exact / 65_536.0).contains(&error), "{error} of {exact}");
        }
    }
}
