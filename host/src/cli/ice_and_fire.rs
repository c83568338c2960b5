//! `barrow ice-and-fire`: the commands of A Code of Ice and Fire.

use std::io::{stderr, stdin, stdout};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use barrow_core::contests::ice_and_fire::{Game, Map, Player, Rules, TURNS};
use schemars::JsonSchema;
use serde::Serialize;

use super::r#match::parse_sprt;
use super::streams::at_stream;
use super::usage::{UsageError, refuse_second_stdin, require};
use crate::contests::ice_and_fire;
use crate::contests::ice_and_fire::arena::{
    ArenaResult, ArenaSettings, Kind, OPENING_TURN, PlayerSpec, PlayerStats,
};
use crate::contests::ice_and_fire::picture::Picture;
use crate::contests::ice_and_fire::replay::game_at;
use crate::contests::ice_and_fire::tune::OpponentComparer;
use crate::contests::ice_and_fire::{bundle, protocol};
use crate::contests::kit::command as kit;
use crate::contests::kit::comparison::named_value;
use crate::contests::kit::several_games::chosen;
use crate::matches::elo::elo;
use crate::quantity::milliseconds;
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::tuning::TuningArgs;
use crate::{io, progress};
use crate::{say, say_part};

/// The commands below `barrow ice-and-fire`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Speak the contest's protocol on standard input and output
    Bot(BotArgs),
    /// Play bots against each other, both seats on every map
    Arena(ArenaArgs),
    /// Tune constants of the bot by games against several opponents
    Tune(TuneArgs),
    /// Run scenario, map, trace and cut files through the rules and count mismatches
    Replay(kit::ReplayArgs),
    /// Draw the start of a game, or a turn of a recorded one
    Show(ShowArgs),
    /// Write the bot as one source file that `rustc -O` compiles alone
    Bundle(kit::BundleArgs),
}

/// Arguments of `ice-and-fire bot`.
#[derive(clap::Args)]
pub(super) struct BotArgs {
    /// Which bot: greedy, greedy-towers, plain or full, with `,key=value` for its parts and weights
    #[arg(long, default_value = "full", value_name = "SPEC")]
    player: PlayerSpec,
    /// Milliseconds after which the bot begins nothing optional in a turn; the contest allows 50 in all
    #[arg(long, value_name = "MS", default_value_t = protocol::MOVETIME.as_millis() as u64, value_parser = milliseconds(0))]
    movetime: u64,
    /// The constants of the contest of May 2019
    #[arg(long)]
    contest: bool,
}

/// Arguments of `ice-and-fire arena`.
#[derive(clap::Args)]
pub(super) struct ArenaArgs {
    /// Two players or more, each of whom meets each other: wait, random, filler, rush, wall, greedy, greedy-towers,
    /// `plain[,key=value...]`, `full[,key=value...]` (an unknown key lists those known), or `cmd:COMMAND`, a program that
    /// speaks the contest's protocol
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// Milliseconds after which built-in players begin nothing optional any more; by default only their work is limited,
    /// and games repeat exactly
    #[arg(long, value_name = "MS", value_parser = milliseconds(0))]
    movetime: Option<u64>,
    /// Stop as soon as one of two strengths in Elo is accepted; for two players
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"])]
    sprt: Option<Vec<f64>>,
    /// The constants of the contest of May 2019
    #[arg(long)]
    contest: bool,
    #[command(flatten)]
    run: kit::GamesArgs,
}

/// Arguments of `ice-and-fire tune`.
#[derive(clap::Args)]
pub(super) struct TuneArgs {
    /// Bot whose constants are tuned; it names the value with which each begins
    #[arg(long, value_name = "SPEC")]
    player: PlayerSpec,
    /// Opponent of both bots of a comparison; to be repeated
    #[arg(long, value_name = "PLAYER", required = true)]
    against: Vec<PlayerSpec>,
    /// The constants of the contest of May 2019
    #[arg(long)]
    contest: bool,
    #[command(flatten)]
    tuning: TuningArgs,
}

/// Arguments of `ice-and-fire show`.
#[derive(clap::Args)]
pub(super) struct ShowArgs {
    /// A recorded game; `-` is stdin. Without one the start of a game is drawn
    file: Option<String>,
    /// The turn of the recorded game; by default its end
    #[arg(long, value_name = "N", requires = "file", conflicts_with_all = ["seed", "contest"], value_parser = clap::value_parser!(u8).range(1..))]
    turn: Option<u8>,
    /// Number of the game in a file of several, from 1; by default the first
    #[arg(long, value_name = "N", requires = "file", conflicts_with_all = ["seed", "contest"], value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    /// Seed of the map
    #[arg(long, default_value_t = 1, conflicts_with = "file")]
    seed: u64,
    /// The constants of the contest of May 2019
    #[arg(long, conflicts_with = "file")]
    contest: bool,
    /// Print {"turn","gold","income","scores"} and nothing else on standard output
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
            arguments.run(ice_and_fire::replay::text)
        }
        Command::Show(arguments) => show(arguments),
        Command::Bundle(arguments) => arguments.run(&bundle::source()?),
    }
}

fn rules(contest: bool) -> Rules {
    if contest { Rules::CONTEST } else { Rules::PERMANENT }
}

fn bot(arguments: &BotArgs) -> Result<ExitCode> {
    let Kind::Bot(options) = &arguments.player.kind else {
        let known = "only greedy, greedy-towers, plain and full speak the protocol";
        return Err(UsageError(format!("--player {}: {known}", arguments.player)).into());
    };
    let (mut input, mut output, mut errors) = (stdin().lock(), stdout().lock(), stderr().lock());
    protocol::play(
        &mut input,
        &mut output,
        &mut errors,
        &rules(arguments.contest),
        options,
        Duration::from_millis(arguments.movetime),
    )
    .map_err(at_stream)?;
    Ok(ExitCode::SUCCESS)
}

