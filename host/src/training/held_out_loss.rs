//! Held-out loss: the loss that training makes small, on positions that it does not learn from.

use rayon::prelude::*;

use super::backprop::PositionPass;
use super::losses;
use super::params::Params;
use super::samples::Samples;

/// Positions that one task measures.
const CHUNK: usize = 256;

/// Mean loss of a position, all heads together as training weighs them; 0 without positions. Equal on any number of
/// threads.
pub fn mean_loss(params: &Params, samples: &Samples) -> f64 {
    let chunks: Vec<f64> = samples
        .positions
        .par_chunks(CHUNK)
        .map_init(
            || (PositionPass::default(), Params::without_tables(params.shape())),
            |(pass, unused), chunk| {
                let loss = |sample| {
                    pass.forward(params, samples, sample);
                    f64::from(losses::apply(pass, params, unused, samples, sample))
                };
                chunk.iter().map(loss).sum()
            },
        )
        .collect();
    chunks.iter().sum::<f64>() / samples.len().max(1) as f64
}
