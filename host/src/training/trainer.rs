//! The training loop: batches in a shuffled order, gradients on all cores, steps of Adam.
//!
//! A batch is cut into as many parts whatever the number of threads, and what the parts bring is added in order. So
//! the same samples, seed and settings give the same network, bit for bit, on any number of cores.

use std::time::Instant;

use barrow_core::rng::Rng;
use barrow_nnue::format::Block;
use barrow_nnue::shape::GLOBAL;
use rayon::prelude::*;

use super::adam::{Moments, Step};
use super::backprop::Tape;
use super::losses;
use super::params::{Params, is_table};
use super::row_tables::{PieceTable, Sums, Table, Uses};
use super::samples::{Sample, Samples};
use super::vector::add;

/// Positions in a part of a batch.
const PART: usize = 64;

/// Step size of small features beside that of everything else. Most are so rare that large steps only make them noisy,
/// and noise counts in the bounds on sums.
const SMALL_FEATURES: f32 = 0.3;

/// Settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Passes over all samples.
    pub epochs: u32,
    /// Positions in a batch.
    pub batch: usize,
    /// Largest step size; it rises over the first steps and falls along a cosine to almost nothing.
    pub rate: f32,
    /// What the first weights and the orders follow from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { epochs: 8, batch: 1024, rate: 1.5e-3, seed: 1 }
    }
}

/// How a run stands.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions learnt from so far, repetitions included.
    pub positions: u64,
    /// Of how many.
    pub of: u64,
    /// Mean loss over the last batch.
    pub loss: f32,
    /// Seconds since the start.
    pub seconds: f64,
}

/// A network in training.
pub struct Learner {
    params: Params,
    pieces: PieceTable,
    narrow: Table,
    general: Table,
    layers: Vec<Moments>,
    parts: Vec<Part>,
    gathered: Gathered,
    count: u32,
}

/// What one part of a batch brings.
struct Part {
    gradient: Params,
    tape: Tape,
    d_boards: Vec<f32>,
    d_general: Vec<f32>,
    loss: f32,
}

/// Lists that every batch fills anew.
#[derive(Default)]
struct Gathered {
    d_boards: Vec<f32>,
    d_general: Vec<f32>,
    wide: Uses,
    narrow: Uses,
    general: Uses,
}

impl Learner {
    /// Begins with these weights.
    pub fn new(params: Params) -> Learner {
        Learner {
            pieces: PieceTable::new(&params),
            narrow: Table::new(&params, Block::Narrow),
            general: Table::new(&params, Block::Global),
            layers: Block::ALL
                .map(|block| Moments::new(if is_table(block) { 0 } else { params.shape().len(block) }))
                .into(),
            parts: Vec::new(),
            gathered: Gathered::default(),
            count: 0,
            params,
        }
    }

    /// The weights as they are.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Learns. `watch` is called after every batch, and at the end of every epoch with its number, from 1 on; it
    /// says whether to go on.
    pub fn run(
        &mut self,
        samples: &Samples,
        settings: Settings,
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
                let rate = settings.rate * schedule(self.count, steps);
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

    /// One batch. Returns its mean loss.
    fn step(&mut self, samples: &Samples, batch: &[u32], rate: f32) -> f32 {
        let picked: Vec<&Sample> = batch.iter().map(|&index| &samples.positions[index as usize]).collect();
        let shape = *self.params.shape();
        let parts = picked.len().div_ceil(PART);
        while self.parts.len() < parts {
            self.parts.push(Part::new(Params::without_tables(&shape)));
        }
        let (params, scale) = (&self.params, 1.0 / picked.len() as f32);
        self.parts[..parts].par_iter_mut().zip(picked.par_chunks(PART)).for_each(|(part, picked)| {
            part.run(params, samples, picked, scale);
        });
        self.count += 1;
        let step = Step::new(rate, self.count);
        self.gathered.fill(samples, &picked, &self.parts[..parts], &shape);
        let Gathered { d_boards, d_general, wide, narrow, general } = &self.gathered;
        let boards = Sums { gradients: d_boards, width: shape.lanes() };
        self.pieces.step(&mut self.params, step, wide, boards);
        let slow = Step::new(SMALL_FEATURES * rate, self.count);
        self.narrow.step(&mut self.params, slow, narrow, boards);
        let sums = Sums { gradients: d_general, width: GLOBAL };
        self.general.step(&mut self.params, slow, general, sums);
        self.step_layers(parts, step);
        self.parts[..parts].iter().map(|part| part.loss).sum::<f32>() * scale
    }

    fn step_layers(&mut self, parts: usize, step: Step) {
        let Some((first, rest)) = self.parts[..parts].split_first_mut() else { return };
        for block in Block::ALL.into_iter().filter(|&block| !is_table(block)) {
            let limit = self.params.limit(block);
            let gradient = first.gradient.block_mut(block);
            for part in &*rest {
                add(gradient, part.gradient.block(block));
            }
            let Moments { first, second } = &mut self.layers[block as usize];
            step.apply(self.params.block_mut(block), (first, second), gradient, limit);
        }
    }
}

impl Part {
    fn new(gradient: Params) -> Part {
        Part { gradient, tape: Tape::default(), d_boards: Vec::new(), d_general: Vec::new(), loss: 0.0 }
    }

