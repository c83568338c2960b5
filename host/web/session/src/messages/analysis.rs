//! Findings of a search. Win chances are those of the side to move, 0 to 1.

use serde::{Deserialize, Serialize};

/// Result of a search, or the result so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Analysis {
    /// Whether the search has ended.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// Turns of the game before the position, where it is one of the game.
    pub after: Option<usize>,
    /// Side to move, `Yellow` or `Blue`.
    pub side: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Longest line looked at, in turns.
    pub depth: u8,
    /// Seconds of the search.
    pub seconds: f64,
    /// Name of the network's profile, or `none`.
    pub network: String,
    /// Win chance by the best turn; by the network alone before the first turn was found.
    pub value: f64,
    /// Expected error of the win chance: what it is off by at the side's next turn (root mean square).
    pub expected_error: f64,
    /// `win` or `loss` where the result is certain.
    pub proved: Option<String>,
    /// Boards.
    pub boards: Vec<AnalysedBoard>,
    /// Turns, the best first.
    pub turns: Vec<AnalysedTurn>,
    /// Answer that is expected to the best turn, in a few words.
    pub expected_reply: Option<String>,
    /// Statistics of every stage, if they were asked for.
    pub stages: Option<StageReport>,
    /// Why the turn is not that of the search, if the search broke down.
    pub warning: Option<String>,
}

/// Board of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalysedBoard {
    /// Win chance of the game as the network sees it from this board; none without a network.
    pub win: Option<f64>,
    /// Expected error of `win`.
    pub win_error: Option<f64>,
    /// Chance to score the next point on this board; none without a network.
    pub next_point: Option<f64>,
    /// Souls by which the side to move is ahead, by the hand-written evaluation.
    pub souls_ahead: f64,
    /// Souls that the best turn spends on this board.
    pub spent: u32,
    /// Fates of pieces, as the network foretells them.
    pub fates: Vec<Fate>,
}

/// Predicted fate of a piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fate {
    /// Hex of the piece.
    pub hex: String,
    /// Fate.
    pub kind: FateKind,
    /// Chance of the fate, 0 to 1.
    pub chance: f64,
}

/// Kind of a predicted fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FateKind {
    /// An enemy that is killed in this turn.
    Killed,
    /// An enemy that is unsummoned in this turn.
    Unsummoned,
    /// A friend that does not fight in this turn.
    Passive,
}

/// Turn that was considered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalysedTurn {
    /// Win chance.
    pub value: f64,
    /// Expected error of the win chance.
    pub expected_error: f64,
    /// Visits.
    pub visits: u64,
    /// Whether the turn wins the game at once.
    pub wins: bool,
    /// Lines in UMI, `turn` first and `endturn` last.
    pub lines: Vec<String>,
    /// Turn in a few words.
    pub summary: String,
    /// Turn in words, a sentence for each action.
    pub sentences: Vec<String>,
    /// Arrows of its walks and attacks, and marks of its placements.
    pub arrows: Vec<Arrow>,
}

/// Kind of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrowKind {
    /// A walk, teleport or change of places.
    Walk,
    /// An attack.
    Attack,
    /// A unit that is placed; both ends are its hex.
    Spawn,
    /// A spell; both ends are its target where it moves nothing.
    Cast,
    /// A piece that goes back to the reinforcements; both ends are its hex.
    Blink,
}

/// Arrow on a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Arrow {
    /// Index of the board.
    pub board: usize,
    /// Kind.
    pub kind: ArrowKind,
    /// Hex where it begins.
    pub from: String,
    /// Hex where it ends.
    pub to: String,
}

/// Statistics of every stage of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StageReport {
    /// Choices of the general, the most visited first.
    pub general: Vec<StageChoice>,
    /// Attacks of each board, the most visited first.
    pub attacks: Vec<Vec<StageChoice>>,
    /// Sums of souls for each board.
    pub money: Vec<Vec<StageChoice>>,
}

/// Choice of a stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StageChoice {
    /// Choice in words.
    pub words: String,
    /// Whether the choice is part of the best turn.
    pub chosen: bool,
    /// Visits of turns with the choice.
    pub visits: u32,
    /// Mean win chance of these turns.
    pub value: f64,
}
