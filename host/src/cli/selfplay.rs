//! `barrow selfplay`: plays games for training and writes them as game records.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde_json::json;

use crate::training::SelfPlay;
use crate::{interrupt, io, progress};

/// Games played in parallel before their records are written.
const ROUND: u32 = 256;

/// Arguments of `selfplay`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Seed of openings, cards and random turns
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File to write, one JSON object per line; `.gz` is compressed, `-` is stdout
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Print {"games","turns","interrupted"} as the last line
    #[arg(long)]
    json: bool,
}

/// Plays the games and writes their records. Ctrl-C ends the run after the games that are finished.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let player = SelfPlay::new(arguments.seed)?;
    let mut output = io::create(&arguments.out).with_context(|| arguments.out.clone())?;
    let bar = progress::bar(u64::from(arguments.games), "games");
    let (mut games, mut turns) = (0_u32, 0);
    for first in (0..arguments.games).step_by(ROUND as usize) {
        let round = first..arguments.games.min(first + ROUND);
        let play = |number| -> Result<Option<(String, usize)>> {
            let record = player.play(number)?;
            record.map(|record| Ok((record.to_line()?, record.plies.len()))).transpose()
        };
        let lines: Vec<Option<(String, usize)>> = round.into_par_iter().map(play).collect::<Result<_>>()?;
        for (line, plies) in lines.into_iter().flatten() {
            writeln!(output, "{line}").with_context(|| arguments.out.clone())?;
            games += 1;
            turns += plies;
        }
        bar.set_position(u64::from(games));
        if interrupt::requested() {
            break;
        }
    }
    bar.finish_and_clear();
    output.finish().with_context(|| arguments.out.clone())?;
    let interrupted = games < arguments.games;
    if arguments.json {
        println!("{}", json!({ "games": games, "turns": turns, "interrupted": interrupted }));
    } else if arguments.out != "-" {
        println!("{games} games, {turns} turns{}", if interrupted { ", interrupted" } else { "" });
    }
    Ok(ExitCode::SUCCESS)
}
