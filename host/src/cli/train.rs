//! `barrow train`: trains a network on games and writes it as a network file.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use barrow_nnue::format::file_len;
use barrow_nnue::nets::Network;
use barrow_nnue::shape::Profile;
use schemars::JsonSchema;
use serde::Serialize;

use super::calibrate::unfinished;
use super::usage::{parse_above_zero, refuse_second_stdin, refuse_shared_files, require};
use crate::engine::network::EngineNetwork;
use crate::io::{CHECKPOINT_CAP, FileArgument, OutputFile, read_bytes};
use crate::say;
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::training::checkpoint::{ProfileTask, ShippedProfile};
use crate::training::{
    Dataset, Device, GameSource, Hyperparameters, LossCurve, Metric, Net, NetworkShape, Params,
    RoundingErrors, SamplingRates, Schedule, TrainingRun, evaluate_net, mean_loss, quantise, rounding_errors,
    starting_network,
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
    /// Games to learn from instead, as written by `selfplay` or in any form that `convert` knows, in one file or several;
    /// `.gz` is read as such, `-` is stdin. Positions that were met before are left out; so is what is damaged, with a warning
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "games")]
    data: Vec<String>,
    /// Passes over all positions
    #[arg(long, value_name = "E", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Positions in a batch
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    batch: u32,
    /// Largest learning rate
    #[arg(long, value_name = "RATE", default_value_t = 1.5e-3, value_parser = parse_above_zero::<f32>)]
    rate: f32,
    /// Course of the learning rate
    #[arg(long, value_enum, default_value_t = Schedule::Cosine)]
    schedule: Schedule,
    /// End after this many epochs without a smaller loss on held-out games, and keep the best network
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(1..))]
    patience: Option<u32>,
    /// Let the network be a running mean of the weights with this decay a step, such as 0.999
    #[arg(long, value_name = "DECAY", value_parser = parse_decay)]
    average: Option<f32>,
    /// Chance in 256 that a turn of a game is learnt from
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=256))]
    turns: u32,
    /// Seed of games, initial weights and the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Floating-point network to write as well, after every epoch and at the end, for `quantize`, `--from` and `--resume`
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<String>,
    /// Checkpoint of a training that was ended or killed, to go on with as if that had not happened, and to write to; all
    /// other arguments must be the same. Where all epochs were over, what was not written yet is
    #[arg(long, value_name = "FILE", conflicts_with_all = ["checkpoint", "from"])]
    resume: Option<String>,
    /// Loss by step to write after every epoch, as comma-separated values; beside it a picture of it that ends in `.svg`
    #[arg(long, value_name = "FILE.csv", value_parser = parse_curve)]
    curve: Option<String>,
    /// Replace these files if they exist
    #[arg(long)]
    force: bool,
    /// Network to go on from: a checkpoint, or a network file
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// Device to train on
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    device: Device,
    /// Train this net alone, and leave all that the others read as it is
    #[arg(long, value_enum)]
    only: Option<Net>,
    /// Network whose Oracle says which places are good, for Dark Seer to learn; otherwise what the games' searches visited
    #[arg(long, value_name = "FILE")]
    judge: Option<String>,
    /// Note for the header of the file, such as the commit
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
    /// Print the result as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Trains a network and writes it. Ctrl-C during the training ends it with the network so far. What cannot be written
/// is an error before any work.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    require(arguments.out != "-", "--out must be a file")?;
    require(
        arguments.judge.is_none() || arguments.only != Some(Net::General),
        "--judge is for Dark Seer, which --only general leaves as it is",
    )?;
    arguments.refuse_shared_files()?;
    refuse_second_stdin(&arguments.data)?;
    arguments.hyperparameters().check()?;
    arguments.profile.run(Training(arguments))
}

/// Report of `train`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Trained {
    /// Name of the profile.
    profile: &'static str,
    /// Games read.
    games: usize,
    /// Games left out because they are not over and have no result.
    unfinished: usize,
    /// Positions to learn from.
    positions: usize,
    /// Positions to judge by.
    held_out: usize,
    /// Positions left out because they were met before.
    duplicates: usize,
    /// Damaged blocks and lines left out.
    damaged: usize,
    /// Positions learnt from, those of every pass counted.
    learnt: u64,
    /// Steps.
    steps: u32,
    /// Mean loss over the positions to judge by.
    loss: f64,
    /// Positions a second.
    positions_per_second: f64,
    /// Losses of each head over the positions to judge by.
    marks: Vec<Metric>,
    /// Rounding errors; null where only the general's net was trained.
    rounding: Option<RoundingErrors>,
    /// Times that a lane or row of weights was shrunk, so that no sum overflows.
    shrunk: usize,
    /// Length of the network file.
    bytes: usize,
    /// Whether the training was ended early.
    interrupted: bool,
}

