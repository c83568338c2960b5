//! The engine's options.

use std::fmt;
use std::time::Duration;

use barrow_core::minions::Ruleset;

use crate::engine::{MOST_MIB, MOST_THREADS};
use crate::text::quoted::quoted;

/// Which brain thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heuristic {
    Mcts,
    Greedy,
    Random,
}

/// Most turns that are listed.
pub(super) const MOST_PV: u64 = 16;

/// Memory of the search in MiB, unless another number is set.
const HASH: usize = 256;

/// Milliseconds for the way to the host and back, unless another number is set.
const OVERHEAD: u64 = 30;

/// Values of all options that have an effect.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// `None` is `auto`.
    pub(super) ruleset: Option<Ruleset>,
    pub(super) heuristic: Heuristic,
    pub(super) seed: u64,
    pub(super) tech_offset: u8,
    pub(super) move_time: Duration,
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) overhead: Duration,
    pub(super) ponder: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            ruleset: None,
            heuristic: Heuristic::Mcts,
            seed: 0,
            tech_offset: 0,
            move_time: Duration::from_secs(1),
            hash: HASH,
            threads: 1,
            multi_pv: 1,
            overhead: Duration::from_millis(OVERHEAD),
            ponder: false,
        }
    }
}

/// What a changed option asks of the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Consequence {
    Nothing,
    NewBrain,
    NewGame,
}

/// The lines that announce the options.
pub(super) struct Announcement;

impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "option name Ruleset type combo default auto var auto var server var spooky\n\
             option name heuristic type combo default mcts var mcts var greedy var random\n\
             option name Hash type spin default {HASH} min 1 max {MOST_MIB}\n\
             option name Threads type spin default 1 min 1 max {MOST_THREADS}\n\
             option name MultiPV type spin default 1 min 1 max {MOST_PV}\n\
             option name Overhead type spin default {OVERHEAD} min 0 max 10000\n\
             option name Ponder type bool default false\n\
             option name Seed type spin default 0 min 0 max 18446744073709551615\n\
             option name TechOffset type spin default 0 min 0 max 1\n\
             option name MoveTime type spin default 1000 min 0 max 86400000\n\
             option name strictmode type bool default false\n\
             option name spells type bool default false",
        )
    }
}

impl Options {
    /// Sets an option, or says what is wrong with it.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Consequence, String> {
        let bad = || format!("{name} cannot be {}", quoted(value));
        let number = |least: u64, most: u64| {
            let digits = value.bytes().all(|byte| byte.is_ascii_digit());
            let number = value.parse().ok().filter(|number| digits && (least..=most).contains(number));
            number.ok_or_else(bad)
        };
        let truth = || value.parse::<bool>().map_err(|_| bad());
        match name {
            "Ruleset" => {
                let ruleset = match value {
                    "auto" => None,
                    _ => Some(Ruleset::from_name(value).ok_or_else(bad)?),
                };
                let changed = ruleset != self.ruleset;
                self.ruleset = ruleset;
                return Ok(if changed { Consequence::NewGame } else { Consequence::Nothing });
            }
            "heuristic" => {
                self.heuristic = match value {
                    "mcts" => Heuristic::Mcts,
                    "greedy" => Heuristic::Greedy,
                    "random" => Heuristic::Random,
                    _ => return Err(bad()),
                };
                return Ok(Consequence::NewBrain);
            }
            "Seed" => {
                self.seed = number(0, u64::MAX)?;
                return Ok(Consequence::NewBrain);
            }
            "Hash" => {
                self.hash = number(1, MOST_MIB as u64)? as usize;
                return Ok(Consequence::NewBrain);
            }
            "Threads" => {
                self.threads = number(1, MOST_THREADS as u64)? as usize;
                return Ok(Consequence::NewBrain);
            }
            "MultiPV" => self.multi_pv = number(1, MOST_PV)? as usize,
            "Overhead" => self.overhead = Duration::from_millis(number(0, 10_000)?),
            "Ponder" => self.ponder = truth()?,
            "TechOffset" => self.tech_offset = number(0, 1)? as u8,
            "MoveTime" => self.move_time = Duration::from_millis(number(0, 86_400_000)?),
            "strictmode" | "spells" => {
                truth()?;
            }
            _ => return Err(format!("no such option: {}", quoted(name))),
        }
        Ok(Consequence::Nothing)
    }
}
