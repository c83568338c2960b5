//! Training run: a trainer with its loss curve, early stop, and the best network so far, which can be written to a
//! checkpoint at any batch and gone on with, bit for bit as if it had never ended. A run that is done keeps its state until
//! its network is written, too.

use anyhow::{Result, ensure};
use barrow_nnue::shape::Profile;

use super::checkpoint;
use super::dataset::Dataset;
use super::device::Device;
use super::held_out_loss::mean_loss;
use super::hyperparameters::{Hyperparameters, Net};
use super::loss_curve::LossCurve;
use super::metrics::{Metric, evaluate_net};
use super::params::{NetworkShape, Params};
use super::run_state;
use super::run_state::{Best, RunState};
use super::trainer::{Progress, Trainer};

/// Training run.
pub struct TrainingRun {
    pub(super) state: RunState,
    /// Epochs without a smaller held-out loss after which the run ends; `None` for a run of all epochs.
    patience: Option<u32>,
}

/// Measurements on held-out positions at the end of an epoch.
#[derive(Clone, Debug)]
pub struct EpochReport {
    /// Number of the epoch, from 1.
    pub epoch: u32,
    /// Mean loss of a position, all heads together.
    pub loss: f64,
    /// Metrics of the heads.
    pub metrics: Vec<Metric>,
}

impl TrainingRun {
    /// Run that starts from these parameters. It keeps the best network, and with `patience` it ends after this many
    /// epochs without a better one.
    pub fn new(
        params: Params,
        settings: Hyperparameters,
        patience: Option<u32>,
        dataset: &Dataset,
    ) -> TrainingRun {
        let best = Best { loss: f64::INFINITY, stale: 0, params: None };
        let identity = identity(&settings, patience, dataset);
        let trainer = Trainer::new(params, settings);
        TrainingRun { state: RunState { identity, trainer, best, curve: LossCurve::default() }, patience }
    }

    /// Fails when a checkpoint has no run to go on with, whatever its settings and data: before these are read.
    pub fn check_checkpoint<P: Profile>(file: &[u8]) -> Result<()> {
        run_state::state_of::<P>(file).map(|_| ())
    }

    /// Run of a checkpoint, to be gone on with. Fails when the checkpoint has no run to go on with, since its network
    /// was written, or a run with other settings or data.
    pub fn resumed<P: Profile>(
        file: &[u8],
        settings: Hyperparameters,
        patience: Option<u32>,
        dataset: &Dataset,
    ) -> Result<TrainingRun> {
        let params = Params::zero(&NetworkShape::of::<P>());
        let mut run = TrainingRun::new(params, settings, patience, dataset);
        run_state::read::<P>(file, &mut run.state)?;
        Ok(run)
    }

    /// Bytes of a checkpoint, from which the run can go on, or end as it would have. Its network is that of
    /// [`TrainingRun::params`].
    pub fn checkpoint<P: Profile>(&self, provenance: &str) -> Vec<u8> {
        run_state::write(checkpoint::write::<P>(self.params(), provenance), &self.state)
    }

    /// Bytes of the checkpoint at the end of a call, when all else is written: that of a run that is done has its network
    /// alone.
    pub fn last_checkpoint<P: Profile>(&self, provenance: &str) -> Vec<u8> {
        if self.is_done() {
            checkpoint::write::<P>(self.params(), provenance)
        } else {
            self.checkpoint::<P>(provenance)
        }
    }

    /// Network that the run gives if it ends here: with patience the best one at the end of an epoch, else the last.
    pub fn params(&self) -> &Params {
        let best = self.state.best.params.as_ref().filter(|_| self.patience.is_some());
        best.unwrap_or_else(|| self.state.trainer.params())
    }

    /// Whether all epochs are over, or patience is.
    pub fn is_done(&self) -> bool {
        self.state.trainer.is_done() || self.is_out_of_patience()
    }

    fn is_out_of_patience(&self) -> bool {
        self.patience.is_some_and(|patience| self.state.best.stale >= patience)
    }

