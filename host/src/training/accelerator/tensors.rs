//! Tensors out of lists and back, and the few functions of numbers that the nets are made of.

use burn_tensor::backend::Backend;
use burn_tensor::{Int, Tensor, TensorData};

use crate::training::backprop::LEAKY_SLOPE;

/// Tensor of places.
pub(super) fn indices<B: Backend>(places: &[i32], device: &B::Device) -> Tensor<B, 1, Int> {
    Tensor::from_data(TensorData::new(places.to_vec(), [places.len()]), device)
}

/// Matrix of so many rows.
pub(super) fn matrix<B: Backend>(numbers: &[f32], rows: usize, device: &B::Device) -> Tensor<B, 2> {
    let columns = numbers.len() / rows.max(1);
    Tensor::from_data(TensorData::new(numbers.to_vec(), [rows, columns]), device)
}

/// Matrix of one column.
pub(super) fn column<B: Backend>(numbers: &[f32], device: &B::Device) -> Tensor<B, 2> {
    matrix(numbers, numbers.len(), device)
}

/// Numbers of a tensor, row by row.
pub(super) fn numbers<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().expect("a tensor converted to f32 holds f32")
}

/// Activation of sums: clipped to 0..=1.
pub(super) fn clip<B: Backend>(sums: Tensor<B, 2>) -> Tensor<B, 2> {
    sums.clamp(0.0, 1.0)
}

/// Gradient of sums before clipping, from that of their activations: as it is inside the range, a small part of it
/// outside where it points back, else 0.
pub(super) fn through_clip<B: Backend>(gradient: Tensor<B, 2>, sums: Tensor<B, 2>) -> Tensor<B, 2> {
    let below = sums.clone().lower_equal_elem(0.0);
    let above = sums.greater_equal_elem(1.0);
    let back_from_below = gradient.clone().clamp_max(0.0) * LEAKY_SLOPE;
    let back_from_above = gradient.clone().clamp_min(0.0) * LEAKY_SLOPE;
    gradient.mask_where(below, back_from_below).mask_where(above, back_from_above)
}

/// Cross entropy, in nats, of targets in 0..=1 and the chances of logits.
pub(super) fn cross_entropy<B: Backend>(logits: Tensor<B, 2>, targets: Tensor<B, 2>) -> Tensor<B, 2> {
    logits.clone().clamp_min(0.0) - logits.clone() * targets + logits.abs().neg().exp().log1p()
}

/// Logarithms of the softmax of each row.
pub(super) fn log_softmax<B: Backend>(rows: Tensor<B, 2>) -> Tensor<B, 2> {
    let shifted = rows.clone() - rows.max_dim(1);
    shifted.clone() - shifted.exp().sum_dim(1).log()
}
