//! `barrow kutulu`: the commands of Code of Kutulu.

use std::io::{stderr, stdin, stdout};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::contests::kutulu::bot::Tuning;
use barrow_core::contests::kutulu::{EXPLORERS, Map, POOL_SIZE, State, map_name, pool_map};
use schemars::JsonSchema;
use serde::Serialize;

use super::streams::at_stream;
use super::usage::{UsageError, refuse_second_stdin, require};
use crate::contests::kit::command as kit;
use crate::contests::kit::comparison::named_value;
use crate::contests::kit::several_games::chosen;
use crate::contests::kutulu;
use crate::contests::kutulu::arena::{ArenaResult, ArenaSettings, PlayerSpec, PlayerStats};
use crate::contests::kutulu::picture::Picture;
use crate::contests::kutulu::protocol::TurnLimits;
use crate::contests::kutulu::replay::state_at;
use crate::contests::kutulu::tune::TableComparer;
use crate::contests::kutulu::{bundle, protocol};
use crate::quantity::milliseconds;
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::tuning::TuningArgs;
use crate::{io, progress};
use crate::{say, say_part};

/// The commands below `barrow kutulu`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Speak the contest's protocol on standard input and output
    Bot(BotArgs),
    /// Play bots against each other, four seats a game, seats rotated
    Arena(ArenaArgs),
    /// Tune constants of the bot at a table with several opponents
    Tune(TuneArgs),
    /// Run files of maps, scenarios and recorded games through the rules and count mismatches
    Replay(kit::ReplayArgs),
    /// Draw the start of a game, or a turn of a recorded one
    Show(ShowArgs),
    /// Write the bot as one source file that `rustc -O` compiles alone
    Bundle(kit::BundleArgs),
}

/// Arguments of `kutulu bot`.
#[derive(clap::Args)]
pub(super) struct BotArgs {
    /// Milliseconds to think per turn; the contest allows 50 in all
    #[arg(long, value_name = "MS", default_value_t = 35, value_parser = milliseconds(0))]
    movetime: u64,
    /// Simulations per turn at most
    #[arg(long, value_name = "N")]
    simulations: Option<u32>,
    /// Seed of the search
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Arguments of `kutulu arena`.
#[derive(clap::Args)]
pub(super) struct ArenaArgs {
    /// One to four players: wait, random, one-turn, one-turn-random, five-ply, gather, lamp, `smitsimax[,key=value...]` (an
    /// unknown key lists those known), smitsimax-seed, the same as the seed has it, or `cmd:COMMAND`, a program that
    /// speaks the contest's protocol
    #[arg(required = true, num_args = 1..=4, value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// The map of all games, by name or index, of those that seeds draw from; by default each seed draws one. Not with
    /// --record, whose games begin as their seeds say
    #[arg(long, value_name = "MAP", value_parser = parse_map, conflicts_with_all = ["record", "force"])]
    map: Option<usize>,
    /// Time per turn of programs in milliseconds, twentyfold in the first turn
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = milliseconds(0))]
    patience: u64,
    #[command(flatten)]
    run: kit::GamesArgs,
}

/// Arguments of `kutulu tune`. A pair of --pairs is a group of four games, in which every player sits on every seat.
#[derive(clap::Args)]
pub(super) struct TuneArgs {
    /// Bot whose constants are tuned; it names the value with which each begins
    #[arg(long, value_name = "SPEC")]
    player: PlayerSpec,
    /// Opponent at the table of both bots of a comparison; to be repeated up to three times
    #[arg(long, value_name = "PLAYER", required = true)]
    against: Vec<PlayerSpec>,
    #[command(flatten)]
    tuning: TuningArgs,
}

/// Arguments of `kutulu show`.
#[derive(clap::Args)]
pub(super) struct ShowArgs {
    /// A recorded game; `-` is stdin. Without one the start of a game is drawn
    file: Option<String>,
    /// The turn of the recorded game, before its moves; by default the end
    #[arg(long, value_name = "N", requires = "file", conflicts_with_all = ["seed", "map"], value_parser = clap::value_parser!(u16).range(1..))]
    turn: Option<u16>,
    /// Number of the game in a file of several, from 1; by default the first
    #[arg(long, value_name = "N", requires = "file", conflicts_with_all = ["seed", "map"], value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    /// The map of the start, by name or index, of those that seeds draw from; by default the seed draws it
    #[arg(long, value_name = "MAP", value_parser = parse_map, conflicts_with = "file")]
    map: Option<usize>,
    /// Seed of the start
    #[arg(long, default_value_t = 1, conflicts_with = "file")]
    seed: u64,
    /// Print {"turn","entities"} and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Runs a command.
pub(super) fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Bot(arguments) => bot(arguments),
        Command::Arena(arguments) => arena(arguments),
        Command::Tune(arguments) => tune(arguments),
        Command::Replay(arguments) => {
            refuse_second_stdin(arguments.files())?;
            arguments.run(kutulu::replay::text)
        }
        Command::Show(arguments) => show(arguments),
        Command::Bundle(arguments) => arguments.run(&bundle::source()?),
    }
}

