//! Confidence intervals that several reports share.

/// Quantile of the standard normal distribution for two-sided intervals of 95 %.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Half the width of the 95 % confidence interval of a mean, by the normal approximation, from the variance of one
/// observation and the number of observations.
pub fn half_width(variance: f64, observations: f64) -> f64 {
    TWO_SIDED_95 * (variance / observations).sqrt()
}

/// Wilson's 95 % confidence interval of a rate, lower bound first, from the observed rate, 0 to 1, and the number of
/// observations (E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927). Without
/// observations the interval is 0 to 1.
pub fn wilson_interval(rate: f64, observations: f64) -> [f64; 2] {
    if observations == 0.0 {
        return [0.0, 1.0];
    }
    let square = TWO_SIDED_95 * TWO_SIDED_95;
    let middle = rate + square / (2.0 * observations);
    let half = TWO_SIDED_95
        * (rate * (1.0 - rate) / observations + square / (4.0 * observations * observations)).sqrt();
    let scale = 1.0 + square / observations;
    [((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_textbooks() {
        // 8 of 10, and a coin tossed 100 times.
        let [low, high] = wilson_interval(0.8, 10.0);
        assert!((low - 0.4902).abs() < 1e-3 && (high - 0.9433).abs() < 1e-3, "{low} {high}");
        assert!((half_width(0.25, 100.0) - 0.098).abs() < 1e-4);
    }
}
