//! The command line (`barrow --help`): one file per command.

mod analysis;
mod analyze;
mod attack;
mod bench;
mod calibrate;
mod check;
mod completions;
mod config;
mod convert;
mod eval;
mod ice_and_fire;
mod kutulu;
mod learn;
mod manual;
mod r#match;
mod merge;
mod net;
mod network;
mod perft;
mod play;
mod play_lines;
mod position;
mod quantize;
mod recorded;
mod replay;
mod review;
mod roborally;
mod roborally_show;
mod rules;
mod schema;
mod selfplay;
mod selfplay_games;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod streams;
mod train;
mod tune;
mod umi;
mod usage;
mod welcome;

use std::error::Error;
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdin};
use std::panic;
use std::process::{self, ExitCode};

use anyhow::Result;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use self::usage::USAGE;
use crate::configuration::Configuration;
use crate::text::output::{Color, choose_color, keep_stdout_for_json};
use crate::text::quoted::shortened;
use crate::{child_process, interrupt, io, terminal_game, verbose, version};

/// Arguments of the program.
#[derive(Parser)]
#[command(name = "barrow", version = version::full(), about = "An engine for the board game Minions")]
struct Arguments {
    /// When to colour text
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Say on standard error what is done: files, networks, searches, games; twice: all lines of UMI and of engines too
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Value a position and propose a turn, with reasons
    Analyze(analyze::Arguments),
    /// Answer queries about positions, one JSON object a line
    Analysis(analysis::Arguments),
    /// Play a game in the terminal
    Play(play::Arguments),
    /// Serve the board to browsers, with analysis and games that can be shared by links
    #[cfg(feature = "serve")]
    Serve(serve::Arguments),
    /// Say what the nets think of a position, without a search
    Eval(eval::Arguments),
    /// Draw a position
    Show(show::Arguments),
    /// Say what the rules say of a unit or a spell, or where both sides are on the tech line
    #[command(subcommand)]
    Rules(rules::Command),
    /// Speak UMI on standard input and output
    Umi(umi::Arguments),
    /// Run recorded turns and games through the rules and count mismatches
    Replay(replay::Arguments),
    /// Convert recorded games: annotated text, JSON, the web server's replays, game records of self-play
    Convert(convert::Arguments),
    /// Plan an attack on every board of every position of a file and time the phases
    Attack(attack::Arguments),
    /// Count the distinct minimal attacks on a board
    Perft(perft::Arguments),
    /// Do fixed work and time it
    Bench(bench::Arguments),
    /// Play games in side-swapped pairs and report Elo with error bars
    Match(Box<r#match::Arguments>),
    /// Join what several processes have made in shares: games of self-play, results of a match, of a tuning
    Merge(merge::Arguments),
    /// Tune numbers of the search by games against itself
    Tune(tune::Arguments),
    /// Check whether a UMI engine keeps to the protocol and the rules
    Check(check::Arguments),
    /// Write games of any players, to learn from
    Selfplay(selfplay::Arguments),
    /// A Code of Ice and Fire: bot, arena, replay, show, tune, bundle
    #[command(subcommand)]
    IceAndFire(ice_and_fire::Command),
    /// RoboRally: bot, arena, replay, show, import, tune
    #[command(subcommand)]
    Roborally(roborally::Command),
    /// Code of Kutulu: bot, arena, replay, show, tune, bundle
    #[command(subcommand)]
    Kutulu(kutulu::Command),
    /// Train a network on games
    Train(train::Arguments),
    /// Learn on and on: games, training, and a match that decides, generation after generation
    Learn(learn::Arguments),
    /// Round a floating-point network to a network file
    Quantize(quantize::Arguments),
    /// Print what a network file says of itself and check it
    Net(net::Arguments),
    /// Print the defaults that hold, and where each comes from
    Config(config::Arguments),
    /// Print the completions of the command line for a shell
    Completions(completions::Arguments),
    /// Write manual pages, one for each command
    Manual(manual::Arguments),
    /// Print the JSON schema of what a command prints with --json
    Schema(schema::Arguments),
    /// Measure how far win chances and their errors can be believed
    Calibrate(calibrate::Arguments),
}

/// Command line of the program: its commands and their arguments.
pub fn definition() -> clap::Command {
    Arguments::command()
}

/// Runs the command that the arguments name. Exit code: 0 done, 1 bad input, 2 usage.
pub fn run() -> ExitCode {
    end_quietly_on_broken_pipe();
    let configuration = Configuration::read();
    let definition = usage::with_negative_values(welcome::ordered(Arguments::command()));
    let matches = match &configuration {
        Ok(configuration) => configuration.as_defaults_of(definition).try_get_matches(),
        Err(_) => definition.try_get_matches(),
    };
    let matches = matches.unwrap_or_else(|error| usage::in_plain_words(error).exit());
    if wants_json(&matches) {
        keep_stdout_for_json();
    }
    let configuration = configuration.map(|configuration| configuration.overruled_by(&matches));
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    choose_color(arguments.color);
    verbose::begin(arguments.verbose);
    // A user interface starts an engine without arguments and speaks UMI through a pipe.
    let piped = arguments.command.is_none() && !stdin().is_terminal();
    let command = if piped { Some(Command::Umi(umi::Arguments::default())) } else { arguments.command };
    if !matches!(command, Some(Command::Umi(_))) {
        interrupt::install(clear_away);
    }
    match dispatch(command, configuration) {
        Ok(code) => code,
        // As a `print!` that fails: end_quietly_on_broken_pipe.
        Err(error) if reader_is_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // The chain of causes on one line: what, where. Causes may have been made of input.
            let causes: Vec<String> = error.chain().map(|cause| shortened(&cause.to_string())).collect();
            complain(&causes.join(": "));
            if usage::is_told_by(&error) { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
        }
    }
}

/// Whether the command, or the one below it, has `--json`.
fn wants_json(matches: &ArgMatches) -> bool {
    let own = matches.try_get_one::<bool>("json").ok().flatten();
    own.is_some_and(|&json| json) || matches.subcommand().is_some_and(|(_, below)| wants_json(below))
}

/// Gives the terminal back, ends child processes and removes files without a name: the last act of a program that ends without unwinding.
fn clear_away() {
    terminal_game::restore();
    child_process::kill_all();
    io::remove_temporary_files();
}

/// Says on standard error what was wrong. A terminal that has hung up takes no last words.
fn complain(error: &str) {
    let _ = writeln!(stderr(), "barrow: {error}");
}

/// Whether a command has failed because the reader of its standard output has closed the pipe. Errors of writing there name
/// it one of two ways.
fn reader_is_gone(error: &anyhow::Error) -> bool {
    let is_closed = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    };
    let is_stdout = error.chain().any(|cause| matches!(&*cause.to_string(), "-" | "standard output"));
    is_stdout && error.chain().any(is_closed)
}

