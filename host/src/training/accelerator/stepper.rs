//! Steps of a training by tensors.

#[cfg(feature = "cuda")]
use burn_cuda::{Cuda, CudaDevice};
use burn_flex::{Flex, FlexDevice};
use burn_tensor::Tensor;
use burn_tensor::backend::Backend;

use super::general::GeneralPlan;
use super::state::State;
use super::tensors::numbers;
use super::term_plan::TermPlan;
use super::trunk::TrunkPass;
use super::trunk_plan::TrunkPlan;
use super::weights::{Gradients, Weights};
use super::{general, heads};
use crate::training::params::NetworkShape;
use crate::training::samples::{PositionSample, Samples};
use crate::training::stepping::Accelerator;

/// Heads with a loss of their own: Oracle, Death Prophet, its modes, Dark Seer, the general's net.
pub(super) const HEADS: usize = 5;

/// Plan of a batch for all heads.
pub(super) struct Plan {
    pub(super) trunk: TrunkPlan,
    terms: Option<TermPlan>,
    general: Option<GeneralPlan>,
}

impl Plan {
    /// Plan for these positions.
    pub(super) fn new(samples: &Samples, picked: &[&PositionSample], shape: &NetworkShape) -> Plan {
        let (trunk, (terms, general)) = rayon::join(
            || TrunkPlan::new(samples, picked, shape),
            || {
                rayon::join(
                    || TermPlan::new(samples, picked, shape),
                    || GeneralPlan::new(samples, picked, shape),
                )
            },
        );
        Plan { trunk, terms, general }
    }
}

/// Gradients of the weights of a network, and the mean losses of a position by head.
pub(super) fn learn<B: Backend>(plan: &Plan, weights: &Weights<B>) -> (Gradients<B>, [f32; HEADS]) {
    let mut gradients = Gradients::new();
    let pass = TrunkPass::new(&plan.trunk, weights);
    let (oracle, d_oracle) = pass.oracle_loss();
    let heads = plan
        .terms
        .as_ref()
        .map(|terms| heads::learn(terms, weights, pass.board_layer.clone(), &mut gradients));
    let (of_heads, d_board_layer) =
        heads.map_or(([const { None }; 3], None), |heads| (heads.losses, Some(heads.d_board_layer)));
    pass.backward(d_oracle, d_board_layer, &mut gradients);
    let general = plan.general.as_ref().map(|plan| general::learn(plan, weights, &mut gradients));
    let [prophet, modes, seer] = of_heads;
    let none = || Tensor::zeros([1], &weights.layers.device());
    let losses = [Some(oracle), prophet, modes, seer, general].map(|loss| loss.unwrap_or_else(none));
    let losses = numbers(Tensor::cat(losses.into(), 0));
    (gradients, std::array::from_fn(|head| losses[head]))
}

/// Training on a device of the library.
pub(super) struct Stepper<B: Backend> {
    state: State<B>,
}

impl<B: Backend> Stepper<B> {
    /// Training that begins with these numbers of a trainer.
    pub(super) fn new(
        shape: &NetworkShape,
        numbers: &[&[f32]],
        average: Option<f32>,
        device: &B::Device,
    ) -> Stepper<B> {
        Stepper { state: State::new(shape, numbers, average, device) }
    }
}

impl<B: Backend> Accelerator for Stepper<B> {
    fn step(&mut self, samples: &Samples, picked: &[&PositionSample], rate: f32, count: u32) -> f32 {
        let plan = Plan::new(samples, picked, self.state.weights.places.shape());
        let (gradients, losses) = learn(&plan, &self.state.weights);
        self.state.step(&plan.trunk, gradients, rate, count);
        losses.iter().sum()
    }

    fn store(&self, numbers: Vec<&mut [f32]>) {
        self.state.store(numbers);
    }
}

/// Accelerator on the processor's cores.
pub(in crate::training) fn on_processor(
    shape: &NetworkShape,
    numbers: &[&[f32]],
    average: Option<f32>,
) -> Box<dyn Accelerator + Send> {
    Box::new(Stepper::<Flex>::new(shape, numbers, average, &FlexDevice))
}

/// Accelerator on an NVIDIA GPU, the first one.
#[cfg(feature = "cuda")]
pub(in crate::training) fn on_cuda(
    shape: &NetworkShape,
    numbers: &[&[f32]],
    average: Option<f32>,
) -> Box<dyn Accelerator + Send> {
    Box::new(Stepper::<Cuda>::new(shape, numbers, average, &CudaDevice::default()))
}

/// Fails where no GPU computes. The library panics then, so its words are caught and passed on as an error.
#[cfg(feature = "cuda")]
pub(in crate::training) fn check_cuda() -> anyhow::Result<()> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let answer = std::panic::catch_unwind(|| {
        let one = Tensor::<Cuda, 1>::ones([1], &CudaDevice::default());
        numbers(one + 1.0)
    });
    std::panic::set_hook(hook);
    match answer {
        Ok(two) if two == [2.0] => Ok(()),
        Ok(_) => anyhow::bail!("the GPU does not compute: 1 + 1 is not 2 there"),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said =
                said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it does not say why");
            anyhow::bail!(
                "no NVIDIA GPU answers; it needs a driver and the libraries of CUDA ({})",
                said.lines().next().unwrap_or_default()
            )
        }
    }
}
