//! `barrow train`: a network from games.

use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use barrow_nnue::nets::Network;
use barrow_nnue::shape::Profile;
use serde_json::json;

use crate::training::checkpoint;
use crate::training::checkpoint::{Size, Task};
use crate::training::{
    Gaps, Learner, Lessons, Mark, Params, Samples, Settings, Shape, Supply, Thrift, compare, judge, quantise,
};
use crate::{interrupt, progress};

/// Held-out positions on which the rounded network is compared with the one that was trained.
const COMPARED: usize = 4_000;

/// Arguments of `train`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Size of the network
    #[arg(long, value_enum, default_value_t = Size::Desktop)]
    profile: Size,
    /// Games of the built-in teachers to learn from
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// Games to learn from instead, as written by `selfplay`; `.gz` is read as such, `-` is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    data: Option<String>,
    /// Passes over all positions
    #[arg(long, value_name = "E", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Positions in a batch
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    batch: u32,
    /// Largest step size
    #[arg(long, value_name = "RATE", default_value_t = 1.5e-3)]
    rate: f32,
    /// Chance in 256 that a turn of a game is learnt from
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=256))]
    turns: u32,
    /// What games, first weights and orders are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Floating-point network to write as well, for `quantize` or `--from`
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<String>,
    /// Floating-point network to go on from
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// A word for the file's header, such as the commit
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
    /// Print the result as one JSON object on the last line
    #[arg(long)]
    json: bool,
}

/// Trains and writes. Ctrl-C during the training ends it with the network so far.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    ensure!(arguments.rate.is_finite() && arguments.rate > 0.0, "--rate must be above 0");
    arguments.profile.with(Training(arguments))
}

struct Training<'a>(&'a Arguments);

