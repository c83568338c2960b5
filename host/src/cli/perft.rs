//! `barrow perft`: the number of distinct minimal attacks on one board.

use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use barrow_core::minions::Game;
use barrow_solver::attack::{AttackModel, LargeRoom, OverkillPolicy, memory_for, perft};
use schemars::JsonSchema;
use serde::Serialize;

use super::position::Position;
use super::usage::require;
use crate::interrupt;
use crate::progress;
use crate::say;
use crate::text::output::print_json;

/// Time between two checks for an interrupt.
const POLL: Duration = Duration::from_millis(50);

/// Arguments of `perft`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Board, counted from 0
    #[arg(long, default_value_t = 0)]
    board: usize,
    /// Stop counting here
    #[arg(long, value_name = "COUNT", default_value_t = u64::MAX)]
    limit: u64,
    #[command(flatten)]
    position: Position,
    /// Print {"board","attacks","limited","seconds"} and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Number of attacks that `perft` counts.
#[derive(Serialize, JsonSchema)]
pub(super) struct AttackCount {
    /// Board, counted from 0.
    board: usize,
    /// Distinct minimal attacks.
    attacks: u64,
    /// Whether the count ended at the limit, so that there may be more.
    limited: bool,
    /// Time in seconds.
    seconds: f64,
}

/// Counts, and prints the number and the time.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let game = arguments.position.game()?;
    let (board, limit) = (arguments.board, arguments.limit);
    require(game.view(board).is_some(), format_args!("--board {board}: no such board"))?;
    let start = Instant::now();
    let bar = progress::spinner("counting attacks");
    // The count has no place at which it could be stopped: a thread that nobody waits for ends with the program.
    let (sender, counted) = mpsc::channel();
    thread::spawn(move || sender.send(count(&game, board, limit)));
    let attacks = loop {
        match counted.recv_timeout(POLL) {
            Err(RecvTimeoutError::Timeout) => interrupt::check()?,
            attacks => break attacks.context("the count has failed")?,
        }
    };
    bar.finish_and_clear();
    let attacks = attacks?;
    let seconds = start.elapsed().as_secs_f64();
    let limited = attacks == limit;
    let more = if limited { " or more, by --limit," } else { "" };
    say!("{attacks} minimal attacks{more} in {seconds:.3} s");
    if arguments.json {
        print_json(&AttackCount { board, attacks, limited, seconds })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Number of minimal attacks on a board, up to a limit.
fn count(game: &Game, board: usize, limit: u64) -> Result<u64> {
    let view = game.view(board).context("no such board")?;
    let mut room = Box::new(LargeRoom::new());
    let model = AttackModel::new(&view, &mut *room)?.with_overkill_policy(OverkillPolicy::AllHitsNeeded);
    let mut memory = vec![0; memory_for(&model)?];
    Ok(perft(&view, &mut *room, &mut memory, limit)?)
}
