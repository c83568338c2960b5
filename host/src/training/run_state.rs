//! State of a training run behind the network of a checkpoint: the place in the schedule and in the order of the
//! samples, the parameters, the moments of Adam, the best network and the loss curve.
//!
//! All numbers are little-endian: the length of the run's identity (u32) and the identity; epochs, batches and steps
//! (u32); the best held-out loss (f64), epochs since then (u32), whether its parameters follow (u32); the open sum of
//! losses (f64) and their number (u32); the number of points of the loss curve (u32) and the points, each step (u32),
//! positions (u64), rate, training loss, held-out loss and win loss (f32; not a number where there is none); then lists
//! of `f32`: the trainer's and the best parameters.

use anyhow::{Result, anyhow, bail, ensure};
use barrow_nnue::format::Block;
use barrow_nnue::shape::Profile;

use super::checkpoint;
use super::loss_curve::{CurvePoint, LossCurve};
use super::params::{NetworkShape, Params};
use super::trainer::Trainer;

/// State of a training run.
pub(super) struct RunState {
    /// Settings and data of the run in one line, which must be the same to go on with it.
    pub(super) identity: String,
    pub(super) trainer: Trainer,
    pub(super) best: Best,
    pub(super) curve: LossCurve,
}

/// Best network of a run, and how it is told.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Best {
    /// Its mean loss on held-out positions.
    pub(super) loss: f64,
    /// Epochs since then.
    pub(super) stale: u32,
    /// Its parameters; none before the end of the first epoch, and where they are not kept.
    pub(super) params: Option<Params>,
}

/// Checkpoint of a run: this network with the state of the run behind it.
pub(super) fn write(network: Vec<u8>, run: &RunState) -> Vec<u8> {
    let mut state = Vec::new();
    let number = |state: &mut Vec<u8>, number: u32| state.extend(number.to_le_bytes());
    number(&mut state, run.identity.len() as u32);
    state.extend(run.identity.bytes());
    let place = run.trainer.place();
    for part in [place.epochs, place.batches, place.steps] {
        number(&mut state, part);
    }
    state.extend(run.best.loss.to_le_bytes());
    number(&mut state, run.best.stale);
    number(&mut state, u32::from(run.best.params.is_some()));
    let (sum, count) = run.curve.open;
    state.extend(sum.to_le_bytes());
    number(&mut state, count);
    number(&mut state, run.curve.points.len() as u32);
    for point in &run.curve.points {
        let CurvePoint { step, positions, rate, training, held_out } = *point;
        let [loss, win] = held_out.unwrap_or([f32::NAN; 2]);
        number(&mut state, step);
        state.extend(positions.to_le_bytes());
        state.extend([rate, training, loss, win].into_iter().flat_map(f32::to_le_bytes));
    }
    let mut lists = run.trainer.numbers();
    lists.extend(run.best.params.iter().flat_map(|best| Block::ALL.map(|block| best.block(block))));
    state.extend(lists.into_iter().flatten().flat_map(|number| number.to_le_bytes()));
    checkpoint::with_state(network, &state)
}

/// State of a run in a checkpoint. Fails when the checkpoint has none, is damaged, or is none of this profile.
pub(super) fn state_of<P: Profile>(file: &[u8]) -> Result<&[u8]> {
    checkpoint::read::<P>(file)?;
    checkpoint::state(file)?.ok_or_else(|| {
        anyhow!(
            "a checkpoint of a training that is done; `quantize` writes its network, --from goes on with it"
        )
    })
}

