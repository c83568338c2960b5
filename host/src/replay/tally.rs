//! Tally of a replay: steps, and where the rules disagree with a trace.

use std::process::ExitCode;

use crate::say;
use crate::text::counted::counted;
use crate::text::output::print_json;
use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

/// Number of mismatches that are described; later ones are only counted.
const DESCRIBED: usize = 10;

/// Tally of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Tally {
    /// Number of files.
    pub files: u64,
    /// Number of replayed lines: turns of games and positions.
    pub steps: u64,
    /// Number of lines on which the rules disagree with the trace.
    pub mismatches: u64,
    /// Descriptions of the first few mismatches, one line each: the place, and the difference.
    #[serde(skip)]
    pub described: Vec<String>,
}

impl Tally {
    /// Counts a step and, if the rules disagree with the trace there, the mismatch.
    pub(crate) fn count(&mut self, mismatch: Option<String>) {
        self.add(1, mismatch);
    }

    /// Counts steps and their mismatches.
    pub(super) fn add(&mut self, steps: u64, mismatches: impl IntoIterator<Item = String>) {
        self.steps += steps;
        for mismatch in mismatches {
            self.mismatches += 1;
            if self.described.len() < DESCRIBED {
                self.described.push(mismatch);
            }
        }
    }

    /// Prints the tally as text, or as one JSON object. Returns the exit code: a failure when there
    /// are mismatches.
    pub fn print(&self, json: bool) -> Result<ExitCode> {
        for line in &self.described {
            say!("{line}");
        }
        let described = self.described.len() as u64;
        if self.mismatches > described {
            say!("and {} more", self.mismatches - described);
        }
        let (files, steps) = (counted(self.files, "file"), counted(self.steps, "step"));
        let mismatches = if self.mismatches == 1 { "mismatch" } else { "mismatches" };
        say!("{files}, {steps}, {} {mismatches}", self.mismatches);
        if json {
            print_json(self)?;
        }
        Ok(if self.mismatches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
