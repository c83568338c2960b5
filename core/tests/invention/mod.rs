//! Positions and actions made up from bytes. A property test lends random bytes, a fuzzer those it breeds; both
//! shrink and mutate them, so that nearby bytes mean nearby games.
#![allow(dead_code, reason = "each program that includes the inventions uses its own part of them")]

pub(crate) mod actions;
pub(crate) mod choices;
pub(crate) mod duel;
pub(crate) mod positions;
pub(crate) mod turns;
