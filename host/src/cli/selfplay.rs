//! `barrow selfplay`: plays games for training and writes them as game records.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use serde_json::json;

use crate::matches::MatchPlayerSpec;
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
    /// Player of the games, as for `match`: `builtin:greedy`, `builtin:mcts,nodes=160`, `cmd:COMMAND`
    #[arg(long, value_name = "SPEC", default_value = "builtin:greedy")]
    player: MatchPlayerSpec,
    /// Its opponent; by default a player like it
    #[arg(long, value_name = "SPEC")]
    opponent: Option<MatchPlayerSpec>,
    /// Number of boards, or a range such as `1-8` to draw from
    #[arg(long, value_name = "N[-M]", default_value = "1-4", value_parser = super::r#match::parse_boards)]
    boards: (u8, u8),
    /// Play only every Nth game, from number I on: `0/4` to `3/4` are four files that together hold the games of one run
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = parse_shard)]
    shard: Shard,
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

/// Share of the games of a run, for several machines or processes.
#[derive(Clone, Copy, Debug)]
struct Shard {
    first: u32,
    step: u32,
}

impl Shard {
    /// Number of the game with this index in the share.
    fn number(self, index: u32) -> u32 {
        index.wrapping_mul(self.step).wrapping_add(self.first)
    }
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let number = |text: &str| text.parse::<u32>().ok();
    match text.split_once('/').map(|(first, step)| (number(first), number(step))) {
        Some((Some(first), Some(step))) if first < step => Ok(Shard { first, step }),
        _ => Err("expected I/N with I less than N".to_owned()),
    }
}

/// Plays the games and writes their records. Ctrl-C ends the run after the games that are finished.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let players =
        [&arguments.player, arguments.opponent.as_ref().unwrap_or(&arguments.player)].map(Clone::clone);
    let player = SelfPlay::of_players(players, arguments.boards, arguments.seed)?;
    let named = || arguments.out.clone();
    let (mut output, RecordTail { mut games, mut turns, .. }) =
        open(arguments, &player).with_context(named)?;
    let bar = progress::bar(u64::from(arguments.games), "games");
    while games < arguments.games && !interrupt::requested() {
        // Blocks begin at the same games in every run.
        let block = games..arguments.games.min((games / BLOCK + 1) * BLOCK);
        let records = play(&player, block.map(|game| arguments.shard.number(game)))?;
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
    let Arguments { out, seed, games, shard, .. } = arguments;
    if !arguments.resume || (out != "-" && !Path::new(out).exists()) {
        return Ok((RecordFile::create(out, arguments.force)?, RecordTail::default()));
    }
    ensure!(out != "-", "only a file can be gone on with");
    let tail = RecordTail::read(out)?;
    if let Some((index, text)) = tail.last.as_ref().filter(|_| player.is_reproducible()) {
        let Some(record) = player.play(shard.number(*index))? else { bail!("interrupted") };
        ensure!(
            record.to_line()? == *text,
            "line {} is no game of --seed {seed} with these players, boards and shard",
            index + 1
        );
    }
    ensure!(tail.games <= *games, "holds {} games, more than --games {games}", tail.games);
    Ok((RecordFile::append(out, &tail)?, tail))
}

/// Plays games in parallel. Returns their records as text, with their lengths in turns; after Ctrl-C those before the
/// first game that was not finished, so that no game is missing between others.
fn play(player: &SelfPlay, numbers: impl Iterator<Item = u32> + Send) -> Result<Vec<(String, usize)>> {
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
