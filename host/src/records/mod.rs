//! Records of games as files.

pub mod game_record;
