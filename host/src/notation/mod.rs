//! Annotated games: games of Minions with tags, turns in UMI, values, candidates, clock and comments, as text that people
//! and programs read (`docs/spec/notation.md`; file names end in `.mgn`, for Minions game notation).
//!
//! [`GameParser`] reads a game line by line and plays every turn, [`GameFile`] the games of a file of any of the known
//! forms, and [`GameWriter`] writes a game turn by turn, so that a program that is killed loses the current turn at most.
//! The other forms are JSON for browsers ([`json_form`]), the web server's replay form ([`server_form`]), and the game
//! records of self-play ([`self_play`]).

mod annotated_game;
mod block_file;
mod game_file;
mod game_form;
mod game_parser;
mod game_writer;
pub mod json_form;
mod line_text;
mod notes;
mod play_record;
mod print;
pub mod self_play;
pub mod server_form;
mod server_lines;
mod tags;
mod timestamp;

#[cfg(test)]
mod tests;

pub use annotated_game::{AnnotatedGame, AnnotatedTurn, Ending, EndingReason, Outcome, TurnWalk};
pub use game_file::{FileSettings, GameFile, ReadGame, read_game};
pub use game_form::GameForm;
pub use game_parser::{Fault, GameParser, Progress};
pub use game_writer::{GameWriter, RecordingFile, RecordingFolder};
pub use line_text::LineText;
pub use notes::{Chance, RecordedCandidate, TurnNotes, Value};
pub use play_record::{PlayRecord, Players, left_at, turn_so_far};
pub use print::game_text;
pub use tags::{Tags, network_name};
pub use timestamp::now;
