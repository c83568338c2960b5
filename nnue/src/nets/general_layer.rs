//! The general's layer: sums of contexts, and the outputs that read them.

use super::layer::Layer;
use crate::kernels::scalar::whole_row;
use crate::kernels::{Weight, squash};
use crate::shape::{MAX_BOARD_LAYER, Profile, ceiling};

/// The general's net in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GeneralNet<'a, P: Profile> {
    pub(crate) contexts: &'a [P::Weight],
    pub(crate) bias: &'a [i16],
    pub(crate) steps: Layer<'a, P>,
}

/// Sums of the general's layer. Contexts are at most one of each group, some forty, and weights and biases have 16 bits,
/// so these sums cannot overflow.
pub(super) type Sums = [i32; MAX_BOARD_LAYER];

impl<P: Profile> GeneralNet<'_, P> {
    /// Adds a row of the contexts; nothing when the network lacks the row.
    pub(super) fn add(&self, sums: &mut Sums, row: u16) {
        let row = whole_row(self.contexts, usize::from(row), P::BOARD_LAYER);
        sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add((*weight).into()));
    }

    /// Outputs for these steps of the layer with these sums.
    pub(super) fn outputs<const N: usize>(&self, sums: &Sums, steps: [usize; N]) -> [i32; N] {
        let mut neurons = [0; MAX_BOARD_LAYER];
        squash(sums, 0, ceiling::<P>(), &mut neurons);
        let neurons = neurons.get(..P::BOARD_LAYER).unwrap_or_default();
        steps.map(|step| {
            let bias = self.steps.bias.get(step).copied().unwrap_or(0);
            bias.wrapping_add(P::Weight::dot(neurons, self.steps.row(step)))
        })
    }
}
