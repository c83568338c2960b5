//! Steps of a training on another device than the processor's cores.

use super::samples::{PositionSample, Samples};

/// Training steps on another device than the processor's cores. The numbers of the trainer are copied there once and come
/// back when they are asked for.
pub(super) trait Accelerator {
    /// Takes one step of Adam on a batch at this learning rate, the step's number counted from 1. Returns the mean loss of a
    /// position.
    fn step(&mut self, samples: &Samples, picked: &[&PositionSample], rate: f32, count: u32) -> f32;

    /// Writes the numbers as they are now into the lists that they came from.
    fn store(&self, numbers: Vec<&mut [f32]>);
}
