//! Recorded attempts of a trace, read as actions of the rules.

use anyhow::{Context, Result, anyhow, bail, ensure};
use barrow_core::hex::Hex;
use barrow_core::minions::{
    Ability, BoardAction, CastParams, GeneralAction, Path, Spell, TargetShape, UnitLabel,
};
use serde_json::Value;

use super::names;

/// Attempt to do something in a turn.
pub(super) enum Attempt {
    /// Action of the general.
    General(GeneralAction),
    /// Purchase of a spell, after these cards were appended to the decks of Yellow and of Blue.
    Extra([Vec<Spell>; 2]),
    /// Action on a board; more than one action for a simultaneous move only.
    Board(u8, Vec<BoardAction>),
    /// Attempt that no action can express, so that it is illegal, with its board.
    Impossible(Option<u8>),
}

impl Attempt {
    /// Board of an attempt that belongs to the attack or the spawn phase of a board.
    pub(super) fn phase_board(&self) -> Option<u8> {
        match self {
            Attempt::Board(board, actions) => match actions.first()? {
                BoardAction::Buy { .. } | BoardAction::Keep { .. } | BoardAction::Resign => None,
                _ => Some(*board),
            },
            Attempt::Impossible(board) => *board,
            Attempt::General(_) | Attempt::Extra(_) => None,
        }
    }
}

/// Attempt with the recorded verdict.
pub(super) struct RecordedAttempt {
    pub(super) attempt: Attempt,
    pub(super) legal: bool,
}

/// Reads an attempt with its verdict from the entry `[verdict, kind, ...]`.
pub(super) fn recorded_attempt(entry: &[Value]) -> Result<RecordedAttempt> {
    let mut entry = EntryReader::new(entry);
    let legal = match entry.text()? {
        "ok" => true,
        "illegal" => false,
        other => bail!("`{other}` is not a verdict"),
    };
    let attempt = attempt(&mut entry)?;
    entry.end()?;
    Ok(RecordedAttempt { attempt, legal })
}

/// Reads the actions of a canonical list, whose entries are attempts without verdict and board.
pub(super) fn canonical(board: u8, list: &[Vec<Value>]) -> Result<Vec<Vec<BoardAction>>> {
    let mut actions = Vec::with_capacity(list.len());
    for entry in list {
        let mut entry = EntryReader::new(entry);
        let kind = entry.text()?;
        match board_attempt(kind, board, &mut entry)? {
            Attempt::Board(_, action) => actions.push(action),
            _ => bail!("`{kind}` cannot stand in a canonical list"),
        }
        entry.end()?;
    }
    Ok(actions)
}

/// Reads an attempt without its verdict.
fn attempt(entry: &mut EntryReader<'_>) -> Result<Attempt> {
    match entry.text()? {
        "take" => {
            Ok(Attempt::General(GeneralAction::Assign { board: entry.number()?, card: entry.number()? }))
        }
        // The traces count the zombie, which no step is possible on, as position 0.
        "tech" => Ok(match entry.number()?.checked_sub(1) {
            Some(index) => Attempt::General(GeneralAction::Advance { index }),
            None => Attempt::Impossible(None),
        }),
        "extra" => Ok(Attempt::Extra(entry.cards()?)),
        "sell" => Ok(Attempt::General(GeneralAction::Sell)),
        kind => {
            let board = entry.number()?;
            board_attempt(kind, board, entry)
        }
    }
}

