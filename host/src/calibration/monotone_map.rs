//! Monotone maps: of a raw error, which is only known to rise with the real one, the error to expect.

use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::expected_error::{Knot, interpolated};

/// Map by straight lines between knots; it never falls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MonotoneMap(pub Vec<Knot>);

impl MonotoneMap {
    /// Map fitted to raw errors, each with the difference that there was: the root mean square of differences in each of
    /// `knots` groups of equal size, where they fall averaged over neighbours (pool adjacent violators; M. Ayer and others,
    /// "An empirical distribution function for sampling with incomplete information", 1955).
    pub fn fit(pairs: impl IntoIterator<Item = (f64, f64)>, knots: usize) -> MonotoneMap {
        let mut pairs: Vec<(f64, f64)> = pairs.into_iter().collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Number of pairs, sum of raw errors, sum of squares.
        let mut pools: Vec<(f64, f64, f64)> = Vec::new();
        for group in 0..knots {
            let part = &pairs[pairs.len() * group / knots..pairs.len() * (group + 1) / knots];
            if part.is_empty() {
                continue;
            }
            let mut pool = part
                .iter()
                .fold((0.0, 0.0, 0.0), |pool, pair| (pool.0 + 1.0, pool.1 + pair.0, pool.2 + pair.1.powi(2)));
            while let Some(before) = pools.last().copied()
                && before.2 / before.0 >= pool.2 / pool.0
            {
                pool = (pool.0 + before.0, pool.1 + before.1, pool.2 + before.2);
                pools.pop();
            }
            pools.push(pool);
        }
        MonotoneMap(pools.iter().map(|pool| (pool.1 / pool.0, (pool.2 / pool.0).sqrt())).collect())
    }

    /// Error to expect for a raw one.
    pub fn at(&self, raw: f64) -> f64 {
        interpolated(&self.0, raw)
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::rng::Rng;

    use super::*;

    #[test]
    fn a_small_example_is_as_computed_by_hand() {
        // Groups of two: squares of 0.01, then 0.09 and 0.04 which fall, then 0.25.
        let raw = [0.0, 0.2, 0.3, 0.5, 0.6, 0.8, 1.0, 1.0];
        let real = [0.1, -0.1, 0.3, 0.3, 0.2, -0.2, 0.5, -0.5];
        let map = MonotoneMap::fit(raw.into_iter().zip(real), 4);
        let expected = [(0.1, 0.1), (0.55, 0.065_f64.sqrt()), (1.0, 0.5)];
        assert_eq!(map.0.len(), 3, "{map:?}");
        for (found, expected) in map.0.iter().zip(expected) {
            assert!((found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12, "{map:?}");
        }
        assert!((map.at(0.775) - f64::midpoint(0.065_f64.sqrt(), 0.5)).abs() < 1e-12);
        assert!((map.at(0.0) - 0.1).abs() < 1e-12 && (map.at(9.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_map_never_falls_whatever_it_is_fitted_to() {
        let mut dice = Rng::new(3);
        for count in 0..200 {
            let pairs: Vec<(f64, f64)> =
                (0..count).map(|_| (f64::from(dice.below(50)), f64::from(dice.below(100)) / 100.0)).collect();
            let map = MonotoneMap::fit(pairs, 8);
            assert!(map.0.is_sorted_by(|a, b| a.0 <= b.0 && a.1 < b.1), "{map:?}");
            assert!((0..60).map(|raw| map.at(f64::from(raw))).is_sorted());
        }
    }
}
