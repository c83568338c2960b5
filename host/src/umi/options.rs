//! The engine's options.

use std::fmt;
use std::time::Duration;

use barrow_core::minions::Ruleset;

/// Which brain thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heuristic {
    Greedy,
    Random,
}

/// Values of all options that have an effect.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// `None` is `auto`.
    pub(super) ruleset: Option<Ruleset>,
    pub(super) heuristic: Heuristic,
    pub(super) seed: u64,
    pub(super) tech_offset: u8,
    pub(super) move_time: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            ruleset: None,
            heuristic: Heuristic::Greedy,
            seed: 0,
            tech_offset: 0,
            move_time: Duration::from_secs(1),
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
        f.write_str(
            "option name Ruleset type combo default auto var auto var server var spooky\n\
             option name heuristic type combo default greedy var greedy var random\n\
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
        let bad = || format!("{name} cannot be {}", super::session::quoted(value));
        let number = |most: u64| {
            let digits = value.bytes().all(|byte| byte.is_ascii_digit());
            value.parse().ok().filter(|&number: &u64| digits && number <= most).ok_or_else(bad)
        };
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
                    "greedy" => Heuristic::Greedy,
                    "random" => Heuristic::Random,
                    _ => return Err(bad()),
                };
                return Ok(Consequence::NewBrain);
            }
            "Seed" => {
                self.seed = number(u64::MAX)?;
                return Ok(Consequence::NewBrain);
            }
            "TechOffset" => self.tech_offset = number(1)? as u8,
            "MoveTime" => self.move_time = Duration::from_millis(number(86_400_000)?),
            "strictmode" | "spells" => {
                if !matches!(value, "true" | "false") {
                    return Err(bad());
                }
            }
            _ => return Err(format!("no such option: {}", super::session::quoted(name))),
        }
        Ok(Consequence::Nothing)
    }
}
