//! Recorded attempts read as actions of the rules.

use anyhow::{Context, Result, anyhow, bail, ensure};
use barrow_core::hex::Hex;
use barrow_core::minions::{
    Ability, BoardAction, CastParams, GeneralAction, Path, Spell, TargetShape, UnitLabel,
};
use serde_json::Value;

use super::names;

/// What somebody tried to do.
pub(super) enum Attempt {
    /// An action of the general.
    General(GeneralAction),
    /// The purchase of a spell, after these cards were appended to the queues.
    Extra([Vec<Spell>; 2]),
    /// An action on a board: several only for a simultaneous move.
    Board(u8, Vec<BoardAction>),
    /// Something that the rules' types cannot even express, so that it is illegal.
    Impossible(Option<u8>),
}

impl Attempt {
    /// The board it concerns, if it is one of a captain's actions in the two phases of a board's turn.
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

/// An attempt and whether it was accepted.
pub(super) struct Judged {
    pub(super) attempt: Attempt,
    pub(super) legal: bool,
}

/// Reads `[verdict, kind, ...]`.
pub(super) fn judged(entry: &[Value]) -> Result<Judged> {
    let mut words = Words::new(entry);
    let legal = match words.text()? {
        "ok" => true,
        "illegal" => false,
        other => bail!("`{other}` is not a verdict"),
    };
    let attempt = attempt(&mut words)?;
    words.end()?;
    Ok(Judged { attempt, legal })
}

/// Reads the actions of a canonical list: like attempts, but without verdict and board.
pub(super) fn canonical(board: u8, list: &[Vec<Value>]) -> Result<Vec<Vec<BoardAction>>> {
    let mut actions = Vec::with_capacity(list.len());
    for entry in list {
        let mut words = Words::new(entry);
        let kind = words.text()?;
        match board_attempt(kind, board, &mut words)? {
            Attempt::Board(_, action) => actions.push(action),
            _ => bail!("`{kind}` cannot stand in a canonical list"),
        }
        words.end()?;
    }
    Ok(actions)
}

fn attempt(words: &mut Words<'_>) -> Result<Attempt> {
    match words.text()? {
        "take" => {
            Ok(Attempt::General(GeneralAction::Assign { board: words.number()?, card: words.number()? }))
        }
        // The traces count the zombie, which no step is possible on, as position 0.
        "tech" => Ok(match words.number()?.checked_sub(1) {
            Some(index) => Attempt::General(GeneralAction::Advance { index }),
            None => Attempt::Impossible(None),
        }),
        "extra" => Ok(Attempt::Extra(words.cards()?)),
        "sell" => Ok(Attempt::General(GeneralAction::Sell)),
        kind => {
            let board = words.number()?;
            board_attempt(kind, board, words)
        }
    }
}

fn board_attempt(kind: &str, board: u8, words: &mut Words<'_>) -> Result<Attempt> {
    let action = match kind {
        "buy" => BoardAction::Buy { unit: words.unit()? },
        "free" => BoardAction::Keep { unit: Some(words.unit()?) },
        "resign" => BoardAction::Resign,
        "move" => return moves(board, words),
        "attack" => BoardAction::Attack { from: words.hex()?, to: words.hex()? },
        "teleport" => BoardAction::Teleport { from: words.hex()?, to: words.hex()? },
        "blink" => BoardAction::Blink { at: words.hex()? },
        "spawn" => BoardAction::Spawn { unit: words.unit()?, at: words.hex()? },
        "tile" => BoardAction::UseTile { at: words.hex()? },
        "play" => {
            let spell = names::spell(words.text()?)?;
            BoardAction::Cast { spell, params: params(spell, words)? }
        }
        "discard" => BoardAction::Discard { spell: names::spell(words.text()?)? },
        "ability" => {
            let user = words.hex()?;
            let name = words.text()?;
            let ability = Ability::from_name(name).ok_or_else(|| anyhow!("`{name}` is not an ability"))?;
            let terrain = match ability {
                Ability::MoveTerrain => Some(names::tile_word(words.text()?)?),
                _ => None,
            };
            BoardAction::UseAbility { user, ability, terrain, to: words.hex()? }
        }
        _ => bail!("`{kind}` is not a kind of action"),
    };
    Ok(Attempt::Board(board, vec![action]))
}

/// One simultaneous move: a path for each mover.
fn moves(board: u8, words: &mut Words<'_>) -> Result<Attempt> {
    let mut paths = Vec::new();
    let mut possible = true;
    while !words.is_empty() {
        let hexes = words.text()?.split('-').map(names::hex).collect::<Result<Vec<Hex>>>()?;
        // No piece walks further than a path can be long.
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

fn params(spell: Spell, words: &mut Words<'_>) -> Result<CastParams> {
    Ok(match spell.shape() {
        TargetShape::None => CastParams::None,
        TargetShape::Piece => CastParams::Piece(words.hex()?),
        TargetShape::PieceHex => CastParams::PieceHex(words.hex()?, words.hex()?),
        TargetShape::Hex => CastParams::Hex(words.hex()?),
        TargetShape::TerrainHex => CastParams::TerrainHex(names::tile_word(words.text()?)?, words.hex()?),
    })
}

/// The elements of an entry, read one by one.
struct Words<'v> {
    left: &'v [Value],
}

impl<'v> Words<'v> {
    fn new(entry: &'v [Value]) -> Self {
        Words { left: entry }
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