    fn run(&mut self, params: &Params, samples: &Samples, picked: &[&Sample], scale: f32) {
        self.gradient.clear();
        self.d_boards.clear();
        self.d_general.clear();
        self.loss = 0.0;
        for sample in picked {
            self.tape.forward(params, samples, sample);
            self.loss += losses::apply(&mut self.tape, params, &mut self.gradient, samples, sample);
            self.tape.backward(params, &mut self.gradient);
            for board in &self.tape.boards {
                self.d_boards.extend_from_slice(&board.d_sums);
            }
            self.d_general.extend_from_slice(&self.tape.d_general);
        }
        for block in Block::ALL.into_iter().filter(|&block| !is_table(block)) {
            self.gradient.block_mut(block).iter_mut().for_each(|d| *d *= scale);
        }
        self.d_boards.iter_mut().chain(&mut self.d_general).for_each(|d| *d *= scale);
    }
}

impl Gathered {
    /// Collects the gradients of all sums and sorts the rows by their uses.
    fn fill(&mut self, samples: &Samples, picked: &[&Sample], parts: &[Part], shape: &super::params::Shape) {
        self.d_boards.clear();
        self.d_general.clear();
        for part in parts {
            self.d_boards.extend_from_slice(&part.d_boards);
            self.d_general.extend_from_slice(&part.d_general);
        }
        let boards = picked.iter().flat_map(|sample| sample.boards.of(&samples.boards));
        let rows = |block| shape.block(block).0;
        let wide = boards.clone().flat_map(|board| board.wide).map(|span| span.of(&samples.rows));
        let narrow = boards.flat_map(|board| board.narrow).map(|span| span.of(&samples.rows));
        let general = picked.iter().flat_map(|sample| sample.general).map(|span| span.of(&samples.rows));
        self.wide.sort(rows(Block::Wide), wide);
        self.narrow.sort(rows(Block::Narrow), narrow);
        self.general.sort(rows(Block::Global), general);
    }
}

/// Share of the largest step size: up over the first twentieth, then down along a cosine to a hundredth.
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
    use crate::training::backprop::tests::scenery;
    use crate::training::judge;

    const QUICK: Settings = Settings { epochs: 30, batch: 96, rate: 4e-3, seed: 2 };

    fn trained(threads: usize) -> Params {
        let (params, samples) = scenery();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut learner = Learner::new(Params::initial(params.shape(), 3));
            learner.run(&samples, QUICK, |_, _, _| true);
            learner.params().clone()
        })
    }

    #[test]
    fn the_number_of_threads_does_not_matter_and_the_samples_are_learnt() {
        let params = trained(1);
        assert_eq!(params, trained(3));
        // By heart: these are the positions it has learnt from.
        let heads = ["win, against the blend", "points", "contribution", "killed", "passive"];
        for mark in judge(&params, &scenery().1).iter().filter(|mark| heads.contains(&mark.head)) {
            assert!(mark.network < mark.constant, "{mark:?}");
        }
    }

    #[test]
    fn a_run_ends_when_it_is_told_to() {
        let (params, samples) = scenery();
        let (mut calls, mut learner) = (0, Learner::new(params));
        learner.run(&samples, QUICK, |_, progress, epoch| {
            calls += 1;
            assert!(progress.positions <= progress.of && epoch.is_none());
            false
        });
        assert_eq!(calls, 1);
    }

    #[test]
    fn the_step_size_rises_and_falls() {
        let sizes: Vec<f32> = (0..1000).map(|step| schedule(step, 1000)).collect();
        assert!(sizes[..50].is_sorted() && sizes[50..].is_sorted_by(|a, b| a >= b));
        assert!(sizes.iter().all(|size| (0.0..=1.0).contains(size)) && sizes[999] < 0.02);
    }
}
