//! `barrow train`: trains a network on games and writes it as a network file.

use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use barrow_nnue::nets::Network;
use barrow_nnue::shape::Profile;
use serde_json::json;

use crate::io::{NETWORK_CAP, OutputFile, read_bytes};
use crate::training::checkpoint;
use crate::training::checkpoint::{ProfileTask, ShippedProfile};
use crate::training::{
    Dataset, GameSource, Hyperparameters, Metric, NetworkShape, Params, RoundingErrors, SamplingRates,
    Trainer, dequantise, evaluate, quantise, rounding_errors,
};
use crate::{interrupt, progress};

/// Held-out positions on which rounding errors are measured.
const ROUNDING_POSITIONS: usize = 4_000;

/// Arguments of `train`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Size of the network
    #[arg(long, value_enum, default_value_t = ShippedProfile::Desktop)]
    profile: ShippedProfile,
    /// Self-play games to learn from
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
    /// Largest learning rate
    #[arg(long, value_name = "RATE", default_value_t = 1.5e-3)]
    rate: f32,
    /// Chance in 256 that a turn of a game is learnt from
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=256))]
    turns: u32,
    /// Seed of games, initial weights and the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Floating-point network to write as well, after every epoch, for `quantize` or `--from`
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<String>,
    /// Replace these files if they exist
    #[arg(long)]
    force: bool,
    /// Network to go on from: a checkpoint, or a network file
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// Note for the header of the file, such as the commit
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
    /// Print the result as one JSON object on the last line
    #[arg(long)]
    json: bool,
}

/// Trains a network and writes it. Ctrl-C during the training ends it with the network so far. What cannot be written
/// is an error before any work.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    ensure!(arguments.rate.is_finite() && arguments.rate > 0.0, "--rate must be above 0");
    ensure!(arguments.out != "-", "--out must be a file");
    ensure!(
        arguments.checkpoint.as_ref() != Some(&arguments.out),
        "--checkpoint must not be the file of --out"
    );
    arguments.profile.run(Training(arguments))
}

/// Training for a profile that is chosen at run time.
struct Training<'a>(&'a Arguments);

