//! Names of traces read as values of the rules; every failure says which word is wrong.

use anyhow::{Result, anyhow, bail};
use barrow_core::hex::Hex;
use barrow_core::minions::{
    BoardState, MapLabel, Modifier, Movable, Piece, Side, Spell, Tech, TechLevels, TechStatus, UnitLabel,
};

pub(super) fn hex(name: &str) -> Result<Hex> {
    Hex::named(name).ok_or_else(|| anyhow!("`{name}` is not a hex"))
}

pub(super) fn unit(name: &str) -> Result<UnitLabel> {
    UnitLabel::from_name(name).ok_or_else(|| anyhow!("`{name}` is not a unit"))
}

pub(super) fn spell(name: &str) -> Result<Spell> {
    Spell::from_name(name).ok_or_else(|| anyhow!("`{name}` is not a spell"))
}

pub(super) fn spells(names: &[String]) -> Result<Vec<Spell>> {
    names.iter().map(|name| spell(name)).collect()
}

pub(super) fn tech(name: &str) -> Result<Tech> {
    Tech::from_name(name).ok_or_else(|| anyhow!("`{name}` is not a technology"))
}

pub(super) fn map(name: &str) -> Result<MapLabel> {
    MapLabel::from_name(name).ok_or_else(|| anyhow!("`{name}` is not a map"))
}

pub(super) fn side(index: u8) -> Result<Side> {
    Side::from_index(index).ok_or_else(|| anyhow!("{index} is not a side"))
}

/// A kind of movable tile by its map-file letter.
pub(super) fn tile_letter(letter: &str) -> Result<Movable> {
    let bytes = letter.as_bytes();
    let kind = bytes.first().filter(|_| bytes.len() == 1).and_then(|&byte| Movable::from_letter(byte));
    kind.ok_or_else(|| anyhow!("`{letter}` is not the letter of a movable tile"))
}

/// A kind of movable tile by its word.
pub(super) fn tile_word(word: &str) -> Result<Movable> {
    Movable::from_name(word).ok_or_else(|| anyhow!("`{word}` is not a kind of movable terrain"))
}

pub(super) fn board_state(name: &str) -> Result<BoardState> {
    match name {
        "FirstTurn" => Ok(BoardState::FirstTurn),
        "Normal" => Ok(BoardState::Normal),
        "Reset1" => Ok(BoardState::Reset1),
        "Reset2" => Ok(BoardState::Reset2),
        _ => bail!("`{name}` is not a board state"),
    }
}

pub(super) const fn board_state_name(state: BoardState) -> &'static str {
    match state {
        BoardState::FirstTurn => "FirstTurn",
        BoardState::Normal => "Normal",
        BoardState::Reset1 => "Reset1",
        BoardState::Reset2 => "Reset2",
    }
}

/// Levels from a string of `L`, `U` and `A`.
pub(super) fn tech_levels(letters: &str) -> Result<TechLevels> {
    let mut levels = TechLevels::default();
    for (index, letter) in letters.chars().enumerate() {
        let status = match letter {
            'L' => TechStatus::Locked,
            'U' => TechStatus::Unlocked,
            'A' => TechStatus::Acquired,
            _ => bail!("`{letter}` is not a tech level"),
        };
        levels.set(u8::try_from(index)?, status);
    }
    Ok(levels)
}

/// A piece string: hex, owner, unit, then modifiers with counters and flags.
pub(super) fn piece(text: &str) -> Result<(Hex, Piece)> {
    let mut words = text.split(' ');
    let (Some(at), Some(owner), Some(label)) = (words.next(), words.next(), words.next()) else {
        bail!("piece `{text}` lacks hex, side or unit");
    };
    let at = hex(at)?;
    let owner = match owner {
        "Y" => Side::Yellow,
        "B" => Side::Blue,
        _ => bail!("`{owner}` is not the letter of a side"),
    };
    let mut piece = Piece::fresh(owner, unit(label)?, at);
    let (mut steps, mut attacks, mut moved, mut exhausted) = (0, 0, false, false);
    for word in words {
        match word.split_once(':') {
            None if word == "moved" => moved = true,
            None if word == "exhausted" => exhausted = true,
            Some(("dmg", count)) => piece = piece.with_damage(count.parse()?),
            Some(("steps", count)) => steps = count.parse()?,
            Some(("atk", count)) => attacks = count.parse()?,
            Some((name, count)) => {
                let modifier =
                    Modifier::from_name(name).ok_or_else(|| anyhow!("`{name}` is not a modifier"))?;
                let modifiers = piece.modifiers().with(modifier, count.parse()?);
                piece =
                    piece.with_modifiers(modifiers.ok_or_else(|| anyhow!("no room for modifier `{word}`"))?);
            }
            None => bail!("`{word}` is not a flag of a piece"),
        }
    }
    Ok((at, piece.with_record(steps, attacks, moved, exhausted)))
}

/// The string of a piece; [`piece`] reads it back.
pub(super) fn piece_text(at: Hex, piece: Piece) -> String {
    let owner = match piece.side() {
        Side::Yellow => 'Y',
        Side::Blue => 'B',
    };
    let mut words = vec![at.to_string(), owner.to_string(), piece.unit().name().to_owned()];
    words.extend(piece.modifiers().iter().map(|(modifier, count)| format!("{}:{count}", modifier.name())));
    if piece.damage() > 0 {
        words.push(format!("dmg:{}", piece.damage()));
    }
    if piece.exhausted() {
        words.push("exhausted".to_owned());
    } else if piece.attacks() > 0 {
        words.push(format!("atk:{}", piece.attacks()));
    } else if piece.steps() > 0 {
        words.push(format!("steps:{}", piece.steps()));
    }
    if piece.moved() {
        words.push("moved".to_owned());
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_strings_round_trip() {
        for text in [
            "d3 B wight Weakened:1 Shielded:2 dmg:1 atk:2",
            "c2 Y necromancer",
            "a0 Y warg steps:2 moved",
            "j9 B zombie exhausted moved",
        ] {
            let (at, read) = piece(text).unwrap();
            assert_eq!(piece_text(at, read), text);
        }
    }

    #[test]
    fn bad_pieces_are_named() {
        for (text, word) in
            [("k0 Y rat", "k0"), ("a0 G rat", "`G`"), ("a0 Y cat", "cat"), ("a0 Y rat dozing", "dozing")]
        {
            assert!(piece(text).unwrap_err().to_string().contains(word), "{text}");
        }
    }
}
