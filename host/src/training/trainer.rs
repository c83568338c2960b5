//! Training loop: batches in a shuffled order, gradients on all cores, steps of Adam.
//!
//! A batch is cut into shards of a fixed size, and the gradients of the shards are added in order. Equal samples and
//! hyperparameters therefore give the same network, bit for bit, on any number of threads.

use barrow_nnue::format::Block;
use barrow_nnue::shape::GLOBAL;
use rayon::prelude::*;

use super::adam::{AdamStep, Moments};
use super::backprop::PositionPass;
use super::epoch_order::EpochOrder;
use super::general_loss::{GENERAL_BLOCKS, GeneralPass};
use super::hyperparameters::{Hyperparameters, Net};
use super::losses;
use super::params::{NetworkShape, Params, SEER_BLOCKS, is_table};
use super::row_tables::{FactorisedTable, RARE_FEATURE_RATE, RowOccurrences, RowTable, SumGradients};
use super::samples::{PositionSample, Samples};
use super::stepping::Accelerator;
use super::vector::add;

/// Positions in a shard of a batch.
const SHARD: usize = 64;

/// Progress of a training run.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions processed so far, counted once in each epoch.
    pub positions: u64,
    /// Positions of the whole run, counted once in each epoch.
    pub of: u64,
    /// Mean loss of a position in the last batch; `None` at the end of an epoch.
    pub loss: Option<f32>,
    /// Learning rate of the last batch.
    pub rate: f32,
}

/// Place in a training run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Place {
    /// Epochs that are over.
    pub(super) epochs: u32,
    /// Batches processed in the present epoch.
    pub(super) batches: u32,
    /// Steps taken.
    pub(super) steps: u32,
}

/// Network in training: its parameters, the state of the optimiser, and the place in the run.
pub struct Trainer {
    settings: Hyperparameters,
    place: Place,
    params: Params,
    /// Running mean of the parameters.
    average: Option<Params>,
    pieces: FactorisedTable,
    narrow: RowTable,
    global: RowTable,
    layers: Vec<Moments>,
    order: EpochOrder,
    shards: Vec<Shard>,
    batch: BatchGradients,
    /// Device that takes the steps, if not this trainer; its numbers are the newer ones until [`Trainer::settle`].
    accelerator: Option<Box<dyn Accelerator + Send>>,
}

/// Gradients of one shard of a batch, and the pass that computes them.
struct Shard {
    gradient: Params,
    pass: PositionPass,
    general: GeneralPass,
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
    /// Trainer at the beginning of a run that starts from these parameters.
    pub fn new(params: Params, settings: Hyperparameters) -> Trainer {
        Trainer {
            settings,
            place: Place::default(),
            pieces: FactorisedTable::new(&params),
            narrow: RowTable::new(&params, Block::Narrow),
            global: RowTable::new(&params, Block::Global),
            layers: Block::ALL
                .map(|block| Moments::new(if is_table(block) { 0 } else { params.shape().len(block) }))
                .into(),
            order: EpochOrder::new(settings.seed, Vec::new()),
            shards: Vec::new(),
            batch: BatchGradients::default(),
            average: settings.average.map(|_| params.clone()),
            accelerator: None,
            params,
        }
    }

    /// Network as it is now: the parameters or their running mean.
    pub fn params(&self) -> &Params {
        self.average.as_ref().unwrap_or(&self.params)
    }

