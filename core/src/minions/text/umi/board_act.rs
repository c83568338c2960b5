//! Reading one board's action: the words after `action board 0`.

use core::str::SplitAsciiWhitespace;

use heapless::Vec;

use crate::hex::Hex;

use super::error::UmiError;
use crate::minions::rules::action::{BoardAction, CastParams, Path};
use crate::minions::tables::capacities::{BOARD_ACTION_CAP, PATH_CAP};
use crate::minions::tables::figures::Ability;
use crate::minions::tables::spell::{Spell, TargetShape};
use crate::minions::tables::terrain::Movable;
use crate::minions::tables::unit::UnitLabel;

/// Actions that one line adds to a board's list: one action, or the joined moves of a group.
pub(super) type Entered = Vec<BoardAction, BOARD_ACTION_CAP, u8>;

/// Words of a line that are still to be read.
pub(super) struct Words<'a>(pub(super) SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    pub(super) fn next(&mut self, what: &'static str) -> Result<&'a str, UmiError> {
        self.0.next().ok_or(UmiError::Expected(what))
    }

    pub(super) fn end(&mut self) -> Result<(), UmiError> {
        if self.0.next().is_some() { Err(UmiError::TooLong) } else { Ok(()) }
    }

    /// Reads the next word as a number of digits only.
    pub(super) fn number(&mut self, what: &'static str) -> Result<u8, UmiError> {
        number(self.next(what)?)
    }

    fn hex(&mut self) -> Result<Hex, UmiError> {
        Hex::named(self.next("a hex")?).ok_or(UmiError::UnknownHex)
    }

    /// Reads the next word as two hexes.
    fn two_hexes(&mut self) -> Result<(Hex, Hex), UmiError> {
        two_hexes(self.next("two hexes, such as c2d2")?)
    }

    fn unit(&mut self) -> Result<UnitLabel, UmiError> {
        unit(self.next("a unit")?)
    }

    pub(super) fn spell(&mut self) -> Result<Spell, UmiError> {
        Spell::from_name(self.next("a spell")?).ok_or(UmiError::UnknownSpell)
    }

    fn terrain(&mut self) -> Result<Movable, UmiError> {
        Movable::from_name(self.next("a terrain")?).ok_or(UmiError::UnknownTerrain)
    }
}

/// Reads a number of digits only.
pub(super) fn number(word: &str) -> Result<u8, UmiError> {
    if !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(UmiError::Number);
    }
    word.parse().map_err(|_| UmiError::Number)
}

/// Reads a unit: a letter in either case, or a name.
fn unit(word: &str) -> Result<UnitLabel, UmiError> {
    let unit = match *word.as_bytes() {
        [letter] => UnitLabel::from_letter(letter),
        _ => UnitLabel::from_name(word),
    };
    unit.ok_or(UmiError::UnknownUnit)
}

fn two_hexes(word: &str) -> Result<(Hex, Hex), UmiError> {
    match *word.as_bytes() {
        [a, b, c, d] => match (Hex::parse(&[a, b]), Hex::parse(&[c, d])) {
            (Some(from), Some(to)) => Ok((from, to)),
            _ => Err(UmiError::UnknownHex),
        },
        _ => Err(UmiError::Expected("two hexes, such as c2d2")),
    }
}

/// Reads a path: hexes one after the other, with or without hyphens between them.
fn path(word: &str) -> Result<Path, UmiError> {
    let expected = UmiError::Expected("two to four hexes, such as c2c3d3");
    let mut hexes: Vec<Hex, { PATH_CAP + 1 }, u8> = Vec::new();
    let mut rest = word.as_bytes();
    while let [column, row, more @ ..] = rest {
        let hex = Hex::parse(&[*column, *row]).ok_or(UmiError::UnknownHex)?;
        hexes.push(hex).map_err(|_| expected)?;
        rest = match more {
            [b'-', more @ ..] if !more.is_empty() => more,
            _ => more,
        };
    }
    if rest.is_empty() { Path::new(&hexes).ok_or(expected) } else { Err(expected) }
}

