//! The options of a UMI session (UMI §15).

use std::fmt;
use std::time::Duration;

use barrow_core::minions::Ruleset;

use crate::engine::network::{EngineNetwork, StaticNetwork};
use crate::engine::{DEFAULT_MIB, MAX_MIB, MAX_THREADS};
use crate::text::quoted::quoted;

/// The brain that chooses turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heuristic {
    /// The engine.
    Mcts,
    /// [`barrow_core::minions::players::Greedy`].
    Greedy,
    /// [`barrow_core::minions::players::Random`].
    Random,
}

/// The host that the session talks to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Host {
    /// Whichever it turns out to be by its first lines.
    Auto,
    /// The Minions web server (UMI §7).
    WebServer,
    /// Any other.
    Other,
}

/// Option that names the file of the session's transcript.
pub(super) const LOG_OPTION: &str = "Debug Log File";

/// Largest number of turns that are listed.
pub(super) const MAX_PV: u64 = 16;

/// Default time for the way to the host and back, in milliseconds.
const OVERHEAD: u64 = 30;

/// The values of all options that have an effect.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// Ruleset of the next position; `None` is `auto`.
    pub(super) ruleset: Option<Ruleset>,
    pub(super) heuristic: Heuristic,
    pub(super) seed: u64,
    pub(super) host: Host,
    /// `None` until it is set: then it is 1 for the web server, and 0 otherwise.
    pub(super) tech_offset: Option<u8>,
    /// `None` until it is set: then it depends on the host as well.
    pub(super) move_time: Option<Duration>,
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) overhead: Duration,
    pub(super) ponder: bool,
    /// Network of the engine's nets; `None` for the embedded one.
    pub(super) network: Option<StaticNetwork>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            ruleset: None,
            heuristic: Heuristic::Mcts,
            seed: 0,
            host: Host::Auto,
            tech_offset: None,
            move_time: None,
            hash: DEFAULT_MIB,
            threads: 1,
            multi_pv: 1,
            overhead: Duration::from_millis(OVERHEAD),
            ponder: false,
            network: None,
        }
    }
}

/// Duty of the session after an option has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Consequence {
    Nothing,
    /// Drop the brain; the next search makes a new one.
    NewBrain,
    /// Start a new game.
    NewGame,
    /// Record to another file from now on, or to none.
    NewRecord(Option<String>),
}

/// The lines `option name …` that answer `umi`.
pub(super) struct OptionLines;

impl fmt::Display for OptionLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "option name Ruleset type combo default auto var auto var server var spooky\n\
             option name Host type combo default auto var auto var web-server var other\n\
             option name heuristic type combo default mcts var mcts var greedy var random\n\
             option name Hash type spin default {DEFAULT_MIB} min 1 max {MAX_MIB}\n\
             option name Threads type spin default 1 min 1 max {MAX_THREADS}\n\
             option name MultiPV type spin default 1 min 1 max {MAX_PV}\n\
             option name Overhead type spin default {OVERHEAD} min 0 max 10000\n\
             option name Ponder type bool default false\n\
             option name EvalFile type string default <embedded>\n\
             option name Record type string default <none>\n\
             option name Seed type spin default 0 min 0 max 18446744073709551615\n\
             option name TechOffset type spin default 0 min 0 max 1\n\
             option name MoveTime type spin default 1000 min 0 max 86400000\n\
             option name {LOG_OPTION} type string default <empty>\n\
             option name strictmode type bool default false\n\
             option name spells type bool default false",
        )
    }
}

impl Options {
    /// Sets an option. The error says what is wrong with the name or the value.
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
            "Host" => {
                let host = match value {
                    "auto" => Host::Auto,
                    "web-server" => Host::WebServer,
                    "other" => Host::Other,
                    _ => return Err(bad()),
                };
                let changed = host != self.host;
                self.host = host;
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
                self.hash = number(1, MAX_MIB as u64)? as usize;
                return Ok(Consequence::NewBrain);
            }
            "Threads" => {
                self.threads = number(1, MAX_THREADS as u64)? as usize;
                return Ok(Consequence::NewBrain);
            }
            "EvalFile" => {
                self.network = match value {
                    "<embedded>" => None,
                    _ => Some(EngineNetwork::open(value).map_err(|error| format!("EvalFile: {error:#}"))?),
                };
                return Ok(Consequence::NewBrain);
            }
            "Record" => {
                return Ok(Consequence::NewRecord(Some(value.to_owned()).filter(|value| value != "<none>")));
            }
            "MultiPV" => self.multi_pv = number(1, MAX_PV)? as usize,
            "Overhead" => self.overhead = Duration::from_millis(number(0, 10_000)?),
            "Ponder" => self.ponder = truth()?,
            "TechOffset" => self.tech_offset = Some(number(0, 1)? as u8),
            "MoveTime" => self.move_time = Some(Duration::from_millis(number(0, 86_400_000)?)),
            "strictmode" | "spells" => {
                truth()?;
            }
            _ => return Err(format!("no such option: {}", quoted(name))),
        }
        Ok(Consequence::Nothing)
    }
}
