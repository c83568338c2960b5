//! Training by the tensors of the library burn, on a GPU or, to compare, on the processor's cores. Network, losses,
//! gradients, optimiser and the numbers of a checkpoint are those of the [`Trainer`](super::Trainer); only the order of
//! additions differs, and with it the last bits.
//!
//! A batch is planned on the processor ([`TrunkPlan`](trunk_plan::TrunkPlan), [`TermPlan`](term_plan::TermPlan),
//! [`GeneralPlan`](general::GeneralPlan)): lists of the rows that are added up. The tensors then do nothing but gather
//! rows, add them up in groups, and multiply matrices. The gradients are written out as in the trainer, not found by the
//! library: the slope outside the range of an activation depends on where the gradient points to, which is no derivative.

mod general;
mod grid;
mod heads;
mod lists;
mod state;
mod stepper;
mod tensors;
mod term_plan;
mod trunk;
mod trunk_plan;
mod weights;

#[cfg(test)]
mod agreement;

pub(super) use stepper::on_processor;
#[cfg(feature = "cuda")]
pub(super) use stepper::{check_cuda, on_cuda};
