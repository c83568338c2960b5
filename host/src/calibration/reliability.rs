//! Reliability: how often games are won that are said to be won with a chance.

use schemars::JsonSchema;
use serde::Serialize;

/// Number of bins over the win chances.
const BINS: usize = 10;

/// Reliability of win chances.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Reliability {
    /// Number of win chances.
    pub count: usize,
    /// Brier score: mean squared difference between win chance and result (G. W. Brier, "Verification of forecasts
    /// expressed in terms of probability", 1950).
    pub brier: f64,
    /// Expected calibration error: mean distance between the mean win chance of a bin and the mean result in it.
    pub calibration_error: f64,
    /// Bins with win chances in them, of equal width.
    pub bins: Vec<ReliabilityBin>,
}

/// Win chances of a bin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReliabilityBin {
    /// Least win chance.
    pub from: f64,
    /// Win chance from which on the next bin counts; the last bin holds it.
    pub to: f64,
    /// Number of win chances.
    pub count: usize,
    /// Mean win chance.
    pub predicted: f64,
    /// Mean result.
    pub real: f64,
}

impl Reliability {
    /// Reliability of win chances, 0 to 1, each with the result of its game.
    pub fn of(pairs: impl IntoIterator<Item = (f64, f64)>) -> Reliability {
        let mut sums = [(0, 0.0, 0.0); BINS];
        let (mut count, mut squares) = (0_usize, 0.0);
        for (chance, result) in pairs {
            let bin = ((chance * BINS as f64) as usize).min(BINS - 1);
            let (members, chances, results) = &mut sums[bin];
            (*members, *chances, *results) = (*members + 1, *chances + chance, *results + result);
            count += 1;
            squares += (chance - result).powi(2);
        }
        let bins: Vec<ReliabilityBin> = (0..)
            .zip(sums)
            .filter(|(_, (members, ..))| *members > 0)
            .map(|(bin, (members, chances, results))| ReliabilityBin {
                from: f64::from(bin) / BINS as f64,
                to: f64::from(bin + 1) / BINS as f64,
                count: members,
                predicted: chances / members as f64,
                real: results / members as f64,
            })
            .collect();
        let gaps = bins.iter().map(|bin| bin.count as f64 * (bin.predicted - bin.real).abs());
        let all = count.max(1) as f64;
        // The sum of nothing is a negative zero.
        let gap = gaps.sum::<f64>() + 0.0;
        Reliability { count, brier: squares / all, calibration_error: gap / all, bins }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_example_is_as_computed_by_hand() {
        let found = Reliability::of([(0.05, 0.0), (0.61, 1.0), (0.65, 0.0), (0.69, 0.5), (1.0, 1.0)]);
        // 0.0025, 0.1521, 0.4225, 0.0361, 0 over five.
        assert!((found.brier - 0.6132 / 5.0).abs() < 1e-12, "{found:?}");
        let bins: Vec<(usize, f64, f64)> =
            found.bins.iter().map(|bin| (bin.count, bin.predicted, bin.real)).collect();
        assert_eq!(bins.len(), 3);
        assert!((bins[1].1 - 0.65).abs() < 1e-12 && (bins[1].2 - 0.5).abs() < 1e-12 && bins[1].0 == 3);
        assert_eq!((found.bins[1].from, found.bins[1].to, bins[2]), (0.6, 0.7, (1, 1.0, 1.0)));
        // 1 x 0.05, 3 x 0.15, 1 x 0 over five.
        assert!((found.calibration_error - 0.1).abs() < 1e-12, "{found:?}");
        assert_eq!(Reliability::of([]).bins, []);
    }
}
