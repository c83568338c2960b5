//! What a player of the arena is, as named on the command line: `NAME,key=value,...` or `cmd:COMMAND`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use barrow_core::contests::kutulu::bot::{Baseline, Tuning};

/// A player of the arena.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// As it was written.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// What plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A bot that does not search.
    Baseline(Baseline),
    /// The bot.
    SmitsiMax(Effort, Box<Tuning>),
    /// A program that speaks the contest's protocol: its command line, split at spaces.
    Command(Vec<String>),
}

/// How long the bot searches: whichever ends first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Simulations per turn.
    pub simulations: u32,
    /// Time per turn, if it counts.
    pub movetime: Option<Duration>,
}

impl Default for Effort {
    /// A fixed number of simulations, so that games can be repeated.
    fn default() -> Effort {
        Effort { simulations: 1000, movetime: None }
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let name = text.to_owned();
        if let Some(command) = text.strip_prefix("cmd:") {
            let words: Vec<String> = command.split_ascii_whitespace().map(str::to_owned).collect();
            if words.is_empty() {
                return Err("cmd: needs a command".to_owned());
            }
            return Ok(Spec { name, kind: Kind::Command(words) });
        }
        let mut parts = text.split(',');
        let first = parts.next().unwrap_or_default();
        if first == "smitsimax" {
            let (mut effort, mut tuning) = (Effort::default(), Tuning::DEFAULT);
            for part in parts {
                let (key, value) =
                    part.split_once('=').ok_or_else(|| format!("expected key=value, not {part:?}"))?;
                set(&mut effort, &mut tuning, key, value)?;
            }
            return Ok(Spec { name, kind: Kind::SmitsiMax(effort, Box::new(tuning)) });
        }
        let known = Baseline::ALL.into_iter().find(|baseline| baseline.name() == first);
        let baseline = known.ok_or_else(|| {
            let names = Baseline::ALL.map(Baseline::name).join(", ");
            format!("no player {first:?}; known are {names}, smitsimax and cmd:COMMAND")
        })?;
        match parts.next() {
            Some(part) => Err(format!("{first} has no setting {part:?}")),
            None => Ok(Spec { name, kind: Kind::Baseline(baseline) }),
        }
    }
}

fn set(effort: &mut Effort, tuning: &mut Tuning, key: &str, value: &str) -> Result<(), String> {
    fn number<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
        value.parse().map_err(|_| format!("{key}: {value} is not a number in range"))
    }
    match key {
        "simulations" => effort.simulations = number(key, value)?,
        "movetime" => {
            effort.movetime = Some(Duration::from_millis(number(key, value)?));
            effort.simulations = u32::MAX;
        }
        "random" => tuning.search.random_visits = number(key, value)?,
        "exploration" => {
            let c: f64 = number(key, value)?;
            tuning.search.exploration = (c * 65_536.0).clamp(0.0, 16_777_216.0) as u32;
        }
        "mindepth" => tuning.depth[0] = number(key, value)?,
        "maxdepth" => tuning.depth[1] = number(key, value)?,
        "branch" => tuning.branch_budget = number::<u32>(key, value)?.min(1 << 20),
        "yell" => tuning.yell_worth = number(key, value)?,
        "plan" => tuning.plan_sanity = number(key, value)?,
        "lastplan" => tuning.last_two_plan_sanity = number(key, value)?,
        "light" => tuning.lights = number::<u8>(key, value)? != 0,
        "tolerance" => tuning.wait_tolerance = number(key, value)?,
        "opening" => tuning.opening_turns = number(key, value)?,
        _ => {
            return Err(format!(
                "unknown setting {key}; known are simulations, movetime, random, exploration, mindepth, maxdepth, branch, \
                 yell, plan, lastplan, light, tolerance, opening"
            ));
        }
    }
    Ok(())
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named() {
        let read = |text: &str| text.parse::<Spec>();
        assert_eq!(read("wait").unwrap().kind, Kind::Baseline(Baseline::Wait));
        let Kind::SmitsiMax(effort, tuning) =
            read("smitsimax,simulations=7,exploration=0.5,light=0").unwrap().kind
        else {
            panic!("another kind");
        };
        assert_eq!((effort.simulations, tuning.search.exploration, tuning.lights), (7, 32_768, false));
        assert_eq!(read("cmd:a b").unwrap().kind, Kind::Command(vec!["a".to_owned(), "b".to_owned()]));
        for bad in ["", "nobody", "wait,x=1", "smitsimax,x=1", "smitsimax,yell=x", "smitsimax,yell", "cmd:"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
