//! `barrow tune`: tunes numbers of the search by games against itself.

use std::process::ExitCode;

use anyhow::{Result, anyhow, ensure};
use schemars::JsonSchema;
use serde::Serialize;

use crate::matches::{Contestant, MatchPlayerSpec, Openings, Rulesets, player_help};
use crate::shard::Shard;
use crate::text::output::print_json;
use crate::tuning::{TunedNumber, TuningFile, TuningPlace, TuningRun, TuningState, TuningTerms};
use crate::{progress, say};

/// Subject of the tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Subject {
    /// Numbers of the search
    Search,
}

/// Arguments of `tune`.
#[derive(clap::Args)]
#[command(after_long_help = player_help())]
pub(super) struct Arguments {
    /// Subject of the tuning
    #[arg(value_enum, default_value = "search")]
    subject: Subject,
    /// Player whose numbers are tuned, against itself; it begins with the numbers that it names
    #[arg(long, value_name = "SPEC", default_value = "builtin:mcts,nodes=80,hash=16")]
    player: Contestant,
    /// Number to tune and its range; to be repeated
    #[arg(long = "tune", value_name = "NAME=LOW..HIGH", required = true)]
    numbers: Vec<TunedNumber>,
    /// Iterations of SPSA
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    iterations: u32,
    /// Perturbations that every iteration tries, each by --pairs
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    parts: u32,
    /// Pairs of games of a part
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: u32,
    /// Distance of the first points from the middle, as a share of the ranges
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = parse_share)]
    perturbation: f64,
    /// Move of the numbers in the first iteration when one side wins everything, as a share of the ranges
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = parse_share)]
    first_step: f64,
    /// Number of boards, or a range such as `1-4` to draw from
    #[arg(long, value_name = "N[-M]", default_value = "1-4", value_parser = super::r#match::parse_boards)]
    boards: (u8, u8),
    /// Rules: `server`, `spooky` or `mixed`
    #[arg(long, default_value = "server", value_parser = super::r#match::parse_rulesets)]
    ruleset: Rulesets,
    /// Seed of perturbations, openings and players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs played at once; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Option<u32>,
    /// File with what every part has shown, as soon as it is played
    #[arg(long, value_name = "FILE")]
    results: String,
    /// Go on with the tuning of --results; all other arguments must be the same
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Play only parts I, I + N, I + 2N … of the first iteration that is not finished, and end; `merge` joins such files
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Replace results that exist
    #[arg(long)]
    force: bool,
    /// Print the result as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Report of `tune`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Tuned {
    /// Games of all parts that are played.
    games: u64,
    /// Place of the tuning.
    #[serde(flatten)]
    place: TuningPlace,
    /// Whether Ctrl-C ended it early.
    interrupted: bool,
}

/// Plays what is missing and prints the numbers. Ctrl-C ends it after the parts that are finished.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Arguments { results, force, .. } = arguments;
    let Subject::Search = arguments.subject;
    let openings = Openings::new(arguments.ruleset, arguments.boards, &[], 0, arguments.seed)?;
    let terms = arguments.terms(&openings)?;
    let (mut file, state) = if arguments.resume {
        let (file, state, warning) = TuningFile::go_on(results, &terms)?;
        if let Some(warning) = warning {
            eprintln!("barrow: warning: {warning}");
        }
        (file, state)
    } else {
        (TuningFile::create(results, *force, &terms)?, TuningState::new(terms.clone()))
    };
    let threads = arguments.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        |threads| threads as usize,
    );
    let known = state.parts() as u64;
    let bar = progress::bar_from(known, u64::from(terms.iterations) * u64::from(terms.parts), "parts");
    let mut run = TuningRun { state, openings, threads };
    let interrupted = run.play(&mut file, arguments.shard, |state| {
        bar.set_position(state.parts() as u64);
        let (_, point) = state.point();
        bar.set_message(terms.player_at(&point)[terms.player.len()..].replace(',', " "));
    })?;
    bar.finish_and_clear();
    let games = run.state.parts() as u64 * u64::from(terms.pairs) * 2;
    let place = TuningPlace::of(&run.state);
    if arguments.json {
        print_json(&Tuned { games, place, interrupted })?;
    } else {
        let TuningPlace { iteration, of, player, .. } = &place;
        let end = if interrupted { "; the same command with --resume goes on" } else { "" };
        say!("{games} games, {iteration} of {of} iterations{end}");
        say!("{player}");
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Terms that the arguments describe.
    fn terms(&self, openings: &Openings) -> Result<TuningTerms> {
        let MatchPlayerSpec::Builtin(_, settings) = &self.player.player else {
            return Err(anyhow!("--player: numbers of builtin:mcts only can be tuned"));
        };
        let mut start = Vec::new();
        for (index, number) in self.numbers.iter().enumerate() {
            let value = settings.tuned(&number.name).map_err(|reason| anyhow!("--tune: {reason}"))?;
            let first = self.numbers.iter().position(|other| other.name == number.name);
            ensure!(first == Some(index), "--tune: {} twice", number.name);
            start.push(number.at(number.place(value)));
        }
        let terms = TuningTerms {
            player: format!("builtin:{}", self.player.name),
            numbers: self.numbers.clone(),
            start,
            iterations: self.iterations,
            parts: self.parts,
            pairs: self.pairs,
            perturbation: self.perturbation,
            first_step: self.first_step,
            seed: self.seed,
            openings: openings.description(),
        };
        // Both ends of every range are values that the player takes.
        for end in [0.0, 1.0] {
            let player = terms.player_at(&vec![end; terms.numbers.len()]);
            player.parse::<MatchPlayerSpec>().map_err(|reason| anyhow!("--tune: {reason}"))?;
        }
        Ok(terms)
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "expected a share above 0, at most 1".to_owned())
}
