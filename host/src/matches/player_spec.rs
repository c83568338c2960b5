//! What a player is, as named on the command line.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use barrow_core::minions::turn_search::SearchOptions;

use crate::engine::NetSwitches;

/// A built-in brain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// [`barrow_core::minions::players::Greedy`].
    Greedy,
    /// [`barrow_core::minions::players::Random`].
    Random,
    /// [`crate::engine::Engine`].
    Mcts,
}

/// Settings of a built-in brain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Seed of what is left to chance.
    pub seed: u64,
    /// Time for a turn; only for those who search.
    pub movetime: Duration,
    /// Nodes for a turn; only for those who search.
    pub nodes: u64,
    /// Memory in MiB; only for those who search.
    pub hash: usize,
    /// Threads; only for those who search.
    pub threads: usize,
    /// Switches of the search.
    pub search: SearchOptions,
    /// Which nets are used.
    pub net_switches: NetSwitches,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 0,
            movetime: Duration::from_secs(1),
            nodes: u64::MAX,
            hash: 64,
            threads: 1,
            search: SearchOptions::default(),
            net_switches: NetSwitches::default(),
        }
    }
}

impl Settings {
    /// Reads `key=value`.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        fn number<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
            value.parse().map_err(|_| format!("{key}: {value} is not a whole number in range"))
        }
        match key {
            "seed" => self.seed = number(key, value)?,
            "movetime" => self.movetime = Duration::from_millis(number(key, value)?),
            "nodes" => self.nodes = number::<u64>(key, value)?.max(1),
            "hash" => self.hash = number(key, value)?,
            "threads" => self.threads = number(key, value)?,
            "exploration" => self.search.exploration = number(key, value)?,
            "breadth" => self.search.breadth = number(key, value)?,
            "widening" => self.search.widening = number(key, value)?,
            "noise" => self.search.noise = number(key, value)?,
            "depth" => self.search.depth = number(key, value)?,
            _ => {
                let switch = match key {
                    "feedback" => &mut self.search.feedback,
                    "fine" => &mut self.search.fine,
                    "coarse" => &mut self.search.coarse,
                    "confidence" => &mut self.search.confidence,
                    "convolution" => &mut self.search.convolution,
                    "assignment" => &mut self.search.assignment,
                    "transpositions" => &mut self.search.transpositions,
                    "defence" => &mut self.search.defence,
                    "spells" => &mut self.search.spells,
                    "counsel" => &mut self.search.counsel,
                    "resignation" => &mut self.search.resignation,
                    "oracle" => &mut self.net_switches.oracle,
                    "prophet" => &mut self.net_switches.prophet,
                    "seer" => &mut self.net_switches.seer,
                    _ => {
                        return Err(format!(
                            "unknown setting {key}; known are seed, movetime, nodes, hash, threads, exploration, breadth, widening, noise, depth, \
                             feedback, fine, coarse, confidence, convolution, assignment, transpositions, defence, spells, counsel, resignation, \
                             oracle, prophet, seer"
                        ));
                    }
                };
                *switch = match value {
                    "on" | "true" => true,
                    "off" | "false" => false,
                    _ => return Err(format!("{key}: {value} is neither on nor off")),
                };
            }
        }
        Ok(())
    }
}

/// A player of a match: `builtin:NAME,key=value,…` or `cmd:COMMAND`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spec {
    /// A brain in this process.
    Builtin(Builtin, Settings),
    /// The command line of a UMI engine: program and arguments, separated by spaces; parts in double quotes may
    /// contain spaces.
    Command(Vec<String>),
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        match text.split_once(':') {
            Some(("builtin", rest)) => parse_builtin(rest),
            Some(("cmd", command)) => {
                let words = split_words(command)?;
                if words.is_empty() {
                    return Err("cmd: needs a command".to_owned());
                }
                Ok(Spec::Command(words))
            }
            _ => Err("expected builtin:NAME or cmd:COMMAND".to_owned()),
        }
    }
}

fn parse_builtin(text: &str) -> Result<Spec, String> {
    let mut parts = text.split(',');
    let brain = match parts.next() {
        Some("greedy") => Builtin::Greedy,
        Some("random") => Builtin::Random,
        Some("mcts") => Builtin::Mcts,
        _ => return Err("no such brain; known are greedy, random and mcts".to_owned()),
    };
    let mut settings = Settings::default();
    for part in parts {
        match part.split_once('=') {
            Some((key, value)) if brain == Builtin::Mcts || key == "seed" => settings.set(key, value)?,
            Some((key, _)) => return Err(format!("unknown setting {key}; known is seed=N")),
            None => return Err(format!("expected key=value, not {part}")),
        }
    }
    Ok(Spec::Builtin(brain, settings))
}

fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' | '\t' if !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quoted {
        return Err("a quotation mark is missing".to_owned());
    }
    words.extend(word);
    Ok(words)
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Builtin(brain, settings) => {
                f.write_str(match brain {
                    Builtin::Greedy => "greedy",
                    Builtin::Random => "random",
                    Builtin::Mcts => "mcts",
                })?;
                if settings.seed == 0 { Ok(()) } else { write!(f, ",seed={}", settings.seed) }
            }
            Spec::Command(words) => f.write_str(words.first().map_or("", String::as_str)),
        }
    }
}
