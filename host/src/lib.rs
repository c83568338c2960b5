//! The Barrow engine on an operating system: protocols, command line, files, threads and clocks.
//!
//! The rules are in `barrow-core`, which this crate only joins with the world.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
// Counts become shares and rates for people to read; 52 bits are ample for both.
#![allow(clippy::cast_precision_loss)]

pub mod analysis;
pub mod bench;
pub mod calibration;
pub mod chart;
pub mod child_process;
pub mod cli;
pub mod configuration;
pub mod contests;
pub mod cpu;
pub mod engine;
pub mod interrupt;
pub mod io;
pub mod learning;
pub mod matches;
pub mod notation;
pub mod processor_time;
pub mod progress;
pub mod quantity;
pub mod records;
pub mod replay;
pub mod review;
pub mod shard;
pub mod spsa;
pub mod statistics;
pub mod tactics;
pub mod terminal_game;
pub mod text;
pub mod training;
pub mod tuning;
pub mod umi;
pub mod verbose;
pub mod version;
#[cfg(feature = "serve")]
pub mod web;

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The guide's examples are tests, too.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guides/embedding.md")]
struct Embedding;
