//! `barrow selfplay`: plays games for training and writes them as game records.

use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use serde_json::json;

use crate::records::{RecordFile, RecordTail};
use crate::training::SelfPlay;
use crate::{interrupt, progress};

/// Games of a block, which is written at once: what a run that is killed may lose.
const BLOCK: u32 = 64;

/// Arguments of `selfplay`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Seed of openings, cards and random turns
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File to write, one JSON object per line; `.gz` is compressed, `-` is stdout. It is readable at any time
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Go on with the file of a run that was ended or killed, as if that had not happened; the seed must be the same
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Print {"games","turns","interrupted"} as the last line
    #[arg(long)]
    json: bool,
}

/// Plays the games and writes their records. Ctrl-C ends the run after the games that are finished.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let player = SelfPlay::new(arguments.seed)?;
    let named = || arguments.out.clone();
    let (mut output, RecordTail { mut games, mut turns, .. }) =
        open(arguments, &player).with_context(named)?;
    let bar = progress::bar(u64::from(arguments.games), "games");
    while games < arguments.games && !interrupt::requested() {
        // Blocks begin at the same games in every run.
        let block = games..arguments.games.min((games / BLOCK + 1) * BLOCK);
        let records = play(&player, block)?;
        let (lines, plies): (Vec<String>, Vec<usize>) = records.into_iter().unzip();
        output.write_block(&lines).with_context(named)?;
        games += lines.len() as u32;
        turns += plies.iter().sum::<usize>() as u64;
        bar.set_position(u64::from(games));
    }
    bar.finish_and_clear();
    let interrupted = games < arguments.games;
    if arguments.json {
        println!("{}", json!({ "games": games, "turns": turns, "interrupted": interrupted }));
    } else if arguments.out != "-" {
        println!("{games} games, {turns} turns{}", if interrupted { ", interrupted" } else { "" });
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the file that the arguments name, and says what it holds already.
fn open(arguments: &Arguments, player: &SelfPlay) -> Result<(RecordFile, RecordTail)> {
    let Arguments { out, seed, games, .. } = arguments;
    if !arguments.resume || (out != "-" && !Path::new(out).exists()) {
        return Ok((RecordFile::create(out, arguments.force)?, RecordTail::default()));
    }
    ensure!(out != "-", "only a file can be gone on with");
    let tail = RecordTail::read(out)?;
    if let Some((number, text)) = &tail.last {
        let Some(record) = player.play(*number)? else { bail!("interrupted") };
        ensure!(record.to_line()? == *text, "line {} is no game of --seed {seed}", number + 1);
    }
    ensure!(tail.games <= *games, "holds {} games, more than --games {games}", tail.games);
    Ok((RecordFile::append(out, &tail)?, tail))
}

/// Plays games in parallel. Returns their records as text, with their lengths in turns; after Ctrl-C those before the
/// first game that was not finished, so that no game is missing between others.
fn play(player: &SelfPlay, numbers: Range<u32>) -> Result<Vec<(String, usize)>> {
    let play = |number| -> Result<(u32, Option<(String, usize)>)> {
        let record = player.play(number)?;
        let record = record.map(|record| anyhow::Ok((record.to_line()?, record.plies.len()))).transpose()?;
        Ok((number, record))
    };
    // A bridge begins the games in order, so that few behind an unfinished one are lost.
    let mut records: Vec<(u32, Option<(String, usize)>)> =
        numbers.par_bridge().map(play).collect::<Result<_>>()?;
    records.sort_unstable_by_key(|&(number, _)| number);
    Ok(records.into_iter().map_while(|(_, record)| record).collect())
}
