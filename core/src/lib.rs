//! Rules and search of the Barrow engine.
//!
//! `core` knows nobody: no allocator, no threads, no clocks, no floating point in rules, no `unsafe`, and no panic
//! on any input. The rooms are [`hex`] (the board's geometry), [`minions`] (the rules of the home game),
//! [`kutulu`] and [`roborally`] (those of others), [`bots`] (hand-written brains), [`search`] (algorithms that know no
//! game) and [`rng`] (the one source of chance, a function of its seed).

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bots;
pub mod hex;
pub mod kutulu;
pub mod list;
pub mod minions;
pub mod rng;
pub mod roborally;
pub mod search;
