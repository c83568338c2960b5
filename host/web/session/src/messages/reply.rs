//! Answers to a page.

use serde::{Deserialize, Serialize};

use super::analysis::Analysis;
use super::book::Book;
use super::choices::Choices;
use super::contests::{ContestRow, Scene, WatchedGame};
use super::position::PositionView;
use super::review::Review;

/// Answer to a request: a reply, or an error.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Number of the request; none where it could not be read.
    pub id: Option<u64>,
    /// Reply, where the request was obeyed.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Reply>,
    /// Why the request was refused, in words of one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Refusal of a request: why, in words of one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub String);

/// Answer to a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// Nothing but that it was done.
    Done,
    /// Cards, maps and levels.
    Book(Book),
    /// A position of the game.
    Position(Box<PositionView>),
    /// Choices.
    Choices(Choices),
    /// Whether a line may be entered.
    Checked {
        /// Why it may not; none where it may.
        why: Option<String>,
    },
    /// A text that was asked for.
    Text {
        /// Text.
        text: String,
    },
    /// Result of a search, or the result so far.
    Analysis(Box<Analysis>),
    /// Review of the game, or the review so far.
    Review(Box<Review>),
    /// Contest games that can be played between bots.
    Contests {
        /// Games.
        contests: Vec<ContestRow>,
    },
    /// A contest game to be watched.
    Watched(Box<WatchedGame>),
    /// Scenes of a turn of a contest game.
    Scenes {
        /// Scenes.
        scenes: Vec<Scene>,
        /// Whether more come.
        is_live: bool,
    },
}

impl Answer {
    /// Answer to the request of this number.
    pub fn new(id: u64, result: Result<Reply, Refusal>) -> Answer {
        match result {
            Ok(reply) => Answer { id: Some(id), reply: Some(reply), error: None },
            Err(Refusal(error)) => Answer { id: Some(id), reply: None, error: Some(error) },
        }
    }
}

impl From<String> for Refusal {
    fn from(words: String) -> Refusal {
        Refusal(words)
    }
}

impl From<&str> for Refusal {
    fn from(words: &str) -> Refusal {
        Refusal(words.to_owned())
    }
}
