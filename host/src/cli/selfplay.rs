//! `barrow selfplay`: games to learn from, as a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use flate2::{Compression, write::GzEncoder};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::json;

use crate::interrupt;
use crate::training::{SelfPlay, is_packed};

/// Games worked on at once.
const ROUND: u32 = 256;

/// Arguments of `selfplay`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// What openings, cards and slips are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File to write, one JSON object per line; `.gz` is compressed, `-` is stdout
    #[arg(long, value_name = "FILE")]
    out: String,
    /// Print {"games","turns","interrupted"} as the last line
    #[arg(long)]
    json: bool,
}

/// Plays and writes. Ctrl-C ends it after the games that are finished.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let player = SelfPlay::new(arguments.seed)?;
    let mut output = open(&arguments.out).with_context(|| arguments.out.clone())?;
    let bar = progress(u64::from(arguments.games), "games");
    let (mut games, mut turns) = (0_u32, 0);
    for first in (0..arguments.games).step_by(ROUND as usize) {
        let round = first..arguments.games.min(first + ROUND);
        let play = |number| -> Result<Option<(String, usize)>> {
            let record = player.play(number)?;
            record.map(|record| Ok((record.to_line()?, record.plies.len()))).transpose()
        };
        let lines: Vec<Option<(String, usize)>> = round.into_par_iter().map(play).collect::<Result<_>>()?;
        for (line, plies) in lines.into_iter().flatten() {
            writeln!(output, "{line}").with_context(|| arguments.out.clone())?;
            games += 1;
            turns += plies;
        }
        bar.set_position(u64::from(games));
        if interrupt::requested() {
            break;
        }
    }
    bar.finish_and_clear();
    output.finish().with_context(|| arguments.out.clone())?;
    let interrupted = games < arguments.games;
    if arguments.json {
        println!("{}", json!({ "games": games, "turns": turns, "interrupted": interrupted }));
    } else if arguments.out != "-" {
        println!("{games} games, {turns} turns{}", if interrupted { ", interrupted" } else { "" });
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the games go.
enum Output {
    Plain(Box<dyn Write>),
    Packed(GzEncoder<BufWriter<File>>),
}

fn open(name: &str) -> Result<Output> {
    Ok(match name {
        "-" => Output::Plain(Box::new(BufWriter::new(io::stdout()))),
        name if is_packed(name) => {
            Output::Packed(GzEncoder::new(BufWriter::new(File::create(name)?), Compression::default()))
        }
        name => Output::Plain(Box::new(BufWriter::new(File::create(name)?))),
    })
}

impl Output {
    /// Ends the stream; an error here would otherwise go unseen.
    fn finish(self) -> io::Result<()> {
        match self {
            Output::Plain(mut plain) => plain.flush(),
            Output::Packed(packed) => packed.finish()?.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Plain(plain) => plain.write(bytes),
            Output::Packed(packed) => packed.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(plain) => plain.flush(),
            Output::Packed(packed) => packed.flush(),
        }
    }
}

/// A bar over so many things; it draws itself on a terminal only.
pub(super) fn progress(count: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(count);
    let template = format!("{{bar:30}} {{human_pos}}/{{human_len}} {what}, {{eta}} to go {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
