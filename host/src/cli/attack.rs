//! `barrow attack`: plans "kill everything, dearest first" on every board of every position in a file, plays each
//! plan through the rules, and reports how long the phases take.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, Ruleset, UndoLog, View};
use barrow_solver::attack::{AttackPlan, AttackSolver, Planned, Survey, Wish, limits_for};
use clap::Args;
use serde::Serialize;

use crate::cli::Rules;

/// Arguments of `barrow attack`.
#[derive(Args, Debug)]
pub struct AttackArgs {
    /// File with one position (FEN) per line; `.gz` is read as such, `-` is stdin
    file: String,
    /// Print one JSON object on the last line
    #[arg(long)]
    json: bool,
    /// Measure each board this many times and keep the fastest
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    #[command(flatten)]
    rules: Rules,
}

/// Median and tail of a measured quantity.
#[derive(Serialize, Debug)]
struct Spread {
    p50: f64,
    p90: f64,
    p99: f64,
    max: f64,
}

/// Median and largest of a count.
#[derive(Serialize, Debug)]
struct Counts {
    p50: usize,
    max: usize,
}

#[derive(Serialize, Debug)]
struct Report {
    boards: usize,
    attackers: Counts,
    defenders: Counts,
    build_us: Spread,
    prophecy_us: Spread,
    total_us: Spread,
    memory_bytes: Counts,
    accepted: usize,
}

/// What one board took.
struct Sample {
    attackers: usize,
    defenders: usize,
    build: f64,
    prophecy: f64,
    memory: usize,
    accepted: usize,
}

/// Runs the command.
pub fn run(args: &AttackArgs) -> Result<()> {
    let name = &args.file;
    let reader: Box<dyn Read> = if name == "-" {
        Box::new(io::stdin())
    } else {
        let file = File::open(name).with_context(|| name.clone())?;
        if name.to_ascii_lowercase().ends_with(".gz") {
            Box::new(flate2::read::MultiGzDecoder::new(file))
        } else {
            Box::new(file)
        }
    };
    let config = args.rules.config(Ruleset::Spooky)?;
    // Lent once; every board is planned in it, so nothing is allocated while the clock runs.
    let mut memory = Vec::new();
    let mut samples = Vec::new();
    for (index, line) in BufReader::new(reader).lines().enumerate() {
        let line = line.with_context(|| name.clone())?;
        if line.trim().is_empty() {
            continue;
        }
        let game = match fen::parse(&line, &config) {
            Ok(game) => game,
            Err(error) => bail!("{name}:{}: {error}", index + 1),
        };
        for board in 0..game.config().num_boards() {
            let place = || format!("{name}:{}: board {board}", index + 1);
            samples.push(plan_board(&game, board, &mut memory, args.rounds).with_context(place)?);
        }
    }
    if samples.is_empty() {
        bail!("{name}: no position");
    }
    let report = summarise(&samples);
    let line = |what: &str, spread: &Spread| {
        println!(
            "{what:<9} p50 {:8.1}  p90 {:8.1}  p99 {:8.1}  max {:8.1} us",
            spread.p50, spread.p90, spread.p99, spread.max
        );
    };
    println!(
        "{} boards, attackers {} (most {}), defenders {} (most {}), {} wishes granted",
        report.boards,
        report.attackers.p50,
        report.attackers.max,
        report.defenders.p50,
        report.defenders.max,
        report.accepted
    );
    line("build", &report.build_us);
    line("prophecy", &report.prophecy_us);
    line("total", &report.total_us);
    println!("memory    p50 {} max {} bytes", report.memory_bytes.p50, report.memory_bytes.max);
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

fn plan_board(game: &Game, board: usize, memory: &mut Vec<u32>, rounds: u32) -> Result<Sample> {
    let view = game.view(board).context("no such board")?;
    let wishes = dearest_first(&view);
    let mut sample =
        Sample { attackers: 0, defenders: 0, build: f64::MAX, prophecy: f64::MAX, memory: 0, accepted: 0 };
    for _ in 0..rounds.max(1) {
        let start = Instant::now();
        let survey = Survey::new(&view)?;
        let limits = limits_for(&survey)?;
        if memory.len() < limits.words() {
            memory.resize(limits.words(), 0);
        }
        let mut solver = AttackSolver::new(&survey, &limits, memory)?;
        let built = start.elapsed().as_secs_f64() * 1e6;
        let planned = solver.plan(&wishes, u64::MAX)?;
        let total = start.elapsed().as_secs_f64() * 1e6;
        let Planned::Plan(plan) = planned else { bail!("there is no plan at all") };
        if total < sample.build + sample.prophecy {
            (sample.build, sample.prophecy) = (built, total - built);
        }
        (sample.attackers, sample.defenders) = survey.size();
        sample.memory = 4 * limits.words() + size_of::<Survey>() + size_of::<AttackSolver<'_, '_>>();
        sample.accepted = wishes.iter().filter(|&&wish| solver.grants(wish)).count();
        play(game, board, &plan)?;
    }
    Ok(sample)
}

/// A wish for the removal of every enemy piece, necromancers first, then by price.
fn dearest_first(view: &View<'_>) -> Vec<Wish> {
    let mut targets: Vec<_> = view
        .board
        .iter(view.side.opponent())
        .map(|(hex, piece)| (!view.unit(piece).necromancer, u8::MAX - view.unit(piece).cost, hex))
        .collect();
    targets.sort_unstable();
    targets.into_iter().map(|(_, _, hex)| Wish::Remove(hex)).collect()
}

/// Plays a plan through the rules; what the solver promises they must accept.
fn play(game: &Game, board: usize, plan: &AttackPlan) -> Result<()> {
    let mut game = game.clone();
    let mut index = 0;
    while let Some(rest) = plan.actions.get(index..).filter(|rest| !rest.is_empty()) {
        match game.apply_next(board as u8, rest, &mut UndoLog::off()) {
            Ok(used) => index += used,
            Err(reason) => bail!("the rules refuse action {index} of the plan: {reason}"),
        }
    }
    Ok(())
}

fn summarise(samples: &[Sample]) -> Report {
    let spread = |value: fn(&Sample) -> f64| {
        let mut all: Vec<f64> = samples.iter().map(value).collect();
        all.sort_by(f64::total_cmp);
        let at = |share: f64| all.get(((all.len() - 1) as f64 * share) as usize).copied().unwrap_or(0.0);
        Spread { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1.0) }
    };
    let counts = |value: fn(&Sample) -> usize| {
        let mut all: Vec<usize> = samples.iter().map(value).collect();
        all.sort_unstable();
        Counts {
            p50: all.get((all.len() - 1) / 2).copied().unwrap_or(0),
            max: all.last().copied().unwrap_or(0),
        }
    };
    Report {
        boards: samples.len(),
        attackers: counts(|sample| sample.attackers),
        defenders: counts(|sample| sample.defenders),
        build_us: spread(|sample| sample.build),
        prophecy_us: spread(|sample| sample.prophecy),
        total_us: spread(|sample| sample.build + sample.prophecy),
        memory_bytes: counts(|sample| sample.memory),
        accepted: samples.iter().map(|sample| sample.accepted).sum(),
    }
}
