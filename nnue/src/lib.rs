//! The network room: integer kernels that give the same bits on every target.
//!
//! Sums and products are taken in a fixed order over whole numbers, so a desktop with wide registers and a small
//! chip without any agree exactly. No allocator, no `unsafe`, no panic on any input.

#![no_std]
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod accumulator;
pub mod embedded_nets;
pub mod features;
pub mod format;
pub mod kernels;
pub mod layout;
pub mod nets;
pub mod overflow;
pub mod ports;
pub mod random_net;
pub mod shape;
