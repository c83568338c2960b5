//! Arguments that every command that tunes takes, and what it does with them.

use std::process::ExitCode;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::joined::TuningPlace;
use super::number::TunedNumber;
use super::run::{Comparer, TuningRun};
use super::terms::TuningTerms;
use super::tuning_file::{TuningFile, TuningState};
use crate::engine::MAX_THREADS;
use crate::io::journal_name;
use crate::shard::Shard;
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::{progress, say};

/// Arguments of a tuning that are the same in every game.
#[derive(clap::Args)]
pub struct TuningArgs {
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
    /// How far the first points are from the middle, as a share of the ranges
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = parse_share)]
    perturbation: f64,
    /// How far the first iteration moves the numbers when one side wins everything, as a share of the ranges
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = parse_share)]
    first_step: f64,
    /// Seed of perturbations, openings and players
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Pairs played at once; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// File with what every part has shown, as soon as it is played
    #[arg(long, value_name = "FILE", value_parser = journal_name)]
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

/// Report of a tuning.
#[derive(Serialize, JsonSchema)]
pub struct Tuned {
    /// Games of all parts that are played.
    games: u64,
    /// Place of the tuning.
    #[serde(flatten)]
    place: TuningPlace,
    /// Whether Ctrl-C ended it early.
    interrupted: bool,
}

impl TuningArgs {
    /// Threads that games may use.
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }

    /// Terms that the arguments describe, for a player as the command line names it. `start` is the value that a number
    /// begins with, `check` whether a player can be had. Fails for a number that comes twice or begins outside its range, and
    /// for ends of ranges that the player does not take.
    pub fn terms(
        &self,
        player: &str,
        openings: String,
        start: impl Fn(&str) -> Result<f64, String>,
        check: impl Fn(&str) -> Result<(), String>,
    ) -> Result<TuningTerms, String> {
        let mut first = Vec::new();
        for (index, number) in self.numbers.iter().enumerate() {
            let value = start(&number.name).map_err(|reason| format!("--tune: {reason}"))?;
            let known = self.numbers.iter().position(|other| other.name == number.name);
            if known != Some(index) {
                return Err(format!("--tune: {} twice", number.name));
            }
            let (low, high) = (number.low, number.high);
            if !(f64::from(low)..=f64::from(high)).contains(&value) {
                let name = &number.name;
                return Err(format!("--tune: {name} begins with {value}, which is not within {low}..{high}"));
            }
            first.push(number.at(number.place(value)));
        }
        let terms = TuningTerms {
            player: player.to_owned(),
            numbers: self.numbers.clone(),
            start: first,
            iterations: self.iterations,
            parts: self.parts,
            pairs: self.pairs,
            perturbation: self.perturbation,
            first_step: self.first_step,
            seed: self.seed,
            openings,
        };
        // Both ends of every range are values that the player takes.
        for end in [0.0, 1.0] {
            let player = terms.player_at(&vec![end; terms.numbers.len()]);
            check(&player).map_err(|reason| format!("--tune: {reason}"))?;
        }
        Ok(terms)
    }

    /// Plays what is missing and prints the numbers. Ctrl-C ends it after the parts that are finished. A part plays
    /// `games` games for each of its pairs.
    pub fn run(&self, terms: &TuningTerms, comparer: impl Comparer, games: u64) -> Result<ExitCode> {
        let (mut file, state) = if self.resume {
            let (file, state, warning) = TuningFile::go_on(&self.results, terms)?;
            if let Some(warning) = warning {
                eprintln!("barrow: warning: {warning}");
            }
            (file, state)
        } else {
            (TuningFile::create(&self.results, self.force, terms)?, TuningState::new(terms.clone()))
        };
        let known = state.parts() as u64;
        let bar = progress::bar_from(known, u64::from(terms.iterations) * u64::from(terms.parts), "parts");
        let mut run = TuningRun { state, comparer };
        let interrupted = run.play(&mut file, self.shard, |state| {
            bar.set_position(state.parts() as u64);
            let (_, point) = state.point();
            bar.set_message(terms.numbers_at(&point));
        })?;
        bar.finish_and_clear();
        if !interrupted {
            // A shard may have no part to play, and its file is joined with the others all the same.
            file.begin()?;
        }
        let games = run.state.parts() as u64 * u64::from(terms.pairs) * games;
        let place = TuningPlace::of(&run.state);
        let end =
            if interrupted && file.is_begun() { "; the same command with --resume goes on" } else { "" };
        say!("{}, {} of {} iterations{end}", counted(games, "game"), place.iteration, place.of);
        say!("{}", place.player);
        if self.json {
            print_json(&Tuned { games, place, interrupted })?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "expected a share above 0, at most 1".to_owned())
}
