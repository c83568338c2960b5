//! Losses of the general's net on held-out positions, beside those of simpler policies.

use rayon::prelude::*;

use super::general_loss::{GeneralPass, choice_loss};
use super::general_samples::{ChoiceSample, GeneralSamples};
use super::params::Params;

/// Positions that one task evaluates.
const CHUNK: usize = 256;

/// Mean losses on the general's choices, in nats.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChoiceLosses {
    /// Loss of the net.
    pub(super) network: f64,
    /// Loss of even chances for all choices.
    pub(super) even: f64,
    /// Loss of the hand-written policy.
    pub(super) hand: f64,
    /// Number of positions.
    pub(super) positions: u64,
}

impl ChoiceLosses {
    fn add(&mut self, choices: &[ChoiceSample], chances: &[f32]) {
        let hand: Vec<f32> = choices.iter().map(|choice| choice.hand).collect();
        self.network += f64::from(choice_loss(choices, chances));
        self.hand += f64::from(choice_loss(choices, &hand));
        self.even += (choices.len() as f64).ln();
        self.positions += 1;
    }

    fn merge(&mut self, other: &ChoiceLosses) {
        self.network += other.network;
        self.even += other.even;
        self.hand += other.hand;
        self.positions += other.positions;
    }
}

/// Losses of the general's net of a network, of even chances for all choices, and of the hand-written policy.
pub(super) fn choice_losses(params: &Params, samples: &GeneralSamples) -> ChoiceLosses {
    let parts = samples.all.par_chunks(CHUNK).map(|part| {
        let (mut pass, mut sums) = (GeneralPass::default(), ChoiceLosses::default());
        for sample in part {
            let chances = pass.forward(params, samples, sample);
            sums.add(sample.choices.of(&samples.choices), chances);
        }
        sums
    });
    let parts: Vec<ChoiceLosses> = parts.collect();
    let mut all = ChoiceLosses::default();
    for part in &parts {
        all.merge(part);
    }
    let ChoiceLosses { network, even, hand, positions } = all;
    let mean = |sum: f64| sum / positions.max(1) as f64;
    ChoiceLosses { network: mean(network), even: mean(even), hand: mean(hand), positions }
}
