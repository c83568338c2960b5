//! Root records: what a search knew of the position in which a recorded turn was played, in the numbers that networks
//! learn from (traces §5).
//!
//! ```json
//! {"nodes":80,"value":0.5312,"error":0.0121,"visits":35,"reply":0.5177,
//!  "generals":[{"visits":41,"value":0.5312,"actions":["tech 1 3"]}],
//!  "boards":[{"attacks":[{"visits":30,"value":0.54,"actions":["move c3c4"],
//!                         "spawns":[{"visits":9,"value":0.55,"given":4,"actions":["spawn Z d4"]}]}],
//!             "money":[{"souls":4,"visits":30,"value":0.54}]}]}
//! ```
//!
//! Visits count what earlier searches of the same tree saw as well. Win chances are those of the side that plays the
//! turn, 0 to 1, to four decimals. Actions are lines of UMI without `action` and, on a board, without `board N`.

use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Action, Game, GameTurn};
use barrow_core::search::stats::Stats;
use barrow_core::search::value::CERTAIN;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Root record: statistics of every stage at the root of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RootRecord {
    /// Nodes of the search.
    pub nodes: u64,
    /// Win chance by the turn that was played.
    pub value: f64,
    /// Standard error of `value`.
    pub error: f64,
    /// Visits of the turn that was played; 0 in records of before they were written.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub visits: u64,
    /// Win chance after the answer that the search expects; `None` where it has seen none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<f64>,
    /// Choices of the general that were visited, the most visited first.
    pub generals: Vec<VisitedGeneral>,
    /// Boards in index order.
    pub boards: Vec<BoardRecord>,
}

/// Root statistics of one board.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct BoardRecord {
    /// Attacks that were visited, the most visited first.
    pub attacks: Vec<VisitedAttack>,
    /// Sums of money that the board was given, the smallest first.
    pub money: Vec<VisitedMoney>,
}

/// Choice of the general with its visits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VisitedGeneral {
    /// Visits of turns with the choice.
    pub visits: u32,
    /// Mean win chance of these turns.
    pub value: f64,
    /// Actions.
    pub actions: Vec<String>,
}

/// Attack with its visits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VisitedAttack {
    /// Visits of turns with the attack.
    pub visits: u32,
    /// Mean win chance of these turns.
    pub value: f64,
    /// Actions up to the last one of the attack.
    pub actions: Vec<String>,
    /// Spawn candidates that were tried after the attack, the most visited first.
    pub spawns: Vec<VisitedSpawn>,
}

/// Moves, spells and placements after an attack, with their visits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VisitedSpawn {
    /// Visits of turns with these actions.
    pub visits: u32,
    /// Mean win chance of these turns.
    pub value: f64,
    /// Souls that the board was given.
    pub given: u16,
    /// Actions after the attack.
    pub actions: Vec<String>,
}

/// Sum of money with the visits of turns that gave it to a board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VisitedMoney {
    /// Souls.
    pub souls: u8,
    /// Visits.
    pub visits: u32,
    /// Mean win chance of these turns.
    pub value: f64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Mean of statistics as a win chance, 0 to 1, to four decimals.
pub fn recorded_mean(stats: &Stats) -> f64 {
    rounded(f64::from(stats.mean()) / f64::from(CERTAIN))
}

/// A win chance to four decimals.
pub fn rounded(chance: f64) -> f64 {
    (chance * 1e4).round() / 1e4
}

/// Lines of the general's actions. `None` when they are no part of a turn.
pub fn general_lines(game: &Game, actions: &[Action]) -> Option<Vec<String>> {
    let actions = actions.iter().filter_map(|action| match *action {
        Action::General(action) => Some(action),
        Action::Board(..) => None,
    });
    let turn = game.general_turn(actions)?;
    Some(lines(game, &turn, "action "))
}

/// Lines of actions on a board. `None` when they are too many for a turn.
pub fn board_lines(game: &Game, board: usize, actions: &[Action]) -> Option<Vec<String>> {
    let mut turn = GameTurn::new();
    for action in actions {
        if let Action::Board(_, action) = *action {
            turn.push(board, action)?;
        }
    }
    Some(lines(game, &turn, &format!("action board {board} ")))
}

/// Lines of a turn that begin with `prefix`, without it.
fn lines(game: &Game, turn: &GameTurn, prefix: &str) -> Vec<String> {
    let text = TurnText::new(game, turn).to_string();
    text.lines().filter_map(|line| line.strip_prefix(prefix)).map(str::to_owned).collect()
}
