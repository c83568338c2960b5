//! Rules and search of the Barrow engine.
//!
//! `core` uses no other crate of the engine: no allocator, no threads, no clocks, no floating point in rules, no
//! `unsafe`, and no panic on any input. Its parts are [`hex`] (geometry of the board), [`search`] (algorithms that name
//! no game), [`minions`] (the home game with its turn search), [`contests`] (three games, a cargo feature each),
//! [`rng`] (the one source of chance, a function of its seed), [`list`] (bounded lists) and [`sort`] (sorting
//! that cannot panic).

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod contests;
mod heapless_vec;
pub mod hex;
pub mod list;
pub mod minions;
pub mod rng;
pub mod search;
pub mod sort;
