//! `barrow play`: a game in the terminal against the engine, on the whole screen or line by line.

use std::env;
use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use barrow_core::minions::Side;
use barrow_core::minions::turn_search::SearchOptions;
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use super::network::open_network;
use super::play_lines::LineGame;
use super::position::Position;
use crate::configuration::Configuration;
use crate::engine::{DEFAULT_MIB, Engine, MAX_MIB};
use crate::notation::{PlayRecord, Players, left_turn};
use crate::quantity::{mebibytes, milliseconds};
use crate::terminal_game::{self, EngineSettings, GameSettings, Level};

/// Arguments of `play`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    position: Position,
    /// Your side [default: yellow]
    #[arg(long, value_enum)]
    side: Option<Seat>,
    /// Level of the engine, the weakest first [default: strong]
    #[arg(long, value_parser = PossibleValuesParser::new(Level::ALL.map(|level| level.name)))]
    level: Option<String>,
    /// Time for each turn of the engine, instead of a level's
    #[arg(long, value_name = "MS", conflicts_with = "level", value_parser = milliseconds(0))]
    movetime: Option<u64>,
    /// Positions that the engine looks at for each turn, instead of a level's
    #[arg(long, value_name = "N", conflicts_with = "level", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time for each of your turns, in seconds; on the screen a turn ends by itself when it is up
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    turn_time: Option<u64>,
    /// Play line by line, as in a pipe, and not on the whole screen
    #[arg(long)]
    plain: bool,
    /// Threads of the engine
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the engine
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MIB as u64, value_parser = mebibytes(1..=MAX_MIB as u64))]
    hash: u64,
    /// Network file that the engine thinks with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Seed of what the engine leaves to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Record the game, turn by turn, to a file (`.mgn`); a game that is gone on with by --game stands in it from its start
    #[arg(long, value_name = "FILE")]
    record: Option<String>,
    /// Replace the recorded file if it exists
    #[arg(long, requires = "record")]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Seat {
    Yellow,
    Blue,
}

impl Seat {
    fn side(self) -> Side {
        match self {
            Seat::Yellow => Side::Yellow,
            Seat::Blue => Side::Blue,
        }
    }
}

/// Plays until the game is over, the input ends, or the player leaves.
pub(super) fn run(arguments: &Arguments, configuration: &Configuration) -> Result<ExitCode> {
    let network = open_network(arguments.net.as_deref(), configuration)?;
    let side = arguments.side.unwrap_or(Seat::Yellow).side();
    let level = arguments.level();
    // Standard input and pipes can be read once.
    let mut known = arguments.position.recorded_game()?;
    let game = match &known {
        Some(known) => arguments.position.recorded.position(known)?,
        None => arguments.position.game()?,
    };
    let mut so_far = Vec::new();
    if let Some(known) = &mut known {
        if let Some(turns) = arguments.position.recorded.turn() {
            known.turns.truncate(turns);
        } else {
            let file = arguments.position.recorded.file().unwrap_or_default();
            so_far = left_turn(known, &game).context(file.to_owned())?;
        }
    }
    let players = Players { person: side, limits: level.limits_in_words(), network };
    let begun = known.is_some();
    let record = players.game(&game, known);
    let record = PlayRecord::new(record, arguments.record.as_deref(), arguments.force)?;
    let (threads, hash) = (usize::from(arguments.threads), arguments.hash as usize);
    if !arguments.plain && has_screen() {
        let chosen = arguments.side.is_some() || arguments.level.is_some() || arguments.movetime.is_some();
        let settings = GameSettings {
            game,
            turn_so_far: so_far,
            record,
            record_file: arguments.record.clone(),
            person: side,
            level,
            engine: EngineSettings { hash, threads, seed: arguments.seed, network },
            turn_time: arguments.turn_time.map(Duration::from_secs),
            asks_side: !(begun || chosen || arguments.position.is_given() || arguments.nodes.is_some()),
        };
        return terminal_game::play(settings);
    }
    let options = SearchOptions { seed: arguments.seed, ..SearchOptions::default() };
    let mut engine = Engine::with_threads(hash, options, level.threads(threads));
    engine.set_network(network);
    LineGame { game, turn_so_far: so_far, record, side, engine, level }.play()?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Level of the engine: the one named, or limits of their own.
    fn level(&self) -> Level {
        let named = self.level.as_deref().and_then(Level::from_name);
        match (named, self.movetime, self.nodes) {
            (Some(level), ..) => level,
            (None, None, None) => Level::DEFAULT,
            (None, time, nodes) => {
                let time = time.map_or(Level::LONG, Duration::from_millis);
                Level::custom(time, nodes.unwrap_or(u64::MAX))
            }
        }
    }
}

/// Whether a whole screen can be drawn: input and output are a terminal, and one that can place text.
fn has_screen() -> bool {
    stdin().is_terminal() && stdout().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}
