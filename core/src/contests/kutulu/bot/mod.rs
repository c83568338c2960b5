//! The bot for Code of Kutulu: SmitsiMax over the moves of all explorers near by, and rules of thumb for yells, plans,
//! lights and openings (rules §12, after N. Smits' write-up of the bot that came fourth in 2018).
//!
//! [`Brain`] is the whole bot for a program that reads the protocol; [`Player`] decides in a known state; [`Baseline`]
//! are the simpler bots that it grew from.

mod baseline;
mod brain;
mod crowd;
mod light;
mod opening;
mod player;
#[cfg(test)]
mod tests;
mod tuning;
mod yell;

pub use self::baseline::Baseline;
pub use self::brain::{Brain, NODES};
pub use self::crowd::Crowd;
pub use self::player::{Decision, Player, Report};
pub use self::tuning::Tuning;
