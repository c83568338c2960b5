//! Hyperparameters of a training run.

use anyhow::{Result, ensure};

use super::device::Device;
use super::schedule::Schedule;

/// Positions of the largest batch on another device than the processor's cores, so that everything in it can be numbered by
/// 31 bits: 3,603 terms of 8 boards of a position.
const LARGEST_BATCH: usize = 1 << 16;

/// Hyperparameters of a training run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hyperparameters {
    /// Passes over all samples.
    pub epochs: u32,
    /// Positions in a batch.
    pub batch: usize,
    /// Largest learning rate.
    pub rate: f32,
    /// Schedule of the learning rate.
    pub schedule: Schedule,
    /// Decay of the running mean of the parameters, which is the network that comes out; `None` for the parameters
    /// themselves.
    pub average: Option<f32>,
    /// Seed of the order of the samples.
    pub seed: u64,
    /// Net that alone is trained; everything that other nets read stays as it is, bit for bit.
    pub only: Option<Net>,
    /// Device that the steps are taken on; a net that alone is trained is so on the processor's cores.
    pub device: Device,
}

/// Net that can be trained alone, on what the others have learnt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Net {
    /// Dark Seer, which places units
    Seer,
    /// The general's net, which rates choices of techs
    General,
}

impl Hyperparameters {
    /// Fails where this build or machine cannot take such steps on the device.
    pub fn check(&self) -> Result<()> {
        ensure!(
            self.only.is_none() || self.device == Device::Cpu,
            "a net is trained alone on the processor's cores: --only without --device"
        );
        ensure!(
            self.batch <= LARGEST_BATCH || self.device == Device::Cpu,
            "a batch on this device has at most {LARGEST_BATCH} positions, not {}",
            self.batch
        );
        self.device.check()
    }
}

impl Default for Hyperparameters {
    fn default() -> Hyperparameters {
        let schedule = Schedule::default();
        let device = Device::default();
        Hyperparameters {
            epochs: 8,
            batch: 1024,
            rate: 1.5e-3,
            schedule,
            average: None,
            seed: 1,
            only: None,
            device,
        }
    }
}
