//! Tests that hold training by tensors to the trainer: the gradients of every block and the losses of every head on the
//! sample games that come with the sources, and the losses of whole runs.

use barrow_nnue::format::Block;
use barrow_nnue::shape::{Handheld, Profile};
use burn_flex::{Flex, FlexDevice};
use indicatif::ProgressBar;

use super::state::State;
use super::stepper::{HEADS, Plan, learn};
use super::tensors::numbers;
use super::weights::LayerPlaces;
use crate::training::backprop::PositionPass;
use crate::training::general_loss::GeneralPass;
use crate::training::params::is_table;
use crate::training::samples::{PositionSample, Samples};
use crate::training::span::Span;
use crate::training::vector::add;
use crate::training::{
    Dataset, Device, GameSource, Hyperparameters, NetworkShape, Params, SamplingRates, Trainer, TrainingRun,
    losses, mean_loss, modes, prophet_loss, seer_losses,
};

/// Positions of the sample games. The profile is the smallest that has all heads.
fn sample() -> Dataset {
    let name = concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample.jsonl.gz").to_owned();
    let rates = SamplingRates { turn: 40, ..SamplingRates::default() };
    let source = GameSource::Records(vec![name]);
    source.dataset::<<Handheld as Profile>::Layout>((rates, None), 1, &ProgressBar::hidden()).unwrap()
}

/// Network whose blocks all have weights.
fn network() -> Params {
    let mut params = Params::initial(&NetworkShape::of::<Handheld>(), 3);
    let mut dice = barrow_core::rng::Rng::new(8);
    for block in Block::ALL {
        let size = if is_table(block) { 2e-5 } else { 1e-4 };
        for weight in params.block_mut(block) {
            *weight += (dice.below(2001) as f32 - 1000.0) * size;
        }
    }
    params
}

/// Gradients and losses by the trainer's own functions, added up position by position.
fn learnt_one_by_one(
    params: &Params,
    samples: &Samples,
    picked: &[&PositionSample],
) -> (Params, [f32; HEADS]) {
    let (mut gradient, mut losses) = (Params::zero(params.shape()), [0.0; HEADS]);
    let (mut pass, mut general) = (PositionPass::default(), GeneralPass::default());
    let lanes = params.shape().lanes();
    for sample in picked {
        let boards = sample.boards.of(&samples.boards);
        pass.forward(params, samples, sample);
        for (pass, board) in pass.boards.iter_mut().zip(boards) {
            losses[0] += losses::oracle(pass, sample, board, 1.0 / boards.len() as f32);
            for piece in board.for_prophet.of(&samples.for_prophet) {
                losses[1] += prophet_loss::loss(pass, params, &mut gradient, piece);
            }
            losses[2] += modes::apply(pass, params, &mut gradient, samples, board);
            losses[3] += seer_losses::apply(pass, params, &mut gradient, samples, board);
        }
        for choices in sample.general.of(&samples.for_general.all) {
            losses[4] += general.learn(params, &mut gradient, &samples.for_general, choices);
        }
        pass.backward(params, &mut gradient);
        let mut add_rows = |table: Block, rows: Span, d_sums: &[f32]| {
            for &row in rows.of(&samples.rows) {
                let row = gradient.row_mut(table, usize::from(row));
                let columns = row.len();
                add(row, &d_sums[..columns]);
            }
        };
        for (pass, board) in pass.boards.iter().zip(boards) {
            for (place, d_sums) in pass.d_sums.chunks_exact(lanes).enumerate() {
                add_rows(Block::Wide, board.wide[place], d_sums);
                add_rows(Block::Narrow, board.narrow[place], d_sums);
            }
        }
        for (rows, d_sums) in
            sample.global.into_iter().zip(pass.d_global.chunks_exact(pass.d_global.len() / 2))
        {
            add_rows(Block::Global, rows, d_sums);
        }
    }
    let scale = 1.0 / picked.len() as f32;
    for list in gradient.blocks_mut() {
        for d in list {
            *d *= scale;
        }
    }
    (gradient, losses.map(|loss| loss * scale))
}

fn norm(list: impl Iterator<Item = f32>) -> f32 {
    list.map(|number| number * number).sum::<f32>().sqrt()
}

