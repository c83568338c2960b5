//! Forward and backward pass of the general's net for a batch at once, and the plan of it. The formulas are those of
//! `general_loss.rs`.

use barrow_nnue::format::Block;
use barrow_nnue::shape::GENERAL_OUTPUTS;
use burn_tensor::Tensor;
use burn_tensor::backend::Backend;

use super::grid::Grid;
use super::lists::{Lists, Sums};
use super::tensors::{clip, column, through_clip};
use super::weights::{Gradients, Weights};
use crate::training::general_loss::LEAST_CHANCE;
use crate::training::params::NetworkShape;
use crate::training::samples::{PositionSample, Samples};

/// Plan of a batch.
pub(super) struct GeneralPlan {
    /// Context rows of each layer, and layers of each row: a layer for each tech of a sample and one for its position.
    contexts: [Sums; 2],
    /// Outputs that each choice sums up, and choices of each output.
    steps: [Sums; 2],
    layers: usize,
    choices: Grid,
    shares: Vec<f32>,
    /// Weight of a sample.
    weight: f32,
}

impl GeneralPlan {
    /// Plan for these positions; `None` where the general has no choice.
    pub(super) fn new(
        samples: &Samples,
        picked: &[&PositionSample],
        shape: &NetworkShape,
    ) -> Option<GeneralPlan> {
        let all = &samples.for_general;
        let (mut contexts, mut steps) = (Lists::default(), Lists::default());
        let (mut sizes, mut shares) = (Vec::new(), Vec::new());
        for sample in picked.iter().flat_map(|sample| sample.general.of(&all.all)) {
            let (first, techs) = (contexts.len(), sample.techs.of(&all.techs));
            let position = sample.position.of(&all.rows);
            let own = techs.iter().map(|tech| tech.of(&all.rows)).chain([&[][..]]);
            for own in own {
                contexts.push(position.iter().chain(own).map(|&row| usize::from(row)));
            }
            let choices = sample.choices.of(&all.choices);
            sizes.push(choices.len());
            for choice in choices {
                steps.push(choice.steps.of(&all.steps).iter().map(|step| {
                    let layer = first + step.tech.map_or(techs.len(), usize::from);
                    layer * GENERAL_OUTPUTS + step.step as usize
                }));
                shares.push(choice.share);
            }
        }
        if shares.is_empty() {
            return None;
        }
        let both = |lists: &Lists, places| [Sums::new(lists), Sums::new(&lists.inverse(places))];
        let layers = contexts.len();
        Some(GeneralPlan {
            contexts: both(&contexts, shape.block(Block::GeneralContexts).0),
            steps: both(&steps, layers * GENERAL_OUTPUTS),
            layers,
            choices: Grid::new(&sizes),
            shares,
            weight: 1.0 / picked.len() as f32,
        })
    }
}

/// Loss of the general's net. Sets the gradients of its weights.
pub(super) fn learn<B: Backend>(
    plan: &GeneralPlan,
    weights: &Weights<B>,
    gradients: &mut Gradients<B>,
) -> Tensor<B, 1> {
    let device = weights.layers.device();
    let sums = plan.contexts[0].of(weights.of(Block::GeneralContexts)) + weights.of(Block::GeneralBias);
    let layer = clip(sums.clone());
    let blocks = [Block::GeneralSteps, Block::GeneralStepsBias];
    let outputs = weights.layer(blocks, layer.clone());
    let logits = plan.steps[0].of(outputs.reshape([plan.layers * GENERAL_OUTPUTS, 1]));
    let logs = plan.choices.log_chances(logits);
    let shares = column(&plan.shares, &device);
    let loss = (logs.clone().clamp_min(LEAST_CHANCE.ln()) * shares.clone()).sum() * -plan.weight;
    let d_outputs = plan.steps[1].of((logs.exp() - shares) * plan.weight);
    let d_outputs = d_outputs.reshape([plan.layers, GENERAL_OUTPUTS]);
    let d_sums = through_clip(gradients.layer(weights, blocks, d_outputs, layer), sums);
    gradients.set(Block::GeneralBias, d_sums.clone().sum_dim(0));
    gradients.set(Block::GeneralContexts, plan.contexts[1].of(d_sums));
    loss
}
