//! Confidence intervals that several reports share.

/// Standard errors on either side of an estimate that cover 95 % of a normal distribution.
pub const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Half the width of the 95 % confidence interval of a mean, by the normal approximation, from the variance of one
/// observation and the number of observations.
pub fn half_width(variance: f64, observations: f64) -> f64 {
    TWO_SIDED_95 * (variance / observations).sqrt()
}
