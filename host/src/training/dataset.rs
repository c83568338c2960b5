//! Datasets: training and held-out samples of many games, which are played for the purpose or read from a file.

use std::ops::Range;

use anyhow::{Context, Result};
use barrow_core::rng::Rng;
use barrow_nnue::layout::Layout;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::samples::Samples;
use super::selfplay::SelfPlay;
use super::targets::{SamplingRates, position_targets};
use crate::io::{TextLines, open_watched};
use crate::records::game_record::GameRecord;
use crate::{interrupt, progress};

/// Games that are converted at once.
const ROUND: usize = 256;

/// Distance of held-out games: one game in this many is not trained on.
const HELD_OUT_STEP: usize = 16;

/// Source of games for a dataset.
#[derive(Clone, Debug)]
pub enum GameSource {
    /// Self-play games.
    SelfPlay {
        /// Number of games.
        games: u32,
        /// Seed of the games.
        seed: u64,
    },
    /// File of game records, one a line; `-` is stdin, a name that ends in `.gz` is decompressed.
    Records(String),
}

/// Dataset: training samples and held-out samples. No game contributes to both.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// Samples to train on.
    pub training: Samples,
    /// Samples to measure metrics on.
    pub held_out: Samples,
    /// Number of games of all samples.
    pub games: usize,
}

/// Games of a source, taken round by round, so that few records are in memory at a time.
enum Games {
    /// Numbers of the self-play games that are left.
    SelfPlay(Range<u32>),
    /// Lines that are left of a file.
    Records(TextLines),
}

/// Game that is still to be converted.
enum Pending {
    /// Self-play game with this number.
    SelfPlay(u32),
    /// Line of a file.
    Record(String),
}

impl GameSource {
    /// Bar over the games or, for a file, over its bytes.
    pub fn bar(&self) -> ProgressBar {
        match self {
            GameSource::SelfPlay { games, .. } => progress::bar(u64::from(*games), "games"),
            GameSource::Records(name) => progress::bytes_bar(std::slice::from_ref(name)),
        }
    }

    /// Converts all games to samples under a feature layout, and moves the bar along; Ctrl-C ends the conversion early.
    pub fn dataset<L: Layout>(&self, rates: SamplingRates, seed: u64, bar: &ProgressBar) -> Result<Dataset> {
        let (player, mut games) = match self {
            GameSource::SelfPlay { games, seed } => (Some(SelfPlay::new(*seed)?), Games::SelfPlay(0..*games)),
            GameSource::Records(name) => (None, Games::Records(open_watched(name, bar)?)),
        };
        let mut all = Dataset::default();
        let mut first = 0;
        loop {
            let round = games.next_round()?;
            if round.is_empty() {
                return Ok(all);
            }
            let convert = |(index, pending): (usize, &Pending)| -> Result<Option<Samples>> {
                let number = first + index;
                let Some(record) = record(number, pending, player.as_ref())? else { return Ok(None) };
                let mut dice = Rng::new(seed ^ Rng::new(number as u64).next_u64());
                let mut samples = Samples::default();
                let positions = position_targets(&record, rates, dice.next_u64())?;
                samples.add_positions::<L>(&positions, dice.next_u64());
                Ok(Some(samples))
            };
            let samples: Vec<Option<Samples>> =
                round.par_iter().enumerate().map(convert).collect::<Result<_>>()?;
            for (index, samples) in samples.into_iter().enumerate() {
                let held_out = (first + index).is_multiple_of(HELD_OUT_STEP);
                let to = if held_out { &mut all.held_out } else { &mut all.training };
                if let Some(mut samples) = samples {
                    to.append(&mut samples);
                    all.games += 1;
                }
            }
            first += round.len();
            if let Games::SelfPlay(_) = games {
                bar.set_position(first as u64);
            }
            if interrupt::requested() {
                return Ok(all);
            }
        }
    }
}

impl Games {
    /// Takes the next games of the source; none at its end.
    fn next_round(&mut self) -> Result<Vec<Pending>> {
        match self {
            Games::SelfPlay(numbers) => Ok(numbers.take(ROUND).map(Pending::SelfPlay).collect()),
            Games::Records(lines) => {
                let mut round = Vec::new();
                while round.len() < ROUND {
                    let Some(line) = lines.next_json_line()? else { break };
                    round.push(Pending::Record(line.to_owned()));
                }
                Ok(round)
            }
        }
    }
}

/// Record of the game with this number in its source. Returns `None` when Ctrl-C interrupts the game.
fn record(number: usize, pending: &Pending, player: Option<&SelfPlay>) -> Result<Option<GameRecord>> {
    match (pending, player) {
        (Pending::SelfPlay(number), Some(player)) => player.play(*number),
        (Pending::SelfPlay(_), None) => Ok(None),
        (Pending::Record(line), _) => {
            GameRecord::from_line(line).with_context(|| format!("line {}", number + 1)).map(Some)
        }
    }
}
