//! Devices that training runs on: the processor's cores with this program's own trainer, or tensors of the library burn
//! on the same cores or on a GPU.

use anyhow::{Result, bail};

use super::params::NetworkShape;
use super::stepping::Accelerator;

/// Device that a training runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Device {
    /// The processor's cores
    #[default]
    Cpu,
    /// The processor's cores by the library that GPUs are used with, to compare with: builds with the feature `burn` only
    Burn,
    /// An NVIDIA GPU: builds with the feature `cuda` only
    Cuda,
}

impl Device {
    /// Fails where this build cannot train on the device, or the machine has none.
    pub fn check(self) -> Result<()> {
        match self {
            Device::Cpu => Ok(()),
            #[cfg(feature = "burn")]
            Device::Burn => Ok(()),
            #[cfg(feature = "cuda")]
            Device::Cuda => super::accelerator::check_cuda(),
            #[allow(unreachable_patterns)]
            Device::Burn | Device::Cuda => {
                let name = if self == Device::Cuda { "cuda" } else { "burn" };
                bail!(
                    "this build cannot train on the device {name}: build one that can by cargo build --release --features {name}"
                )
            }
        }
    }

    /// Accelerator that begins with these numbers of a trainer, with the running mean of the parameters if `average` is its
    /// decay. `None` for the processor's cores, and for a device that [`Device::check`] refuses.
    #[cfg_attr(not(feature = "burn"), allow(unused_variables))]
    pub(super) fn accelerator(
        self,
        shape: &NetworkShape,
        numbers: &[&[f32]],
        average: Option<f32>,
    ) -> Option<Box<dyn Accelerator + Send>> {
        match self {
            #[cfg(feature = "burn")]
            Device::Burn => Some(super::accelerator::on_processor(shape, numbers, average)),
            #[cfg(feature = "cuda")]
            Device::Cuda => Some(super::accelerator::on_cuda(shape, numbers, average)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_the_build_lacks_is_refused_with_what_to_build() {
        Device::Cpu.check().unwrap();
        #[cfg(not(feature = "burn"))]
        for (device, name) in [(Device::Burn, "burn"), (Device::Cuda, "cuda")] {
            let error = device.check().unwrap_err().to_string();
            assert!(error.ends_with(&format!("--features {name}")) && !error.contains('\n'), "{error}");
        }
        #[cfg(feature = "burn")]
        Device::Burn.check().unwrap();
    }
}
