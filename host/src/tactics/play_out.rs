//! Play-outs of trades: whether the trade that leaves most souls also wins more games than the best turn that is none. A
//! trade counts souls after one answer that moves and places nothing; games say what that is worth.

use std::time::Duration;

use anyhow::{Context, Result};
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, Side, UndoLog};

use super::Tactic;
use super::find::best_trade;
use crate::engine::{Engine, Limits};

/// Nodes of the searches that find the two turns that are compared.
const CHOICE_NODES: u64 = 2_000;

/// Nodes of each search of the play-outs.
const NODES: u64 = 60;

/// Turns after which a play-out is a draw.
const MAX_PLIES: u32 = 120;

/// Memory of each search in MiB.
const HASH_MIB: usize = 16;

/// Games of the side to move after a trade and after another turn, in half points: two for each game won, one for a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayOuts {
    /// Games played after each of the two turns.
    pub games: u32,
    /// Half points after the trade.
    pub trade: u32,
    /// Half points after the other turn.
    pub other: u32,
}

impl PlayOuts {
    /// Whether the trade wins more games by over two standard errors of the difference.
    pub fn confirm_trade(&self) -> bool {
        let games = f64::from(self.games.max(1));
        let [trade, other] = [self.trade, self.other].map(|points| f64::from(points) / (2.0 * games));
        let variance = trade * (1.0 - trade) + other * (1.0 - other);
        trade - other > 2.0 * (variance / games).sqrt()
    }
}

/// Plays so many games after the trade of a position and after the best turn that is none, both by searches. `None` where
/// the search considers no turn but trades.
///
/// # Errors
/// When the trade cannot be listed or made.
pub fn play_out(tactic: &Tactic, games: u32) -> Result<Option<PlayOuts>> {
    let mut engine = Engine::new(HASH_MIB, SearchOptions::default());
    let limits = Limits::new(Duration::MAX, CHOICE_NODES);
    let found = engine.search(&tactic.game, &limits);
    let by_kind = |is_trade| {
        let mut turns = found.candidates.iter().map(|candidate| &candidate.turn);
        let turn = turns.find(|turn| tactic.is_solved(turn) == is_trade)?;
        let mut after = tactic.game.clone();
        after.play(turn).is_ok().then_some(after)
    };
    let Some(other) = by_kind(false) else { return Ok(None) };
    // The attack itself, with the rest of the turn left to a search, where the search did not think of it.
    let trade = by_kind(true).or_else(|| {
        let mut entered = tactic.game.clone();
        let (_, attack) = best_trade(&entered, tactic.board)?;
        let mut rest = attack.actions.as_slice();
        while !rest.is_empty() {
            let used = entered.apply_next(tactic.board as u8, rest, &mut UndoLog::off()).ok()?;
            rest = rest.get(used..)?;
        }
        engine.clear();
        let found = engine.search(&entered, &limits);
        entered.play(&found.best().turn).ok()?;
        Some(entered)
    });
    let trade = trade.context("the trade cannot be made")?;
    let side = tactic.game.side_to_move();
    let (trade, other) = (half_points(&trade, side, games), half_points(&other, side, games));
    Ok(Some(PlayOuts { games, trade, other }))
}

/// Half points of a side in so many games from a position on, each with seeds of its own.
fn half_points(start: &Game, side: Side, games: u32) -> u32 {
    let play = |number: u32| {
        let options = |seed| SearchOptions { seed, ..SearchOptions::default() };
        let mut engines = [0, 1].map(|place| Engine::new(HASH_MIB, options(u64::from(2 * number + place))));
        let mut game = start.clone();
        for _ in 0..MAX_PLIES {
            if game.state().is_over() {
                break;
            }
            let engine = &mut engines[usize::from(game.side_to_move() == side)];
            let turn = engine.search(&game, &Limits::new(Duration::MAX, NODES)).best().turn.clone();
            if game.play(&turn).is_err() {
                break;
            }
        }
        game.state().winner().map_or(1, |winner| if winner == side { 2 } else { 0 })
    };
    (0..games).map(play).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trade_is_confirmed_beyond_two_standard_errors_only() {
        let plays = |trade, other| PlayOuts { games: 100, trade, other };
        assert!(plays(140, 100).confirm_trade());
        assert!(!plays(110, 100).confirm_trade());
        assert!(!plays(100, 140).confirm_trade());
        assert!(!plays(0, 0).confirm_trade());
        assert!(!PlayOuts { games: 0, trade: 0, other: 0 }.confirm_trade());
    }
}
