//! Contest games that are watched: a field of squares, and a scene for each moment of a game.

use serde::{Deserialize, Serialize};

/// Contest game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contest {
    /// RoboRally.
    Roborally,
    /// Code of Kutulu.
    Kutulu,
    /// A Code of Ice and Fire.
    IceAndFire,
}

/// Contest game as a page offers it: its bots, maps and seats.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ContestRow {
    /// Game.
    pub contest: Contest,
    /// Name of the game.
    pub name: String,
    /// Names of the bots, the strongest first.
    pub bots: Vec<String>,
    /// Names of courses or maps; none where the seed decides.
    pub maps: Vec<String>,
    /// Number of players.
    pub seats: usize,
}

/// Game between built-in bots. What is missing is usual.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchAsk {
    /// Game.
    pub contest: Contest,
    /// Names of the bots by seat; missing ones are the strongest.
    #[serde(default)]
    pub bots: Vec<String>,
    /// Name of the course or map.
    #[serde(default)]
    pub map: Option<String>,
    /// Seed of the game.
    #[serde(default)]
    pub seed: u64,
}

/// Contest game with its scenes so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WatchedGame {
    /// Game.
    pub contest: Contest,
    /// Title: the course, map or seed.
    pub title: String,
    /// Names of the players by seat.
    pub players: Vec<String>,
    /// Columns of the field.
    pub width: usize,
    /// Rows of the field.
    pub height: usize,
    /// Fixtures of the field.
    pub fixtures: Vec<Fixture>,
    /// Scenes in order.
    pub scenes: Vec<Scene>,
    /// Whether more scenes come: bots are playing.
    pub is_live: bool,
    /// First difference of a record from the rules, and its place; the scenes are those of the rules.
    pub mismatch: Option<String>,
}

/// Fixture of a square: a thing that lies there all the time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fixture {
    /// Column.
    pub x: i16,
    /// Row.
    pub y: i16,
    /// Kind, such as `pit`.
    pub kind: String,
    /// Direction, a letter of `NESW`, where there is one.
    pub facing: Option<char>,
    /// Label, such as the number of a flag.
    pub label: String,
    /// Description in words.
    pub words: String,
}

/// Moment of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scene {
    /// Title, such as `turn 3, register 2`.
    pub title: String,
    /// Pieces and other things that come and go.
    pub tokens: Vec<Token>,
    /// Land by rows, a letter for each square, where players own land: `A` and `B` owned and active, `a` and `b` cut off, `.`
    /// nobody's.
    pub land: Vec<String>,
    /// Standings of the players by seat.
    pub standings: Vec<Standing>,
    /// Events in words: the next ones, or those that led here.
    pub events: Vec<String>,
}

/// Thing on a square.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Token {
    /// Column.
    pub x: i16,
    /// Row.
    pub y: i16,
    /// Kind, such as `robot`.
    pub kind: String,
    /// Seat of the player that it belongs to.
    pub seat: Option<usize>,
    /// Direction, a letter of `NESW`, where there is one.
    pub facing: Option<char>,
    /// Label.
    pub label: String,
    /// Description in words.
    pub words: String,
}

/// Standing of a player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Seat of the player.
    pub seat: usize,
    /// Figures in words.
    pub words: String,
    /// Whether the player is out.
    pub is_out: bool,
}