impl Task for Training<'_> {
    type Output = Result<ExitCode>;

    fn run<P: Profile>(self) -> Result<ExitCode> {
        let arguments = self.0;
        let first = match &arguments.from {
            Some(name) => {
                let file = std::fs::read(name).with_context(|| name.clone())?;
                checkpoint::read::<P>(&file).with_context(|| name.clone())?.0
            }
            None => Params::initial(&Shape::of::<P>(), arguments.seed),
        };
        let lessons = gather::<P>(arguments)?;
        println!(
            "{} games: {} positions to learn from, {} to judge by",
            lessons.games,
            lessons.training.len(),
            lessons.held_out.len()
        );
        let (params, speed, done) = learn(arguments, first, &lessons);
        let marks = judge(&params, &lessons.held_out);
        let provenance = provenance(arguments, &lessons, done, &marks);
        let quantised = quantise::<P>(&params, &provenance)?;
        std::fs::write(&arguments.out, quantised.bytes::<P>()).with_context(|| arguments.out.clone())?;
        if let Some(name) = &arguments.checkpoint {
            std::fs::write(name, checkpoint::write::<P>(&params, &provenance))
                .with_context(|| name.clone())?;
        }
        let network = Network::<P>::from_bytes(quantised.bytes::<P>());
        let network = network.map_err(|error| anyhow::anyhow!("{error}"))?;
        let gaps = compare(&network, &params, &lessons.held_out, COMPARED);
        print_marks(&marks);
        print_gaps(&gaps);
        println!("{}: {provenance}", arguments.out);
        if arguments.json {
            let report = json!({
                "profile": P::NAME,
                "games": lessons.games,
                "positions": lessons.training.len(),
                "held_out": lessons.held_out.len(),
                "learnt": done,
                "positions_per_second": speed,
                "marks": marks,
                "rounding": gaps,
                "shrunk": quantised.shrunk,
                "bytes": quantised.bytes::<P>().len(),
                "interrupted": interrupt::requested(),
            });
            println!("{report}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn gather<P: Profile>(arguments: &Arguments) -> Result<Lessons> {
    let supply = match &arguments.data {
        Some(name) => Supply::read(name)?,
        None => Supply::Play { games: arguments.games, seed: arguments.seed },
    };
    let thrift = Thrift { turn: arguments.turns, ..Thrift::default() };
    let bar = progress::bar(supply.games() as u64, "games");
    let lessons = supply.gather::<P::Layout>(thrift, arguments.seed, |games| bar.set_position(games as u64));
    bar.finish_and_clear();
    let lessons = lessons.with_context(|| arguments.data.clone().unwrap_or_else(|| "games".to_owned()))?;
    interrupt::check()?;
    let enough = |samples: &Samples| !samples.is_empty();
    if !enough(&lessons.training) || !enough(&lessons.held_out) {
        bail!("too few games: nothing to learn from, or nothing to judge by");
    }
    Ok(lessons)
}

/// The trained network, positions a second, and positions learnt from.
fn learn(arguments: &Arguments, first: Params, lessons: &Lessons) -> (Params, f64, u64) {
    let settings = Settings {
        epochs: arguments.epochs,
        batch: arguments.batch as usize,
        rate: arguments.rate,
        seed: arguments.seed,
    };
    let mut learner = Learner::new(first);
    let bar = progress::bar(lessons.training.len() as u64 * u64::from(arguments.epochs), "positions");
    let (mut speed, mut done) = (0.0, 0);
    let mut judging = 0.0;
    learner.run(&lessons.training, settings, |params, progress, epoch| {
        bar.set_position(progress.positions);
        bar.set_message(format!("loss {:.4}", progress.loss));
        done = progress.positions;
        speed = progress.positions as f64 / (progress.seconds - judging).max(1e-9);
        if let Some(epoch) = epoch.filter(|&epoch| epoch < settings.epochs) {
            let started = std::time::Instant::now();
            let marks = judge(params, &lessons.held_out);
            judging += started.elapsed().as_secs_f64();
            let [blend, result, ..] = &marks[..] else { return false };
            bar.suspend(|| {
                println!(
                    "epoch {epoch}: win {:.4}, on results {:.4}, {speed:.0} positions/s",
                    blend.network, result.network
                );
            });
        }
        !interrupt::requested()
    });
    bar.finish_and_clear();
    (learner.params().clone(), speed, done)
}

/// What the header says; at most 96 letters.
fn provenance(arguments: &Arguments, lessons: &Lessons, done: u64, marks: &[Mark]) -> String {
    let source = if arguments.data.is_some() { "file" } else { "greedy" };
    let win = marks.first().map_or(0.0, |mark| mark.network);
    let epochs = done as f64 / lessons.training.len().max(1) as f64;
    let text = format!(
        "{source}, {} games, seed {}, {epochs:.0} epochs, win loss {win:.4} {}",
        lessons.games, arguments.seed, arguments.note
    );
    text.chars().filter(|letter| (' '..='~').contains(letter)).take(96).collect::<String>().trim().to_owned()
}

fn print_marks(marks: &[Mark]) {
    println!("on held-out games{:>20} {:>10} {:>10}", "network", "constant", "informed");
    for mark in marks {
        let informed = mark.informed.map_or(String::new(), |value| format!("{value:10.4}"));
        println!(
            "  {:<25} {:10.4} {:10.4} {informed:>10}  {}",
            mark.head, mark.network, mark.constant, mark.unit
        );
    }
}

fn print_gaps(gaps: &Gaps) {
    let [float, integer] = gaps.win_loss;
    println!("rounding takes the win loss of {COMPARED} positions from {float:.4} to {integer:.4}");
    for (net, gap) in [
        ("Oracle", gaps.oracle),
        ("the curve", gaps.curve),
        ("Death Prophet", gaps.prophet),
        ("Dark Seer", gaps.seer),
    ] {
        println!(
            "rounding moves {net}'s chances by {:.3} % on average, {:.2} % at most",
            100.0 * gap.mean,
            100.0 * gap.largest
        );
    }
}
