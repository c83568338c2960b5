//! Recorded positions: where pieces can go, what they can attack, and where units can be spawned.

use anyhow::{Context, Result, anyhow};
use barrow_core::hex::HexSet;
use barrow_core::minions::{Builder, Game, GameConfig, Ruleset, View};
use serde::Serialize;

use super::difference::first_difference;
use super::trace_format::{ByName, PieceReach, ReachLine};
use super::{load, names};

/// Reach of the pieces and spawn hexes of the unit types of a position.
#[derive(Serialize, PartialEq)]
struct Answers {
    reach: ByName<PieceReach>,
    spawn: ByName<Vec<String>>,
}

/// Difference between a recorded position and the rules.
pub(super) fn check(line: ReachLine) -> Result<Option<String>> {
    let game = position(&line)?;
    let view = game.view(0).context("the position has no board")?;
    let trace = Answers { reach: line.reach, spawn: line.spawn };
    Ok(first_difference(&trace, &answers(&view)))
}

fn position(line: &ReachLine) -> Result<Game> {
    let config = GameConfig::new(Ruleset::Server, &[names::map(&line.map)?]).context("no map")?;
    let mut builder = Builder::new(config, 0);
    builder.turn(names::side(line.side)?, u32::from(line.side));
    let board = builder.board(0).context("no board")?;
    load::fill_movable(board, &line.movable)?;
    load::fill_reserves(board, &line.reinf)?;
    load::fill_pieces(board, &line.pieces)?;
    builder.build().map_err(|invalid| anyhow!("{invalid}"))
}

fn answers(view: &View<'_>) -> Answers {
    let list = |hexes: HexSet| hexes.into_iter().map(|hex| hex.to_string()).collect();
    let reach = view.board.iter(view.side).map(|(at, _)| {
        let answer = PieceReach { to: list(view.reach(at)), hit: list(view.targets(at)) };
        (at.to_string(), answer)
    });
    let spawn =
        view.board.reserves(view.side).map(|(unit, _)| (unit.name().into(), list(view.spawn_hexes(unit))));
    Answers { reach: reach.collect(), spawn: spawn.collect() }
}
