//! RoboRally on an operating system: boards and robots as text, replay, players, races, the bot's protocol, tuning.

pub mod arena;
pub mod board_svg;
pub mod board_text;
pub mod budget;
pub mod choice;
pub mod course;
pub mod course_json;
mod decision;
mod external;
pub mod ground;
mod inbox;
pub mod lengths;
mod meter;
pub mod pace;
pub mod picture;
pub mod player;
pub mod player_spec;
pub mod protocol;
pub mod race;
pub mod recording;
mod referee;
pub mod replay;
pub mod second_edition;
pub mod settings;
mod situation;
mod tree_decision;
pub mod tune;
