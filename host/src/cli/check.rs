//! `barrow check`: whether a UMI engine keeps to the protocol and to the rules.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use super::usage::UsageError;
use crate::matches::{
    ComplianceResult, ComplianceTerms, MatchPlayerSpec, Openings, Rulesets, TimeControl, TimeLimit,
    check_engine,
};
use crate::quantity::milliseconds;
use crate::text::output::print_json;
use crate::{progress, say};

/// Arguments of `check`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Engine to check: `cmd:COMMAND`
    #[arg(value_name = "cmd:COMMAND")]
    engine: MatchPlayerSpec,
    /// Positions in which it is asked for a turn
    #[arg(long, value_name = "N", default_value_t = 100)]
    positions: u32,
    /// Time for a turn
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = milliseconds(0))]
    movetime: u64,
    /// Delay that a turn may have
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = milliseconds(0))]
    margin: u64,
    /// Time that the engine has to start, or to be ready for a new game
    #[arg(long, value_name = "MS", default_value_t = 20_000, value_parser = milliseconds(0))]
    startup: u64,
    /// Rules of the positions: `server`, `spooky` or `mixed`
    #[arg(long, default_value = "spooky", value_parser = rulesets)]
    ruleset: Rulesets,
    /// Seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the results as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

fn rulesets(name: &str) -> Result<Rulesets> {
    match Rulesets::from_name(name) {
        Some(rulesets) => Ok(rulesets),
        None => bail!("server, spooky or mixed"),
    }
}

/// Report of `check`.
#[derive(Serialize, JsonSchema)]
pub(super) struct CheckReport {
    /// Whether the engine has passed all checks.
    passed: bool,
    /// Checks in their order.
    checks: Vec<ComplianceResult>,
}

/// Checks the engine and says what it does; exit code 1 if it fails a check.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let MatchPlayerSpec::Command(command) = &arguments.engine else {
        let wrong = "only engines in processes of their own can be checked: cmd:COMMAND";
        return Err(UsageError(wrong.to_owned()).into());
    };
    let movetime = Duration::from_millis(arguments.movetime);
    let terms = ComplianceTerms {
        openings: Openings::new(arguments.ruleset, (1, 4), &[], 0, arguments.seed)?,
        positions: arguments.positions,
        time_control: TimeControl {
            limit: TimeLimit::Turn(movetime),
            overtime: Duration::from_millis(arguments.margin),
            startup: Duration::from_millis(arguments.startup),
        },
    };
    let bar = progress::bar(u64::from(arguments.positions), "positions");
    let results = check_engine(command, &terms, || bar.inc(1));
    bar.finish_and_clear();
    let results = results?;
    for result in &results {
        let verdict = if result.passed { "ok    " } else { "FAILED" };
        let detail = if result.detail.is_empty() { String::new() } else { format!(" ({})", result.detail) };
        say!("{verdict} {}{detail}", result.check);
    }
    let passed = results.iter().all(|result| result.passed);
    if arguments.json {
        print_json(&CheckReport { passed, checks: results })?;
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
