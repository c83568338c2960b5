//! Vector arithmetic on slices of `f32`, written so that the compiler uses vector registers. The order of the
//! additions is fixed, so equal inputs give equal bits.

const LANES: usize = 16;

/// Dot product of two slices of equal length.
#[inline]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let tail: f32 = a.remainder().iter().zip(b.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a.zip(b) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f32>() + tail
}

/// Adds a slice to another one of the same length, element by element.
#[inline]
pub(super) fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// Adds a multiple of a slice to another one of the same length, element by element.
#[inline]
pub(super) fn add_scaled(to: &mut [f32], factor: f32, from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}

/// Logistic function: the chance, 0 to 1, of a logit.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Logit of a chance, which is clamped to 0.0001..=0.9999 so that the logit is finite.
pub(super) fn logit(chance: f32) -> f32 {
    let chance = chance.clamp(1e-4, 1.0 - 1e-4);
    (chance / (1.0 - chance)).ln()
}

/// Cross entropy, in nats, of a target in 0..=1 and the chance of a logit; finite for every finite logit.
pub(super) fn cross_entropy(logit: f32, target: f32) -> f32 {
    logit.max(0.0) - logit * target + (-logit.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_product_is_the_sum_of_products_at_any_length() {
        for len in [0, 1, 15, 16, 17, 40, 64] {
            let a: Vec<f32> = (0..len).map(|i| i as f32).collect();
            let expected: f32 = (0..len).map(|i| (i * (i + 1)) as f32).sum();
            let b: Vec<f32> = a.iter().map(|x| x + 1.0).collect();
            assert!((dot(&a, &b) - expected).abs() < 0.5);
        }
    }

    #[test]
    fn cross_entropy_is_what_its_definition_says_and_stays_finite() {
        for (x, target) in [(0.3_f32, 1.0_f32), (-2.0, 0.0), (1.5, 0.25)] {
            let p = sigmoid(x);
            let expected = -(target * p.ln() + (1.0 - target) * (1.0 - p).ln());
            assert!((cross_entropy(x, target) - expected).abs() < 1e-5);
        }
        assert!((cross_entropy(1e4, 0.0) - 1e4).abs() < 1.0);
        assert!((logit(sigmoid(2.0)) - 2.0).abs() < 1e-4 && logit(1.0).is_finite());
    }
}
