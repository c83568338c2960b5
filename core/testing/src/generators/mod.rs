//! Positions, actions and turns of Minions generated from bytes. Property tests pass random bytes and shrink them,
//! fuzzers mutate them; similar bytes generate similar games.

pub mod actions;
pub mod choices;
pub mod positions;
pub mod texts;
pub mod turns;
