//! Where lessons come from: games played for the purpose, or a file of games.

use std::io::{self, BufRead};

use anyhow::{Context, Result};
use barrow_core::rng::Rng;
use barrow_nnue::layout::Layout;
use rayon::prelude::*;

use super::samples::Samples;
use super::selfplay::{Record, SelfPlay};
use super::targets::{Thrift, lessons};
use crate::interrupt;
use crate::io::open;

/// Games worked on at once.
const ROUND: usize = 256;

/// One game in this many is kept from training, to judge by.
const HELD_OUT: usize = 16;

/// A supply of games.
#[derive(Clone, Debug)]
pub enum Supply {
    /// This many games of the teachers.
    Play {
        /// Number of games.
        games: u32,
        /// What they follow from.
        seed: u64,
    },
    /// The lines of a file; `.gz` is read as such.
    Lines(Vec<String>),
}

/// Samples to learn from and samples to judge by. No game has given both.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    /// To learn from.
    pub training: Samples,
    /// To judge by.
    pub held_out: Samples,
    /// Games that all of them come from.
    pub games: usize,
}

impl Supply {
    /// Reads a file of games. `-` is stdin.
    pub fn read(name: &str) -> Result<Supply> {
        let lines = open(name).with_context(|| name.to_owned())?.lines().collect::<io::Result<_>>();
        Ok(Supply::Lines(lines.with_context(|| name.to_owned())?))
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        match self {
            Supply::Play { games, .. } => *games as usize,
            Supply::Lines(lines) => lines.len(),
        }
    }

    /// Turns all games into samples under a layout; `watch` sees the number of games done. Ctrl-C ends it early.
    pub fn gather<L: Layout>(
        &self,
        thrift: Thrift,
        seed: u64,
        mut watch: impl FnMut(usize),
    ) -> Result<Lessons> {
        let player = match self {
            Supply::Play { seed, .. } => Some(SelfPlay::new(*seed)?),
            Supply::Lines(_) => None,
        };
        let game = |number: usize| -> Result<Option<Samples>> {
            let record = match (self, &player) {
                (Supply::Play { .. }, Some(player)) => player.play(number as u32)?,
                (Supply::Lines(lines), _) => {
                    Some(Record::from_line(&lines[number]).with_context(|| format!("line {}", number + 1))?)
                }
                (Supply::Play { .. }, None) => None,
            };
            let Some(record) = record else { return Ok(None) };
            let mut dice = Rng::new(seed ^ Rng::new(number as u64).next_u64());
            let mut samples = Samples::default();
            samples.learn::<L>(&lessons(&record, thrift, dice.next_u64())?, dice.next_u64());
            Ok(Some(samples))
        };
        let mut all = Lessons::default();
        for first in (0..self.games()).step_by(ROUND) {
            let round = first..self.games().min(first + ROUND);
            let samples: Vec<Option<Samples>> = round.into_par_iter().map(game).collect::<Result<_>>()?;
            for (number, samples) in samples.into_iter().enumerate() {
                let held_out = (first + number).is_multiple_of(HELD_OUT);
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
