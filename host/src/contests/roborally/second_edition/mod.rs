//! The second edition of RoboRally (rules §16) on an operating system: cards and races as text, players, races, the
//! referee and the bot's protocol.

pub mod floor;
mod floor_decision;
pub mod floor_player;
pub mod floor_player_spec;
pub mod floor_protocol;
pub mod floor_race;
pub mod floor_record;
pub mod race_text;
