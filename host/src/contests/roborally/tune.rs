//! Tuning of the hodgepodge's weights by races.
//!
//! SPSA proposes two sets of weights, which race each other; the winner shows where better weights are.

use anyhow::Result;
use barrow_core::contests::roborally::bot::Weights;
use indicatif::ProgressBar;

use super::arena::{self, ArenaSettings};
use super::player_spec::PlayerSpec;
use super::searcher::Search;
use crate::interrupt;
use crate::spsa::{Settings, Spsa};

/// The settings of a tuning.
pub struct TuneSettings {
    /// Number of iterations: comparisons of two sets of weights.
    pub iterations: u32,
    /// The player whose weights are tuned.
    pub player: Search,
    /// Arena of each comparison. Its seats are replaced: both sets of weights have every other one of them.
    pub plan: ArenaSettings,
}

/// Names of the tuned weights. The weight of winning is fixed, since only ratios of weights matter.
pub const NAMES: [&str; 7] = ["active", "advantage", "progress", "damage", "distance", "way", "life"];

/// Divisors of the weights, which make equal steps of the optimiser about equally important.
const SCALES: [f64; NAMES.len()] = [30.0, 50.0, 30.0, 5.0, 2.0, 2.0, 30.0];

/// Weights as the optimiser sees them, each divided by its scale.
type Point = [f64; NAMES.len()];

fn to_point(weights: &Weights) -> Point {
    let values = [
        weights.active,
        weights.advantage,
        weights.progress,
        weights.damage,
        weights.distance,
        weights.way,
        weights.life,
    ];
    std::array::from_fn(|place| f64::from(values[place]) / SCALES[place])
}

/// Weights in hundredths, ten times as fine as the paper's, so that small weights have steps too.
fn to_weights(point: &Point) -> Weights {
    let value =
        |place: usize| (point[place] * SCALES[place] * 10.0).round().clamp(-90_000.0, 90_000.0) as i32;
    Weights {
        won: Weights::PAPER.won * 10,
        active: value(0),
        advantage: value(1),
        progress: value(2),
        damage: value(3),
        distance: value(4),
        way: value(5),
        life: value(6),
        ..Weights::PAPER
    }
}

/// Tunes the weights, beginning with the paper's. `watch` is called after each iteration with its number, the weights
/// at its end, and the outcome of its comparison, -1 to 1.
pub fn run(mut settings: TuneSettings, mut watch: impl FnMut(u32, &Weights, f64)) -> Result<Weights> {
    let first_seed = settings.plan.seed;
    let seats = settings.plan.seats.len().max(2).next_multiple_of(2);
    let mut spsa = Spsa::new(
        to_point(&Weights::PAPER),
        Settings { iterations: settings.iterations, perturbation: 1.0, first_step: 0.5, seed: first_seed },
    );
    for iteration in 1..=settings.iterations {
        let pair =
            spsa.pair().map(|point| PlayerSpec::Search(settings.player.with_weights(to_weights(&point))));
        settings.plan.seed = first_seed.wrapping_add(u64::from(iteration));
        settings.plan.seats =
            (0..seats).map(|seat| (["plus", "minus"][seat % 2].to_owned(), pair[seat % 2].clone())).collect();
        let standings = arena::run(&settings.plan, &ProgressBar::hidden(), |_| Ok(()))?.standings;
        if interrupt::requested() {
            break;
        }
        // Whoever has all the better places is half the seats ahead on average.
        let outcome = (standings.mean_place(1) - standings.mean_place(0)) / (seats as f64 / 2.0);
        spsa.learn(outcome);
        watch(iteration, &to_weights(spsa.point()), outcome);
    }
    Ok(to_weights(spsa.point()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_weights_survive_the_optimiser_s_scale() {
        let paper = to_weights(&to_point(&Weights::PAPER));
        assert_eq!((paper.active, paper.life), (Weights::PAPER.active * 10, Weights::PAPER.life * 10));
        assert_eq!((paper.damage, paper.way), (Weights::PAPER.damage * 10, Weights::PAPER.way * 10));
    }
}
