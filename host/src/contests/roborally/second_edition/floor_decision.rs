//! Decision of a searching player of the second edition: shortlist, scenarios, and the search within its limits.

use anyhow::{Result, anyhow};
use barrow_core::contests::roborally::bot::second_edition::{RaceGame, RacePolicy, RaceProgram};
use barrow_core::contests::roborally::numbering::ACTION_CAP;
use barrow_core::contests::roborally::second_edition::Race;
use barrow_core::rng::Rng;
use barrow_core::search::flat::{self, Arm, Effort, FlatGame, Options};
use barrow_core::search::value::EVEN;

use super::floor::TabledFloor;
use super::floor_player_spec::RaceSearch;
use crate::contests::roborally::choice::{Hint, Limits, hints};
use crate::contests::roborally::meter::Meter;

/// The choice of a player for one turn.
#[derive(Clone, Debug, Default)]
pub struct RaceChoice {
    /// The program.
    pub program: RaceProgram,
    /// Work of the search.
    pub effort: Effort,
    /// Mean value of the program in 1/65,536; 0 without a search.
    pub value: i32,
    /// The best programs, the chosen one first, as many as were asked for.
    pub hints: Vec<Hint<RaceProgram>>,
}

/// Decides by search. `arms` is the memory of its statistics.
pub(super) fn decide(
    search: &RaceSearch,
    limits: Limits<'_>,
    course: &TabledFloor,
    (race, robot): (&Race, usize),
    arms: &mut Vec<Arm>,
    dice: &mut Rng,
) -> Result<RaceChoice> {
    // Tables are not a part of the decision's time.
    let evaluator = course.evaluator(search.odds);
    let Limits { budget, is_stopped, hints: wanted } = limits;
    let meter = Meter::start(budget.unwrap_or(search.budget), is_stopped);
    let policy = RacePolicy { evaluator, strategy: search.strategy };
    let Some(mut game) = RaceGame::new(policy, evaluator, race, robot) else {
        return Ok(RaceChoice::default());
    };
    game.shorten(search.focus, dice, || meter.has_time_to_try());
    game.foresee(search.foresee, dice, || meter.has_time_to_try());
    meter.begin_search();
    arms.resize(ACTION_CAP, Arm::default());
    let options = Options { depth: search.depth, selection: search.selection };
    let report = flat::search(&game, options, arms, dice, |effort| meter.share_of_search(effort, 0))
        .map_err(|_| anyhow!("more actions than a hand of nine cards has"))?;
    let is_blind = report.effort.playouts == 0;
    let program = if is_blind { game.best_alone(dice) } else { game.program(report.action) };
    let count = game.actions() as usize;
    let hints = if is_blind {
        vec![Hint { program, value: EVEN, playouts: 0 }]
    } else {
        hints(|action| game.program(action), &arms[..count], report.action, wanted)
    };
    Ok(RaceChoice { program, effort: report.effort, value: report.value, hints })
}
