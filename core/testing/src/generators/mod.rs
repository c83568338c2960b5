//! Positions and actions made up from bytes. A property test lends random bytes, a fuzzer those it breeds; both
//! shrink and mutate them, so that nearby bytes mean nearby games.

pub mod actions;
pub mod choices;
pub mod duel;
pub mod positions;
pub mod turns;
