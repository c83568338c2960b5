//! The shape of trace lines, as the format documents it. Names stay text here; [`super::load`] reads them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Two values, Yellow's first.
pub(super) type Pair<T> = [T; 2];

/// Unit name or tile letter to number or hex.
pub(super) type ByName<T> = BTreeMap<String, T>;

/// What tells the kinds of lines apart, read before the rest.
#[derive(Deserialize)]
pub(super) struct Heading {
    /// Game number; only in lines of games.
    pub(super) game: Option<u64>,
    /// Turn number within the game.
    pub(super) step: Option<u64>,
    /// Position number; only in lines of reach files.
    pub(super) id: Option<u64>,
}

/// One turn of one side.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameLine {
    pub(super) game: u64,
    pub(super) step: u64,
    pub(super) cfg: Constants,
    pub(super) before: Position,
    /// Verdict, kind, arguments.
    pub(super) actions: Vec<Vec<Value>>,
    /// By board index, the board's actions without verdict and board.
    #[serde(default)]
    pub(super) canonical: ByName<Vec<Vec<Value>>>,
    pub(super) mid: MidTurn,
    pub(super) dealt: Pair<Vec<String>>,
    pub(super) after: Position,
}

/// Constants of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Constants {
    pub(super) rules: String,
    pub(super) maps: Vec<String>,
    pub(super) target: u8,
    pub(super) extra_souls: Pair<u16>,
    pub(super) line: Vec<String>,
}

/// A position at the start of a turn.
#[derive(Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Position {
    pub(super) turn: u32,
    pub(super) side: u8,
    pub(super) points: Pair<u8>,
    pub(super) winner: Option<u8>,
    pub(super) souls: Pair<u32>,
    pub(super) tech: Pair<String>,
    pub(super) row: Vec<String>,
    pub(super) queue: Pair<Vec<String>>,
    pub(super) boards: Vec<BoardShape>,
}

/// A position after the last action, before the end of the turn.
#[derive(Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct MidTurn {
    pub(super) souls: Pair<u32>,
    pub(super) tech: Pair<String>,
    pub(super) boards: Vec<BoardShape>,
}

/// One board. The last three fields are present in the middle of a turn only.
#[derive(Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct BoardShape {
    pub(super) state: String,
    pub(super) mana: i16,
    pub(super) pending: Pair<u16>,
    pub(super) free: Pair<u8>,
    pub(super) cand: Pair<Vec<String>>,
    pub(super) reinf: Pair<ByName<u8>>,
    pub(super) hand: Pair<Vec<String>>,
    pub(super) movable: ByName<String>,
    pub(super) pieces: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) won: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lost: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tile_used: Option<bool>,
}

/// One position with what its pieces can do.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReachLine {
    pub(super) id: u64,
    pub(super) map: String,
    pub(super) side: u8,
    pub(super) movable: ByName<String>,
    pub(super) reinf: Pair<ByName<u8>>,
    pub(super) pieces: Vec<String>,
    /// By hex of a piece.
    pub(super) reach: ByName<PieceReach>,
    /// By unit name.
    pub(super) spawn: ByName<Vec<String>>,
}

/// Where one piece can go and whom it can attack.
#[derive(Deserialize, Serialize, PartialEq, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct PieceReach {
    pub(super) to: Vec<String>,
    pub(super) hit: Vec<String>,
}
