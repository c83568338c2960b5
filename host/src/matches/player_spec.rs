//! Player specifications: players of a match as the command line names them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::player_settings::{BuiltinSettings, settings_table};

/// Built-in player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuiltinPlayer {
    /// Heuristic player, [`barrow_core::minions::players::Greedy`].
    Greedy,
    /// Random player, [`barrow_core::minions::players::Random`].
    Random,
    /// Search of the engine, [`crate::engine::Engine`].
    Mcts,
    /// Search in the memory of small machines, [`crate::engine::TinyPlayer`].
    Tiny,
}

impl BuiltinPlayer {
    /// Whether the player has a setting of this name, if there is one at all.
    fn has_setting(self, name: &str) -> bool {
        match self {
            BuiltinPlayer::Mcts => true,
            BuiltinPlayer::Tiny => matches!(name, "nodes" | "seed"),
            BuiltinPlayer::Greedy | BuiltinPlayer::Random => name == "seed",
        }
    }
}

/// UMI engine of a player: what to start, and what to set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineCommand {
    /// Program and arguments.
    pub words: Vec<String>,
    /// Options that are set by `setoption` when the engine has started, names and values.
    pub options: Vec<(String, String)>,
}

impl EngineCommand {
    /// Name of the program.
    pub fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }
}

/// Player specification: `builtin:NAME,key=value,…` or `cmd:COMMAND,option.NAME=VALUE,…`.
#[derive(Clone, PartialEq, Debug)]
pub enum MatchPlayerSpec {
    /// Player in this process.
    Builtin(BuiltinPlayer, BuiltinSettings),
    /// UMI engine in a process of its own. In text its words are separated by spaces, and a part in double quotes may
    /// contain spaces; each `,option.` outside of quotes begins an option, whose value goes on to the next.
    Command(EngineCommand),
}

/// Contestant: player of a match with its name there.
#[derive(Clone, PartialEq, Debug)]
pub struct Contestant {
    /// Name: the specification as it was written, without `builtin:`.
    pub name: String,
    /// Player.
    pub player: MatchPlayerSpec,
}

impl FromStr for Contestant {
    type Err = String;

    fn from_str(text: &str) -> Result<Contestant, String> {
        let player = text.parse()?;
        Ok(Contestant { name: text.strip_prefix("builtin:").unwrap_or(text).to_owned(), player })
    }
}

impl From<MatchPlayerSpec> for Contestant {
    fn from(player: MatchPlayerSpec) -> Contestant {
        Contestant { name: player.to_string(), player }
    }
}

impl FromStr for MatchPlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<MatchPlayerSpec, String> {
        match text.split_once(':') {
            Some(("builtin", rest)) => parse_builtin(rest),
            Some(("cmd", rest)) => parse_command(rest).map(MatchPlayerSpec::Command),
            _ => Err("expected builtin:NAME or cmd:COMMAND".to_owned()),
        }
    }
}

/// Kinds of players and settings of built-in ones, as text for the help of commands.
pub fn player_help() -> String {
    format!(
        "Players:\n  \
         builtin:greedy         a hand-written player, frozen as the measure of others; seed=N\n  \
         builtin:random         a player that draws its turns; seed=N\n  \
         builtin:mcts           the engine in this process\n  \
         builtin:tiny           the engine of small machines: 192 KiB, two boards, tiny network; nodes=N, seed=N\n  \
         cmd:COMMAND            a UMI engine in a process of its own; words in double quotes may contain spaces\n\n\
         Settings follow a comma: builtin:mcts,nodes=80,spells=off. Options of a UMI engine too, each set by setoption when \
         the\nengine has started: cmd:./engine --fast,option.Hash=64,option.Debug Log File=umi.log\n\n\
         Settings of builtin:mcts:\n{}",
        settings_table()
    )
}

