//! Loss of the general's net: cross entropy of the visits of the choices and the softmax of their logits, with the
//! forward and the backward pass of the net, which shares no layer with the others.

use barrow_nnue::format::Block;
use barrow_nnue::nets::general::Step;
use barrow_nnue::shape::GENERAL_OUTPUTS;

use super::backprop::{clip, through_clip};
use super::general_samples::{ChoiceSample, GeneralSample, GeneralSamples};
use super::params::Params;
use super::vector::{add, add_scaled, dot};

/// Activations of one sample: of each tech and then of the position alone.
#[derive(Clone, Debug, Default)]
pub(super) struct GeneralPass {
    neurons: usize,
    sums: Vec<f32>,
    layer: Vec<f32>,
    outputs: Vec<[f32; GENERAL_OUTPUTS]>,
    d_outputs: Vec<[f32; GENERAL_OUTPUTS]>,
    /// Chances of the choices.
    chances: Vec<f32>,
}

impl GeneralPass {
    /// Computes the chances of the choices of a sample, which add up to 1, and returns them.
    pub(super) fn forward(
        &mut self,
        params: &Params,
        samples: &GeneralSamples,
        sample: &GeneralSample,
    ) -> &[f32] {
        let techs = sample.techs.of(&samples.techs);
        self.neurons = params.shape().board_layer();
        let mut position = params.block(Block::GeneralBias).to_vec();
        for &row in sample.position.of(&samples.rows) {
            add(&mut position, params.row(Block::GeneralContexts, usize::from(row)));
        }
        self.sums.clear();
        for tech in techs {
            let first = self.sums.len();
            self.sums.extend_from_slice(&position);
            for &row in tech.of(&samples.rows) {
                add(&mut self.sums[first..], params.row(Block::GeneralContexts, usize::from(row)));
            }
        }
        self.sums.extend_from_slice(&position);
        self.layer.resize(self.sums.len(), 0.0);
        clip(&self.sums, &mut self.layer);
        let bias = params.block(Block::GeneralStepsBias);
        let output =
            |neurons: &[f32], step: usize| bias[step] + dot(neurons, params.row(Block::GeneralSteps, step));
        self.outputs.clear();
        self.outputs.extend(
            self.layer
                .chunks_exact(self.neurons)
                .map(|neurons| std::array::from_fn(|step| output(neurons, step))),
        );
        self.chances.clear();
        for choice in sample.choices.of(&samples.choices) {
            let steps = choice.steps.of(&samples.steps).iter();
            let logit = steps.map(|step| self.outputs[self.place(step.tech)][step.step as usize]).sum();
            self.chances.push(logit);
        }
        softmax(&mut self.chances);
        &self.chances
    }

    /// Place of the activations that a step reads.
    fn place(&self, tech: Option<u8>) -> usize {
        tech.map_or(self.outputs.len() - 1, usize::from)
    }

    /// Loss of a sample, whose gradients are added to `gradient`.
    pub(super) fn learn(
        &mut self,
        params: &Params,
        gradient: &mut Params,
        samples: &GeneralSamples,
        sample: &GeneralSample,
    ) -> f32 {
        self.forward(params, samples, sample);
        let choices = sample.choices.of(&samples.choices);
        let loss = choice_loss(choices, &self.chances);
        self.d_outputs.clear();
        self.d_outputs.resize(self.outputs.len(), [0.0; GENERAL_OUTPUTS]);
        for (choice, chance) in choices.iter().zip(&self.chances) {
            for step in choice.steps.of(&samples.steps) {
                let place = self.place(step.tech);
                self.d_outputs[place][step.step as usize] += chance - choice.share;
            }
        }
        let techs = sample.techs.of(&samples.techs);
        let mut d_position = vec![0.0; self.neurons];
        for (place, d_outputs) in self.d_outputs.iter().enumerate() {
            let range = place * self.neurons..(place + 1) * self.neurons;
            let mut d_sums = vec![0.0; self.neurons];
            for (step, &d) in d_outputs.iter().enumerate().filter(|(_, d)| **d != 0.0) {
                gradient.block_mut(Block::GeneralStepsBias)[step] += d;
                add_scaled(gradient.row_mut(Block::GeneralSteps, step), d, &self.layer[range.clone()]);
                add_scaled(&mut d_sums, d, params.row(Block::GeneralSteps, step));
            }
            for (d, &sum) in d_sums.iter_mut().zip(&self.sums[range]) {
                *d = through_clip(*d, sum);
            }
            for &row in techs.get(place).map_or(&[][..], |tech| tech.of(&samples.rows)) {
                add(gradient.row_mut(Block::GeneralContexts, usize::from(row)), &d_sums);
            }
            add(&mut d_position, &d_sums);
        }
        for &row in sample.position.of(&samples.rows) {
            add(gradient.row_mut(Block::GeneralContexts, usize::from(row)), &d_position);
        }
        add(gradient.block_mut(Block::GeneralBias), &d_position);
        loss
    }
}

