//! Annotated games: games of Minions with tags, turns in UMI, values, candidates, clock and comments, as text that people
//! and programs read (`docs/spec/notation.md`; file names end in `.mgn`, for Minions game notation).
//!
//! [`GameParser`] reads a game line by line and plays every turn, [`GameFile`] the games of a file of any of the known
//! forms, and [`GameWriter`] writes a game turn by turn, so that a program that is killed loses the current turn at most.
//! The other forms are JSON for browsers ([`json_form`]), the web server's replay form ([`server_form`]), and the game
//! records of self-play ([`self_play`]).

mod block_file;
mod game_file;
mod game_form;
mod game_writer;
pub mod json_form;
mod network_name;
mod play_record;
mod position_file;
mod search_notes;
pub mod self_play;
pub mod server_form;
mod server_lines;
mod timestamp;

#[cfg(test)]
mod tests;

pub use barrow_session::notation::{
    AnnotatedGame, AnnotatedTurn, Chance, Ending, EndingReason, Fault, GameParser, LineText, Outcome,
    Progress, RecordedCandidate, Tags, TurnNotes, TurnWalk, Value, game_text,
};
pub use game_file::{FileSettings, GameFile, ReadGame, read_game};
pub use game_form::GameForm;
pub use game_writer::{GameWriter, RecordingFile, RecordingFolder};
pub use network_name::network_name;
pub use play_record::{PlayRecord, Players, left_at, left_turn};
pub use position_file::{FEN_SEED, PositionFile};
pub use search_notes::notes_of_search;
pub use timestamp::now;