#[test]
fn every_block_has_the_gradient_and_every_head_the_loss_that_the_trainer_gives_it() {
    let (params, samples) = (network(), sample().training);
    let picked: Vec<&PositionSample> = samples.positions.iter().step_by(3).take(96).collect();
    let (expected, expected_losses) = learnt_one_by_one(&params, &samples, &picked);
    let (shape, trainer) = (*params.shape(), Trainer::new(params, Hyperparameters::default()));
    let device = FlexDevice;
    let state = State::<Flex>::new(&shape, &trainer.numbers(), None, &device);
    let (gradients, losses) = learn(&Plan::new(&samples, &picked, &shape), &state.weights);
    for (head, (loss, expected)) in losses.into_iter().zip(expected_losses).enumerate() {
        assert!(
            expected > 1e-3 && (loss - expected).abs() < 1e-4 * expected,
            "head {head}: {loss} {expected}"
        );
    }
    let tables = [&gradients.wide, &gradients.narrow, &gradients.global];
    let tables = tables.map(|gradient| numbers(gradient.clone().unwrap()));
    let layers = numbers(gradients.layers(&LayerPlaces::new(&shape), &device));
    let (mut rest, mut tables) = (&layers[..], tables.iter());
    for block in Block::ALL {
        let expected = expected.block(block);
        let gradient = if is_table(block) {
            &tables.next().unwrap()[..]
        } else {
            rest.split_off(..expected.len()).unwrap()
        };
        let off = norm(gradient.iter().zip(expected).map(|(a, b)| a - b));
        let size = norm(expected.iter().copied());
        assert!(size > 1e-6 && off < 1e-4 * size, "{block:?}: off by {off} of {size}");
        assert_eq!(gradient.len(), expected.len());
    }
    assert!(rest.is_empty() && tables.next().is_none());
}

/// Losses of all batches of a run, and the trainer at its end.
fn run(device: Device, average: Option<f32>, dataset: &Dataset) -> (Vec<f32>, Trainer) {
    let settings =
        Hyperparameters { epochs: 3, batch: 64, rate: 4e-3, average, device, ..Hyperparameters::default() };
    let params = Params::initial(&NetworkShape::of::<Handheld>(), 5);
    let (mut losses, mut trainer) = (Vec::new(), Trainer::new(params, settings));
    trainer.run(&dataset.training, |_, progress, _| {
        losses.extend(progress.loss);
        true
    });
    (losses, trainer)
}

#[test]
fn a_run_has_the_losses_of_the_trainer_within_a_hundredth() {
    let dataset = sample();
    // The held-out loss is that of the running mean, the others those of the weights themselves.
    let average = Some(0.9);
    let (expected, trainer) = run(Device::Cpu, average, &dataset);
    let (losses, other) = run(Device::Burn, average, &dataset);
    assert_eq!((losses.len(), other.steps()), (expected.len(), trainer.steps()));
    assert!(losses.len() > 12 && expected[expected.len() - 1] < 0.9 * expected[0], "{expected:?}");
    for (step, (loss, expected)) in losses.iter().zip(&expected).enumerate() {
        assert!((loss - expected).abs() < 0.01 * expected, "step {step}: {loss} {expected}");
    }
    let [expected, loss] = [&trainer, &other].map(|trainer| mean_loss(trainer.params(), &dataset.held_out));
    assert!((loss - expected).abs() < 0.01 * expected, "held out: {loss} {expected}");
    // Moments and factors too, which a later run goes on with.
    for (place, (list, expected)) in other.numbers().into_iter().zip(trainer.numbers()).enumerate() {
        assert_eq!(list.len(), expected.len());
        let off = norm(list.iter().zip(expected).map(|(a, b)| a - b));
        let size = norm(expected.iter().copied());
        assert!(off <= 0.1 * size, "list {place}: off by {off} of {size}");
    }
}

#[test]
fn a_run_that_was_left_goes_on_from_its_checkpoint_as_if_it_had_not_been() {
    let dataset = sample();
    let settings =
        Hyperparameters { epochs: 2, batch: 64, device: Device::Burn, ..Hyperparameters::default() };
    let begun =
        || TrainingRun::new(Params::initial(&NetworkShape::of::<Handheld>(), 5), settings, None, &dataset);
    let mut whole = begun();
    whole.train(&dataset, |_, _, _| true);
    let (mut part, mut calls) = (begun(), 0);
    part.train(&dataset, |_, _, _| {
        calls += 1;
        calls < 3
    });
    let file = part.checkpoint::<Handheld>("left");
    let mut part = TrainingRun::resumed::<Handheld>(&file, settings, None, &dataset).unwrap();
    assert_eq!(part.steps(), 3);
    part.train(&dataset, |_, _, _| true);
    assert_eq!(part.params(), whole.params());
    let here = Hyperparameters { device: Device::Cpu, ..settings };
    let error = TrainingRun::resumed::<Handheld>(&file, here, None, &dataset).err().unwrap().to_string();
    assert!(error.contains("on burn"), "{error}");
}
