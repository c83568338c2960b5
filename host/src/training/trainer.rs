//! Training loop: batches in a shuffled order, gradients on all cores, steps of Adam.
//!
//! A batch is cut into shards of a fixed size, and the gradients of the shards are added in order. Equal samples and
//! hyperparameters therefore give the same network, bit for bit, on any number of threads.

use std::time::Instant;

use barrow_core::rng::Rng;
use barrow_nnue::format::Block;
use barrow_nnue::shape::GLOBAL;
use rayon::prelude::*;

use super::adam::{AdamStep, Moments};
use super::backprop::PositionPass;
use super::losses;
use super::params::{NetworkShape, Params, is_table};
use super::row_tables::{FactorisedTable, RowOccurrences, RowTable, SumGradients};
use super::samples::{PositionSample, Samples};
use super::vector::add;

/// Positions in a shard of a batch.
const SHARD: usize = 64;

/// Learning rate of narrow and global features relative to all other parameters. Most of these features are so rare
/// that large steps make them noisy, and noise adds to the overflow bounds.
const RARE_FEATURE_RATE: f32 = 0.3;

/// Hyperparameters of a training run.
#[derive(Clone, Copy, Debug)]
pub struct Hyperparameters {
    /// Passes over all samples.
    pub epochs: u32,
    /// Positions in a batch.
    pub batch: usize,
    /// Largest learning rate; the rate rises over the first steps and then falls along a cosine to a hundredth.
    pub rate: f32,
    /// Seed of the order of the samples.
    pub seed: u64,
}

impl Default for Hyperparameters {
    fn default() -> Hyperparameters {
        Hyperparameters { epochs: 8, batch: 1024, rate: 1.5e-3, seed: 1 }
    }
}

/// Progress of a training run.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions processed so far, counted once in each epoch.
    pub positions: u64,
    /// Positions of the whole run, counted once in each epoch.
    pub of: u64,
    /// Mean loss of a position in the last batch.
    pub loss: f32,
    /// Seconds since the start of the run.
    pub seconds: f64,
}

/// Network in training: its parameters and the state of the optimiser.
pub struct Trainer {
    params: Params,
    pieces: FactorisedTable,
    narrow: RowTable,
    global: RowTable,
    layers: Vec<Moments>,
    shards: Vec<Shard>,
    batch: BatchGradients,
    /// Steps taken.
    steps: u32,
}

/// Gradients of one shard of a batch, and the pass that computes them.
struct Shard {
    gradient: Params,
    pass: PositionPass,
    d_boards: Vec<f32>,
    d_global: Vec<f32>,
    loss: f32,
}

/// Gradients of all lane and global sums of a batch, and the feature rows that were added to each.
#[derive(Default)]
struct BatchGradients {
    d_boards: Vec<f32>,
    d_global: Vec<f32>,
    wide: RowOccurrences,
    narrow: RowOccurrences,
    global: RowOccurrences,
}

impl Trainer {
    /// Trainer that starts from these parameters.
    pub fn new(params: Params) -> Trainer {
        Trainer {
            pieces: FactorisedTable::new(&params),
            narrow: RowTable::new(&params, Block::Narrow),
            global: RowTable::new(&params, Block::Global),
            layers: Block::ALL
                .map(|block| Moments::new(if is_table(block) { 0 } else { params.shape().len(block) }))
                .into(),
            shards: Vec::new(),
            batch: BatchGradients::default(),
            steps: 0,
            params,
        }
    }

    /// Present parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Trains for all epochs. `watch` is called after every batch, and after every epoch with the number of the epoch
    /// from 1; the run ends early when `watch` returns false.
    pub fn run(
        &mut self,
        samples: &Samples,
        settings: Hyperparameters,
        mut watch: impl FnMut(&Params, Progress, Option<u32>) -> bool,
    ) {
        let started = Instant::now();
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let mut dice = Rng::new(settings.seed);
        let batch = settings.batch.max(1);
        let steps = order.len().div_ceil(batch) as u32 * settings.epochs;
        let mut progress = Progress {
            positions: 0,
            of: order.len() as u64 * u64::from(settings.epochs),
            loss: 0.0,
            seconds: 0.0,
        };
        for epoch in 1..=settings.epochs {
            dice.shuffle(&mut order);
            for batch in order.chunks(batch) {
                let rate = settings.rate * schedule(self.steps, steps);
                progress.loss = self.step(samples, batch, rate);
                progress.positions += batch.len() as u64;
                progress.seconds = started.elapsed().as_secs_f64();
                if !watch(&self.params, progress, None) {
                    return;
                }
            }
            if !watch(&self.params, progress, Some(epoch)) {
                return;
            }
        }
    }

    /// Takes one step of Adam on a batch. Returns the mean loss of a position.
    fn step(&mut self, samples: &Samples, batch: &[u32], rate: f32) -> f32 {
        let picked: Vec<&PositionSample> =
            batch.iter().map(|&index| &samples.positions[index as usize]).collect();
        let shape = *self.params.shape();
        let shards = picked.len().div_ceil(SHARD);
        while self.shards.len() < shards {
            self.shards.push(Shard::new(Params::without_tables(&shape)));
        }
        let (params, scale) = (&self.params, 1.0 / picked.len() as f32);
        self.shards[..shards].par_iter_mut().zip(picked.par_chunks(SHARD)).for_each(|(shard, picked)| {
            shard.run(params, samples, picked, scale);
        });
        self.steps += 1;
        let step = AdamStep::new(rate, self.steps);
        self.batch.fill(samples, &picked, &self.shards[..shards], &shape);
        let BatchGradients { d_boards, d_global, wide, narrow, global } = &self.batch;
        let boards = SumGradients { gradients: d_boards, width: shape.lanes() };
        self.pieces.step(&mut self.params, step, wide, boards);
        let slow = AdamStep::new(RARE_FEATURE_RATE * rate, self.steps);
        self.narrow.step(&mut self.params, slow, narrow, boards);
        let sums = SumGradients { gradients: d_global, width: GLOBAL };
        self.global.step(&mut self.params, slow, global, sums);
        self.step_layers(shards, step);
        self.shards[..shards].iter().map(|shard| shard.loss).sum::<f32>() * scale
    }

