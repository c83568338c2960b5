//! Trace format: the JSON objects of trace lines. Names are text here and become values of the rules when they are
//! loaded.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Pair of values, the one of Yellow first.
pub(super) type PerSide<T> = [T; 2];

/// Map from names, such as those of units or tiles.
pub(super) type ByName<T> = BTreeMap<String, T>;

/// Kind of a line, by fields that are read before the rest.
#[derive(Deserialize)]
#[serde(expecting = "an object with a turn of a game or a position")]
pub(super) struct LineKind {
    /// Number of the game; in lines of games only.
    pub(super) game: Option<u64>,
    /// Number of the turn within the game, from 0; in lines of games only.
    pub(super) step: Option<u64>,
    /// Number of the position; in lines of positions only.
    pub(super) id: Option<u64>,
}

/// Line of a game: one turn of one side.
#[derive(Deserialize)]
#[serde(expecting = "an object with a turn of a game", deny_unknown_fields)]
pub(super) struct GameLine {
    pub(super) game: u64,
    pub(super) step: u64,
    pub(super) cfg: TraceConfig,
    pub(super) before: TracePosition,
    /// Attempts in order, each with verdict, kind and arguments.
    pub(super) actions: Vec<Vec<Value>>,
    /// Canonical actions by board number, without verdict and board.
    #[serde(default)]
    pub(super) canonical: ByName<Vec<Vec<Value>>>,
    pub(super) mid: TraceMidTurn,
    pub(super) dealt: PerSide<Vec<String>>,
    pub(super) after: TracePosition,
}

/// Configuration of a game.
#[derive(Deserialize)]
#[serde(expecting = "an object with a configuration", deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct TraceConfig {
    pub(super) rules: String,
    pub(super) maps: Vec<String>,
    pub(super) target: u8,
    pub(super) extra_souls: PerSide<u16>,
    pub(super) line: Vec<String>,
}

/// Position at the start of a turn.
#[derive(Deserialize, Serialize, PartialEq)]
#[serde(expecting = "an object with a position", deny_unknown_fields)]
pub(super) struct TracePosition {
    pub(super) turn: u32,
    pub(super) side: u8,
    pub(super) points: PerSide<u8>,
    pub(super) winner: Option<u8>,
    pub(super) souls: PerSide<u32>,
    pub(super) tech: PerSide<String>,
    pub(super) row: Vec<String>,
    pub(super) queue: PerSide<Vec<String>>,
    pub(super) boards: Vec<TraceBoard>,
}

/// Position after the last action, before the end of the turn.
#[derive(Deserialize, Serialize, PartialEq)]
#[serde(expecting = "an object with a position within a turn", deny_unknown_fields)]
pub(super) struct TraceMidTurn {
    pub(super) souls: PerSide<u32>,
    pub(super) tech: PerSide<String>,
    pub(super) boards: Vec<TraceBoard>,
}

/// Board. The last three fields are present in the middle of a turn only.
#[derive(Deserialize, Serialize, PartialEq)]
#[serde(expecting = "an object with a board", deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct TraceBoard {
    pub(super) state: String,
    pub(super) mana: i16,
    pub(super) pending: PerSide<u16>,
    pub(super) free: PerSide<u8>,
    pub(super) cand: PerSide<Vec<String>>,
    pub(super) reinf: PerSide<ByName<u8>>,
    pub(super) hand: PerSide<Vec<String>>,
    pub(super) movable: ByName<String>,
    pub(super) pieces: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) won: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lost: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tile_used: Option<bool>,
}

/// Line of a position with the reach of its pieces.
#[derive(Deserialize)]
#[serde(expecting = "an object with a position and the reach of its pieces", deny_unknown_fields)]
pub(super) struct ReachLine {
    pub(super) id: u64,
    pub(super) map: String,
    pub(super) side: u8,
    pub(super) movable: ByName<String>,
    pub(super) reinf: PerSide<ByName<u8>>,
    pub(super) pieces: Vec<String>,
    /// Reach by the hex of the piece.
    pub(super) reach: ByName<PieceReach>,
    /// Spawn hexes by unit name.
    pub(super) spawn: ByName<Vec<String>>,
}

/// Reach of a piece: the hexes to which it can move and those that it can attack.
#[derive(Deserialize, Serialize, PartialEq, Default)]
#[serde(expecting = "an object with the reach of a piece", deny_unknown_fields)]
pub(super) struct PieceReach {
    pub(super) to: Vec<String>,
    pub(super) hit: Vec<String>,
}
