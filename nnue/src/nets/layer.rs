//! Layers, and their sums as fixed-point numbers.

use fixed::types::I16F16;

use crate::kernels::scalar::whole_row;
use crate::kernels::{Weight, squash};
use crate::shape::{Profile, ceiling};

/// Layer: weights output by output, and a bias for each output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<'a, P: Profile> {
    pub(crate) weights: &'a [P::Weight],
    pub(crate) bias: &'a [i32],
}

impl<P: Profile> Layer<'_, P> {
    /// Weights of one output; empty when there is no such output.
    #[inline]
    pub(crate) fn row(&self, output: usize) -> &[P::Weight] {
        match self.weights.len().checked_div(self.bias.len()) {
            Some(inputs) => whole_row(self.weights, output, inputs),
            None => &[],
        }
    }

    /// Computes the layer's activations; `sums` is scratch space. `sums` and `activations` are as long as the layer
    /// has outputs.
    #[inline]
    pub(crate) fn activate(&self, inputs: &[i16], sums: &mut [i32], activations: &mut [i16]) {
        P::Weight::dense(inputs, self.weights, self.bias, sums);
        squash(sums, P::Weight::WEIGHT_BITS, ceiling::<P>(), activations);
    }
}

impl<P: Profile> Layer<'_, P> {
    /// Computes the layer's sums, without activation, as far as they come from some inputs, of which the first has this
    /// number: what the sums begin with, and the products.
    #[inline]
    pub(crate) fn add_part(&self, first: usize, inputs: &[i16], from: &[i32], sums: &mut [i32]) {
        let stride = self.weights.len().checked_div(self.bias.len()).unwrap_or(0);
        P::Weight::dense_part(inputs, (first, stride), self.weights, from, sums);
    }
}

/// Value of a sum of activations times weights; the nearest fixed-point number when it is out of range.
#[inline]
pub(crate) fn to_fixed<P: Profile>(sum: i32) -> I16F16 {
    let bits = P::Weight::ACTIVATION_BITS + P::Weight::WEIGHT_BITS;
    I16F16::from_bits(match bits.checked_sub(16) {
        Some(down) => sum >> down,
        None => sum.saturating_mul(1 << (16 - bits)),
    })
}
