//! `barrow roborally`: the commands of RoboRally.

use std::io::{BufReader, stdin, stdout};
use std::process::ExitCode;

use anyhow::{Context, Result};
use barrow_core::contests::roborally::bot::Weights;
use barrow_core::contests::roborally::second_edition;
use barrow_core::contests::roborally::{Profile, ROBOT_CAP};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::roborally_show::{ShowArgs, text_of};
use super::streams::at_stream;
use super::usage::{UsageError, refuse_second_stdin, require};
use crate::contests::kit::command as kit;
use crate::contests::roborally::arena;
use crate::contests::roborally::arena::{ArenaSettings, FaultReport};
use crate::contests::roborally::board_text;
use crate::contests::roborally::course_json;
use crate::contests::roborally::ground::{Ground, Rules as GroundRules};
use crate::contests::roborally::player_spec::PlayerSpec;
use crate::contests::roborally::protocol;
use crate::contests::roborally::second_edition::floor_protocol;
use crate::contests::roborally::settings::player_help;
use crate::contests::roborally::tune;
use crate::io::read_text;
use crate::progress;
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::{say, say_part};

/// The commands below `barrow roborally`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Speak the line protocol of docs/roborally.md on standard input and output
    Bot(BotArgs),
    /// Race players against each other and report win rates
    Arena(ArenaArgs),
    /// Run scenarios, recorded games, numbering vectors and boards through the rules and count mismatches
    Replay(kit::ReplayArgs),
    /// Draw a course, at the start or after some turns of random search
    Show(ShowArgs),
    /// Read a course from JSON, rows of cells or a list of spaces, and print it as a board file
    Import(ImportArgs),
    /// Tune the weights of the hodgepodge by races
    Tune(TuneArgs),
}

/// The variant of the rules, by name.
#[derive(Clone, Copy, ValueEnum)]
enum Rules {
    /// The classic rules of 2005
    Classic,
    /// The rules of the program rallyrobo, which the paper describes
    Rallyrobo,
    /// The second edition of 2016, with an antenna and decks of their own
    #[value(name = "2016")]
    Of2016,
    /// The second edition of 2023, with a priority token and Haywire cards
    #[value(name = "2023")]
    Of2023,
}

impl Rules {
    /// The rules of the second edition that are meant, if those are.
    fn edition(self) -> Option<&'static second_edition::Rules> {
        match self {
            Rules::Classic | Rules::Rallyrobo => None,
            Rules::Of2016 => Some(&second_edition::Rules::OF_2016),
            Rules::Of2023 => Some(&second_edition::Rules::OF_2023),
        }
    }
}

impl From<Rules> for GroundRules {
    fn from(rules: Rules) -> GroundRules {
        match rules {
            Rules::Classic => GroundRules::Classic(Profile::Classic),
            Rules::Rallyrobo => GroundRules::Classic(Profile::Rallyrobo),
            Rules::Of2016 => GroundRules::SecondEdition(&second_edition::Rules::OF_2016),
            Rules::Of2023 => GroundRules::SecondEdition(&second_edition::Rules::OF_2023),
        }
    }
}

/// Arguments of `roborally bot`.
#[derive(clap::Args)]
#[command(after_long_help = player_help())]
pub(super) struct BotArgs {
    /// The player: odds:KEY=VALUE,..., mc:KEY=VALUE,..., smitsimax:KEY=VALUE,..., best, search:samples=N, or random
    #[arg(long, default_value = "odds:ms=100")]
    player: String,
    /// Rules of the session; between classic and rallyrobo, and between 2016 and 2023, it changes by its command `rules` too
    #[arg(long, default_value = "classic")]
    rules: Rules,
    /// Seed of the player's samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Courses and terms of races.
#[derive(clap::Args)]
pub(super) struct RaceArgs {
    /// Courses, raced on in turn; built-in names, or board files; twister if not given, by the rules of 2016 and 2023 grand-tour
    #[arg(long, num_args = 1.., value_name = "NAME")]
    course: Vec<String>,
    /// Rules; those that the course is meant for if not given
    #[arg(long)]
    rules: Option<Rules>,
    /// Races
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Seed of deals and samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Lives of each robot; three, or four among five and more, if not given
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..))]
    lives: Option<u8>,
    /// Turns after which a race ends without a winner
    #[arg(long, default_value_t = 300)]
    turn_limit: u16,
}

