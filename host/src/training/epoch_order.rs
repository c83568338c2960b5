//! Order of the samples in the epochs of a training run.

use barrow_core::rng::Rng;

/// Order of the samples in an epoch, which is that of the epoch before shuffled once more.
pub(super) struct EpochOrder {
    pub(super) indices: Vec<u32>,
    dice: Rng,
    /// Number of the epoch, from 1; 0 before the first.
    epoch: u32,
}

impl EpochOrder {
    /// Order before the first epoch.
    pub(super) fn new(seed: u64, indices: Vec<u32>) -> EpochOrder {
        EpochOrder { indices, dice: Rng::new(seed), epoch: 0 }
    }

    /// Shuffles up to the order of an epoch that is not before the present one.
    pub(super) fn advance(&mut self, epoch: u32) {
        while self.epoch < epoch {
            self.dice.shuffle(&mut self.indices);
            self.epoch += 1;
        }
    }
}
