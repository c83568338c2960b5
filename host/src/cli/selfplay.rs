//! `barrow selfplay`: plays games for training and writes them as game records.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use schemars::JsonSchema;
use serde::Serialize;

use super::selfplay_games::SelfPlayGames;
use super::usage::{refuse_shared_files, require};
use crate::matches::{Contestant, Openings, Rulesets, player_help};
use crate::say;
use crate::shard::Shard;
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::training::selfplay::HANDICAPS;
use crate::training::{SelfPlay, SelfPlayFile};
use crate::{interrupt, progress};

/// Arguments of `selfplay`.
#[derive(clap::Args)]
#[command(after_long_help = player_help())]
pub(super) struct Arguments {
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Player of the games, as for `match`: `builtin:greedy`, `builtin:mcts,nodes=160`, `cmd:COMMAND`
    #[arg(long, value_name = "SPEC", default_value = "builtin:greedy")]
    player: Contestant,
    /// Its opponent; by default a player like it
    #[arg(long, value_name = "SPEC")]
    opponent: Option<Contestant>,
    /// Number of boards, or a range such as `1-8` to draw from
    #[arg(long, value_name = "N[-M]", default_value = "1-4", value_parser = super::r#match::parse_boards)]
    boards: (u8, u8),
    /// Rules: `server`, `spooky`, or `mixed`, by which two of three games are played by the server's
    #[arg(long, default_value = "mixed", value_parser = super::r#match::parse_rulesets)]
    ruleset: Rulesets,
    /// Chance, 0 to 1, that a game begins with a random handicap of souls, techs or souls per turn, for one side or both; 0
    /// switches them off
    #[arg(long, value_name = "CHANCE", default_value_t = HANDICAPS, value_parser = super::r#match::parse_chance)]
    handicaps: f64,
    /// Play only every Nth game, from number I on: `0/4` to `3/4` are four files that together hold the games of one run
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    /// Seed of openings, cards and random turns
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File to write, one JSON object per line; `.gz` is compressed, `-` is stdout. It is readable at any time
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Write the games as annotated games too, for people and other programs: to a file (`.mgn`, `.mgn.gz`), or each to a
    /// file of its own in a folder, whose name ends in `/` where it is to be made. With --resume they are written anew
    #[arg(long, value_name = "FILE|FOLDER/")]
    mgn: Option<String>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Go on with the file of a run that was ended or killed, as if that had not happened; seed, players, boards, rules,
    /// handicaps and shard must be the same
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Print {"games","turns","handicapped","interrupted"} and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Report of `selfplay`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Played {
    /// Games of the file.
    games: u32,
    /// Turns of these games.
    turns: u64,
    /// Games that began with a handicap.
    handicapped: usize,
    /// Whether the run ended early.
    interrupted: bool,
}

/// Plays the games and writes their records. Ctrl-C ends the run after the games that are finished.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let outputs = [("--out", Some(&*arguments.out)), ("--mgn", arguments.mgn.as_deref())];
    refuse_shared_files(&outputs, &[])?;
    require(
        !(arguments.json && arguments.out == "-"),
        "--json needs another --out than -: both would go to stdout",
    )?;
    let players = [&arguments.player, arguments.opponent.as_ref().unwrap_or(&arguments.player)]
        .map(|named| named.player.clone());
    let openings = Openings::new(arguments.ruleset, arguments.boards, &[], 0, arguments.seed)?;
    let player = SelfPlay::of_players(players, openings.with_handicaps(arguments.handicaps)?);
    let named = || arguments.out.clone();
    let mut file = open(arguments, &player).with_context(named)?;
    let mut annotated = annotated_games(arguments, file.games())?;
    let (started, known) = (Instant::now(), file.games());
    let bar = progress::bar_from(u64::from(known), u64::from(arguments.games), "games");
    while file.games() < arguments.games && !interrupt::requested() {
        let records = file.play_block(&player, arguments.games, arguments.shard, &bar).with_context(named)?;
        if let Some(annotated) = &mut annotated {
            annotated.write(&records)?;
        }
    }
    let (games, turns, seconds) = (file.games(), file.turns(), started.elapsed().as_secs_f64());
    bar.finish_and_clear();
    let interrupted = games < arguments.games;
    let with_handicap = |&index: &u32| player.openings().handicap(arguments.shard.number(index)).is_some();
    let handicapped = (0..games).filter(with_handicap).count();
    if arguments.out != "-" {
        let pace = progress::Pace(f64::from(games - known) / seconds.max(1e-9));
        say!(
            "{}, {handicapped} with a handicap, {}; {pace} games/s{}",
            counted(games, "game"),
            counted(turns, "turn"),
            if interrupted { ", interrupted" } else { "" }
        );
    }
    if arguments.json {
        print_json(&Played { games, turns, handicapped, interrupted })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Annotated games that the arguments ask for, beside records that hold this many games already.
fn annotated_games(arguments: &Arguments, known: u32) -> Result<Option<SelfPlayGames>> {
    let Arguments { mgn, out, shard, force, .. } = arguments;
    let Some(name) = mgn else { return Ok(None) };
    let player = &arguments.player.name;
    let players =
        [player.clone(), arguments.opponent.as_ref().map_or(player, |opponent| &opponent.name).clone()];
    let games = if arguments.resume {
        SelfPlayGames::go_on(name, out, known, players, *shard)?
    } else {
        SelfPlayGames::create(name, *force, players, *shard)?
    };
    Ok(Some(games))
}

/// Opens the file that the arguments name, and says what it holds already.
fn open(arguments: &Arguments, player: &SelfPlay) -> Result<SelfPlayFile> {
    let Arguments { out, games, shard, .. } = arguments;
    if !arguments.resume || (out != "-" && !Path::new(out).exists()) {
        return SelfPlayFile::create(out, arguments.force);
    }
    require(out != "-", "--resume: only a file can be gone on with")?;
    SelfPlayFile::go_on(out, Some(player), *games, *shard)
}
