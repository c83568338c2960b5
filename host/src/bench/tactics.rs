//! Number of tactical positions that the search solves in a given time, or another player.

use std::time::Duration;

use anyhow::Result;
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, GameTurn};
use indicatif::ProgressBar;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::proof::Prover;
use crate::engine::{Engine, Limits};
use crate::interrupt;
use crate::tactics::Tactic;

/// Memory of the search in MiB.
const HASH_MIB: usize = 64;

/// Positions of one task, and how many of them were solved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskReport {
    /// Name of the task.
    pub task: &'static str,
    /// Number of positions.
    pub positions: usize,
    /// Number of positions solved.
    pub solved: usize,
    /// Numbers of the positions not solved, counted from 1 over all tasks.
    pub missed: Vec<usize>,
}

/// Searches each position for this time, or this many nodes if they are reached first; `verifies` as in
/// [`Engine::set_verifies`]. A bar follows the positions.
pub fn measure_tactics(
    tactics: &[Tactic],
    verifies: bool,
    time: Duration,
    nodes: u64,
    bar: &ProgressBar,
) -> Result<Vec<TaskReport>> {
    let mut engine = Engine::new(HASH_MIB, SearchOptions::default());
    engine.set_verifies(verifies);
    let search = |_, game: &Game| {
        engine.clear();
        Ok(Some(engine.search(game, &Limits::new(time, nodes)).best().turn.clone()))
    };
    measure_answers(tactics, search, bar)
}

/// Positions solved of each task by the turns of an `answer`, which is asked by number, counted from 1, and position; no turn solves
/// nothing. A bar follows the positions.
///
/// # Errors
/// When the answer fails, or the program is interrupted.
pub fn measure_answers(
    tactics: &[Tactic],
    mut answer: impl FnMut(usize, &Game) -> Result<Option<GameTurn>>,
    bar: &ProgressBar,
) -> Result<Vec<TaskReport>> {
    let mut reports: Vec<TaskReport> = Vec::new();
    let mut prover = Prover::default();
    for (index, tactic) in tactics.iter().enumerate() {
        let found = answer(index + 1, &tactic.game)?;
        // A search that was cut short has neither solved nor missed its task.
        interrupt::check()?;
        let solved = found.is_some_and(|turn| tactic.is_solved_with(&mut prover, &turn));
        let task = tactic.task.name();
        let place = reports.iter().position(|report| report.task == task).unwrap_or_else(|| {
            reports.push(TaskReport { task, positions: 0, solved: 0, missed: Vec::new() });
            reports.len() - 1
        });
        bar.inc(1);
        let report = &mut reports[place];
        report.positions += 1;
        report.solved += usize::from(solved);
        if !solved {
            report.missed.push(index + 1);
        }
    }
    Ok(reports)
}