fn bot(arguments: &BotArgs) -> Result<ExitCode> {
    let limits = TurnLimits {
        turn: Duration::from_millis(arguments.movetime),
        simulations: arguments.simulations.unwrap_or(u32::MAX),
        ..TurnLimits::CONTEST
    };
    let (mut input, mut output, mut errors) = (stdin().lock(), stdout().lock(), stderr().lock());
    protocol::play(&mut input, &mut output, &mut errors, limits, Tuning::DEFAULT, arguments.seed)
        .map_err(at_stream)?;
    Ok(ExitCode::SUCCESS)
}

fn tune(arguments: &TuneArgs) -> Result<ExitCode> {
    let TuneArgs { player, against, tuning } = arguments;
    require(against.len() < EXPLORERS, "--against: three opponents fill a table")?;
    let check = |player: &str| player.parse::<PlayerSpec>().map(|_| ());
    let openings = kit::openings(against, "tables of four");
    let terms = tuning.terms(&player.name, openings, |name| named_value(&player.name, name), check);
    let terms = terms.map_err(UsageError)?;
    let comparer = TableComparer { opponents: against.clone(), threads: tuning.threads() };
    tuning.run(&terms, comparer, 2 * EXPLORERS as u64)
}

fn arena(arguments: &ArenaArgs) -> Result<ExitCode> {
    let mut records = arguments.run.recording.open()?;
    let settings = ArenaSettings {
        players: arguments.players.clone(),
        games: arguments.run.games,
        seed: arguments.run.seed,
        map: arguments.map,
        patience: Duration::from_millis(arguments.patience),
        records: records.are_wanted(),
    };
    let bar = progress::bar(u64::from(settings.games.next_multiple_of(4)), "games");
    let result = arguments.run.on_threads(|| settings.play(&bar, |record| records.keep(record)))??;
    records.save()?;
    bar.finish_and_clear();
    arguments.run.print(|| result.report(), || print_result(&result, &arguments.players))
}

fn print_result(result: &ArenaResult, players: &[PlayerSpec]) {
    let games = result.standings.games();
    let turns = counted(format_args!("{:.0}", result.turns as f64 / f64::from(games.max(1))), "turn");
    let ending = if result.interrupted { ", interrupted" } else { "" };
    say!("{} of {turns}{ending}\n{}", counted(games, "game"), result.standings);
    say!("finished before, in percent with 95 % intervals, rows before columns:\n{}", result.pairs);
    for (player, stats) in players.iter().zip(&result.stats) {
        let PlayerStats { faults, first_fault, simulations, duels, duels_won, times } = stats;
        say!(
            "{player}: {duels_won} of {duels} duels won, {faults} faults, {simulations} simulations; {times}"
        );
        if let Some(fault) = first_fault {
            say!("  first: {fault}");
        }
    }
}

fn show(arguments: &ShowArgs) -> Result<ExitCode> {
    let (map, state) = match &arguments.file {
        Some(name) => {
            let text = io::read_text(name).with_context(|| name.clone())?;
            let text = chosen(name, &text, &["SEED"], arguments.number).with_context(|| name.clone())?;
            recorded(&text, arguments.turn).with_context(|| name.clone())?
        }
        None => start(arguments)?,
    };
    say_part!("{}", Picture::new(&map, &state));
    if arguments.json {
        let entities = state.entities(&map, 0).iter().map(ToString::to_string).collect();
        print_json(&ShownState { turn: state.turn, entities })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// State that `kutulu show` draws.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownState {
    /// Turn.
    turn: u16,
    /// Entities as the contest's protocol writes them.
    entities: Vec<String>,
}

/// The map and the state before a turn of a recorded game, or at its end.
fn recorded(text: &str, turn: Option<u16>) -> Result<(Map, State)> {
    let Some(turn) = turn else { return state_at(text, u16::MAX) };
    let found = state_at(text, turn)?;
    // Damage behind the turn is not looked for.
    if let Ok((_, end)) = state_at(text, u16::MAX) {
        ensure!(turn < end.turn, "the game has {}", counted(end.turn - 1, "turn"));
    }
    Ok(found)
}

fn start(arguments: &ShowArgs) -> Result<(Map, State)> {
    let (drawn, constants, dice) = State::draw(arguments.seed);
    let index = arguments.map.unwrap_or(drawn);
    let map = pool_map(index)?;
    say!("{}", map_name(index).unwrap_or_default());
    Ok((map, State::start(&map, constants, dice)))
}

/// A map of the pool by its name, in any case, or its index.
fn parse_map(text: &str) -> Result<usize> {
    let by_name = |index: &usize| map_name(*index).is_some_and(|name| name.eq_ignore_ascii_case(text));
    let index = (0..POOL_SIZE).find(by_name).or_else(|| text.parse().ok().filter(|index| *index < POOL_SIZE));
    match index {
        Some(index) => Ok(index),
        None => bail!(
            "no such map; there are {}",
            (0..POOL_SIZE).filter_map(map_name).collect::<Vec<_>>().join(", ")
        ),
    }
}