    /// Fails when the training has left all bounds, so that weights or moments are no numbers any more: nothing can go on
    /// from them.
    pub fn ensure_finite(&self) -> Result<()> {
        let mut numbers = self.state.trainer.numbers().into_iter().flatten();
        ensure!(
            numbers.all(|number| number.is_finite()),
            "step {}: the weights are no numbers any more; a smaller learning rate may help",
            self.steps()
        );
        Ok(())
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u32 {
        self.state.trainer.steps()
    }

    /// Number of positions learnt from so far, those of every pass counted, and of passes.
    pub fn learnt(&self, dataset: &Dataset) -> (u64, f64) {
        let (positions, of) = self.state.trainer.processed(&dataset.training);
        (positions, positions as f64 / of.max(1) as f64)
    }

    /// Loss curve so far.
    pub fn curve(&self) -> &LossCurve {
        &self.state.curve
    }

    /// Trains until the run is done. `watch` is called after every batch, and at the end of every epoch with a report;
    /// the call ends early when `watch` returns false, and another goes on.
    pub fn train(
        &mut self,
        dataset: &Dataset,
        mut watch: impl FnMut(&TrainingRun, Progress, Option<&EpochReport>) -> bool,
    ) {
        // The trainer goes on where it is, so that it can be left after each of its calls.
        while !self.is_done() {
            let mut last = None;
            self.state.trainer.run(&dataset.training, |_, progress, epoch| {
                last = Some((progress, epoch));
                false
            });
            let Some((progress, epoch)) = last else { return };
            let report = self.count(dataset, progress, epoch);
            if !watch(self, progress, report.as_ref()) {
                self.state.trainer.settle();
                return;
            }
        }
    }

    /// Counts a batch or the end of an epoch.
    fn count(&mut self, dataset: &Dataset, progress: Progress, epoch: Option<u32>) -> Option<EpochReport> {
        let (step, Progress { positions, of, rate, loss }) = (self.state.trainer.steps(), progress);
        if let Some(loss) = loss {
            let batch = self.state.trainer.settings().batch.max(1) as u64;
            self.state.curve.count(step, of.div_ceil(batch) as u32, positions, rate, loss);
        }
        let epoch = epoch?;
        let params = self.state.trainer.params();
        let loss = mean_loss(params, &dataset.held_out);
        let metrics = evaluate_net(self.state.trainer.settings().only, params, &dataset.held_out);
        if loss < self.state.best.loss {
            let kept = self.patience.map(|_| params.clone());
            self.state.best = Best { loss, stale: 0, params: kept };
        } else {
            self.state.best.stale += 1;
        }
        let win = metrics.first().map_or(0.0, |metric| metric.network);
        self.state.curve.set_held_out(step, positions, rate, [loss as f32, win as f32]);
        Some(EpochReport { epoch, loss, metrics })
    }
}

/// Settings and data of a run in one line.
fn identity(settings: &Hyperparameters, patience: Option<u32>, dataset: &Dataset) -> String {
    let Hyperparameters { epochs, batch, rate, schedule, average, seed, only, device } = settings;
    let number = |number: Option<f32>| number.map_or("none".to_owned(), |number| number.to_string());
    let patience = number(patience.map(|patience| patience as f32));
    format!(
        "{}{}epochs {epochs}, batch {batch}, rate {rate}, schedule {schedule}, average {}, patience {patience}, seed {seed}, \
         {} positions {:08x}, {} held out {:08x}",
        match only {
            None => "",
            Some(Net::Seer) => "only Dark Seer, ",
            Some(Net::General) => "only the general, ",
        },
        match device {
            Device::Cpu => "",
            Device::Burn => "on burn, ",
            Device::Cuda => "on cuda, ",
        },
        number(*average),
        dataset.training.len(),
        dataset.training.fingerprint(),
        dataset.held_out.len(),
        dataset.held_out.fingerprint(),
    )
}