/// Reads the state of a run from a checkpoint into a new run of the same settings and data. Fails when the checkpoint has
/// none, or that of another run.
pub(super) fn read<P: Profile>(file: &[u8], run: &mut RunState) -> Result<()> {
    let mut input = Input(state_of::<P>(file)?);
    let len = input.u32()? as usize;
    let identity = String::from_utf8_lossy(input.take(len)?).into_owned();
    ensure!(
        identity == run.identity,
        "a checkpoint of another run: {} there, {} here",
        difference(&identity, &run.identity),
        difference(&run.identity, &identity)
    );
    let place = run.trainer.place_mut();
    (place.epochs, place.batches, place.steps) = (input.u32()?, input.u32()?, input.u32()?);
    run.best.loss = input.f64()?;
    run.best.stale = input.u32()?;
    let has_best = input.u32()? != 0;
    run.curve.open = (input.f64()?, input.u32()?);
    let points = input.u32()?;
    for _ in 0..points {
        let (step, positions) = (input.u32()?, input.u64()?);
        let [rate, training, loss, win] = [input.f32()?, input.f32()?, input.f32()?, input.f32()?];
        let held_out = Some([loss, win]).filter(|[loss, _]| !loss.is_nan());
        run.curve.points.push(CurvePoint { step, positions, rate, training, held_out });
    }
    for list in run.trainer.numbers_mut() {
        input.fill(list)?;
    }
    if has_best {
        let mut best = Params::zero(&NetworkShape::of::<P>());
        for list in best.blocks_mut() {
            input.fill(list)?;
        }
        run.best.params = Some(best);
    }
    ensure!(input.0.is_empty(), "the checkpoint's state is too long by {} bytes", input.0.len());
    Ok(())
}

/// First part of a line, between commas, that another line does not have.
fn difference<'a>(line: &'a str, other: &str) -> &'a str {
    let differs = |(part, other): (&&str, Option<&str>)| Some(*part) != other;
    let mut others = other.split(", ");
    line.split(", ").find(|part| differs((part, others.next()))).unwrap_or("nothing more")
}

