//! `barrow calibrate`: how far win chances and their errors, those of a network and of searches, can be believed.

use std::process::ExitCode;

use anyhow::{Context, Result};
use schemars::JsonSchema;
use serde::Serialize;

use super::usage::{refuse_second_stdin, refuse_shared_files};
use crate::calibration::{CalibrationReport, JudgedGames, SearchAnew, csv, search_anew, svg, text};
use crate::engine::expected_error;
use crate::engine::network::EngineNetwork;
use crate::io::{FileArgument, OutputFile};
use crate::text::counted::counted;
use crate::text::output::print_json;
use crate::training::HELD_OUT_STEP;
use crate::{interrupt, progress};
use crate::{say, say_part};

/// Arguments of `calibrate`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Games to judge by, in any form that `convert` knows; a name that ends in `.gz` is read as such, `-` is stdin
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<String>,
    /// Judge by every Nth game of a file, from the first on: 16 takes those that `train` holds out, 1 all games of files
    /// that nothing was learnt from
    #[arg(long, value_name = "N", default_value_t = HELD_OUT_STEP as u32, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Network to judge instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Judge searches of N nodes too, which play on from positions of the games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Positions that these searches play on from
    #[arg(long, value_name = "N", default_value_t = 100, requires = "nodes", value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Seed of the choice of these positions
    #[arg(long, default_value_t = 1, requires = "nodes")]
    seed: u64,
    /// Tables to write as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,
    /// Picture of the tables to write
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
    /// Replace these files if they exist
    #[arg(long)]
    force: bool,
    /// Print the report as one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

/// Report of `calibrate`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Calibrated {
    /// Games that were judged by.
    games: usize,
    /// Games left out because they are not over and have no result.
    unfinished: usize,
    /// Positions of these games.
    positions: usize,
    /// Reports on the network and on searches.
    reports: Vec<CalibrationReport>,
}

/// Judges the games and prints what was found. Files are opened before the work begins.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    arguments.refuse_shared_files()?;
    refuse_second_stdin(&arguments.data)?;
    let output = |name: &Option<String>| -> Result<Option<(String, OutputFile)>> {
        let Some(name) = name else { return Ok(None) };
        let file = OutputFile::create(name, arguments.force).with_context(|| name.clone())?;
        Ok(Some((name.clone(), file)))
    };
    let (table, picture) = (output(&arguments.csv)?, output(&arguments.svg)?);
    let network = match &arguments.net {
        Some(name) => EngineNetwork::open(name)?,
        None => EngineNetwork::embedded().context("the built-in network is damaged")?,
    };
    let bar = progress::bytes_bar(&arguments.data);
    let judged = JudgedGames::read(&arguments.data, arguments.every as usize, network, &bar);
    bar.finish_and_clear();
    let judged = judged?;
    judged.damage.warn();
    let mut reports =
        vec![CalibrationReport::new("network", &judged.network, true, expected_error::of_network)];
    if !judged.search.is_empty() {
        let of_search = expected_error::of_search;
        reports.push(CalibrationReport::new("search of the games", &judged.search, true, of_search));
    }
    if let Some(nodes) = arguments.nodes {
        let positions = arguments.positions as usize;
        let plan = SearchAnew { network, nodes, positions, seed: arguments.seed };
        let bar = progress::bar(positions as u64, "positions");
        let found = search_anew(&judged.positions, &plan, &bar);
        bar.finish_and_clear();
        interrupt::check()?;
        reports.push(CalibrationReport::new("search anew", &found, false, expected_error::of_search));
    }
    let left_out = unfinished(judged.unfinished);
    let (games, positions) = (counted(judged.games, "game"), counted(judged.positions.len(), "position"));
    say!("{games}, {positions}{left_out}");
    for report in &reports {
        say_part!("{}", text(report));
    }
    if let Some((name, mut file)) = table {
        file.save_text(&csv(&reports)).with_context(|| name)?;
    }
    if let Some((name, mut file)) = picture {
        file.save_text(&svg(network.profile_name(), &reports)).with_context(|| name)?;
    }
    if arguments.json {
        let JudgedGames { games, unfinished, positions, .. } = judged;
        print_json(&Calibrated { games, unfinished, positions: positions.len(), reports })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Words on games that were left out because they are not over and have no result; none without such games.
pub(super) fn unfinished(games: usize) -> String {
    match games {
        0 => String::new(),
        _ => format!("; {} left out", counted(games, "unfinished game")),
    }
}

impl Arguments {
    /// Fails when two of the files are one, so that what is written would destroy the other or what is read.
    fn refuse_shared_files(&self) -> Result<()> {
        let data = self.data.iter().map(|name| ("--data", Some(&**name)));
        let inputs: Vec<FileArgument<'_>> = data.chain([("--net", self.net.as_deref())]).collect();
        let outputs = [("--csv", self.csv.as_deref()), ("--svg", self.svg.as_deref())];
        refuse_shared_files(&outputs, &inputs)
    }
}
