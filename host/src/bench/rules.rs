//! Time of the rules: reading a position, reach of pieces, applying and undoing a turn, random games.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use barrow_core::hex::HexSet;
use barrow_core::minions::players::{Greedy, Random};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Change, Game, GameConfig, GameTurn, Ruleset, Side, UndoLog, View};
use schemars::JsonSchema;
use serde::Serialize;

use crate::bench::test_positions;
use crate::interrupt;

/// Times of the rules.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct RulesReport {
    /// Microseconds to read a position of two boards from FEN.
    pub fen_parse_us: f64,
    /// Microseconds to find the reach of all pieces of one board.
    pub reach_board_us: f64,
    /// Microseconds to apply a whole turn on two boards and undo it.
    pub turn_apply_undo_us: f64,
    /// Games of random players per second, from the start to the end or for 200 turns.
    pub playouts_per_s: f64,
}

/// Largest number of turns of a random game.
const PLAYOUT_TURNS: u32 = 200;

/// Entries of the undo log, enough for a turn on two boards.
const LOG: usize = 4096;

/// Measures on the built-in positions, for about `time` per figure.
///
/// # Errors
/// When the user interrupts.
pub fn measure_rules(time: Duration) -> Result<RulesReport> {
    let games = test_positions::middle_games(Ruleset::Spooky);
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let texts = test_positions::MIDDLE_GAMES;
    let fen_parse = seconds_each(time, texts.len(), || {
        for text in texts {
            let _ = black_box(fen::parse(black_box(text), &config));
        }
    })?;
    let views: Vec<View<'_>> = games
        .iter()
        .flat_map(|game| (0..game.config().num_boards()).filter_map(|board| game.view(board)))
        .collect();
    let reach = seconds_each(time, views.len(), || {
        for view in &views {
            black_box(reach_of_all(black_box(view)));
        }
    })?;
    let mut turns: Vec<(Game, GameTurn)> =
        games.iter().map(|game| (game.clone(), Greedy::new(0).choose(game))).collect();
    let mut memory = vec![Change::default(); LOG];
    let mut log = UndoLog::new(&mut memory);
    let apply_undo = seconds_each(time, turns.len(), || {
        for (game, turn) in &mut turns {
            let mark = log.mark();
            let _ = black_box(game.enter(black_box(turn), &mut log));
            game.undo(mark, &mut log);
        }
    })?;
    let mut seed = 0;
    let playout = seconds_each(time, 1, || {
        seed += 1;
        black_box(playout(seed));
    })?;
    Ok(RulesReport {
        fen_parse_us: fen_parse * 1e6,
        reach_board_us: reach * 1e6,
        turn_apply_undo_us: apply_undo * 1e6,
        playouts_per_s: 1.0 / playout,
    })
}

fn reach_of_all(view: &View<'_>) -> HexSet {
    let mut all = HexSet::EMPTY;
    for side in Side::ALL {
        let view = View { side, ..*view };
        for from in view.board.pieces(side) {
            all |= view.reach(from);
        }
    }
    all
}

fn playout(seed: u64) -> Option<Side> {
    let mut game = Game::new(GameConfig::default(), seed);
    let mut random = Random::new(seed);
    while !game.state().is_over() && game.state().turn() < PLAYOUT_TURNS {
        let turn = random.choose(&game);
        if game.play(&turn).is_err() {
            break;
        }
    }
    game.state().winner()
}

/// Seconds per item, where one call of `work` does `items` items: the mean over the fastest of five equal parts of `time`.
/// An error when the user interrupts.
pub(super) fn seconds_each(time: Duration, items: usize, mut work: impl FnMut()) -> Result<f64> {
    const PARTS: u32 = 5;
    work();
    let mut best = f64::INFINITY;
    for _ in 0..PARTS {
        let started = Instant::now();
        let mut calls = 0u32;
        while calls == 0 || started.elapsed() < time / PARTS {
            interrupt::check()?;
            work();
            calls += 1;
        }
        best = best.min(started.elapsed().as_secs_f64() / f64::from(calls));
    }
    Ok(best / items.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_measured() {
        let report = measure_rules(Duration::from_millis(1)).unwrap();
        for figure in
            [report.fen_parse_us, report.reach_board_us, report.turn_apply_undo_us, report.playouts_per_s]
        {
            assert!(figure.is_finite() && figure > 0.0);
        }
    }

    #[test]
    fn the_turns_that_are_measured_are_legal() {
        for game in test_positions::middle_games(Ruleset::Spooky) {
            let turn = Greedy::new(0).choose(&game);
            assert!(game.clone().play(&turn).is_ok());
        }
    }
}
