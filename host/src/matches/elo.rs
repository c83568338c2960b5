//! Elo: the strength difference of two players by pairs of games, its confidence interval, and a sequential test.
//!
//! Two games on one opening with sides changed are one observation, because the advantages of the opening and of the
//! side then cancel out (the pentanomial model). The test is the generalised sequential probability ratio test on those
//! five counts (M. Van den Bergh, "A practical introduction to the GSPRT"), with error rates of 5 %.

use std::ops::RangeInclusive;

use crate::statistics::half_width;

/// Log-likelihood ratio at which a hypothesis is accepted: ln(0.95 / 0.05).
const LLR_BOUND: f64 = 2.944_438_979_166_44;

/// Pentanomial counts: pairs of games by the points of the first player, 0, 1/2, 1, 3/2 and 2.
pub type Pentanomial = [u32; 5];

/// Strength difference in Elo with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// Estimated strength difference in Elo.
    pub value: f64,
    /// Half the width of the confidence interval in Elo; where an end of that lies so far out that it is cut off, the
    /// distance of the farther end. 0 without games.
    pub error: f64,
}

/// Expected score per game, 0 to 1, of a player this many Elo stronger than the other.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Strength difference in Elo at which this score per game is expected.
fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Number of pairs.
fn pairs(counts: &Pentanomial) -> f64 {
    counts.iter().map(|&count| f64::from(count)).sum()
}

/// Score per game of each pentanomial class.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Elo of the first player over the second. A score of 0 or 1 counts as a quarter of a point away from it, so that the
/// difference is finite.
pub fn elo(counts: &Pentanomial) -> Elo {
    let total = pairs(counts);
    if total == 0.0 {
        return Elo { value: 0.0, error: 0.0 };
    }
    let mean = mean(counts, total);
    let width = half_width(variance(counts, total), total);
    let ends = [mean - width, mean + width];
    let [low, high] = ends.map(|score| elo_of_score(inside(score, total)));
    // Adding zero turns a negative zero into a plain one.
    let value = elo_of_score(inside(mean, total)) + 0.0;
    let is_cut = ends.iter().any(|score| !range(total).contains(score));
    // Between an end that is cut off and the value lies less than the games leave open.
    let error = if is_cut { (value - low).max(high - value) } else { (high - low) / 2.0 };
    Elo { value, error }
}

/// Number of pairs, mean score of a game by the first player and variance of the score of a pair, as [`elo`] takes them.
/// `None` without pairs.
pub(super) fn moments(counts: &Pentanomial) -> Option<(f64, f64, f64)> {
    let total = pairs(counts);
    (total > 0.0).then(|| (total, inside(mean(counts, total), total), variance(counts, total)))
}

fn mean(counts: &Pentanomial, total: f64) -> f64 {
    weighted(counts, |score| score) / total
}

/// Variance of the score of a pair. Few or equal pairs underestimate it; the floor is that of one pair half a game away from
/// the mean.
fn variance(counts: &Pentanomial, total: f64) -> f64 {
    let mean = mean(counts, total);
    (weighted(counts, |score| (score - mean).powi(2)) / total).max(0.0625 / total)
}

/// Score that is a quarter of a point away from 0 and 1 at least.
fn inside(score: f64, total: f64) -> f64 {
    let range = range(total);
    score.clamp(*range.start(), *range.end())
}

/// Scores that are so far away from 0 and 1, of this number of pairs.
fn range(total: f64) -> RangeInclusive<f64> {
    let edge = 0.125 / total;
    edge..=1.0 - edge
}

/// Sum over all pairs of a function of their score per game.
fn weighted(counts: &Pentanomial, value: impl Fn(f64) -> f64) -> f64 {
    counts.iter().zip(SCORES).map(|(&count, score)| f64::from(count) * value(score)).sum()
}

/// Sequential probability ratio test of two hypotheses about the strength difference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// Strength difference of hypothesis H0 in Elo.
    pub elo0: f64,
    /// Strength difference of hypothesis H1 in Elo.
    pub elo1: f64,
}

impl Sprt {
    /// Test of two strength differences in Elo, the lower first.
    pub const fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1 }
    }

    /// Log-likelihood ratio of H1 to H0; 0 without games.
    pub fn llr(&self, counts: &Pentanomial) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // Empty classes get a small weight: otherwise no distribution has the expected score of some hypotheses.
        let weights = counts.map(|count| f64::from(count).max(1e-3));
        let total: f64 = weights.iter().sum();
        let shares = weights.map(|weight| weight / total);
        let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
        let (tilt0, tilt1) = (tilt(&shares, s0), tilt(&shares, s1));
        let terms = shares
            .iter()
            .zip(SCORES)
            .map(|(share, score)| share * ((1.0 + tilt0 * (score - s0)) / (1.0 + tilt1 * (score - s1))).ln());
        total * terms.sum::<f64>()
    }

    /// Hypothesis that the counts accept, `H0` or `H1`; `None` while the test is undecided.
    pub fn accepted(&self, counts: &Pentanomial) -> Option<&'static str> {
        match self.llr(counts) {
            llr if llr >= LLR_BOUND => Some("H1"),
            llr if llr <= -LLR_BOUND => Some("H0"),
            _ => None,
        }
    }
}

/// Parameter t of the most likely distribution with a given mean, whose shares are `share / (1 + t (score - mean))`.
/// The difference to the mean falls as t grows, so bisection finds t.
fn tilt(shares: &[f64; 5], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let excess = |t: f64| -> f64 {
        let terms = shares.iter().zip(SCORES);
        terms.map(|(share, score)| share * (score - mean) / (1.0 + t * (score - mean))).sum()
    };
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}