/// Reads an attempt of this kind on a board.
fn board_attempt(kind: &str, board: u8, entry: &mut EntryReader<'_>) -> Result<Attempt> {
    let action = match kind {
        "buy" => BoardAction::Buy { unit: entry.unit()? },
        "free" => BoardAction::Keep { unit: Some(entry.unit()?) },
        "resign" => BoardAction::Resign,
        "move" => return moves(board, entry),
        "attack" => BoardAction::Attack { from: entry.hex()?, to: entry.hex()? },
        "teleport" => BoardAction::Teleport { from: entry.hex()?, to: entry.hex()? },
        "blink" => BoardAction::Blink { at: entry.hex()? },
        "spawn" => BoardAction::Spawn { unit: entry.unit()?, at: entry.hex()? },
        "tile" => BoardAction::UseTile { at: entry.hex()? },
        "play" => {
            let spell = names::spell(entry.text()?)?;
            BoardAction::Cast { spell, params: params(spell, entry)? }
        }
        "discard" => BoardAction::Discard { spell: names::spell(entry.text()?)? },
        "ability" => {
            let user = entry.hex()?;
            let name = entry.text()?;
            let ability = Ability::from_name(name).ok_or_else(|| anyhow!("`{name}` is not an ability"))?;
            let terrain = match ability {
                Ability::MoveTerrain => Some(names::tile_word(entry.text()?)?),
                _ => None,
            };
            BoardAction::UseAbility { user, ability, terrain, to: entry.hex()? }
        }
        _ => bail!("`{kind}` is not a kind of action"),
    };
    Ok(Attempt::Board(board, vec![action]))
}

/// Reads a simultaneous move: a path for each piece that moves.
fn moves(board: u8, entry: &mut EntryReader<'_>) -> Result<Attempt> {
    let mut paths = Vec::new();
    let mut possible = true;
    while !entry.is_empty() {
        let hexes = entry.text()?.split('-').map(names::hex).collect::<Result<Vec<Hex>>>()?;
        // A longer path than the type holds is longer than any piece can walk.
        match Path::new(&hexes) {
            Some(path) => paths.push(path),
            None => possible = false,
        }
    }
    if !possible || paths.is_empty() {
        return Ok(Attempt::Impossible(Some(board)));
    }
    let last = paths.len() - 1;
    let walk = |(index, path)| BoardAction::Walk { path, joined: index < last };
    Ok(Attempt::Board(board, paths.into_iter().enumerate().map(walk).collect()))
}

/// Reads the targets of a spell.
fn params(spell: Spell, entry: &mut EntryReader<'_>) -> Result<CastParams> {
    Ok(match spell.shape() {
        TargetShape::None => CastParams::None,
        TargetShape::Piece => CastParams::Piece(entry.hex()?),
        TargetShape::PieceHex => CastParams::PieceHex(entry.hex()?, entry.hex()?),
        TargetShape::Hex => CastParams::Hex(entry.hex()?),
        TargetShape::TerrainHex => CastParams::TerrainHex(names::tile_word(entry.text()?)?, entry.hex()?),
    })
}

/// Reader of the elements of an entry, one by one.
struct EntryReader<'v> {
    left: &'v [Value],
}

impl<'v> EntryReader<'v> {
    fn new(entry: &'v [Value]) -> Self {
        EntryReader { left: entry }
    }

    fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    fn next(&mut self) -> Result<&'v Value> {
        let (first, rest) = self.left.split_first().context("the entry is too short")?;
        self.left = rest;
        Ok(first)
    }

    fn text(&mut self) -> Result<&'v str> {
        let value = self.next()?;
        value.as_str().ok_or_else(|| anyhow!("{value} is not a word"))
    }

    fn number(&mut self) -> Result<u8> {
        let value = self.next()?;
        let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
        number.ok_or_else(|| anyhow!("{value} is not a small number"))
    }

    fn hex(&mut self) -> Result<Hex> {
        names::hex(self.text()?)
    }

    fn unit(&mut self) -> Result<UnitLabel> {
        names::unit(self.text()?)
    }

    fn cards(&mut self) -> Result<[Vec<Spell>; 2]> {
        let [yellow, blue]: [Vec<String>; 2] = serde_json::from_value(self.next()?.clone())?;
        Ok([names::spells(&yellow)?, names::spells(&blue)?])
    }

    fn end(&self) -> Result<()> {
        ensure!(self.left.is_empty(), "the entry is too long");
        Ok(())
    }
}