/// Bytes that are left of a state.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let Some((taken, rest)) = self.0.split_at_checked(len) else {
            bail!("the checkpoint's state ends too early");
        };
        self.0 = rest;
        Ok(taken)
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.bytes()?))
    }

    fn f64(&mut self) -> Result<f64> {
        Ok(f64::from_le_bytes(self.bytes()?))
    }

    /// Reads numbers into a list; those of weights and moments are finite.
    fn fill(&mut self, list: &mut [f32]) -> Result<()> {
        let bytes = self.take(4 * list.len())?;
        for (slot, bytes) in list.iter_mut().zip(bytes.chunks_exact(4)) {
            *slot = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            ensure!(slot.is_finite(), "the checkpoint's state has a weight that is not a number");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use barrow_nnue::shape::Tiny;

    use super::*;
    use crate::training::backprop::tests::test_network_and_samples;
    use crate::training::{Dataset, Hyperparameters, TrainingRun};

    fn dataset() -> (Params, Dataset) {
        let (params, samples) = test_network_and_samples();
        let mut held_out = samples.clone();
        held_out.positions.truncate(40);
        (params, Dataset { training: samples, held_out, games: 3, ..Dataset::default() })
    }

    #[test]
    fn a_run_that_ended_at_any_batch_goes_on_to_the_same_network() {
        let (params, dataset) = dataset();
        for (average, patience) in [(None, None), (Some(0.99), Some(1)), (None, Some(9))] {
            // A large rate, so that the held-out loss rises too.
            let settings =
                Hyperparameters { epochs: 4, batch: 128, rate: 0.02, average, ..Hyperparameters::default() };
            let mut whole = TrainingRun::new(params.clone(), settings, patience, &dataset);
            whole.train(&dataset, |_, _, _| true);
            let mut file =
                TrainingRun::new(params.clone(), settings, patience, &dataset).checkpoint::<Tiny>("begun");
            let mut left = 0;
            loop {
                let mut part = TrainingRun::resumed::<Tiny>(&file, settings, patience, &dataset).unwrap();
                let mut calls = 0;
                part.train(&dataset, |_, _, _| {
                    calls += 1;
                    calls < 3
                });
                left += 1;
                file = part.checkpoint::<Tiny>("on its way");
                if part.is_done() {
                    assert_eq!(part.params(), whole.params());
                    assert_eq!(part.curve(), whole.curve());
                    assert_eq!(part.state.best.loss.to_bits(), whole.state.best.loss.to_bits());
                    break;
                }
            }
            // A run that was ended before its network was written ends as it would have.
            let mut done = TrainingRun::resumed::<Tiny>(&file, settings, patience, &dataset).unwrap();
            assert!(done.is_done());
            done.train(&dataset, |_, _, _| panic!("nothing is left to learn"));
            assert_eq!((done.params(), done.curve()), (whole.params(), whole.curve()));
            assert_eq!(done.learnt(&dataset), whole.learnt(&dataset));
            let file = done.last_checkpoint::<Tiny>("done");
            assert!(file == whole.last_checkpoint::<Tiny>("done"));
            assert!(left > 2, "{left}");
            let (last, _) = checkpoint::read::<Tiny>(&file).unwrap();
            assert_eq!(last, *whole.params());
            let refused = TrainingRun::resumed::<Tiny>(&file, settings, patience, &dataset).err().unwrap();
            assert!(refused.to_string().contains("that is done"), "{refused}");
        }
    }

    #[test]
    fn patience_ends_a_run_and_keeps_its_best_network() {
        let (params, mut dataset) = dataset();
        // What is learnt is wrong for positions whose targets are turned around.
        for sample in &mut dataset.held_out.positions {
            (sample.teacher, sample.result) = (1.0 - sample.teacher, 1.0 - sample.result);
            sample.points = -sample.points;
        }
        for board in &mut dataset.held_out.boards {
            (board.next_point, board.curve) = (None, None);
            (board.for_prophet, board.for_seer) = Default::default();
        }
        let settings = Hyperparameters { epochs: 50, batch: 64, rate: 0.02, ..Hyperparameters::default() };
        let mut run = TrainingRun::new(params, settings, Some(2), &dataset);
        let mut seen = Vec::new();
        run.train(&dataset, |run, _, report| {
            seen.extend(report.map(|report| (report.loss, run.state.trainer.params().clone())));
            true
        });
        assert!(run.is_done() && seen.len() < 50, "{} epochs", seen.len());
        let best = seen.iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        assert_eq!(*run.params(), best.1);
        assert!(
            seen.len() >= 3
                && seen[seen.len() - 3].0.total_cmp(&best.0).is_eq()
                && seen[seen.len() - 1].1 != best.1
        );
    }

    #[test]
    fn states_of_other_runs_and_damaged_ones_are_refused() {
        let (params, dataset) = dataset();
        let settings = Hyperparameters::default();
        let file = TrainingRun::new(params, settings, None, &dataset).checkpoint::<Tiny>("begun");
        let resumed = |file: &[u8], settings, dataset: &Dataset| {
            TrainingRun::resumed::<Tiny>(file, settings, None, dataset).err().map(|error| error.to_string())
        };
        assert_eq!(resumed(&file, settings, &dataset), None);
        let other = resumed(&file, Hyperparameters { rate: 0.5, ..settings }, &dataset).unwrap();
        assert!(other.contains("rate 0.0015 there, rate 0.5 here"), "{other}");
        let mut fewer = dataset.clone();
        fewer.training.positions.pop();
        assert!(resumed(&file, settings, &fewer).unwrap().contains("positions"));
        for place in [file.len() / 2, file.len() - 30, file.len() - 1, file.len() - 12] {
            let mut damaged = file.clone();
            damaged[place] ^= 1;
            assert!(resumed(&damaged, settings, &dataset).is_some(), "{place}");
        }
        for len in (0..file.len()).step_by(file.len() / 50) {
            assert!(resumed(&file[..len], settings, &dataset).is_some(), "{len}");
        }
    }
}