fn parse_builtin(text: &str) -> Result<MatchPlayerSpec, String> {
    let mut parts = text.split(',');
    let player = match parts.next() {
        Some("greedy") => BuiltinPlayer::Greedy,
        Some("random") => BuiltinPlayer::Random,
        Some("mcts") => BuiltinPlayer::Mcts,
        Some("tiny") => BuiltinPlayer::Tiny,
        _ => return Err("no such brain; known are greedy, random, mcts and tiny".to_owned()),
    };
    let mut settings = BuiltinSettings::default();
    let (mut timed, mut known) = (false, Vec::new());
    for part in parts {
        match part.split_once('=') {
            Some((key, _)) if known.contains(&key) => return Err(format!("{key} is set twice")),
            Some((key, value)) if player.has_setting(key) => {
                known.push(key);
                settings.set(key, value)?;
                timed |= key == "movetime";
            }
            Some((key, _)) if player == BuiltinPlayer::Tiny => {
                return Err(format!("unknown setting {key}; known are nodes=N and seed=N"));
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

/// Beginning of an option behind a command.
const OPTION: &str = ",option.";

fn parse_command(text: &str) -> Result<EngineCommand, String> {
    let mut parts = split_outside_quotes(text, |rest| rest.starts_with(OPTION).then_some(OPTION.len()))?;
    let words: Vec<String> =
        split_outside_quotes(&parts.remove(0), |rest| rest.starts_with([' ', '\t']).then_some(1))?
            .into_iter()
            .filter(|word| !word.is_empty())
            .map(|word| word.replace('"', ""))
            .collect();
    if words.is_empty() {
        return Err("cmd: needs a command".to_owned());
    }
    let mut options = Vec::new();
    for part in parts {
        let part = part.replace('"', "");
        match part.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                options.push((name.trim().to_owned(), value.trim().to_owned()));
            }
            _ => return Err(format!("expected option.NAME=VALUE, not option.{part}")),
        }
    }
    Ok(EngineCommand { words, options })
}

/// Splits text at separators outside double quotes; `separator` tells the length of one that a rest begins with. There is
/// one part at least, and quotes stay in the parts.
fn split_outside_quotes(
    text: &str,
    separator: impl Fn(&str) -> Option<usize>,
) -> Result<Vec<String>, String> {
    let mut parts = vec![String::new()];
    let (mut rest, mut quoted) = (text, false);
    while let Some(letter) = rest.chars().next() {
        if !quoted && let Some(length) = separator(rest) {
            parts.push(String::new());
            rest = &rest[length..];
            continue;
        }
        quoted ^= letter == '"';
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
        rest = &rest[letter.len_utf8()..];
    }
    if quoted { Err("a quotation mark is missing".to_owned()) } else { Ok(parts) }
}

impl fmt::Display for MatchPlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchPlayerSpec::Builtin(player, settings) => {
                f.write_str(match player {
                    BuiltinPlayer::Greedy => "greedy",
                    BuiltinPlayer::Random => "random",
                    BuiltinPlayer::Mcts => "mcts",
                    BuiltinPlayer::Tiny => "tiny",
                })?;
                if settings.seed == 0 { Ok(()) } else { write!(f, ",seed={}", settings.seed) }
            }
            MatchPlayerSpec::Command(command) => f.write_str(command.program()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str], options: &[(&str, &str)]) -> MatchPlayerSpec {
        let owned = |word: &&str| (*word).to_owned();
        let options = options.iter().map(|(name, value)| (owned(name), owned(value))).collect();
        MatchPlayerSpec::Command(EngineCommand { words: words.iter().map(owned).collect(), options })
    }

    #[test]
    fn engines_have_words_and_options() {
        for (text, expected) in [
            ("cmd:\"my engine\" --fast 1", command(&["my engine", "--fast", "1"], &[])),
            ("cmd:engine --maps a,b  x", command(&["engine", "--maps", "a,b", "x"], &[])),
            ("cmd:e,option.Hash=64", command(&["e"], &[("Hash", "64")])),
            (
                "cmd:e -x,option.Debug Log File=a b.log,option.Eval=x=1,2",
                command(&["e", "-x"], &[("Debug Log File", "a b.log"), ("Eval", "x=1,2")]),
            ),
            (
                "cmd:e \"a,option.b\",option.N=\"v,option.w\"",
                command(&["e", "a,option.b"], &[("N", "v,option.w")]),
            ),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for bad in [
            "cmd:",
            "cmd: ",
            "cmd:\"a",
            "cmd:,option.Hash=1",
            "cmd:e,option.Hash",
            "cmd:e,option.=1",
            "cmd:e,option.Hash=",
        ] {
            assert!(bad.parse::<MatchPlayerSpec>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_help_names_every_setting() {
        let unknown = "builtin:mcts,dance=on".parse::<MatchPlayerSpec>().unwrap_err();
        let names: Vec<&str> = unknown.split_once("known are ").unwrap().1.split(", ").collect();
        assert_eq!(names.len(), 37);
        let help = player_help();
        for name in names {
            let row = help.lines().find(|line| line.trim_start().starts_with(&format!("{name}=")));
            let row = row.unwrap_or_else(|| panic!("{name} in {help}"));
            let value = if row.contains("=on|off") { "off" } else { "3" };
            let set = format!("builtin:mcts,{name}={value}").parse::<MatchPlayerSpec>();
            assert!(name == "net" || set.is_ok(), "{set:?}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 120), "{help}");
    }

    #[test]
    fn a_contestant_is_called_as_it_was_written() {
        let name = |text: &str| text.parse::<Contestant>().unwrap().name;
        assert_eq!(name("builtin:mcts,nodes=80"), "mcts,nodes=80");
        assert_eq!(name("cmd:e,option.Hash=1"), "cmd:e,option.Hash=1");
    }
}
