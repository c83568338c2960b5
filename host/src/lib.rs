//! The Barrow engine on an operating system: protocols, command line, files, threads and clocks.
//!
//! The rules are in `barrow-core`, which this crate only joins with the world.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
// Counts become shares and rates for people to read; 52 bits are ample for both.
#![allow(clippy::cast_precision_loss)]

pub mod analysis;
pub mod arena;
pub mod attack;
pub mod bench;
pub mod bundle;
pub mod cli;
pub mod cpu;
pub mod ice_and_fire;
pub mod interrupt;
pub mod kutulu;
pub mod mind;
pub mod nets;
pub mod opinion;
pub mod picture;
pub mod positions;
pub mod replay;
pub mod roborally;
pub mod tactics;
pub mod train;
pub mod umi;
pub mod words;

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