    /// Hyperparameters of the run.
    pub fn settings(&self) -> &Hyperparameters {
        &self.settings
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u32 {
        self.place.steps
    }

    /// Whether all epochs are over.
    pub fn is_done(&self) -> bool {
        self.place.epochs >= self.settings.epochs
    }

    /// Number of positions processed so far, those of every pass counted, and of positions of a pass.
    pub(super) fn processed(&self, samples: &Samples) -> (u64, u64) {
        let of = self.asked(samples).count() as u64;
        let begun = u64::from(self.place.batches) * self.settings.batch.max(1) as u64;
        (u64::from(self.place.epochs) * of + begun.min(of), of)
    }

    /// Numbers of the positions that the run learns from.
    fn asked<'a>(&self, samples: &'a Samples) -> impl Iterator<Item = u32> + use<'a> {
        let only = self.settings.only;
        (0..samples.len() as u32).filter(move |&position| match only {
            None => true,
            Some(Net::Seer) => samples.has_choices(position as usize),
            Some(Net::General) => !samples.positions[position as usize].general.is_empty(),
        })
    }

    /// Place in the run.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Mutable place in the run.
    pub(super) fn place_mut(&mut self) -> &mut Place {
        &mut self.place
    }

    /// All numbers that the rest of a run depends on, as lists in a fixed order.
    pub(super) fn numbers(&self) -> Vec<&[f32]> {
        let mut all: Vec<&[f32]> = Block::ALL.map(|block| self.params.block(block)).into();
        if let Some(average) = &self.average {
            all.extend(Block::ALL.map(|block| average.block(block)));
        }
        all.extend(self.pieces.numbers());
        let moments = [self.narrow.moments(), self.global.moments()];
        all.extend(
            moments.into_iter().chain(&self.layers).flat_map(|moments| [&moments.first[..], &moments.second]),
        );
        all
    }

    /// The lists of [`Trainer::numbers`] to be written to.
    pub(super) fn numbers_mut(&mut self) -> Vec<&mut [f32]> {
        let mut all: Vec<&mut [f32]> = self.params.blocks_mut().collect();
        all.extend(self.average.iter_mut().flat_map(Params::blocks_mut));
        all.extend(self.pieces.numbers_mut());
        let moments = [self.narrow.moments_mut(), self.global.moments_mut()];
        for Moments { first, second } in moments.into_iter().chain(&mut self.layers) {
            all.extend([&mut first[..], second]);
        }
        all
    }

    /// Trains until all epochs are over, from wherever the run is. `watch` is called after every batch, and after every
    /// epoch with the number of the epoch from 1; the call ends early when `watch` returns false, and another goes on. The
    /// numbers of the trainer are those of the last step at the end of every epoch, and after [`Trainer::settle`].
    pub fn run(&mut self, samples: &Samples, mut watch: impl FnMut(&Trainer, Progress, Option<u32>) -> bool) {
        let Hyperparameters { epochs, batch, schedule, seed, .. } = self.settings;
        let mut order = std::mem::replace(&mut self.order, EpochOrder::new(seed, Vec::new()));
        if order.indices.is_empty() {
            order = EpochOrder::new(seed, self.asked(samples).collect());
        }
        let (batch, len) = (batch.max(1), order.indices.len());
        let steps = len.div_ceil(batch) as u32 * epochs;
        let of = len as u64 * u64::from(epochs);
        let mut progress = Progress { positions: 0, of, loss: None, rate: 0.0 };
        let mut goes_on = true;
        while goes_on && self.place.epochs < epochs {
            order.advance(self.place.epochs + 1);
            let done = (self.place.batches as usize * batch).min(len);
            progress.positions = u64::from(self.place.epochs) * len as u64 + done as u64;
            progress.loss = None;
            let Some(next) = order.indices[done..].chunks(batch).next() else {
                progress.rate =
                    self.settings.rate * schedule.share(self.place.steps.saturating_sub(1), steps);
                self.place.epochs += 1;
                self.place.batches = 0;
                self.settle();
                goes_on = watch(self, progress, Some(self.place.epochs));
                continue;
            };
            progress.rate = self.settings.rate * schedule.share(self.place.steps, steps);
            progress.loss = Some(self.step(samples, next, progress.rate));
            progress.positions += next.len() as u64;
            self.place.batches += 1;
            goes_on = watch(self, progress, None);
        }
        self.order = order;
    }

    /// Brings the numbers of the trainer back from the device that the steps are taken on.
    pub fn settle(&mut self) {
        if let Some(accelerator) = self.accelerator.take() {
            accelerator.store(self.numbers_mut());
            self.accelerator = Some(accelerator);
        }
    }

    /// Takes one step of Adam on a batch, on the device of the run. Returns the mean loss of a position.
    fn step(&mut self, samples: &Samples, batch: &[u32], rate: f32) -> f32 {
        let picked: Vec<&PositionSample> =
            batch.iter().map(|&index| samples.in_epoch(index, self.place.epochs)).collect();
        let shape = *self.params.shape();
        let Hyperparameters { device, average, only, .. } = self.settings;
        if self.accelerator.is_none() && only.is_none() {
            self.accelerator = device.accelerator(&shape, &self.numbers(), average);
        }
        if let Some(accelerator) = &mut self.accelerator {
            self.place.steps += 1;
            return accelerator.step(samples, &picked, rate, self.place.steps);
        }
        let shards = picked.len().div_ceil(SHARD);
        while self.shards.len() < shards {
            self.shards.push(Shard::new(Params::without_tables(&shape)));
        }
        let (params, scale, only) = (&self.params, 1.0 / picked.len() as f32, self.settings.only);
        self.shards[..shards].par_iter_mut().zip(picked.par_chunks(SHARD)).for_each(|(shard, picked)| {
            shard.run(params, samples, (picked, scale), only);
        });
        self.place.steps += 1;
        let step = AdamStep::new(rate, self.place.steps);
        if only.is_none() {
            self.step_tables(samples, &picked, rate);
        }
        self.step_layers(shards, step);
        if let (Some(average), Some(decay)) = (&mut self.average, self.settings.average) {
            // The first parameters are forgotten faster: they are far from the last ones.
            let steps = self.place.steps as f32;
            average.approach(&self.params, 1.0 - decay.min((1.0 + steps) / (10.0 + steps)));
        }
        self.shards[..shards].iter().map(|shard| shard.loss).sum::<f32>() * scale
    }

    /// Takes one step of Adam on the feature tables.
    fn step_tables(&mut self, samples: &Samples, picked: &[&PositionSample], rate: f32) {
        let (shape, step) = (*self.params.shape(), AdamStep::new(rate, self.place.steps));
        let shards = picked.len().div_ceil(SHARD);
        self.batch.fill(samples, picked, &self.shards[..shards], &shape);
        let BatchGradients { d_boards, d_global, wide, narrow, global } = &self.batch;
        let boards = SumGradients { gradients: d_boards, width: shape.lanes() };
        self.pieces.step(&mut self.params, step, wide, boards);
        let slow = AdamStep::new(RARE_FEATURE_RATE * rate, self.place.steps);
        self.narrow.step(&mut self.params, slow, narrow, boards);
        let sums = SumGradients { gradients: d_global, width: GLOBAL };
        self.global.step(&mut self.params, slow, global, sums);
    }

    fn step_layers(&mut self, shards: usize, step: AdamStep) {
        let Some((first, rest)) = self.shards[..shards].split_first_mut() else { return };
        let only = self.settings.only;
        let is_trained = |block: &Block| match only {
            None => !is_table(*block),
            Some(Net::Seer) => SEER_BLOCKS.contains(block),
            Some(Net::General) => GENERAL_BLOCKS.contains(block),
        };
        for block in Block::ALL.into_iter().filter(is_trained) {
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
            general: GeneralPass::default(),
            d_boards: Vec::new(),
            d_global: Vec::new(),
            loss: 0.0,
        }
    }

    fn run(
        &mut self,
        params: &Params,
        samples: &Samples,
        (picked, scale): (&[&PositionSample], f32),
        only: Option<Net>,
    ) {
        self.gradient.clear();
        self.d_boards.clear();
        self.d_global.clear();
        self.loss = 0.0;
        for sample in picked {
            for general in sample.general.of(&samples.for_general.all) {
                self.loss += self.general.learn(params, &mut self.gradient, &samples.for_general, general);
            }
            if only == Some(Net::General) {
                continue;
            }
            self.pass.forward(params, samples, sample);
            if only == Some(Net::Seer) {
                let (pass, gradient) = (&mut self.pass, &mut self.gradient);
                self.loss += losses::apply_seer(pass, params, gradient, samples, sample);
                continue;
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::backprop::tests::test_network_and_samples;
    use crate::training::general_choices::tests::{rated, visits_by_place};
    use crate::training::{Device, Schedule};
    use crate::training::{evaluate, evaluate_general};

    const QUICK: Hyperparameters = Hyperparameters {
        epochs: 30,
        batch: 96,
        rate: 4e-3,
        schedule: Schedule::Cosine,
        average: None,
        seed: 2,
        only: None,
        device: Device::Cpu,
    };

    fn trained(threads: usize) -> Params {
        let (params, samples) = test_network_and_samples();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut trainer = Trainer::new(Params::initial(params.shape(), 3), QUICK);
            trainer.run(&samples, |_, _, _| true);
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
    fn a_net_that_is_trained_alone_leaves_the_others_as_they_are() {
        let (params, samples) = test_network_and_samples();
        let settings = Hyperparameters { epochs: 2, only: Some(Net::Seer), ..QUICK };
        let mut trainer = Trainer::new(params.clone(), settings);
        trainer.run(&samples, |_, _, _| true);
        for block in Block::ALL {
            let same = trainer.params().block(block) == params.block(block);
            // The tiny profile has no contexts of places.
            assert_eq!(same, !SEER_BLOCKS.contains(&block) || params.block(block).is_empty(), "{block:?}");
        }
    }

    #[test]
    fn a_run_for_the_general_changes_nothing_else_and_lowers_its_loss() {
        let (params, mut samples) = test_network_and_samples();
        for game in crate::bench::test_positions::middle_games(barrow_core::minions::Ruleset::Server) {
            let position = samples.positions[0];
            let general = samples.for_general.add(&game, &rated(&game, visits_by_place));
            samples.push(PositionSample { general, ..position }, position.boards);
        }
        let mut trainer = Trainer::new(params.clone(), Hyperparameters { only: Some(Net::General), ..QUICK });
        trainer.run(&samples, |_, _, _| true);
        for block in Block::ALL {
            let same = params.block(block) == trainer.params().block(block);
            assert_eq!(same, !GENERAL_BLOCKS.contains(&block), "{block:?}");
        }
        assert!(!params.has_general() && trainer.params().has_general());
        let [before, after] = [&params, trainer.params()].map(|params| evaluate_general(params, &samples));
        assert!((before.network - before.constant).abs() < 1e-4, "{before:?}");
        assert!(after.network < before.network - 0.2 && after.answers > 10, "{before:?} {after:?}");
        // The whole network learns the same choices.
        let mut trainer = Trainer::new(params, QUICK);
        trainer.run(&samples, |_, _, _| true);
        assert!(evaluate_general(trainer.params(), &samples).network < before.network - 0.2);
    }

    #[test]
    fn a_run_that_watch_ends_anywhere_goes_on_as_if_it_had_not_been() {
        let (params, samples) = test_network_and_samples();
        for average in [None, Some(0.9)] {
            let settings = Hyperparameters { epochs: 3, batch: 16, average, ..QUICK };
            let mut whole = Trainer::new(params.clone(), settings);
            let mut calls = 0;
            whole.run(&samples, |_, progress, epoch| {
                calls += 1;
                assert_eq!(progress.loss.is_none(), epoch.is_some());
                progress.positions <= progress.of
            });
            let batches = samples.len().div_ceil(settings.batch) as u32;
            assert!(whole.is_done() && batches > 2);
            assert_eq!((whole.steps(), calls), (3 * batches, 3 * (batches + 1)));
            let mut parts = Trainer::new(params.clone(), settings);
            while !parts.is_done() {
                parts.run(&samples, |_, _, _| false);
            }
            assert_eq!(parts.numbers(), whole.numbers());
        }
    }
}
