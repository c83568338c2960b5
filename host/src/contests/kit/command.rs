//! The commands that are alike in the contest games: `replay`, `bundle`, and what every `arena` of built-in players
//! takes.

use std::fmt::Display;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::engine::MAX_THREADS;
use crate::io::{OutputFile, read_text};
use crate::progress;
use crate::replay::Tally;
use crate::text::output::print_json;

/// Arguments of a game's `replay`.
#[derive(clap::Args)]
pub struct ReplayArgs {
    /// Files of recorded games, scenarios and other data of the game; `-` is stdin
    #[arg(required = true)]
    files: Vec<String>,
    /// Print {"files","steps","mismatches"} and nothing else on standard output
    #[arg(long)]
    json: bool,
}

impl ReplayArgs {
    /// Names of the files.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Runs the files through a game's rules and prints the count of mismatches. `check` is the game's replay of one
    /// file, by its name and its text.
    pub fn run(&self, check: impl Fn(&str, &str, &mut Tally) -> Result<()>) -> Result<ExitCode> {
        let mut tally = Tally::default();
        let bar = progress::bar(self.files.len() as u64, "files");
        for name in &self.files {
            let text = read_text(name).with_context(|| name.clone())?;
            check(name, &text, &mut tally).with_context(|| name.clone())?;
            tally.files += 1;
            bar.inc(1);
        }
        bar.finish_and_clear();
        tally.print(self.json)
    }
}

/// Arguments of a game's `bundle`.
#[derive(clap::Args)]
pub struct BundleArgs {
    /// File to write; `-` is stdout
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: String,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

impl BundleArgs {
    /// Writes the source of a single-file bot.
    pub fn run(&self, source: &str) -> Result<ExitCode> {
        let write = || OutputFile::create(&self.out, self.force)?.save_text(source);
        write().with_context(|| self.out.clone())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Opponents of a tuning in words.
pub fn openings(against: &[impl Display], constants: &str) -> String {
    let names: Vec<String> = against.iter().map(ToString::to_string).collect();
    format!("against {}, {constants}", names.join(" and "))
}

/// Arguments of an arena that are the same in every game.
#[derive(clap::Args)]
pub struct GamesArgs {
    /// Games, rounded up so that every player has every seat equally often; where each meets each, games of every two
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..10_000_000))]
    pub games: u32,
    /// Seed of the first game; maps, constants and players follow from it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games played at once; by default as many as there are processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Records of the games.
    #[command(flatten)]
    pub recording: RecordArgs,
    /// Print the result as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Arguments of every arena about records of its games.
#[derive(clap::Args)]
pub struct RecordArgs {
    /// File for the records of all games, which `replay` and `show` read; `.gz` is compressed
    #[arg(long, value_name = "FILE")]
    record: Option<String>,
    /// Replace the file of records if it exists
    #[arg(long, requires = "record")]
    force: bool,
}

impl RecordArgs {
    /// Opens the file of records, if one is asked for.
    pub fn open(&self) -> Result<Records> {
        let Some(name) = &self.record else { return Ok(Records(None)) };
        let file = OutputFile::create(name, self.force).with_context(|| name.clone())?;
        Ok(Records(Some((file, name.clone()))))
    }
}

/// The file of an arena's records, or none.
pub struct Records(Option<(OutputFile, String)>);

impl Records {
    /// Whether there is a file.
    pub fn are_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Writes the record of a game.
    pub fn keep(&mut self, record: &str) -> Result<()> {
        match &mut self.0 {
            Some((file, name)) => file.write_text_part(record).with_context(|| name.clone()),
            None => Ok(()),
        }
    }

    /// Gives the file its name.
    pub fn save(&mut self) -> Result<()> {
        match &mut self.0 {
            Some((file, name)) => file.save(&[]).with_context(|| name.clone()),
            None => Ok(()),
        }
    }
}

impl GamesArgs {
    /// Plays an arena on as many threads as the arguments allow.
    pub fn on_threads<T: Send>(&self, play: impl FnOnce() -> T + Send) -> Result<T> {
        let threads =
            rayon::ThreadPoolBuilder::new().num_threads(self.threads.map_or(0, usize::from)).build()?;
        Ok(threads.install(play))
    }

    /// Prints the result: `text` for people, and a report for programs that ask for one.
    pub fn print<R: Serialize>(&self, report: impl FnOnce() -> R, text: impl FnOnce()) -> Result<ExitCode> {
        text();
        if self.json {
            print_json(&report())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
