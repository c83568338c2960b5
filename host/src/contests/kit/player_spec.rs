//! A player of an arena as named on the command line: `NAME,key=value,...` or `cmd:COMMAND`.

use std::fmt;
use std::str::FromStr;

/// A player of an arena, and the text that named it. `K` is what a game knows of players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerSpec<K> {
    /// The text as it was written.
    pub name: String,
    /// The player that the text names.
    pub kind: K,
}

/// The kinds of players that a game has.
pub trait PlayerKind: Sized {
    /// A program in a process of its own: its command line, split at spaces.
    fn program(command: Vec<String>) -> Self;

    /// The built-in player of a name, with its settings as pairs of key and value. An error is a message for whoever
    /// wrote the name.
    fn built_in(name: &str, settings: &[(&str, &str)]) -> Result<Self, String>;
}

impl<K: PlayerKind> FromStr for PlayerSpec<K> {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerSpec<K>, String> {
        let name = text.to_owned();
        if let Some(command) = text.strip_prefix("cmd:") {
            let words: Vec<String> = command.split_ascii_whitespace().map(str::to_owned).collect();
            if words.is_empty() {
                return Err("cmd: needs a command".to_owned());
            }
            return Ok(PlayerSpec { name, kind: K::program(words) });
        }
        let mut parts = text.split(',');
        let first = parts.next().unwrap_or_default();
        let settings: Vec<(&str, &str)> = parts
            .map(|part| part.split_once('=').ok_or_else(|| format!("expected key=value, not {part:?}")))
            .collect::<Result<_, _>>()?;
        Ok(PlayerSpec { name, kind: K::built_in(first, &settings)? })
    }
}

impl<K> fmt::Display for PlayerSpec<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The number that a setting gives. The error names the key.
pub fn number<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{key}: {value} is not a number in range"))
}

/// The number that a setting gives, `most` or less. The error names the key.
pub fn number_up_to<T: FromStr + PartialOrd + Copy + fmt::Display>(
    key: &str,
    value: &str,
    most: T,
) -> Result<T, String> {
    let number: T = number(key, value)?;
    if number > most { Err(format!("{key}: {value} is more than {most}")) } else { Ok(number) }
}

/// Fails for a player that has no settings but was given some.
pub fn no_settings(name: &str, settings: &[(&str, &str)]) -> Result<(), String> {
    match settings.first() {
        Some((key, _)) => Err(format!("{name} has no setting {key}")),
        None => Ok(()),
    }
}
