//! Names in traces, read as values of the rules. An error quotes the word that is not a name.

use anyhow::{Result, anyhow, bail};
use barrow_core::hex::Hex;
use barrow_core::minions::{
    BoardState, MapLabel, Modifier, Movable, Piece, Side, Spell, Tech, TechLevels, TechStatus, UnitLabel,
};

/// Hex by its name.
pub(super) fn hex(name: &str) -> Result<Hex> {
    Hex::named(name).ok_or_else(|| anyhow!("`{name}` is not a hex"))
}

/// Unit type by its name.
pub(super) fn unit(name: &str) -> Result<UnitLabel> {
    UnitLabel::from_name(name).ok_or_else(|| anyhow!("`{name}` is not a unit"))
}

/// Spell by its name.
pub(super) fn spell(name: &str) -> Result<Spell> {
    Spell::from_name(name).ok_or_else(|| anyhow!("`{name}` is not a spell"))
}

/// Spells by their names, in order.
pub(super) fn spells(names: &[String]) -> Result<Vec<Spell>> {
    names.iter().map(|name| spell(name)).collect()
}

/// Tech by its name.
pub(super) fn tech(name: &str) -> Result<Tech> {
    Tech::from_name(name).ok_or_else(|| anyhow!("`{name}` is not a technology"))
}

/// Map by its name.
pub(super) fn map(name: &str) -> Result<MapLabel> {
    MapLabel::from_name(name).ok_or_else(|| anyhow!("`{name}` is not a map"))
}

/// Side by its number: 0 for Yellow, 1 for Blue.
pub(super) fn side(index: u8) -> Result<Side> {
    Side::from_index(index).ok_or_else(|| anyhow!("{index} is not a side"))
}

/// Kind of movable tile by its letter in map files.
pub(super) fn tile_letter(letter: &str) -> Result<Movable> {
    let bytes = letter.as_bytes();
    let kind = bytes.first().filter(|_| bytes.len() == 1).and_then(|&byte| Movable::from_letter(byte));
    kind.ok_or_else(|| anyhow!("`{letter}` is not the letter of a movable tile"))
}

/// Kind of movable tile by its name.
pub(super) fn tile_word(word: &str) -> Result<Movable> {
    Movable::from_name(word).ok_or_else(|| anyhow!("`{word}` is not a kind of movable terrain"))
}

/// Board state by its name.
pub(super) fn board_state(name: &str) -> Result<BoardState> {
    match name {
        "FirstTurn" => Ok(BoardState::FirstTurn),
        "Normal" => Ok(BoardState::Normal),
        "Reset1" => Ok(BoardState::Reset1),
        "Reset2" => Ok(BoardState::Reset2),
        _ => bail!("`{name}` is not a board state"),
    }
}

/// Name of a board state; [`board_state`] reads the name back.
pub(super) const fn board_state_name(state: BoardState) -> &'static str {
    match state {
        BoardState::FirstTurn => "FirstTurn",
        BoardState::Normal => "Normal",
        BoardState::Reset1 => "Reset1",
        BoardState::Reset2 => "Reset2",
    }
}

/// Tech levels by a string of the letters `L`, `U` and `A`, one a tech.
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

/// Piece and its hex by a piece string: hex, side, unit type, then modifiers with counters and flags.
pub(super) fn piece(text: &str) -> Result<(Hex, Piece)> {
    let mut entry = text.split(' ');
    let (Some(at), Some(owner), Some(label)) = (entry.next(), entry.next(), entry.next()) else {
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
    for word in entry {
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

/// Piece string of a piece on a hex; [`piece`] reads the string back.
pub(super) fn piece_text(at: Hex, piece: Piece) -> String {
    let owner = match piece.side() {
        Side::Yellow => 'Y',
        Side::Blue => 'B',
    };
    let mut entry = vec![at.to_string(), owner.to_string(), piece.unit().name().to_owned()];
    entry.extend(piece.modifiers().iter().map(|(modifier, count)| format!("{}:{count}", modifier.name())));
    if piece.damage() > 0 {
        entry.push(format!("dmg:{}", piece.damage()));
    }
    if piece.exhausted() {
        entry.push("exhausted".to_owned());
    } else if piece.attacks() > 0 {
        entry.push(format!("atk:{}", piece.attacks()));
    } else if piece.steps() > 0 {
        entry.push(format!("steps:{}", piece.steps()));
    }
    if piece.moved() {
        entry.push("moved".to_owned());
    }
    entry.join(" ")
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
