//! Lengths of races: how many turns they took.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::statistics::half_width;

/// Report of the turns of races.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LengthsReport {
    /// Turns of the shortest race.
    shortest: u16,
    /// Median of the turns; of an even number of races the mean of the middle two.
    median: f64,
    /// Mean of the turns.
    mean: f64,
    /// Half the width of its 95 % confidence interval.
    mean_error: f64,
    /// Turns that at most a tenth of the races exceed.
    ninth_decile: u16,
    /// Turns of the longest race.
    longest: u16,
    /// Races that the limit of turns ended; they count with the limit.
    cut: u32,
}

impl LengthsReport {
    /// Report of races by their turns, `cut` of which the limit of turns ended. `None` without a race.
    pub fn new(mut turns: Vec<u16>, cut: u32) -> Option<Self> {
        turns.sort_unstable();
        let (&shortest, &longest) = turns.first().zip(turns.last())?;
        let count = turns.len() as f64;
        let mean = turns.iter().copied().map(f64::from).sum::<f64>() / count;
        let squares: f64 = turns.iter().map(|&length| (f64::from(length) - mean).powi(2)).sum();
        Some(Self {
            shortest,
            median: f64::midpoint(turns[(turns.len() - 1) / 2].into(), turns[turns.len() / 2].into()),
            mean,
            // One race says nothing about how much they differ.
            mean_error: half_width(squares / (count - 1.0).max(1.0), count),
            ninth_decile: turns[(turns.len() * 9).div_ceil(10) - 1],
            longest,
            cut,
        })
    }
}

impl fmt::Display for LengthsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LengthsReport { shortest, median, mean, mean_error, ninth_decile, longest, cut } = self;
        write!(
            f,
            "turns of a race: mean {mean:.1} ± {mean_error:.1}, median {median}, shortest {shortest}, nine of ten up \
             to {ninth_decile}, longest {longest}; {cut} cut by the limit"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_worked_out_by_hand() {
        assert_eq!(LengthsReport::new(Vec::new(), 0), None);
        // Squares of the differences from the mean 5: 16, 9, 4, 1, 0, 0, 1, 4, 9, 16; variance 60/9.
        let report = LengthsReport::new(vec![9, 1, 8, 2, 7, 3, 5, 5, 6, 4], 1).expect("races");
        assert_eq!((report.shortest, report.ninth_decile, report.longest, report.cut), (1, 8, 9, 1));
        assert!((report.median - 5.0).abs() < 1e-12 && (report.mean - 5.0).abs() < 1e-12);
        assert!((report.mean_error - 1.959_964 * (60.0_f64 / 90.0).sqrt()).abs() < 1e-6);
        let one = LengthsReport::new(vec![7], 0).expect("a race");
        assert_eq!((one.shortest, one.ninth_decile, one.longest), (7, 7, 7));
        assert!(one.mean_error.abs() < 1e-12);
        let even = LengthsReport::new(vec![3, 4], 0).expect("races").to_string();
        assert!(even.starts_with("turns of a race: mean 3.5 ± 1.0, median 3.5, shortest 3"), "{even}");
    }
}
