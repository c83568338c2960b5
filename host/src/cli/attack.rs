//! `barrow attack`: the time of attack planning on every board of every position of a file.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use barrow_core::minions::Ruleset;

use super::position::Rules;
use crate::bench::{AttackReport, AttackTimer, Percentiles};
use crate::interrupt;
use crate::notation::PositionFile;
use crate::progress;
use crate::say;
use crate::text::counted::counted;
use crate::text::output::print_json;

/// Arguments of `attack`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// File with one position (FEN) per line, beside remarks that begin with `#`; `.gz` is read as such, `-` is stdin
    file: String,
    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
    /// Measure each board this many times and keep the fastest
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Plan for so many propagations of the solver at most; when they are used up the best plan so far counts
    #[arg(long, value_name = "COUNT", default_value_t = 500_000)]
    budget: u64,
    #[command(flatten)]
    rules: Rules,
}

/// Measures and prints.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let name = &arguments.file;
    let config = arguments.rules.config(Ruleset::Spooky)?;
    let mut timer = AttackTimer::new(arguments.rounds, arguments.budget);
    let bar = progress::bytes_bar(std::slice::from_ref(name));
    let mut positions = PositionFile::open(name, config, &bar).with_context(|| name.clone())?;
    while let Some((line, game)) = positions.next_position().with_context(|| name.clone())? {
        let what = || format!("{name}: line {line} is a position");
        arguments.rules.check_against(&what(), game.config())?;
        // A board that cannot be planned concerns no other.
        for board in 0..game.config().num_boards() {
            interrupt::check()?;
            if let Err(error) = timer.measure(&game, board) {
                bar.suspend(|| eprintln!("barrow: {name}: line {line}: board {board}: {error:#}"));
            }
        }
    }
    bar.finish_and_clear();
    interrupt::check()?;
    let Some(report) = timer.report() else {
        bail!("{name}: {}", if timer.refused() > 0 { "every board was refused" } else { "no position" })
    };
    say!(
        "{}, attackers {} (most {}), defenders {} (most {}), {} granted",
        counted(report.boards, "board"),
        report.attackers.p50,
        report.attackers.max,
        report.defenders.p50,
        report.defenders.max,
        counted(report.accepted, "goal")
    );
    print_times("build", &report.build_us);
    print_times("prophecy", &report.prophecy_us);
    print_times("total", &report.total_us);
    say!("memory    p50 {} max {} bytes", report.memory_bytes.p50, report.memory_bytes.max);
    let AttackReport { proved, boards, reduced, refused, .. } = report;
    let (reduced, of_boards) = (counted(reduced, "model"), counted(refused, "board"));
    say!("{proved} of {boards} plans proved the best, {reduced} reduced, {of_boards} refused");
    if arguments.json {
        print_json(&report)?;
    }
    Ok(if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print_times(phase: &str, times: &Percentiles) {
    let Percentiles { p50, p90, p99, max } = times;
    say!("{phase:<9} p50 {p50:8.1}  p90 {p90:8.1}  p99 {p99:8.1}  max {max:8.1} us");
}
