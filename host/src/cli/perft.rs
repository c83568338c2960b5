//! `barrow perft`: the number of distinct minimal attacks on one board.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use barrow_solver::attack::{AttackModel, OverkillPolicy, memory_for, perft};
use serde_json::json;

use super::position::Position;
use crate::say;

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
    /// Print {"board","attacks","seconds"} and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Counts, and prints the number and the time.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let game = arguments.position.game()?;
    let board = arguments.board;
    let view = game.view(board).with_context(|| format!("--board {board}: no such board"))?;
    let model = AttackModel::new(&view)?.with_overkill_policy(OverkillPolicy::AllHitsNeeded);
    let mut memory = vec![0; memory_for(&model)?];
    let start = Instant::now();
    let attacks = perft(&view, &mut memory, arguments.limit)?;
    let seconds = start.elapsed().as_secs_f64();
    say!("{attacks} minimal attacks in {seconds:.3} s");
    if arguments.json {
        println!("{}", json!({ "board": board, "attacks": attacks, "seconds": seconds }));
    }
    Ok(ExitCode::SUCCESS)
}
