//! Tuning of the hodgepodge's weights by races.
//!
//! CMA-ES (N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016) proposes weights, which races against the paper's
//! weights evaluate. All proposals of a generation race with the same deals.

use anyhow::{Result, bail};
use barrow_core::contests::roborally::bot::Weights;
use cmaes::{CMAESOptions, DVector};
use indicatif::ProgressBar;

use super::arena::{self, ArenaSettings};
use super::player_spec::{PlayerSpec, Search};
use crate::interrupt;

/// The settings of a tuning.
pub struct TuneSettings {
    /// Number of generations.
    pub generations: u32,
    /// Proposals in each generation.
    pub population: u32,
    /// The player whose weights are tuned, and who is its opponent with the paper's weights.
    pub player: Search,
    /// Arena in which a proposal is evaluated.
    pub plan: ArenaSettings,
}

/// Names of the tuned weights. The weight of winning is fixed, since only ratios of weights matter.
pub const NAMES: [&str; 7] = ["active", "advantage", "progress", "damage", "distance", "way", "life"];

/// Divisors of the weights, which make equal steps of the optimiser about equally important.
const SCALES: [f64; NAMES.len()] = [30.0, 50.0, 30.0, 5.0, 2.0, 2.0, 30.0];

fn to_point(weights: &Weights) -> Vec<f64> {
    let values = [
        weights.active,
        weights.advantage,
        weights.progress,
        weights.damage,
        weights.distance,
        weights.way,
        weights.life,
    ];
    values.iter().zip(SCALES).map(|(&value, scale)| f64::from(value) / scale).collect()
}

/// Weights in hundredths, ten times as fine as the paper's, so that small weights have steps too.
fn to_weights(point: &DVector<f64>) -> Weights {
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
        doomed: 0,
    }
}

/// Tunes the weights. `watch` is called after each generation with its number, the weights at its centre, and the least
/// cost of a proposal.
pub fn run(mut settings: TuneSettings, mut watch: impl FnMut(u32, &Weights, f64)) -> Result<Weights> {
    let own = settings.player;
    let baseline = PlayerSpec::Search(own);
    let start = to_point(&Weights::PAPER);
    let seed = settings.plan.seed;
    let mut failed = None;
    let weights = {
        let plan = &mut settings.plan;
        let failed = &mut failed;
        let mut races = 0_u64;
        let (population, first_seed) = (u64::from(settings.population), seed);
        // A cost: CMA-ES seeks the least.
        let cost = |point: &DVector<f64>| {
            plan.seed = first_seed.wrapping_add(races / population);
            races += 1;
            let candidate = PlayerSpec::Search(own.with_weights(to_weights(point)));
            let rivals = plan.seats.len().max(2) - 1;
            plan.seats = vec![("candidate".to_owned(), candidate)];
            plan.seats.extend((0..rivals).map(|_| ("paper".to_owned(), baseline)));
            match arena::run(plan, &ProgressBar::hidden()) {
                Ok(results) => results.standings.mean_place(0) - results.standings.win_rate(0),
                Err(error) => {
                    *failed = Some(error);
                    f64::MAX
                }
            }
        };
        let mut optimiser = CMAESOptions::new(start, 0.5)
            .population_size(settings.population as usize)
            .seed(seed)
            .build(cost)
            .map_err(|error| anyhow::anyhow!("the optimiser refuses to start: {error:?}"))?;
        for generation in 1..=settings.generations {
            if interrupt::requested() {
                break;
            }
            let _ = optimiser.next();
            let best = optimiser.current_best_individual().map_or(0.0, |best| best.value);
            watch(generation, &to_weights(optimiser.mean()), best);
        }
        to_weights(optimiser.mean())
    };
    match failed {
        Some(error) => bail!(error),
        None => Ok(weights),
    }
}
