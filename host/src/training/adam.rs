//! The Adam optimiser (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015). Table rows that do not
//! occur in a batch keep their weights and moments, as in the sparse variant of common frameworks.

pub(super) const BETA1: f32 = 0.9;
pub(super) const BETA2: f32 = 0.999;
pub(super) const EPSILON: f32 = 1e-8;

/// Learning rate and bias corrections of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamStep {
    /// Learning rate divided by the bias of the first moment.
    pub(super) rate: f32,
    /// Factor that corrects the bias of the second moment.
    pub(super) second_correction: f32,
}

impl AdamStep {
    /// Step number `count`, from 1.
    pub(super) fn new(rate: f32, count: u32) -> AdamStep {
        let count = count.clamp(1, 1 << 20) as i32;
        AdamStep {
            rate: rate / (1.0 - BETA1.powi(count)),
            second_correction: 1.0 / (1.0 - BETA2.powi(count)),
        }
    }

    /// Updates weights and their moments by a gradient of the same length; weights are clamped to `-limit..=limit`.
    pub(super) fn apply(
        self,
        weights: &mut [f32],
        moments: (&mut [f32], &mut [f32]),
        gradient: &[f32],
        limit: f32,
    ) {
        let (first, second) = moments;
        for (((weight, first), second), &gradient) in
            weights.iter_mut().zip(first.iter_mut()).zip(second.iter_mut()).zip(gradient)
        {
            *first = BETA1 * *first + (1.0 - BETA1) * gradient;
            *second = BETA2 * *second + (1.0 - BETA2) * gradient * gradient;
            let step = self.rate * *first / ((*second * self.second_correction).sqrt() + EPSILON);
            *weight = (*weight - step).clamp(-limit, limit);
        }
    }
}

/// First and second moments: running means of the gradient and of its square, for every weight.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments {
    pub(super) first: Vec<f32>,
    pub(super) second: Vec<f32>,
}

impl Moments {
    pub(super) fn new(len: usize) -> Moments {
        Moments { first: vec![0.0; len], second: vec![0.0; len] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bowl() {
        let mut weights = [3.0, -2.0];
        let mut moments = Moments::new(2);
        for count in 1..=2000 {
            let gradient = [2.0 * (weights[0] - 1.0), 20.0 * (weights[1] - 0.5)];
            let rate = 0.02 * (1.0 - count as f32 / 2001.0);
            let state = (&mut moments.first[..], &mut moments.second[..]);
            AdamStep::new(rate, count).apply(&mut weights, state, &gradient, 10.0);
        }
        assert!((weights[0] - 1.0).abs() < 1e-2 && (weights[1] - 0.5).abs() < 1e-2, "{weights:?}");
    }

    #[test]
    fn weights_stay_within_their_limit() {
        let (mut weights, mut moments) = ([0.0], Moments::new(1));
        for count in 1..100 {
            let state = (&mut moments.first[..], &mut moments.second[..]);
            AdamStep::new(0.1, count).apply(&mut weights, state, &[-1.0], 0.7);
        }
        assert!((weights[0] - 0.7_f32).abs() < 1e-6);
    }
}
