//! The player's line of commands as the referee reads it (rules §4).

use core::fmt;

/// A recognised command. Coordinates and ids need not name a cell or unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Command {
    /// No effect.
    Wait,
    /// A message for spectators, without effect.
    Message,
    /// A unit moves towards a cell.
    Move {
        /// Id of the unit.
        id: u32,
        /// Column and row of the target.
        to: (u32, u32),
    },
    /// A unit is trained.
    Train {
        /// Level of the unit.
        level: u32,
        /// Column and row of the target.
        to: (u32, u32),
    },
    /// A mine is built.
    Mine {
        /// Column and row of the target.
        to: (u32, u32),
    },
    /// A tower is built.
    Tower {
        /// Column and row of the target.
        to: (u32, u32),
    },
}

/// A command that the referee does not recognise, which loses the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unrecognised {
    /// Number of the command in the line, from 1.
    pub number: usize,
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "command {} is not recognised", self.number)
    }
}

impl core::error::Error for Unrecognised {}

/// The commands of a line in order. Empty commands at the end are dropped; an empty line is one unrecognised command.
///
/// ```
/// use barrow_core::contests::ice_and_fire::command::{Command, commands};
/// let mut read = commands("TRAIN 1 2 3; WAIT;");
/// assert_eq!(read.next(), Some(Ok(Command::Train { level: 1, to: (2, 3) })));
/// assert_eq!(read.next(), Some(Ok(Command::Wait)));
/// assert_eq!(read.next(), None);
/// ```
pub fn commands(line: &str) -> impl Iterator<Item = Result<Command, Unrecognised>> + '_ {
    let kept = line.trim_end_matches(|letter| letter == ';' || is_blank(letter));
    // Semicolons alone are nothing but empty commands at the end.
    let nothing = kept.is_empty() && line.contains(';');
    let parts = kept.split(';').filter(move |_| !nothing);
    parts.enumerate().map(|(index, part)| read(part).ok_or(Unrecognised { number: index + 1 }))
}

fn is_blank(letter: char) -> bool {
    letter <= ' '
}

fn read(part: &str) -> Option<Command> {
    let part = part.trim_matches(is_blank);
    if part == "WAIT" {
        return Some(Command::Wait);
    }
    if part.strip_prefix("MSG ").is_some_and(|text| !text.is_empty()) {
        return Some(Command::Message);
    }
    if let Some([id, x, y]) = part.strip_prefix("MOVE ").and_then(numbers) {
        return Some(Command::Move { id, to: (x, y) });
    }
    if let Some([level, x, y]) = part.strip_prefix("TRAIN ").and_then(numbers) {
        return Some(Command::Train { level, to: (x, y) });
    }
    if let Some([x, y]) = part.strip_prefix("BUILD MINE ").and_then(numbers) {
        return Some(Command::Mine { to: (x, y) });
    }
    let [x, y] = part.strip_prefix("BUILD TOWER ").and_then(numbers)?;
    Some(Command::Tower { to: (x, y) })
}

/// Exactly `N` numbers of digits with single blanks between them, each below 2^31.
fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let mut words = text.split(' ');
    let mut found = [0; N];
    for number in &mut found {
        let word =
            words.next().filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))?;
        *number = word.parse().ok().filter(|&number| i32::try_from(number).is_ok())?;
    }
    if words.next().is_some() { None } else { Some(found) }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    fn all(line: &str) -> Option<Vec<Command>> {
        commands(line).collect::<Result<_, _>>().ok()
    }

    #[test]
    fn ice_and_fire_commands_are_read_as_rules_4_has_them() {
        assert_eq!(all("WAIT"), Some([Command::Wait].into()));
        assert_eq!(
            all(" MOVE 7 0 11 ;TRAIN 9 2147483647 0;BUILD MINE 1 2;BUILD TOWER 3 4;MSG a b; ;"),
            Some(
                [
                    Command::Move { id: 7, to: (0, 11) },
                    Command::Train { level: 9, to: (2_147_483_647, 0) },
                    Command::Mine { to: (1, 2) },
                    Command::Tower { to: (3, 4) },
                    Command::Message,
                ]
                .into()
            )
        );
        assert_eq!(all(";"), Some([].into()));
        for line in [
            "",
            " ",
            "WAIT;;WAIT",
            ";WAIT",
            "wait",
            "MSG",
            "MSG ",
            "MOVE 1 2",
            "MOVE 1 2 3 4",
            "MOVE 1  2 3",
            "MOVE 1 -2 3",
            "MOVE +1 2 3",
            "TRAIN 1 2147483648 0",
            "BUILD HQ 1 1",
            "BUILD MINE 1",
            "WAIT 1",
            "JUMP 1 1 1",
            "MOVE\t1 2 3",
            "TRAIN 1 99999999999999999999 1",
            "MSGa",
        ] {
            assert_eq!(all(line), None, "{line}");
        }
        assert_eq!(commands("WAIT;;WAIT").find_map(Result::err), Some(Unrecognised { number: 2 }));
    }
}
