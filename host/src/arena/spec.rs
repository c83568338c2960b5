//! What a player is, as named on the command line.

use std::fmt;
use std::str::FromStr;

/// A built-in brain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// [`barrow_core::bots::Greedy`].
    Greedy,
    /// [`barrow_core::bots::Random`].
    Random,
}

/// A player of a match: `builtin:NAME,key=value,…` or `cmd:COMMAND`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spec {
    /// A brain in this process, with its seed.
    Builtin(Builtin, u64),
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
        _ => return Err("no such brain; known are greedy and random".to_owned()),
    };
    let mut seed = 0;
    for part in parts {
        match part.split_once('=') {
            Some(("seed", value)) => {
                seed = value.parse().map_err(|_| format!("seed: {value} is not a whole number"))?;
            }
            _ => return Err(format!("unknown setting {part}; known is seed=N")),
        }
    }
    Ok(Spec::Builtin(brain, seed))
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
            Spec::Builtin(brain, seed) => {
                f.write_str(if *brain == Builtin::Greedy { "greedy" } else { "random" })?;
                if *seed == 0 { Ok(()) } else { write!(f, ",seed={seed}") }
            }
            Spec::Command(words) => f.write_str(words.first().map_or("", String::as_str)),
        }
    }
}
