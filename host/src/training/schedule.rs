//! Schedules of the learning rate: its share of the largest rate at every step of a run.

use std::f32::consts::PI;
use std::fmt;

/// Schedule of the learning rate.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Linear rise over the first twentieth of the steps, then a cosine down to a hundredth (I. Loshchilov and F. Hutter,
    /// "SGDR: stochastic gradient descent with warm restarts", 2017, without the restarts).
    #[default]
    Cosine,
    /// Linear rise over the first twentieth of the steps, then the largest rate to the end: for runs that `--patience`
    /// ends.
    Constant,
}

impl Schedule {
    /// Share of the largest rate, 0 to 1, at a step from 0 of a run of `steps` steps.
    pub fn share(self, step: u32, steps: u32) -> f32 {
        let (step, steps) = (step as f32 + 1.0, steps.max(1) as f32);
        let warm = (steps / 20.0).max(1.0);
        if step < warm {
            return step / warm;
        }
        match self {
            Schedule::Constant => 1.0,
            Schedule::Cosine => {
                let done = ((step - warm) / (steps - warm).max(1.0)).min(1.0);
                0.01 + 0.99 * 0.5 * (1.0 + (PI * done).cos())
            }
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Schedule::Cosine => "cosine",
            Schedule::Constant => "constant",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_rises_and_falls_or_stays() {
        for schedule in [Schedule::Cosine, Schedule::Constant] {
            let shares: Vec<f32> = (0..1000).map(|step| schedule.share(step, 1000)).collect();
            assert!(shares[..50].is_sorted() && shares[50..].is_sorted_by(|a, b| a >= b));
            assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
            assert_eq!(shares[999] < 0.02, schedule == Schedule::Cosine);
        }
    }
}
