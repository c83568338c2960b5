//! SPSA: stochastic approximation by simultaneous perturbation, for tuning numbers by noisy comparisons.
//!
//! After J. C. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization", 1998,
//! whose exponents it takes. Each iteration compares two points on opposite sides of the present one, however many
//! numbers there are, and moves towards the better.

use barrow_core::rng::Rng;

/// Exponent by which steps shrink.
const STEP_EXPONENT: f64 = 0.602;

/// Exponent by which perturbations shrink.
const PERTURBATION_EXPONENT: f64 = 0.101;

/// Settings of a run, in units of the tuned numbers.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Iterations that the run is planned for; a tenth of them is the constant that keeps early steps small.
    pub iterations: u32,
    /// Distance of the first two points from the middle, in each number.
    pub perturbation: f64,
    /// Movement of each number by the first iteration when one point wins everything.
    pub first_step: f64,
    /// Seed of the perturbations' signs.
    pub seed: u64,
}

impl Settings {
    /// Distance of the two points of an iteration, counted from 0, from the middle.
    pub fn distance(&self, iteration: u32) -> f64 {
        self.perturbation / f64::from(iteration + 1).powf(PERTURBATION_EXPONENT)
    }

    /// Movement of each number by an iteration, counted from 0, when one point wins everything.
    pub fn step(&self, iteration: u32) -> f64 {
        // Steps are a / (A + k)^0.602, divided by perturbations that shrink themselves; `first_step` stands for a / c.
        let stability = f64::from(self.iterations) / 10.0;
        let k = f64::from(iteration);
        let rate = ((stability + 1.0) / (stability + 1.0 + k)).powf(STEP_EXPONENT);
        self.first_step * rate * (k + 1.0).powf(PERTURBATION_EXPONENT)
    }
}

/// Optimiser of a point with `N` numbers: [`pair`](Spsa::pair) proposes, [`learn`](Spsa::learn) moves.
#[derive(Clone, Debug)]
pub struct Spsa<const N: usize> {
    settings: Settings,
    point: [f64; N],
    signs: [f64; N],
    iteration: u32,
    rng: Rng,
}

impl<const N: usize> Spsa<N> {
    /// An optimiser that starts from a point.
    pub fn new(point: [f64; N], settings: Settings) -> Spsa<N> {
        Spsa { settings, point, signs: [0.0; N], iteration: 0, rng: Rng::new(settings.seed) }
    }

    /// The present point.
    pub fn point(&self) -> &[f64; N] {
        &self.point
    }

    /// The two points to compare next: each number is moved to one side in the first and to the other in the second.
    pub fn pair(&mut self) -> [[f64; N]; 2] {
        self.signs = std::array::from_fn(|_| if self.rng.chance(1, 2) { 1.0 } else { -1.0 });
        let distance = self.settings.distance(self.iteration);
        [1.0, -1.0].map(|side| std::array::from_fn(|i| self.point[i] + side * distance * self.signs[i]))
    }

    /// Moves the point by what the comparison of the last [`pair`](Spsa::pair) showed: 1 if the first won everything,
    /// -1 if the second did, in between otherwise.
    pub fn learn(&mut self, outcome: f64) {
        let step = self.settings.step(self.iteration);
        for (number, sign) in self.point.iter_mut().zip(self.signs) {
            *number += step * outcome * sign;
        }
        self.iteration += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance of a point to the best one.
    fn distance(point: &[f64; 3]) -> f64 {
        point.iter().zip([1.0, -2.0, 0.5]).map(|(number, best)| (number - best).powi(2)).sum::<f64>().sqrt()
    }

    fn settings(seed: u64) -> Settings {
        Settings { iterations: 5000, perturbation: 0.5, first_step: 0.01, seed }
    }

    #[test]
    fn a_noisy_contest_is_won_by_the_better_point() {
        for seed in 0..20 {
            let mut noise = Rng::new(seed ^ 0x5eed);
            let mut spsa = Spsa::new([0.0; 3], settings(seed));
            for _ in 0..5000 {
                let [plus, minus] = spsa.pair();
                // One game: the nearer point wins it the likelier, the greater the difference.
                let edge = distance(&minus) - distance(&plus);
                let won = f64::from(noise.below(1_000_000)) / 1e6 < 1.0 / (1.0 + (-edge).exp());
                spsa.learn(if won { 1.0 } else { -1.0 });
            }
            assert!(distance(spsa.point()) < 0.6, "seed {seed}: {:?}", spsa.point());
        }
    }

    #[test]
    fn a_draw_moves_nothing_and_equal_seeds_agree() {
        let (mut one, mut two) = (Spsa::new([1.0; 3], settings(3)), Spsa::new([1.0; 3], settings(3)));
        assert_eq!(
            one.pair().map(|side| side.map(f64::to_bits)),
            two.pair().map(|side| side.map(f64::to_bits))
        );
        one.learn(0.0);
        assert_eq!(one.point().map(f64::to_bits), [1.0_f64; 3].map(f64::to_bits));
        two.learn(1.0);
        assert!(two.point().iter().all(|number| ((number - 1.0).abs() - 0.01).abs() < 1e-9));
    }
}
