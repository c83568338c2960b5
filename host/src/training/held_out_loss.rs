//! Held-out loss: the loss that training makes small, on positions that it does not learn from.

use rayon::prelude::*;

use super::backprop::PositionPass;
use super::general_loss::GeneralPass;
use super::losses;
use super::params::Params;
use super::samples::{PositionSample, Samples};

/// Positions that one task measures.
const CHUNK: usize = 256;

/// Mean loss of a position, all heads together as training weighs them; 0 without positions. Equal on any number of
/// threads.
pub fn mean_loss(params: &Params, samples: &Samples) -> f64 {
    let chunks: Vec<f64> = samples
        .positions
        .par_chunks(CHUNK)
        .map_init(
            || (PositionPass::default(), GeneralPass::default(), Params::without_tables(params.shape())),
            |(pass, general, unused), chunk| {
                let loss = |sample: &PositionSample| {
                    pass.forward(params, samples, sample);
                    let mut loss = losses::apply(pass, params, unused, samples, sample);
                    for sample in sample.general.of(&samples.for_general.all) {
                        loss += general.learn(params, unused, &samples.for_general, sample);
                    }
                    f64::from(loss)
                };
                chunk.iter().map(loss).sum()
            },
        )
        .collect();
    chunks.iter().sum::<f64>() / samples.len().max(1) as f64
}
