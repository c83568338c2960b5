//! Code of Kutulu on an operating system: the contest's protocol, arena, replay, pictures, and the single-file bot.

pub mod arena;
pub mod bundle;
pub mod picture;
pub mod player_input;
pub mod protocol;
pub mod recording;
pub mod replay;
pub mod tune;
