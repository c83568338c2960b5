//! Datasets: training and held-out samples of many games, which are played for the purpose or read from a file.

use std::io::{self, BufRead};

use anyhow::{Context, Result};
use barrow_core::rng::Rng;
use barrow_nnue::layout::Layout;
use rayon::prelude::*;

use super::samples::Samples;
use super::selfplay::SelfPlay;
use super::targets::{SamplingRates, position_targets};
use crate::interrupt;
use crate::io::open;
use crate::records::game_record::GameRecord;

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
    /// Game records, one a line.
    Records(Vec<String>),
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

impl GameSource {
    /// Reads the game records of a file; `-` is stdin, a name that ends in `.gz` is decompressed.
    pub fn read(name: &str) -> Result<GameSource> {
        let lines = open(name).with_context(|| name.to_owned())?.lines().collect::<io::Result<_>>();
        Ok(GameSource::Records(lines.with_context(|| name.to_owned())?))
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        match self {
            GameSource::SelfPlay { games, .. } => *games as usize,
            GameSource::Records(lines) => lines.len(),
        }
    }

    /// Converts all games to samples under a feature layout. `watch` is called with the number of games done; Ctrl-C
    /// ends the conversion early.
    pub fn dataset<L: Layout>(
        &self,
        rates: SamplingRates,
        seed: u64,
        mut watch: impl FnMut(usize),
    ) -> Result<Dataset> {
        let player = match self {
            GameSource::SelfPlay { seed, .. } => Some(SelfPlay::new(*seed)?),
            GameSource::Records(_) => None,
        };
        let game = |number: usize| -> Result<Option<Samples>> {
            let record = match (self, &player) {
                (GameSource::SelfPlay { .. }, Some(player)) => player.play(number as u32)?,
                (GameSource::Records(lines), _) => Some(
                    GameRecord::from_line(&lines[number]).with_context(|| format!("line {}", number + 1))?,
                ),
                (GameSource::SelfPlay { .. }, None) => None,
            };
            let Some(record) = record else { return Ok(None) };
            let mut dice = Rng::new(seed ^ Rng::new(number as u64).next_u64());
            let mut samples = Samples::default();
            let positions = position_targets(&record, rates, dice.next_u64())?;
            samples.add_positions::<L>(&positions, dice.next_u64());
            Ok(Some(samples))
        };
        let mut all = Dataset::default();
        for first in (0..self.games()).step_by(ROUND) {
            let round = first..self.games().min(first + ROUND);
            let samples: Vec<Option<Samples>> = round.into_par_iter().map(game).collect::<Result<_>>()?;
            for (number, samples) in samples.into_iter().enumerate() {
                let held_out = (first + number).is_multiple_of(HELD_OUT_STEP);
                let to = if held_out { &mut all.held_out } else { &mut all.training };
                if let Some(mut samples) = samples {
                    to.append(&mut samples);
                    all.games += 1;
                }
            }
            watch(all.games);
            if interrupt::requested() {
                break;
            }
        }
        Ok(all)
    }
}
