//! The bot for the second edition (rules §16): as for the classic rules, a position's chance of winning by the rounds
//! that robots should still need, whole turns by a simple strategy, and a robot's choice of a program as a game for the
//! search [`flat`](crate::search::flat).
//!
//! Piles are known and their order is not, so hands of others are drawn anew out of what they have not put away.

mod deck_kinds;
mod race_evaluator;
mod race_game;
mod race_policy;
mod race_tables;
#[cfg(test)]
mod tests;

pub use race_evaluator::RaceEvaluator;
pub use race_game::RaceGame;
pub use race_policy::{RacePolicy, RaceProgram};