impl ProfileTask for Training<'_> {
    type Output = Result<ExitCode>;

    fn run<P: Profile>(self) -> Result<ExitCode> {
        let arguments = self.0;
        let mut outputs = Outputs::open(arguments)?;
        let first = match &arguments.from {
            Some(name) => {
                let file = read_bytes(name, NETWORK_CAP).with_context(|| name.clone())?;
                let params = if checkpoint::profile(&file).is_ok() {
                    checkpoint::read::<P>(&file).map(|(params, _)| params)
                } else {
                    dequantise::<P>(&file)
                };
                params.with_context(|| name.clone())?
            }
            None => Params::initial(&NetworkShape::of::<P>(), arguments.seed),
        };
        let dataset = dataset::<P>(arguments)?;
        println!(
            "{} games: {} positions to learn from, {} to judge by",
            dataset.games,
            dataset.training.len(),
            dataset.held_out.len()
        );
        let (params, speed, done) = train::<P>(arguments, first, &dataset, &mut outputs);
        let metrics = evaluate(&params, &dataset.held_out);
        let provenance = provenance(arguments, &dataset, done, &metrics);
        let quantised = quantise::<P>(&params, &provenance)?;
        outputs.network.save(quantised.bytes::<P>()).with_context(|| arguments.out.clone())?;
        outputs.save_checkpoint::<P>(&params, &provenance)?;
        let network = Network::<P>::from_bytes(quantised.bytes::<P>());
        let network = network.map_err(|error| anyhow::anyhow!("{error}"))?;
        let errors = rounding_errors(&network, &params, &dataset.held_out, ROUNDING_POSITIONS);
        print_metrics(&metrics);
        print_rounding_errors(&errors);
        println!("{}: {provenance}", arguments.out);
        if arguments.json {
            let report = json!({
                "profile": P::NAME,
                "games": dataset.games,
                "positions": dataset.training.len(),
                "held_out": dataset.held_out.len(),
                "learnt": done,
                "positions_per_second": speed,
                "marks": metrics,
                "rounding": errors,
                "shrunk": quantised.shrunk,
                "bytes": quantised.bytes::<P>().len(),
                "interrupted": interrupt::requested(),
            });
            println!("{report}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Files that are written, opened before the work begins.
struct Outputs {
    network: OutputFile,
    /// Checkpoint with its name.
    checkpoint: Option<(String, OutputFile)>,
}

impl Outputs {
    fn open(arguments: &Arguments) -> Result<Outputs> {
        let open = |name: &String| OutputFile::create(name, arguments.force).with_context(|| name.clone());
        let checkpoint = match &arguments.checkpoint {
            Some(name) => Some((name.clone(), open(name)?)),
            None => None,
        };
        Ok(Outputs { network: open(&arguments.out)?, checkpoint })
    }

    /// Writes the checkpoint, if one is asked for, over the one before.
    fn save_checkpoint<P: Profile>(&mut self, params: &Params, provenance: &str) -> Result<()> {
        match &mut self.checkpoint {
            Some((name, file)) => {
                file.save(&checkpoint::write::<P>(params, provenance)).with_context(|| name.clone())
            }
            None => Ok(()),
        }
    }
}

/// Dataset from the file or the self-play games that the arguments name.
fn dataset<P: Profile>(arguments: &Arguments) -> Result<Dataset> {
    let source = match &arguments.data {
        Some(name) => GameSource::Records(name.clone()),
        None => GameSource::SelfPlay { games: arguments.games, seed: arguments.seed },
    };
    let rates = SamplingRates { turn: arguments.turns, ..SamplingRates::default() };
    let bar = source.bar();
    let dataset = source.dataset::<P::Layout>(rates, arguments.seed, &bar);
    bar.finish_and_clear();
    let dataset = dataset.with_context(|| arguments.data.clone().unwrap_or_else(|| "games".to_owned()))?;
    interrupt::check()?;
    if dataset.training.is_empty() || dataset.held_out.is_empty() {
        bail!("too few games: nothing to learn from, or nothing to judge by");
    }
    Ok(dataset)
}

/// Trains from these parameters and writes a checkpoint after every epoch but the last. Returns the trained parameters,
/// positions a second, and the number of positions processed.
fn train<P: Profile>(
    arguments: &Arguments,
    first: Params,
    dataset: &Dataset,
    outputs: &mut Outputs,
) -> (Params, f64, u64) {
    let hyperparameters = Hyperparameters {
        epochs: arguments.epochs,
        batch: arguments.batch as usize,
        rate: arguments.rate,
        seed: arguments.seed,
    };
    let mut trainer = Trainer::new(first);
    let bar = progress::bar(dataset.training.len() as u64 * u64::from(arguments.epochs), "positions");
    let (mut speed, mut done) = (0.0, 0);
    let mut evaluation_seconds = 0.0;
    trainer.run(&dataset.training, hyperparameters, |params, progress, epoch| {
        bar.set_position(progress.positions);
        bar.set_message(format!("loss {:.4}", progress.loss));
        done = progress.positions;
        speed = progress.positions as f64 / (progress.seconds - evaluation_seconds).max(1e-9);
        if let Some(epoch) = epoch.filter(|&epoch| epoch < hyperparameters.epochs) {
            let started = std::time::Instant::now();
            let metrics = evaluate(params, &dataset.held_out);
            // The training goes on: what it learns until its end may find room then.
            if let Err(error) =
                outputs.save_checkpoint::<P>(params, &provenance(arguments, dataset, done, &metrics))
            {
                bar.suspend(|| eprintln!("barrow: warning: {error:#}"));
            }
            evaluation_seconds += started.elapsed().as_secs_f64();
            let [blend, result, ..] = &metrics[..] else { return false };
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
    (trainer.params().clone(), speed, done)
}

/// Provenance for the header of the network file: printable ASCII, at most 96 letters.
fn provenance(arguments: &Arguments, dataset: &Dataset, done: u64, metrics: &[Metric]) -> String {
    let source = if arguments.data.is_some() { "file" } else { "greedy" };
    let win = metrics.first().map_or(0.0, |metric| metric.network);
    let epochs = done as f64 / dataset.training.len().max(1) as f64;
    let text = format!(
        "{source}, {} games, seed {}, {epochs:.0} epochs, win loss {win:.4} {}",
        dataset.games, arguments.seed, arguments.note
    );
    text.chars().filter(|letter| (' '..='~').contains(letter)).take(96).collect::<String>().trim().to_owned()
}

fn print_metrics(metrics: &[Metric]) {
    println!("on held-out games{:>20} {:>10} {:>10}", "network", "constant", "informed");
    for metric in metrics {
        let informed = metric.informed.map_or(String::new(), |value| format!("{value:10.4}"));
        println!(
            "  {:<25} {:10.4} {:10.4} {informed:>10}  {}",
            metric.head, metric.network, metric.constant, metric.unit
        );
    }
}

fn print_rounding_errors(errors: &RoundingErrors) {
    let [float, integer] = errors.win_loss;
    println!("rounding takes the win loss of {ROUNDING_POSITIONS} positions from {float:.4} to {integer:.4}");
    for (net, error) in [
        ("Oracle", errors.oracle),
        ("the curve", errors.curve),
        ("Death Prophet", errors.prophet),
        ("Dark Seer", errors.seer),
    ] {
        println!(
            "rounding moves {net}'s chances by {:.3} % on average, {:.2} % at most",
            100.0 * error.mean,
            100.0 * error.largest
        );
    }
}
