//! `barrow selfplay`: plays games for training and writes them as game records.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::matches::MatchPlayerSpec;
use crate::training::{SelfPlay, SelfPlayFile, Shard};
use crate::{interrupt, progress};

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

fn parse_shard(text: &str) -> Result<Shard, String> {
    let number = |text: &str| text.parse::<u32>().ok();
    match text.split_once('/').map(|(first, step)| (number(first), number(step))) {
        Some((Some(first), Some(step))) if first < step => Ok(Shard::new(first, step)),
        _ => Err("expected I/N with I less than N".to_owned()),
    }
}

/// Plays the games and writes their records. Ctrl-C ends the run after the games that are finished.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let players =
        [&arguments.player, arguments.opponent.as_ref().unwrap_or(&arguments.player)].map(Clone::clone);
    let player = SelfPlay::of_players(players, arguments.boards, arguments.seed)?;
    let named = || arguments.out.clone();
    let mut file = open(arguments, &player).with_context(named)?;
    let bar = progress::bar(u64::from(arguments.games), "games");
    while file.games() < arguments.games && !interrupt::requested() {
        file.play_block(&player, arguments.games, arguments.shard).with_context(named)?;
        bar.set_position(u64::from(file.games()));
    }
    let (games, turns) = (file.games(), file.turns());
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
fn open(arguments: &Arguments, player: &SelfPlay) -> Result<SelfPlayFile> {
    let Arguments { out, games, shard, .. } = arguments;
    if !arguments.resume || (out != "-" && !Path::new(out).exists()) {
        return SelfPlayFile::create(out, arguments.force);
    }
    ensure!(out != "-", "only a file can be gone on with");
    SelfPlayFile::go_on(out, Some(player), *games, *shard)
}