    fn step_layers(&mut self, shards: usize, step: AdamStep) {
        let Some((first, rest)) = self.shards[..shards].split_first_mut() else { return };
        for block in Block::ALL.into_iter().filter(|&block| !is_table(block)) {
            let limit = self.params.limit(block);
            let gradient = first.gradient.block_mut(block);
            for shard in &*rest {
                add(gradient, shard.gradient.block(block));
            }
            let Moments { first, second } = &mut self.layers[block as usize];
            step.apply(self.params.block_mut(block), (first, second), gradient, limit);
        }
    }
}

impl Shard {
    fn new(gradient: Params) -> Shard {
        Shard {
            gradient,
            pass: PositionPass::default(),
            d_boards: Vec::new(),
            d_global: Vec::new(),
            loss: 0.0,
        }
    }

    fn run(&mut self, params: &Params, samples: &Samples, picked: &[&PositionSample], scale: f32) {
        self.gradient.clear();
        self.d_boards.clear();
        self.d_global.clear();
        self.loss = 0.0;
        for sample in picked {
            self.pass.forward(params, samples, sample);
            self.loss += losses::apply(&mut self.pass, params, &mut self.gradient, samples, sample);
            self.pass.backward(params, &mut self.gradient);
            for board in &self.pass.boards {
                self.d_boards.extend_from_slice(&board.d_sums);
            }
            self.d_global.extend_from_slice(&self.pass.d_global);
        }
        for block in Block::ALL.into_iter().filter(|&block| !is_table(block)) {
            self.gradient.block_mut(block).iter_mut().for_each(|d| *d *= scale);
        }
        self.d_boards.iter_mut().chain(&mut self.d_global).for_each(|d| *d *= scale);
    }
}

impl BatchGradients {
    /// Collects the gradients of the shards and finds the occurrences of all feature rows.
    fn fill(
        &mut self,
        samples: &Samples,
        picked: &[&PositionSample],
        shards: &[Shard],
        shape: &NetworkShape,
    ) {
        self.d_boards.clear();
        self.d_global.clear();
        for shard in shards {
            self.d_boards.extend_from_slice(&shard.d_boards);
            self.d_global.extend_from_slice(&shard.d_global);
        }
        let boards = picked.iter().flat_map(|sample| sample.boards.of(&samples.boards));
        let rows = |block| shape.block(block).0;
        let wide = boards.clone().flat_map(|board| board.wide).map(|span| span.of(&samples.rows));
        let narrow = boards.flat_map(|board| board.narrow).map(|span| span.of(&samples.rows));
        let global = picked.iter().flat_map(|sample| sample.global).map(|span| span.of(&samples.rows));
        self.wide.fill(rows(Block::Wide), wide);
        self.narrow.fill(rows(Block::Narrow), narrow);
        self.global.fill(rows(Block::Global), global);
    }
}

/// Learning rate schedule, as a share of the largest rate: a linear rise over the first twentieth of the steps, then a
/// cosine down to a hundredth.
fn schedule(step: u32, steps: u32) -> f32 {
    let (step, steps) = (step as f32 + 1.0, steps.max(1) as f32);
    let warm = (steps / 20.0).max(1.0);
    if step < warm {
        return step / warm;
    }
    let done = ((step - warm) / (steps - warm).max(1.0)).min(1.0);
    0.01 + 0.99 * 0.5 * (1.0 + (std::f32::consts::PI * done).cos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::backprop::tests::test_network_and_samples;
    use crate::training::evaluate;

    const QUICK: Hyperparameters = Hyperparameters { epochs: 30, batch: 96, rate: 4e-3, seed: 2 };

    fn trained(threads: usize) -> Params {
        let (params, samples) = test_network_and_samples();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut trainer = Trainer::new(Params::initial(params.shape(), 3));
            trainer.run(&samples, QUICK, |_, _, _| true);
            trainer.params().clone()
        })
    }

    #[test]
    fn the_number_of_threads_does_not_matter_and_the_samples_are_learnt() {
        let params = trained(1);
        assert_eq!(params, trained(3));
        // These are the positions of the training itself.
        let heads = ["win, against the blend", "points", "contribution", "killed", "passive"];
        for metric in evaluate(&params, &test_network_and_samples().1)
            .iter()
            .filter(|metric| heads.contains(&metric.head))
        {
            assert!(metric.network < metric.constant, "{metric:?}");
        }
    }

    #[test]
    fn a_run_ends_when_watch_returns_false() {
        let (params, samples) = test_network_and_samples();
        let (mut calls, mut trainer) = (0, Trainer::new(params));
        trainer.run(&samples, QUICK, |_, progress, epoch| {
            calls += 1;
            assert!(progress.positions <= progress.of && epoch.is_none());
            false
        });
        assert_eq!(calls, 1);
    }

    #[test]
    fn the_learning_rate_rises_and_falls() {
        let sizes: Vec<f32> = (0..1000).map(|step| schedule(step, 1000)).collect();
        assert!(sizes[..50].is_sorted() && sizes[50..].is_sorted_by(|a, b| a >= b));
        assert!(sizes.iter().all(|size| (0.0..=1.0).contains(size)) && sizes[999] < 0.02);
    }
}
