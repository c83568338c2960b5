//! Review of a whole game: every turn measured by how much win chance it gave away. Win chances are those of the side that
//! plays the turn, 0 to 1, with four decimals.

use serde::{Deserialize, Serialize};

/// Review of a game, or the review so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Review {
    /// Whether the review has ended.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// Positions of the game.
    pub positions: usize,
    /// Positions that have been searched.
    pub searched: usize,
    /// Win chance that a blunder gives away; a mistake gives away half of it.
    pub blunder: f64,
    /// Turns in order, as far as they are reviewed.
    pub turns: Vec<TurnReview>,
    /// Totals of Yellow.
    pub yellow: SideReview,
    /// Totals of Blue.
    pub blue: SideReview,
}

/// Turn of a review.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnReview {
    /// Number of the turn, from 1.
    pub turn: usize,
    /// Side that plays, `Yellow` or `Blue`.
    pub side: String,
    /// Position before the turn in Spooky's form of FEN.
    pub fen: String,
    /// Win chance of Yellow by the best turn known.
    pub yellow: f64,
    /// Value of the best turn known.
    pub best: ReviewedValue,
    /// Value of the turn played.
    pub played: ReviewedValue,
    /// Win chance that the game itself has for the turn; null without one.
    pub recorded: Option<f64>,
    /// Win chance given away.
    pub loss: f64,
    /// Standard error of the loss.
    pub loss_error: f64,
    /// Mark of a turn that gave much away; null for any other turn.
    pub mark: Option<TurnMark>,
    /// Turn played, in UMI, `endturn` included.
    pub lines: Vec<String>,
    /// Better turn, where the turn played has a mark.
    pub better: Option<BetterTurnReview>,
}

/// Mark of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnMark {
    /// The turn gave away at least half of what a blunder does.
    Mistake,
    /// The turn gave away at least what a blunder does.
    Blunder,
}

/// Value of a turn.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedValue {
    /// Win chance.
    pub chance: f64,
    /// Standard error of the win chance.
    pub error: f64,
}

/// Better turn than the one played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BetterTurnReview {
    /// Value.
    #[serde(flatten)]
    pub value: ReviewedValue,
    /// Visits in the search.
    pub visits: u64,
    /// Lines in UMI, `endturn` included.
    pub lines: Vec<String>,
    /// Turn in a few words.
    pub summary: String,
}

/// Totals of a side.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SideReview {
    /// Turns.
    pub turns: usize,
    /// Blunders.
    pub blunders: usize,
    /// Mistakes.
    pub mistakes: usize,
    /// Win chance given away a turn.
    pub mean_loss: f64,
}

/// Review of the game of a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewAsk {
    /// Nodes for each position.
    pub nodes: u64,
    /// Win chance that a blunder gives away.
    pub blunder: f64,
    /// Whether answers come while the review goes on.
    pub progress: bool,
}

impl Default for ReviewAsk {
    fn default() -> Self {
        ReviewAsk { nodes: 200, blunder: 0.15, progress: true }
    }
}
