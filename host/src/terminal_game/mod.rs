//! A game against the engine on the whole screen of a terminal (`barrow play`; `docs/guides/terminal.md`).
//!
//! Data flows one way. [`PlayState`] changes by keys, answers and time alone and says what it wants of the world as
//! [`Effect`]s; every action goes through the rules as a line of UMI. [`draw`] turns it into a frame of characters, and
//! [`play`] joins both with the terminal, the engine's thread and the files.

mod board_choices;
mod board_view;
mod commands;
mod effect;
mod engine_thread;
mod event_thread;
mod help;
mod keys;
mod layer_view;
mod level;
mod menu;
mod palette;
mod piece_choices;
mod play_state;
mod press;
mod prompt;
mod raw_screen;
mod screen;
mod side_view;
mod table;
mod tech_choices;
mod techline_view;
#[cfg(test)]
mod tests;
mod turns;

pub use effect::{Effect, RecordedTurn};
pub use engine_thread::{EngineSettings, SearchAnswer, SearchRequest};
pub use keys::Key;
pub use level::Level;
pub use palette::Palette;
pub use play_state::{Beginning, PlayState};
pub use raw_screen::restore;
pub use screen::{MIN_HEIGHT, MIN_WIDTH, draw};
pub use table::{GameSettings, play};
