//! `barrow learn`: the loop of self-play, training and match, generation after generation.

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::r#match::parse_sprt;
use super::usage::{UsageError, parse_above_zero};
use crate::interrupt;
use crate::learning::{Ending, LearnSettings, Learning, Verdict};
use crate::say;
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::training::checkpoint::ShippedProfile;

/// Arguments of `learn`. Settings of the loop are stored in its folder.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Folder of the loop, made if there is none. A folder that a loop was begun in is gone on with
    #[arg(long, value_name = "FOLDER")]
    dir: String,
    /// Hours after which to end; by default only Ctrl-C ends the loop
    #[arg(long, value_name = "H", value_parser = parse_above_zero::<f64>)]
    hours: Option<f64>,
    /// Generations, those of earlier calls included, after which to end
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true)]
    generations: u32,
    /// Threads; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    #[command(flatten)]
    settings: Settings,
    /// Print {"generations","accepted","player","elo","ended"} and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Settings of the loop, fixed by the first call: later ones may leave them out.
#[derive(clap::Args)]
#[command(next_help_heading = "Fixed by the first call")]
struct Settings {
    /// Size of the networks [default: desktop]
    #[arg(long, value_enum)]
    profile: Option<ShippedProfile>,
    /// Network of the first player, a network file or a checkpoint [default: the program's]
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// Seed of games, training and matches [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Self-play games of a generation [default: 2400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,
    /// Number of boards, or a range to draw from [default: 1-4]
    #[arg(long, value_name = "N[-M]", value_parser = super::r#match::parse_boards)]
    boards: Option<(u8, u8)>,
    /// Chance, 0 to 1, that a game of self-play begins with a handicap [default: 0.125]
    #[arg(long, value_name = "CHANCE", value_parser = super::r#match::parse_chance)]
    handicaps: Option<f64>,
    /// Nodes of a turn of self-play [default: 80]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Generations whose games are kept and learnt from [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// Passes over all positions [default: 3]
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: Option<u32>,
    /// Largest learning rate [default: 8e-4]
    #[arg(long, value_name = "RATE", value_parser = parse_above_zero::<f32>)]
    rate: Option<f32>,
    /// Chance in 256 that a turn of a game is learnt from [default: 256]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    turns: Option<u32>,
    /// Settings of both players of the match, as behind `builtin:mcts,` [default: cputime=15,hash=16]
    #[arg(long, value_name = "SETTINGS")]
    gate: Option<String>,
    /// Elo of the two hypotheses of the match, which accepts one with an error of 5 % [default: 0 10]
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"])]
    sprt: Option<Vec<f64>>,
    /// Games of a match at most; a network that is not accepted by then never is [default: 1200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    max_gate_games: Option<u32>,
}

impl Settings {
    /// The settings of a loop with those that the command line names.
    fn applied_to(&self, mut settings: LearnSettings) -> LearnSettings {
        fn set<T: Clone>(slot: &mut T, value: Option<&T>) {
            if let Some(value) = value {
                slot.clone_from(value);
            }
        }
        set(&mut settings.profile, self.profile.as_ref());
        set(&mut settings.from, self.from.is_some().then_some(&self.from));
        set(&mut settings.seed, self.seed.as_ref());
        set(&mut settings.games, self.games.as_ref());
        set(&mut settings.boards, self.boards.as_ref());
        set(&mut settings.handicaps, self.handicaps.as_ref());
        set(&mut settings.nodes, self.nodes.as_ref());
        set(&mut settings.keep, self.keep.as_ref());
        set(&mut settings.epochs, self.epochs.as_ref());
        set(&mut settings.rate, self.rate.as_ref());
        set(&mut settings.turns, self.turns.as_ref());
        set(&mut settings.gate, self.gate.as_ref());
        if let Some(&[elo0, elo1]) = self.sprt.as_deref() {
            settings.sprt = [elo0, elo1];
        }
        set(&mut settings.max_gate_games, self.max_gate_games.as_ref());
        settings
    }
}

/// Report of `learn`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Learnt {
    /// Generations so far.
    generations: usize,
    /// Generations whose network became the player.
    accepted: usize,
    /// Network of the player.
    player: String,
    /// Strength of the player over the first one in Elo.
    elo: f64,
    /// Why the loop ended.
    ended: &'static str,
}

/// Goes on with the loop of a folder, or begins one. Ctrl-C, SIGTERM and the end of the hours end it so that the next call
/// goes on where it was.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    parse_sprt(arguments.settings.sprt.as_deref())?;
    if let Some(gate) = &arguments.settings.gate {
        let asked = LearnSettings { gate: gate.clone(), ..LearnSettings::default() };
        asked.check_gate().map_err(|error| UsageError(format!("{error:#}")))?;
    }
    if let Some(hours) = arguments.hours {
        // More than any clock can count is no end.
        interrupt::set_deadline(Duration::try_from_secs_f64(hours * 3600.0).unwrap_or(Duration::MAX));
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or(cores, |threads| threads as usize);
    let mut print = |line: &str| say!("{line}");
    let settings = |begun| arguments.settings.applied_to(begun);
    let mut learning = Learning::open(&arguments.dir, settings, threads, &mut print)?;
    let ending = learning.run(arguments.generations)?;
    let history = learning.history();
    let accepted = history.iter().filter(|report| report.verdict == Verdict::Accepted).count();
    let (generations, player, elo) = (history.len(), learning.player(), learning.strength());
    let more = if ending == Ending::Generations { "" } else { "; the same command goes on" };
    let learnt = counted(generations, "generation");
    say!("{learnt}, {accepted} accepted, {elo:+.0} Elo; the player is {player}{more}");
    if arguments.json {
        print_json(&Learnt { generations, accepted, player, elo, ended: ending.name() })?;
    }
    Ok(ExitCode::SUCCESS)
}
