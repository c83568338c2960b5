//! RoboRally on an operating system: boards and states as text, replays.

pub mod board_text;
pub mod replay;
pub mod state_text;
