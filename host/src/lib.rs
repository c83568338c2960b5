//! The Barrow engine on an operating system: protocols, command line, files, threads and clocks.
//!
//! The rules are in `barrow-core`, which this crate only joins with the world.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod cli;
pub mod cpu;
pub mod interrupt;
pub mod replay;
pub mod umi;