/// Start of the standard library's panic message when printing fails.
const PRINT_PANIC: &str = "failed printing to stdout: ";

/// Installs a panic hook that ends the program without a message when the reader of its output has closed the pipe, as
/// `head` does.
fn end_quietly_on_broken_pipe() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        match info.payload().downcast_ref::<String>().and_then(|text| text.strip_prefix(PRINT_PANIC)) {
            Some(reason) => {
                clear_away();
                if reason.contains("Broken pipe") {
                    process::exit(0);
                }
                complain(&format!("standard output: {reason}"));
                process::exit(1);
            }
            None => usual(info),
        }
    }));
}

/// Runs a command; without one, prints the first steps. A configuration that cannot be read is an error of the commands that obey
/// it.
fn dispatch(command: Option<Command>, configuration: Result<Configuration>) -> Result<ExitCode> {
    use Command::{Analysis, Analyze, Config, Eval, Perft, Play, Show, Umi};
    let obeys = matches!(
        command,
        Some(Analysis(_) | Analyze(_) | Config(_) | Eval(_) | Perft(_) | Play(_) | Show(_) | Umi(_))
    );
    let configuration = if obeys { configuration? } else { Configuration::default() };
    if let Some(file) = configuration.file.as_ref().filter(|_| configuration.file_exists) {
        tracing::info!("configuration file {}", file.display());
    }
    match command {
        Some(Command::Analyze(arguments)) => analyze::run(&arguments, &configuration),
        Some(Command::Analysis(arguments)) => analysis::run(&arguments, &configuration),
        Some(Command::Play(arguments)) => play::run(&arguments, &configuration),
        #[cfg(feature = "serve")]
        Some(Command::Serve(arguments)) => serve::run(&arguments),
        Some(Command::Eval(arguments)) => eval::run(&arguments, &configuration),
        Some(Command::Show(arguments)) => show::run(&arguments),
        Some(Command::Rules(command)) => rules::run(&command),
        Some(Command::Umi(arguments)) => umi::run(&arguments, &configuration),
        Some(Command::Config(arguments)) => config::run(&arguments, &configuration),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Convert(arguments)) => convert::run(&arguments),
        Some(Command::Attack(arguments)) => attack::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Match(arguments)) => r#match::run(&arguments),
        Some(Command::Merge(arguments)) => merge::run(&arguments),
        Some(Command::Tune(arguments)) => tune::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Selfplay(arguments)) => selfplay::run(&arguments),
        Some(Command::IceAndFire(command)) => ice_and_fire::run(&command),
        Some(Command::Roborally(command)) => roborally::run(&command),
        Some(Command::Kutulu(command)) => kutulu::run(&command),
        Some(Command::Train(arguments)) => train::run(&arguments),
        Some(Command::Learn(arguments)) => learn::run(&arguments),
        Some(Command::Quantize(arguments)) => quantize::run(&arguments),
        Some(Command::Net(arguments)) => net::run(&arguments),
        Some(Command::Calibrate(arguments)) => calibrate::run(&arguments),
        Some(Command::Schema(arguments)) => schema::run(&arguments),
        Some(Command::Completions(arguments)) => completions::run(&arguments, Arguments::command()),
        Some(Command::Manual(arguments)) => manual::run(&arguments, Arguments::command()),
        None => {
            print!("{}", welcome::FIRST_STEPS);
            Ok(ExitCode::SUCCESS)
        }
    }
}