/// Arguments of `roborally arena`.
#[derive(clap::Args)]
#[command(after_long_help = player_help())]
pub(super) struct ArenaArgs {
    /// A player for each seat; equal ones share a line of the table. --help lists players and their settings
    #[arg(long, num_args = 1.., required = true, value_name = "SPEC")]
    players: Vec<String>,
    #[command(flatten)]
    race: RaceArgs,
    #[command(flatten)]
    recording: kit::RecordArgs,
    /// Print how long decisions by search took, with how many playouts, and by how much they were late
    #[arg(long)]
    times: bool,
    /// Print how many turns races took: mean, median, shortest and longest, and how many the limit of turns ended
    #[arg(long)]
    lengths: bool,
    /// Print {"games","players":[...],"paces":[...],"faults":[...],"unwon","turns","lengths":{...},"interrupted"} and
    /// nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Arguments of `roborally import`.
#[derive(clap::Args)]
pub(super) struct ImportArgs {
    /// JSON file; `-` is stdin
    file: String,
    /// The outer list holds columns from the west, not rows from the north
    #[arg(long)]
    columns: bool,
}

/// Arguments of `roborally tune`.
#[derive(clap::Args)]
#[command(after_long_help = player_help())]
pub(super) struct TuneArgs {
    /// The player whose weights are tuned, against itself
    #[arg(long, default_value = "mc:playout=random,playouts=300,depth=4")]
    player: String,
    /// Iterations of SPSA, each a comparison of two sets of weights by --games races
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Robots in a race, an even number: half of them with either set of weights
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=8))]
    robots: u8,
    #[command(flatten)]
    race: RaceArgs,
    /// Print the weights and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Runs a command.
pub(super) fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Bot(arguments) => {
            let spec = parse_player(&arguments.player)?;
            let input = BufReader::new(stdin());
            if let Some(rules) = arguments.rules.edition() {
                floor_protocol::run(input, stdout(), (&spec, rules), arguments.seed)?;
            } else {
                let profile = match arguments.rules {
                    Rules::Rallyrobo => Profile::Rallyrobo,
                    _ => Profile::Classic,
                };
                protocol::run(input, stdout(), (spec, profile), arguments.seed).map_err(at_stream)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Arena(arguments) => run_arena(arguments),
        Command::Replay(arguments) => {
            refuse_second_stdin(arguments.files())?;
            arguments.run(crate::contests::roborally::replay::text)
        }
        Command::Show(arguments) => arguments.run(),
        Command::Import(arguments) => import(arguments),
        Command::Tune(arguments) => run_tune(arguments),
    }
}

