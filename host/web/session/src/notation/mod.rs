//! Annotated games: games of Minions with tags, turns in UMI, values, candidates, clock and comments, as text that people
//! and programs read (`docs/spec/notation.md`).
//!
//! [`GameParser`] reads a game line by line and plays every turn, [`game_text`] writes it. Files and the other forms are the
//! program's.

mod annotated_game;
mod game_parser;
mod line_text;
mod notes;
mod print;
mod tags;

pub use annotated_game::{
    AnnotatedGame, AnnotatedTurn, Ending, EndingReason, Outcome, TurnWalk, WalkedTurn, read_turn,
};
pub use game_parser::{Fault, GameParser, Progress, TURNS_CAP};
pub use line_text::LineText;
pub use notes::{Chance, RecordedCandidate, TurnNotes, Value, actions_of};
pub use print::{VERSION, ending_text, game_text, header_text, turn_text};
pub use tags::{Tags, read_tag, tag_line};
