//! Replays trace files through the rules and counts where the two disagree.
//!
//! A trace line holds a position, what was tried in it with verdicts, and the positions that followed; the rules
//! must agree on all of it. Games are the unit of parallel work, and only a bounded number of them is in memory.

mod attempts;
mod difference;
mod game_lines;
mod line_groups;
mod load;
mod names;
mod position_lines;
mod trace_format;

use std::io::BufRead;
use std::process::ExitCode;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;

use self::line_groups::{Source, Work};
use crate::interrupt;

/// Pieces of work that are in memory at a time: about a dozen MiB of text when they are games.
const BATCH: usize = 128;

/// Mismatches that are described; the rest is only counted.
const DESCRIBED: usize = 10;

/// What a replay counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Files read.
    pub files: u64,
    /// Lines replayed: turns of games and positions.
    pub steps: u64,
    /// Lines on which the rules disagree with the trace.
    pub mismatches: u64,
    /// The first few disagreements, one line of text each: where, and what differed.
    #[serde(skip)]
    pub described: Vec<String>,
}

impl Tally {
    /// Counts a step and, if the rules disagree with the trace there, what differs.
    pub(crate) fn count(&mut self, mismatch: Option<String>) {
        self.add(Findings { steps: 1, mismatches: mismatch.into_iter().collect() });
    }

    /// Prints the count, with the first disagreements, as text or as JSON on the last line. Disagreements make the exit
    /// code a failure.
    pub fn print(&self, json: bool) -> Result<ExitCode> {
        for line in &self.described {
            println!("{line}");
        }
        let described = self.described.len() as u64;
        if self.mismatches > described {
            println!("and {} more", self.mismatches - described);
        }
        if json {
            println!("{}", serde_json::to_string(self)?);
        } else {
            println!("{} files, {} steps, {} mismatches", self.files, self.steps, self.mismatches);
        }
        Ok(if self.mismatches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn add(&mut self, findings: Findings) {
        self.steps += findings.steps;
        self.mismatches += findings.mismatches.len() as u64;
        let room = DESCRIBED.saturating_sub(self.described.len());
        self.described.extend(findings.mismatches.into_iter().take(room));
    }
}

/// What came of one piece of work.
#[derive(Default)]
struct Findings {
    steps: u64,
    mismatches: Vec<String>,
}

/// Replays files; `-` is stdin, and names ending in `.gz` are read as such. Fails at the first line that is no
/// trace.
pub fn files(names: &[String], bar: &ProgressBar) -> Result<Tally> {
    let mut tally = Tally::default();
    for name in names {
        let source = Source::open(name, bar).with_context(|| name.clone())?;
        replay(source, name, &mut tally).with_context(|| name.clone())?;
        tally.files += 1;
    }
    Ok(tally)
}

/// Replays the lines of a reader. `name` is used to say where a disagreement is.
pub fn reader(lines: Box<dyn BufRead>, name: &str) -> Result<Tally> {
    let mut tally = Tally { files: 1, ..Tally::default() };
    replay(Source::new(lines), name, &mut tally)?;
    Ok(tally)
}

fn replay(mut source: Source, name: &str, tally: &mut Tally) -> Result<()> {
    loop {
        interrupt::check()?;
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH {
            match source.next()? {
                Some(work) => batch.push(work),
                None => break,
            }
        }
        if batch.is_empty() {
            return Ok(());
        }
        let findings: Vec<Findings> =
            batch.par_iter().map(|work| perform(work, name)).collect::<Result<_>>()?;
        for found in findings {
            tally.add(found);
        }
    }
}

fn perform(work: &Work, name: &str) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut carried = None;
    for (number, text) in (work.first_line..).zip(&work.lines) {
        let at = || format!("line {number}");
        let (what, difference) = if work.is_game {
            let line: trace_format::GameLine = serde_json::from_str(text).with_context(at)?;
            let played = game_lines::play(&line, carried.take()).with_context(at)?;
            carried = played.game;
            (format!("game {} step {}", line.game, line.step), played.difference)
        } else {
            let line: trace_format::ReachLine = serde_json::from_str(text).with_context(at)?;
            let what = format!("position {}", line.id);
            (what, position_lines::check(line).with_context(at)?)
        };
        findings.steps += 1;
        if let Some(difference) = difference {
            findings.mismatches.push(format!("{name}:{number}: {what}: {difference}"));
        }
    }
    Ok(findings)
}