/// Reads a board action. No word may follow, except after `resign`.
pub(super) fn read(mut words: Words<'_>) -> Result<Entered, UmiError> {
    let name = words.next("an action of the board")?;
    let mut entered = Entered::new();
    let action = match name {
        "move_cyclic" | "move_group" => {
            read_group(name, &mut words, &mut entered)?;
            return Ok(entered);
        }
        "resign" => {
            // Spooky needs a further word here and does not look at it.
            words = Words("".split_ascii_whitespace());
            BoardAction::Resign
        }
        "setup" => {
            if words.unit()? != UnitLabel::Necromancer {
                return Err(UmiError::Expected("N"));
            }
            let unit = words.0.next().map(unit).transpose()?;
            BoardAction::Keep { unit }
        }
        "move" => {
            let (from, to) = words.two_hexes()?;
            BoardAction::walk(from, to)
        }
        "walk" => BoardAction::Walk { path: path(words.next("a path")?)?, joined: false },
        "attack" => {
            let (from, to) = words.two_hexes()?;
            BoardAction::Attack { from, to }
        }
        "teleport" => {
            let (from, to) = words.two_hexes()?;
            BoardAction::Teleport { from, to }
        }
        "blink" => BoardAction::Blink { at: words.hex()? },
        "cast" => read_cast(&mut words)?,
        "discard" => BoardAction::Discard { spell: words.spell()? },
        "ability" => read_ability(&mut words)?,
        "buy" => BoardAction::Buy { unit: words.unit()? },
        "spawn" => BoardAction::Spawn { unit: words.unit()?, at: words.hex()? },
        "tile" => BoardAction::UseTile { at: words.hex()? },
        "end_phase" => BoardAction::EndPhase,
        _ => return Err(UmiError::UnknownAction),
    };
    words.end()?;
    entered.push(action).map_err(|_| UmiError::Capacity)?;
    Ok(entered)
}

fn read_group(name: &str, words: &mut Words<'_>, entered: &mut Entered) -> Result<(), UmiError> {
    if name == "move_cyclic" {
        let first = words.hex()?;
        let mut from = first;
        for word in words.0.by_ref() {
            let to = Hex::named(word).ok_or(UmiError::UnknownHex)?;
            push_joined(entered, BoardAction::Move { from, to, joined: true })?;
            from = to;
        }
        push_joined(entered, BoardAction::Move { from, to: first, joined: true })?;
    } else {
        for word in words.0.by_ref() {
            let action = if word.contains(['-']) {
                BoardAction::Walk { path: path(word)?, joined: true }
            } else {
                let (from, to) = two_hexes(word)?;
                BoardAction::Move { from, to, joined: true }
            };
            push_joined(entered, action)?;
        }
    }
    if entered.len() < 2 {
        return Err(UmiError::Expected("at least two movers"));
    }
    if let Some(BoardAction::Move { joined, .. } | BoardAction::Walk { joined, .. }) = entered.last_mut() {
        *joined = false;
    }
    Ok(())
}

fn push_joined(entered: &mut Entered, action: BoardAction) -> Result<(), UmiError> {
    entered.push(action).map_err(|_| UmiError::Capacity)
}

fn read_cast(words: &mut Words<'_>) -> Result<BoardAction, UmiError> {
    let spell = words.spell()?;
    let params = match spell.shape() {
        TargetShape::None => CastParams::None,
        TargetShape::Piece => CastParams::Piece(words.hex()?),
        TargetShape::PieceHex => CastParams::PieceHex(words.hex()?, words.hex()?),
        TargetShape::Hex => CastParams::Hex(words.hex()?),
        TargetShape::TerrainHex => CastParams::TerrainHex(words.terrain()?, words.hex()?),
    };
    Ok(BoardAction::Cast { spell, params })
}

fn read_ability(words: &mut Words<'_>) -> Result<BoardAction, UmiError> {
    let user = words.hex()?;
    let name = words.next("an ability")?;
    let ability = Ability::from_name(name).ok_or(UmiError::UnknownAbility)?;
    let terrain = if ability == Ability::MoveTerrain { Some(words.terrain()?) } else { None };
    Ok(BoardAction::UseAbility { user, ability, terrain, to: words.hex()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyphens_stand_between_hexes() {
        for word in ["c2c3", "c2-c3", "c2c3-d3", "c2-c3-d3d4"] {
            assert!(path(word).is_ok(), "{word}");
        }
        for word in ["", "c2", "c2-", "c2c3-", "-c2c3", "c2--c3", "c2c3d3d4d5", "c2c", "c2k3"] {
            assert!(path(word).is_err(), "{word}");
        }
    }
}