fn run_arena(arguments: &ArenaArgs) -> Result<ExitCode> {
    let read = |text: &String| Ok((text.clone(), parse_player(text)?));
    let seats = arguments.players.iter().map(read).collect::<Result<Vec<_>>>()?;
    let mut records = arguments.recording.open()?;
    let mut plan = arguments.race.plan(seats)?;
    if records.are_wanted() {
        let names = arguments.race.courses();
        for name in &names {
            let is_built_in = Ground::named(name)?.is_some();
            require(is_built_in, format_args!("{name}: records are of races on built-in courses"))?;
        }
        let is_other = matches!(arguments.race.rules, Some(Rules::Classic | Rules::Rallyrobo));
        require(!is_other, "--record goes by the rules of the course, not by --rules")?;
        plan.recorded = Some(names);
    }
    let bar = progress::bar(u64::from(plan.games), "races");
    let results = arena::run(&plan, &bar, |record| records.keep(record))?;
    records.save()?;
    bar.finish_and_clear();
    say_part!("{}", results.standings);
    let (races, turns) = (counted(results.standings.games(), "race"), counted(results.turns, "turn"));
    let ending = if results.interrupted { ", interrupted" } else { "" };
    say!("{races}, {turns}, {} without a winner{ending}", results.unwon);
    for FaultReport { name, faults, first_fault } in &results.faults {
        say!("{name}: {} lost by a fault\n  first: {first_fault}", counted(faults, "race"));
    }
    if arguments.times {
        results.paces.iter().for_each(|pace| say!("{pace}"));
    }
    if let (true, Some(lengths)) = (arguments.lengths, &results.lengths) {
        say!("{lengths}");
    }
    if arguments.json {
        print_json(&results.report())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn parse_player(text: &str) -> Result<PlayerSpec, UsageError> {
    text.parse().map_err(|fault: anyhow::Error| UsageError(format!("{text}: {fault:#}")))
}

impl RaceArgs {
    /// Names of the courses.
    fn courses(&self) -> Vec<String> {
        let is_second = self.rules.is_some_and(|rules| rules.edition().is_some());
        let usual = if is_second { "grand-tour" } else { "twister" };
        if self.course.is_empty() { vec![usual.to_owned()] } else { self.course.clone() }
    }

    fn plan(&self, seats: Vec<(String, PlayerSpec)>) -> Result<ArenaSettings> {
        require((1..=ROBOT_CAP).contains(&seats.len()), "a race has 1 to 8 players")?;
        let lay = |name: &String| {
            let ground = find_ground(name)?;
            let docks = ground.board().docks().len();
            require(seats.len() <= docks, format_args!("{name} has {docks} docks"))?;
            match self.rules {
                Some(rules) => ground.with_rules(rules.into()).map_err(|error| match Ground::named(name) {
                    // A course of the program has known rules; a file may hold anything.
                    Ok(Some(_)) => UsageError(format!("{name}: {error}")).into(),
                    _ => error.context(name.clone()),
                }),
                None => Ok(ground),
            }
        };
        let grounds = self.courses().iter().map(lay).collect::<Result<_>>()?;
        let RaceArgs { games, seed, lives, turn_limit, .. } = *self;
        Ok(ArenaSettings { grounds, seats, games, seed, lives, turn_limit, recorded: None })
    }
}

/// The ground of a built-in course, or of the board in a file.
fn find_ground(name: &str) -> Result<Ground> {
    match Ground::named(name)? {
        Some(ground) => Ok(ground),
        None => Ground::read(&text_of(name)?).with_context(|| name.to_owned()),
    }
}

fn import(arguments: &ImportArgs) -> Result<ExitCode> {
    let name = || arguments.file.clone();
    let text = read_text(&arguments.file).with_context(name)?;
    let ground = course_json::read(&text, arguments.columns).with_context(name)?;
    let board = ground.floor().map_or_else(|| board_text::write(ground.board()), board_text::write_floor);
    say_part!("{board}");
    Ok(ExitCode::SUCCESS)
}

fn run_tune(arguments: &TuneArgs) -> Result<ExitCode> {
    let PlayerSpec::Search(player) = parse_player(&arguments.player)? else {
        return Err(UsageError("only mc has weights to tune".to_owned()).into());
    };
    require(
        arguments.race.courses().iter().all(|name| second_edition::FloorCourse::named(name).is_none()),
        "weights are tuned by the classic rules: the second edition has none",
    )?;
    require(
        arguments.robots.is_multiple_of(2),
        "--robots must be even: both sets of weights have half the seats",
    )?;
    let seats = vec![("candidate".to_owned(), PlayerSpec::Search(player)); usize::from(arguments.robots)];
    let settings =
        tune::TuneSettings { iterations: arguments.iterations, player, plan: arguments.race.plan(seats)? };
    let bar = progress::bar(u64::from(settings.iterations), "iterations");
    let weights = tune::run(settings, |iteration, weights, outcome| {
        bar.set_position(u64::from(iteration));
        bar.suspend(|| say!("{iteration}: outcome {outcome:+.3}, {}", listed(weights)));
    })?;
    bar.finish_and_clear();
    say!("mc:{}", listed(&weights));
    if arguments.json {
        let Weights { won, active, advantage, progress, damage, distance, way, life, .. } = weights;
        print_json(&TunedWeights { won, active, advantage, progress, damage, distance, way, life })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Weights that `roborally tune` has found, as settings of a player.
#[derive(Serialize, JsonSchema)]
pub(super) struct TunedWeights {
    won: i32,
    active: i32,
    advantage: i32,
    progress: i32,
    damage: i32,
    distance: i32,
    way: i32,
    life: i32,
}

/// Weights as a player's settings.
fn listed(weights: &Weights) -> String {
    let Weights { won, active, advantage, progress, damage, distance, way, life, .. } = weights;
    format!(
        "won={won},active={active},advantage={advantage},progress={progress},damage={damage},\
        distance={distance},way={way},life={life}"
    )
}
