//! A Code of Ice and Fire on an operating system: the contest's protocol, arena, replay, pictures, and the single-file
//! bot.

pub mod arena;
pub mod bundle;
pub mod picture;
pub mod protocol;
pub mod recording;
pub mod replay;
pub mod tune;
