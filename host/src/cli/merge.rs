//! `barrow merge`: joins what several processes or machines have made in shares.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::usage::require;
use crate::io::open;
use crate::matches::elo::Sprt;
use crate::matches::{JoinedContest, join_results};
use crate::records::{Damage, join_records};
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::tuning::{TuningPlace, join_tunings};
use crate::{progress, say};

/// Arguments of `merge`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Files of one kind: games of `selfplay`, --results of one match, or --results of one tuning; `.gz` is read as such. What
    /// stands in several of them, or in one that is named twice, counts once
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// File to write; it may be one of those that are joined. It is compressed where it ends in `.gz`
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Of a match of two players: what a sequential test says of its pairs in order, up to the first that is missing
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"])]
    sprt: Option<Vec<f64>>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Print the result as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Kind of files that are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Game records of self-play.
    Games,
    /// Results of a match.
    Match,
    /// Results of a tuning.
    Tuning,
}

/// Report of `merge`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Joined {
    /// Kind of the files.
    kind: Kind,
    /// Files that were read.
    files: usize,
    /// Games, pairs of games or parts of a tuning that were written.
    items: usize,
    /// Those that came again and were left out.
    twice: usize,
    /// Those among these that were different: of a match with a time per turn, the same pair played twice.
    differing: usize,
    /// Damaged places that were left out.
    damaged: usize,
    /// Result of a match of two players; null for anything else.
    contest: Option<JoinedContest>,
    /// Place of a tuning; null for anything else.
    tuning: Option<TuningPlace>,
}

/// Joins the files. Exit code 1 when something in them was damaged; what is whole is written all the same.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let sprt = super::r#match::parse_sprt(arguments.sprt.as_deref())?;
    for name in &arguments.files {
        require(name != "-", "-: files are read twice, which stdin cannot be")?;
        let is_pipe = fs::metadata(name).is_ok_and(|found| !found.is_file() && !found.is_dir());
        require(!is_pipe, format_args!("{name}: files are read twice, which a pipe cannot be"))?;
    }
    let mut kinds = arguments.files.iter().map(|name| Ok((name, kind(name)?))).collect::<Result<Vec<_>>>()?;
    // Without a line a file has nothing to say of its kind.
    kinds.retain(|(_, kind)| kind.is_some());
    let kind = kinds.first().and_then(|(_, kind)| *kind).unwrap_or(Kind::Games);
    if let Some((name, _)) = kinds.iter().find(|(_, other)| *other != Some(kind)) {
        bail!("{name}: not of the same kind as {}", kinds[0].0);
    }
    require(sprt.is_none() || kind == Kind::Match, "--sprt is for results of matches")?;
    let (joined, damage) = arguments.join(kind, sprt)?;
    damage.warn();
    print(arguments, &joined)?;
    Ok(if damage.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Kind of a file, from its first line; `None` without one.
fn kind(name: &str) -> Result<Option<Kind>> {
    let mut lines = open(name).with_context(|| name.to_owned())?;
    let Ok(first) = lines.next_line() else { return Ok(Some(Kind::Games)) };
    let Some(first) = first else { return Ok(None) };
    let object: Value = serde_json::from_str(first).unwrap_or_default();
    Ok(Some(if object.get("barrow_match").is_some() {
        Kind::Match
    } else if object.get("barrow_tuning").is_some() {
        Kind::Tuning
    } else {
        Kind::Games
    }))
}

impl Arguments {
    /// Joins files of a kind. Returns the report, and what was damaged.
    fn join(&self, kind: Kind, sprt: Option<Sprt>) -> Result<(Joined, Damage)> {
        let Arguments { files, out, force, .. } = self;
        let mut joined = Joined {
            kind,
            files: files.len(),
            items: 0,
            twice: 0,
            differing: 0,
            damaged: 0,
            contest: None,
            tuning: None,
        };
        let damage = match kind {
            Kind::Games => {
                let bar = progress::bar(0, "bytes");
                let records = join_records(files, out, *force, &bar)?;
                bar.finish_and_clear();
                (joined.items, joined.twice) = (records.games, records.twice);
                records.damage
            }
            Kind::Match => {
                let results = join_results(files, out, *force, sprt)?;
                (joined.items, joined.twice) = (results.pairs, results.twice);
                (joined.differing, joined.contest) = (results.differing, results.contest);
                results.damage
            }
            Kind::Tuning => {
                let tuning = join_tunings(files, out, *force)?;
                (joined.items, joined.twice) = (tuning.parts, tuning.twice);
                (joined.differing, joined.tuning) = (tuning.differing, Some(tuning.place));
                tuning.damage
            }
        };
        joined.damaged = damage.len();
        Ok((joined, damage))
    }
}

fn print(arguments: &Arguments, joined: &Joined) -> Result<()> {
    if arguments.out == "-" {
        return Ok(());
    }
    let Joined { files, items, twice, differing, damaged, .. } = joined;
    let (one, of) = match joined.kind {
        Kind::Games => ("game", ""),
        Kind::Match => ("pair", " of games"),
        Kind::Tuning => ("part", " of a tuning"),
    };
    let (items, files) = (counted(items, one), counted(files, "file"));
    say!("{items}{of} of {files}, {twice} met again, {damaged} damaged");
    if *differing > 0 {
        say!("{differing} of those that were met again were different; the first counts");
    }
    if let Some(contest) = &joined.contest {
        contest.print();
    }
    if let Some(TuningPlace { iteration, of, player, .. }) = &joined.tuning {
        say!("after {iteration} of {of} iterations: {player}");
    }
    if arguments.json {
        print_json(joined)?;
    }
    Ok(())
}