fn arena(arguments: &ArenaArgs) -> Result<ExitCode> {
    let sprt = parse_sprt(arguments.sprt.as_deref())?;
    require(sprt.is_none() || arguments.players.len() == 2, "--sprt is for two players")?;
    let mut records = arguments.run.recording.open()?;
    let settings = ArenaSettings {
        players: arguments.players.clone(),
        maps: arguments.run.games.div_ceil(2),
        seed: arguments.run.seed,
        rules: rules(arguments.contest),
        movetime: arguments.movetime.map_or(Duration::MAX, Duration::from_millis),
        sprt,
        records: records.are_wanted(),
    };
    let players = arguments.players.len() as u64;
    let bar = progress::bar(u64::from(settings.maps) * players * (players - 1), "games");
    let watch = |result: &ArenaResult| bar.set_position(result.standings.games().into());
    let result = arguments.run.on_threads(|| settings.play(watch, |record| records.keep(record)))??;
    records.save()?;
    bar.finish_and_clear();
    arguments.run.print(|| result.report(&settings), || print_result(&result, &settings))
}

fn tune(arguments: &TuneArgs) -> Result<ExitCode> {
    let TuneArgs { player, against, contest, tuning } = arguments;
    let openings = kit::openings(against, if *contest { "contest" } else { "permanent" });
    let check = |player: &str| player.parse::<PlayerSpec>().map(|_| ());
    let terms = tuning.terms(&player.name, openings, |name| named_value(&player.name, name), check);
    let terms = terms.map_err(UsageError)?;
    let comparer =
        OpponentComparer { opponents: against.clone(), rules: rules(*contest), threads: tuning.threads() };
    tuning.run(&terms, comparer, 4 * against.len() as u64)
}

fn print_result(result: &ArenaResult, settings: &ArenaSettings) {
    let [captured, fault, limit] = result.endings;
    let ending = if result.interrupted { ", interrupted" } else { "" };
    say!(
        "{}{ending}: {captured} by headquarters, {limit} by the limit of turns, {fault} by faults",
        counted(result.standings.games(), "game")
    );
    say_part!("{}", result.standings);
    if settings.players.len() == 2 {
        let strength = elo(&result.pentanomial);
        say!("pairs by the first player's points 0, 1/2, 1, 3/2, 2: {:?}", result.pentanomial);
        say!("Elo of the first over the second: {:+.1} ± {:.1} (95 %)", strength.value, strength.error);
    }
    if let Some(sprt) = settings.sprt {
        let verdict = sprt.accepted(&result.pentanomial).unwrap_or("nothing yet");
        say!(
            "SPRT {} against {} Elo: LLR {:+.2}, accepted {verdict}",
            sprt.elo0,
            sprt.elo1,
            sprt.llr(&result.pentanomial)
        );
    }
    for (player, stats) in settings.players.iter().zip(&result.stats) {
        let PlayerStats { done, rejected, faults, evaluated, times, .. } = stats;
        let (lead, gold) = stats.opening.means();
        say!(
            "{player}: {done} commands, {rejected} rejected, {faults} faults, {evaluated} cuts evaluated; {times}"
        );
        say!("  in turn {OPENING_TURN}: {lead:+.2} cells ahead, {gold:.1} gold");
        if let Some(fault) = &stats.first_fault {
            say!("  first: {fault}");
        }
    }
}

fn show(arguments: &ShowArgs) -> Result<ExitCode> {
    let game = match &arguments.file {
        Some(name) => {
            let text = io::read_text(name).with_context(|| name.clone())?;
            let text = chosen(name, &text, &["SEED"], arguments.number).with_context(|| name.clone())?;
            recorded(&text, arguments.turn).with_context(|| name.clone())?
        }
        None => Game::new(&Map::generate(arguments.seed, &rules(arguments.contest))),
    };
    let state = game.state();
    say_part!("{}", Picture(state));
    if let Some(outcome) = game.outcome() {
        say!("over: {} to {}", outcome.scores[0], outcome.scores[1]);
    }
    if arguments.json {
        let both = Player::BOTH;
        print_json(&ShownState {
            turn: state.turn(),
            gold: both.map(|player| state.gold(player)),
            income: both.map(|player| state.income(player)),
            scores: game.outcome().map(|outcome| outcome.scores),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The game before a turn of a recorded game, or at its end.
fn recorded(text: &str, turn: Option<u8>) -> Result<Game> {
    let Some(turn) = turn else { return game_at(text, u8::MAX) };
    let found = game_at(text, turn)?;
    // Damage behind the turn is not looked for.
    if let Ok(end) = game_at(text, u8::MAX) {
        let (state, is_over) = (end.state(), end.outcome().is_some());
        // A turn that nobody has begun is none.
        let is_begun = is_over || state.mover() == Player::One;
        let turns = state.turn().saturating_sub(u8::from(!is_begun)).min(TURNS);
        ensure!(turn <= turns, "the game has {}", counted(turns, "turn"));
    }
    Ok(found)
}

/// State that `ice-and-fire show` draws; players in the order of their numbers.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownState {
    /// Turn.
    turn: u8,
    /// Gold of both players.
    gold: [i32; 2],
    /// Income of both players.
    income: [i32; 2],
    /// Scores of both players; null while the game goes on.
    scores: Option<[i32; 2]>,
}
