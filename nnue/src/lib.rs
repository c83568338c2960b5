//! Neural networks of Minions: file format, features, accumulators, kernels, and the four nets Oracle, Death Prophet,
//! Dark Seer and the general's.
//!
//! All arithmetic is on whole numbers, so a desktop with vector registers and a small chip without any agree bit for
//! bit. No allocator, no panic on any input, and `unsafe` only in the kernels of the feature `intrinsics`.

#![no_std]
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod accumulator;
pub mod embedded_nets;
pub mod features;
pub mod format;
pub mod kept_sums;
pub mod kernels;
pub mod layout;
pub mod net_policies;
pub mod nets;
pub mod ports;
pub mod random_net;
pub mod shape;
