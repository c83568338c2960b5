//! Player specifications: players of a match as the command line names them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use barrow_core::minions::turn_search::SearchOptions;

use crate::engine::NetSwitches;
use crate::engine::network::{EngineNetwork, StaticNetwork};

/// Built-in player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuiltinPlayer {
    /// Heuristic player, [`barrow_core::minions::players::Greedy`].
    Greedy,
    /// Random player, [`barrow_core::minions::players::Random`].
    Random,
    /// Search of the engine, [`crate::engine::Engine`].
    Mcts,
}

/// Settings of a built-in player. All but the seed are for the engine only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BuiltinSettings {
    /// Seed of random choices.
    pub seed: u64,
    /// Time per turn; [`Duration::MAX`] for no limit.
    pub movetime: Duration,
    /// Processor time per turn of all threads together; `None` for no such limit.
    pub cputime: Option<Duration>,
    /// Node budget per turn; `u64::MAX` for none.
    pub nodes: u64,
    /// Memory of the search in MiB.
    pub hash: usize,
    /// Number of threads.
    pub threads: usize,
    /// Switches and numbers of the search.
    pub search: SearchOptions,
    /// Network of the nets; `None` for the embedded one.
    pub network: Option<StaticNetwork>,
    /// Nets that the search uses.
    pub net_switches: NetSwitches,
}

impl Default for BuiltinSettings {
    fn default() -> Self {
        BuiltinSettings {
            seed: 0,
            movetime: Duration::from_secs(1),
            cputime: None,
            nodes: u64::MAX,
            hash: 64,
            threads: 1,
            search: SearchOptions::default(),
            network: None,
            net_switches: NetSwitches::default(),
        }
    }
}

/// Names of the settings that are numbers.
const NUMBERS: &str =
    "seed, movetime, cputime, nodes, hash, threads, exploration, breadth, widening, noise, depth";

/// Setting that is on or off, by its name.
type Switch = (&'static str, fn(&mut BuiltinSettings) -> &mut bool);

/// Settings that are on or off.
const SWITCHES: [Switch; 15] = [
    ("feedback", |settings| &mut settings.search.feedback),
    ("fine", |settings| &mut settings.search.fine),
    ("coarse", |settings| &mut settings.search.coarse),
    ("confidence", |settings| &mut settings.search.confidence),
    ("convolution", |settings| &mut settings.search.convolution),
    ("assignment", |settings| &mut settings.search.assignment),
    ("transpositions", |settings| &mut settings.search.transpositions),
    ("defence", |settings| &mut settings.search.defence),
    ("spells", |settings| &mut settings.search.spells),
    ("counsel", |settings| &mut settings.search.counsel),
    ("resignation", |settings| &mut settings.search.resignation),
    ("oracle", |settings| &mut settings.net_switches.oracle),
    ("prophet", |settings| &mut settings.net_switches.prophet),
    ("seer", |settings| &mut settings.net_switches.seer),
    ("general", |settings| &mut settings.net_switches.general),
];

impl BuiltinSettings {
    /// Changes the setting `key`.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        fn number<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
            value.parse().map_err(|_| format!("{key}: {value} is not a whole number in range"))
        }
        match key {
            "seed" => self.seed = number(key, value)?,
            "movetime" => self.movetime = Duration::from_millis(number(key, value)?),
            "cputime" => self.cputime = Some(Duration::from_millis(number(key, value)?)),
            "net" => {
                self.network = Some(EngineNetwork::open(value).map_err(|error| format!("net: {error:#}"))?);
            }
            "nodes" => self.nodes = number::<u64>(key, value)?.max(1),
            "hash" => self.hash = number(key, value)?,
            "threads" => self.threads = number(key, value)?,
            "exploration" => self.search.exploration = number(key, value)?,
            "breadth" => self.search.breadth = number(key, value)?,
            "widening" => self.search.widening = number(key, value)?,
            "noise" => self.search.noise = number(key, value)?,
            "depth" => self.search.depth = number(key, value)?,
            _ => {
                let Some((_, switch)) = SWITCHES.iter().find(|(name, _)| *name == key) else {
                    let switches = SWITCHES.map(|(name, _)| name).join(", ");
                    return Err(format!("unknown setting {key}; known are net, {NUMBERS}, {switches}"));
                };
                *switch(self) = match value {
                    "on" | "true" => true,
                    "off" | "false" => false,
                    _ => return Err(format!("{key}: {value} is neither on nor off")),
                };
            }
        }
        Ok(())
    }
}

/// Player specification: `builtin:NAME,key=value,…` or `cmd:COMMAND`.
#[derive(Clone, PartialEq, Debug)]
pub enum MatchPlayerSpec {
    /// Player in this process.
    Builtin(BuiltinPlayer, BuiltinSettings),
    /// UMI engine in a process of its own, by program and arguments. In text these are separated by spaces, and a part
    /// in double quotes may contain spaces.
    Command(Vec<String>),
}

impl FromStr for MatchPlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<MatchPlayerSpec, String> {
        match text.split_once(':') {
            Some(("builtin", rest)) => parse_builtin(rest),
            Some(("cmd", command)) => {
                let words = split_words(command)?;
                if words.is_empty() {
                    return Err("cmd: needs a command".to_owned());
                }
                Ok(MatchPlayerSpec::Command(words))
            }
            _ => Err("expected builtin:NAME or cmd:COMMAND".to_owned()),
        }
    }
}

fn parse_builtin(text: &str) -> Result<MatchPlayerSpec, String> {
    let mut parts = text.split(',');
    let player = match parts.next() {
        Some("greedy") => BuiltinPlayer::Greedy,
        Some("random") => BuiltinPlayer::Random,
        Some("mcts") => BuiltinPlayer::Mcts,
        _ => return Err("no such brain; known are greedy, random and mcts".to_owned()),
    };
    let mut settings = BuiltinSettings::default();
    let mut timed = false;
    for part in parts {
        match part.split_once('=') {
            Some((key, value)) if player == BuiltinPlayer::Mcts || key == "seed" => {
                settings.set(key, value)?;
                timed |= key == "movetime";
            }
            Some((key, _)) => return Err(format!("unknown setting {key}; known is seed=N")),
            None => return Err(format!("expected key=value, not {part}")),
        }
    }
    // Nodes or processor time alone are the limit of a turn, however long that takes.
    if (settings.nodes < u64::MAX || settings.cputime.is_some()) && !timed {
        settings.movetime = Duration::MAX;
    }
    Ok(MatchPlayerSpec::Builtin(player, settings))
}

/// Splits a command line at spaces outside double quotes.
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

impl fmt::Display for MatchPlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchPlayerSpec::Builtin(player, settings) => {
                f.write_str(match player {
                    BuiltinPlayer::Greedy => "greedy",
                    BuiltinPlayer::Random => "random",
                    BuiltinPlayer::Mcts => "mcts",
                })?;
                if settings.seed == 0 { Ok(()) } else { write!(f, ",seed={}", settings.seed) }
            }
            MatchPlayerSpec::Command(words) => f.write_str(words.first().map_or("", String::as_str)),
        }
    }
}
