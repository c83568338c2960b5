//! The bot for Code of Kutulu: SmitsiMax over the moves of all explorers near by, and rules of thumb for yells, plans,
//! lights and openings (rules §12, after N. Smits' write-up of the bot that came fourth in 2018).
//!
//! [`ProtocolBot`] is the whole bot for a program that reads the protocol, [`SearchPlayer`] decides in a known state,
//! and [`Baseline`] lists simpler bots for comparison.

mod baseline;
mod light;
mod local_game;
mod opening;
mod outlook;
mod protocol_bot;
mod search_player;
mod sparring;
#[cfg(test)]
mod tests;
mod tuning;
mod yell;

pub use self::baseline::Baseline;
pub use self::local_game::LocalGame;
pub use self::protocol_bot::{NODES, ProtocolBot};
pub use self::search_player::{DecidedBy, DecisionReport, SearchPlayer};
pub use self::sparring::{PLIES, Sparring};
pub use self::tuning::{Outlook, Skills, Tuning};