/// Training for a profile that is chosen at run time.
struct Training<'a>(&'a Arguments);

impl ProfileTask for Training<'_> {
    type Output = Result<ExitCode>;

    fn run<P: Profile>(self) -> Result<ExitCode> {
        let arguments = self.0;
        let resumed = match &arguments.resume {
            Some(name) => {
                let named = || name.clone();
                let file = read_bytes(name, CHECKPOINT_CAP).with_context(named)?;
                TrainingRun::check_checkpoint::<P>(&file).with_context(named)?;
                Some(file)
            }
            None => None,
        };
        let mut outputs = Outputs::open(arguments)?;
        let most = file_len::<P>(NetworkShape::of::<P>().extent());
        outputs.network.reserve(most).with_context(|| arguments.out.clone())?;
        let first = match &arguments.from {
            Some(name) => starting_network::<P>(name)?,
            None => Params::initial(&NetworkShape::of::<P>(), arguments.seed),
        };
        let dataset = dataset::<P>(arguments)?;
        say!(
            "{}: {} to learn from, {} to judge by, {} met before{}",
            counted(dataset.games, "game"),
            counted(dataset.training.len(), "position"),
            dataset.held_out.len(),
            dataset.duplicates,
            unfinished(dataset.unfinished)
        );
        let settings = arguments.hyperparameters();
        let mut run = match (resumed, &arguments.resume) {
            (Some(file), Some(name)) => {
                TrainingRun::resumed::<P>(&file, settings, arguments.patience, &dataset)
                    .with_context(|| name.clone())?
            }
            _ => TrainingRun::new(first, settings, arguments.patience, &dataset),
        };
        if let (true, Some(name)) = (run.is_done(), &arguments.resume) {
            say!("{name}: all epochs are over; what is not written yet is written now");
        }
        let speed = train::<P>(arguments, &mut run, &dataset, &mut outputs);
        run.ensure_finite()?;
        let params = run.params();
        let metrics = evaluate_net(arguments.only, params, &dataset.held_out);
        let provenance = provenance(arguments, &dataset, &run, &metrics);
        let quantised = quantise::<P>(params, &provenance)?;
        outputs.network.save(quantised.bytes::<P>()).with_context(|| arguments.out.clone())?;
        outputs.save_curve(run.curve())?;
        // The last of all: without the state of the run nothing could be written that is missing.
        outputs.save_checkpoint(&run.last_checkpoint::<P>(&provenance))?;
        let network = Network::<P>::from_bytes(quantised.bytes::<P>());
        let network = network.map_err(|error| anyhow::anyhow!("{error}"))?;
        print_metrics(&metrics);
        let errors = (arguments.only != Some(Net::General))
            .then(|| rounding_errors(&network, params, &dataset.held_out, ROUNDING_POSITIONS));
        if let Some(errors) = &errors {
            print_rounding_errors(errors);
        }
        say!("{}: {provenance}", arguments.out);
        if arguments.json {
            print_json(&Trained {
                profile: P::NAME,
                games: dataset.games,
                unfinished: dataset.unfinished,
                positions: dataset.training.len(),
                held_out: dataset.held_out.len(),
                duplicates: dataset.duplicates,
                damaged: dataset.damage.len(),
                learnt: run.learnt(&dataset).0,
                steps: run.steps(),
                loss: mean_loss(params, &dataset.held_out),
                positions_per_second: speed,
                marks: metrics,
                rounding: errors,
                shrunk: quantised.shrunk,
                bytes: quantised.bytes::<P>().len(),
                interrupted: interrupt::requested(),
            })?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Arguments {
    /// Fails when two of the files are one, so that what is written would destroy the other or what is read. A network may
    /// take the place of the one that it went on from.
    fn refuse_shared_files(&self) -> Result<()> {
        let picture = self.curve.as_deref().and_then(picture_beside);
        let outputs = [
            ("--out", Some(&*self.out)),
            ("--checkpoint", self.checkpoint.as_deref()),
            ("--resume", self.resume.as_deref()),
            ("--curve", self.curve.as_deref()),
            ("the picture beside --curve", picture.as_deref()),
        ];
        let data = self.data.iter().map(|name| ("--data", Some(&**name)));
        let inputs: Vec<FileArgument<'_>> = data.chain([("--judge", self.judge.as_deref())]).collect();
        refuse_shared_files(&outputs, &inputs)
    }

    fn hyperparameters(&self) -> Hyperparameters {
        Hyperparameters {
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            schedule: self.schedule,
            average: self.average,
            seed: self.seed,
            only: self.only,
            device: self.device,
        }
    }
}

fn parse_decay(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|decay| (0.0..1.0).contains(decay))
        .ok_or("expected a number from 0 to below 1".to_owned())
}

fn parse_curve(text: &str) -> Result<String, String> {
    let is_csv = text.strip_suffix(".csv").is_some_and(|stem| !stem.is_empty());
    if is_csv { Ok(text.to_owned()) } else { Err("expected a name that ends in .csv".to_owned()) }
}

/// Name of the picture beside a loss curve of this name.
fn picture_beside(curve: &str) -> Option<String> {
    curve.strip_suffix(".csv").map(|stem| format!("{stem}.svg"))
}

/// File that is written, with its name.
type NamedOutput = (String, OutputFile);

/// Files that are written, opened before the work begins.
struct Outputs {
    network: OutputFile,
    checkpoint: Option<NamedOutput>,
    /// Loss curve as comma-separated values and as a picture.
    curve: Option<[NamedOutput; 2]>,
}

impl Outputs {
    fn open(arguments: &Arguments) -> Result<Outputs> {
        let open = |name: &str, force| -> Result<NamedOutput> {
            let file = OutputFile::create(name, force).with_context(|| name.to_owned())?;
            Ok((name.to_owned(), file))
        };
        let checkpoint = match (&arguments.checkpoint, &arguments.resume) {
            (Some(name), _) => Some(open(name, arguments.force)?),
            (None, Some(name)) => Some(open(name, true)?),
            (None, None) => None,
        };
        // A run that is gone on with goes on with its curve.
        let force = arguments.force || arguments.resume.is_some();
        let curve = match arguments.curve.as_ref().and_then(|csv| Some((csv, picture_beside(csv)?))) {
            Some((csv, svg)) => Some([open(csv, force)?, open(&svg, force)?]),
            None => None,
        };
        Ok(Outputs { network: open(&arguments.out, arguments.force)?.1, checkpoint, curve })
    }

    /// Writes the checkpoint, if one is asked for, over the one before.
    fn save_checkpoint(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.checkpoint {
            Some((name, file)) => file.save(bytes).with_context(|| name.clone()),
            None => Ok(()),
        }
    }

    /// Writes the loss curve, if it is asked for, over the one before.
    fn save_curve(&mut self, curve: &LossCurve) -> Result<()> {
        let Some([(csv, table), (svg, picture)]) = &mut self.curve else { return Ok(()) };
        table.save_text(&curve.csv()).with_context(|| csv.clone())?;
        picture.save_text(&curve.chart("loss").svg()).with_context(|| svg.clone())
    }
}

/// Dataset from the files or the self-play games that the arguments name.
fn dataset<P: Profile>(arguments: &Arguments) -> Result<Dataset> {
    let source = match &arguments.data[..] {
        [] => GameSource::SelfPlay { games: arguments.games, seed: arguments.seed },
        names => GameSource::Records(names.to_vec()),
    };
    let judge = arguments.judge.as_ref().map(|name| EngineNetwork::open(name)).transpose()?;
    let mut rates = SamplingRates { turn: arguments.turns, ..SamplingRates::default() };
    if arguments.only == Some(Net::Seer) {
        (rates.after_spawn, rates.curve) = (0, 0);
    }
    rates.general_only = arguments.only == Some(Net::General);
    let bar = source.bar();
    let dataset = source.dataset::<P::Layout>((rates, judge), arguments.seed, &bar);
    bar.finish_and_clear();
    let dataset = dataset?;
    dataset.damage.warn();
    interrupt::check()?;
    if dataset.training.is_empty() || dataset.held_out.is_empty() {
        bail!(
            "too few games: nothing to learn from, or nothing to judge by{}",
            unfinished(dataset.unfinished)
        );
    }
    Ok(dataset)
}

/// Trains to the end of the run, or until Ctrl-C, and writes checkpoint and curve after every epoch. Returns positions a
/// second.
fn train<P: Profile>(
    arguments: &Arguments,
    run: &mut TrainingRun,
    dataset: &Dataset,
    outputs: &mut Outputs,
) -> f64 {
    let bar = progress::bar(dataset.training.len() as u64 * u64::from(arguments.epochs), "positions");
    let (mut speed, mut first) = (0.0, None);
    let (mut since, mut seconds) = (Instant::now(), 0.0);
    run.train(dataset, |run, progress, report| {
        bar.set_position(progress.positions);
        if let Some(loss) = progress.loss {
            bar.set_message(format!("loss {loss:.4}"));
            // Measurements on held-out games do not count.
            seconds += since.elapsed().as_secs_f64();
        }
        let done = progress.positions;
        speed = (done - *first.get_or_insert(done)) as f64 / seconds.max(1e-9);
        if let Some(report) = report {
            // What was written before stays.
            if run.ensure_finite().is_err() {
                return false;
            }
            let provenance = provenance(arguments, dataset, run, &report.metrics);
            let checkpoint = run.checkpoint::<P>(&provenance);
            // The training goes on: what it learns until its end may find room then.
            for saved in [outputs.save_checkpoint(&checkpoint), outputs.save_curve(run.curve())] {
                if let Err(error) = saved {
                    bar.suspend(|| eprintln!("barrow: warning: {error:#}"));
                }
            }
            let losses = report.metrics.iter().map(|metric| format!("{} {:.4}", metric.head, metric.network));
            let losses: Vec<String> = losses.take(2).collect();
            bar.suspend(|| {
                say!(
                    "epoch {}: loss {:.4}, {}, {speed:.0} positions/s",
                    report.epoch,
                    report.loss,
                    losses.join(", ")
                );
            });
        }
        since = Instant::now();
        !interrupt::requested()
    });
    bar.finish_and_clear();
    speed
}

/// Provenance for the header of the network file: printable ASCII, at most 96 letters.
fn provenance(arguments: &Arguments, dataset: &Dataset, run: &TrainingRun, metrics: &[Metric]) -> String {
    let source = match arguments.data.len() {
        0 => "greedy".to_owned(),
        1 => "file".to_owned(),
        files => format!("{files} files"),
    };
    let loss = metrics.first().map_or(0.0, |metric| metric.network);
    let head = if arguments.only == Some(Net::General) { "general" } else { "win" };
    let (_, epochs) = run.learnt(dataset);
    let text = format!(
        "{source}, {}, seed {}, {}, {head} loss {loss:.4} {}",
        counted(dataset.games, "game"),
        arguments.seed,
        counted(format_args!("{epochs:.0}"), "epoch"),
        arguments.note
    );
    text.chars().filter(|letter| (' '..='~').contains(letter)).take(96).collect::<String>().trim().to_owned()
}

fn print_metrics(metrics: &[Metric]) {
    say!("on held-out games{:>20} {:>10} {:>10}", "network", "constant", "informed");
    for metric in metrics {
        let informed = metric.informed.map_or(String::new(), |value| format!("{value:10.4}"));
        say!(
            "  {:<25} {:10.4} {:10.4} {informed:>10}  {}",
            metric.head,
            metric.network,
            metric.constant,
            metric.unit
        );
    }
}

fn print_rounding_errors(errors: &RoundingErrors) {
    let [float, integer] = errors.win_loss;
    say!("rounding takes the win loss of {ROUNDING_POSITIONS} positions from {float:.4} to {integer:.4}");
    for (net, error) in [
        ("Oracle", errors.oracle),
        ("the curve", errors.curve),
        ("Death Prophet", errors.prophet),
        ("Dark Seer", errors.seer),
    ] {
        say!(
            "rounding moves {net}'s chances by {:.3} % on average, {:.2} % at most",
            100.0 * error.mean,
            100.0 * error.largest
        );
    }
}
