//! What a match says about strength: pairs counted by score, Elo with error, and a sequential test.
//!
//! Two games on one opening with sides changed are one observation, because what the opening and the side are
//! worth then cancels out (the pentanomial model). The test is the generalised sequential probability ratio test
//! on those five counts, by M. Van den Bergh, "A practical introduction to the GSPRT", with error rates of 5 %.

use crate::statistics::TWO_SIDED_95;

/// Log-likelihood ratio at which a hypothesis is accepted: ln(0.95 / 0.05).
const BOUND: f64 = 2.944_438_979_166_44;

/// Pairs by the first player's points: 0, 1/2, 1, 3/2, 2.
pub type Pentanomial = [u32; 5];

/// A strength difference in Elo, with half the width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// Best guess.
    pub value: f64,
    /// Half the width of the interval; 0 without games.
    pub error: f64,
}

/// Average score per game that a strength difference in Elo leads to.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

fn pairs(counts: &Pentanomial) -> f64 {
    counts.iter().map(|&count| f64::from(count)).sum()
}

/// Score per game of a pair in each class.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Elo of the first player over the second. A score of 0 or 1 is read as a quarter of a point away from it, so
/// that the answer is a number.
pub fn elo(counts: &Pentanomial) -> Elo {
    let total = pairs(counts);
    if total == 0.0 {
        return Elo { value: 0.0, error: 0.0 };
    }
    let mean = weighted(counts, |score| score) / total;
    let variance = weighted(counts, |score| (score - mean).powi(2)) / total;
    let edge = 0.125 / total;
    let inside = |score: f64| score.clamp(edge, 1.0 - edge);
    // With few pairs, or equal ones, the spread seen says little; half a game in a pair is then assumed.
    let spread = variance.max(0.0625 / total);
    let width = TWO_SIDED_95 * (spread / total).sqrt();
    let (low, high) = (elo_of_score(inside(mean - width)), elo_of_score(inside(mean + width)));
    // Adding zero turns a negative zero into a plain one.
    Elo { value: elo_of_score(inside(mean)) + 0.0, error: (high - low) / 2.0 }
}

fn weighted(counts: &Pentanomial, value: impl Fn(f64) -> f64) -> f64 {
    counts.iter().zip(SCORES).map(|(&count, score)| f64::from(count) * value(score)).sum()
}

/// A sequential test of two strengths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// Elo of the hypothesis "H0".
    pub elo0: f64,
    /// Elo of the hypothesis "H1".
    pub elo1: f64,
}

impl Sprt {
    /// A test of two strengths, the lower first.
    pub const fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1 }
    }

    /// Log-likelihood ratio of H1 to H0; 0 without games.
    pub fn llr(&self, counts: &Pentanomial) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // Classes that were never seen get a small weight: otherwise some strengths would be impossible.
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

    /// The hypothesis that the counts decide for, if they do.
    pub fn accepted(&self, counts: &Pentanomial) -> Option<&'static str> {
        match self.llr(counts) {
            llr if llr >= BOUND => Some("H1"),
            llr if llr <= -BOUND => Some("H0"),
            _ => None,
        }
    }
}

/// The parameter t for which the distribution `share / (1 + t (score - mean))`, the likeliest one with this mean,
/// has this mean. The sum that must vanish falls as t grows, so halving the interval finds it.
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
