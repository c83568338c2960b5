//! Rules and search of the Barrow engine.
//!
//! `core` knows nobody: no allocator, no threads, no clocks, no floating point in rules, no `unsafe`, and no panic
//! on any input. The rooms are [`hex`] (the board's geometry), [`minions`] (the rules of the home game),
//! [`roborally`], [`kutulu`] and [`ice_and_fire`] (those of other games), [`bots`] (hand-written brains), [`search`]
//! (algorithms that know no game), [`rng`] (the one source of chance, a function of its seed), [`lcg48`] (that of the
//! contest referees) and [`list`] (bounded lists that are copied).

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bots;
pub mod hex;
pub mod ice_and_fire;
pub mod kutulu;
pub mod lcg48;
pub mod list;
pub mod minions;
pub mod rng;
pub mod roborally;
pub mod search;