/// Blocks of the general's net.
pub(super) const GENERAL_BLOCKS: [Block; 4] =
    [Block::GeneralContexts, Block::GeneralBias, Block::GeneralSteps, Block::GeneralStepsBias];

/// Least chance of a choice that a loss counts with.
pub(super) const LEAST_CHANCE: f32 = 1e-12;

/// Cross entropy, in nats, of the visits of choices and their chances.
pub(super) fn choice_loss(choices: &[ChoiceSample], chances: &[f32]) -> f32 {
    let visited = choices.iter().zip(chances).filter(|(choice, _)| choice.share > 0.0);
    visited.map(|(choice, chance)| -choice.share * chance.max(LEAST_CHANCE).ln()).sum()
}

fn softmax(logits: &mut [f32]) {
    let most = logits.iter().fold(f32::NEG_INFINITY, |most, &logit| most.max(logit));
    for logit in &mut *logits {
        *logit = (*logit - most).exp();
    }
    let sum: f32 = logits.iter().sum();
    for chance in logits {
        *chance /= sum;
    }
}

const _: () = assert!((Step::Sale as usize) < GENERAL_OUTPUTS);

#[cfg(test)]
mod tests {
    use barrow_core::minions::Ruleset;
    use barrow_nnue::shape::Tiny;

    use super::*;
    use crate::bench::test_positions;
    use crate::training::NetworkShape;
    use crate::training::general_choices::tests::{rated, visits_by_place};

    fn samples() -> GeneralSamples {
        let mut samples = GeneralSamples::default();
        for game in test_positions::middle_games(Ruleset::Server).iter().take(6) {
            assert!(!samples.add(game, &rated(game, visits_by_place)).is_empty());
        }
        samples
    }

    fn params() -> Params {
        let mut params = Params::initial(&NetworkShape::of::<Tiny>(), 3);
        let mut dice = barrow_core::rng::Rng::new(4);
        for weight in params.block_mut(Block::GeneralSteps) {
            *weight = (dice.below(2001) as f32 - 1000.0) * 1e-3;
        }
        params
    }

    #[test]
    fn gradients_are_the_slopes_of_the_loss() {
        let (samples, mut params) = (samples(), params());
        let (mut checked, step) = (0, 1e-2_f32);
        for sample in &samples.all {
            let (mut pass, mut gradient) = (GeneralPass::default(), Params::without_tables(params.shape()));
            pass.learn(&params, &mut gradient, &samples, sample);
            for block in GENERAL_BLOCKS {
                let slopes = gradient.block(block);
                let mut places: Vec<usize> = (0..slopes.len()).collect();
                places.sort_by(|&a, &b| slopes[b].abs().total_cmp(&slopes[a].abs()));
                for place in places.into_iter().take(12) {
                    let mut at = |offset: f32| {
                        let kept = params.block(block)[place];
                        params.block_mut(block)[place] = kept + offset;
                        let loss = pass.learn(
                            &params,
                            &mut Params::without_tables(params.shape()),
                            &samples,
                            sample,
                        );
                        params.block_mut(block)[place] = kept;
                        f64::from(loss)
                    };
                    let measured = (at(step) - at(-step)) / f64::from(2.0 * step);
                    let claimed = f64::from(slopes[place]);
                    // Neurons at the edge of their range have no slope; few are.
                    checked += usize::from((measured - claimed).abs() < 0.02 + 0.05 * claimed.abs());
                }
            }
        }
        assert!(checked > 230, "{checked} of {}", 6 * (3 * 12 + 5));
    }

    #[test]
    fn chances_add_up_and_an_untrained_net_gives_even_ones() {
        let samples = samples();
        let mut pass = GeneralPass::default();
        for sample in &samples.all {
            let chances = pass.forward(&params(), &samples, sample);
            assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            let even = pass.forward(&Params::initial(&NetworkShape::of::<Tiny>(), 3), &samples, sample);
            let share = 1.0 / even.len() as f32;
            assert!(even.len() > 1 && even.iter().all(|chance| (chance - share).abs() < 1e-6));
        }
    }

    #[test]
    fn the_loss_is_least_where_the_chances_are_the_shares() {
        let samples = samples();
        let choices = samples.all[0].choices.of(&samples.choices);
        let shares: Vec<f32> = choices.iter().map(|choice| choice.share).collect();
        let even = vec![1.0 / shares.len() as f32; shares.len()];
        assert!(choice_loss(choices, &shares) < choice_loss(choices, &even));
    }
}
