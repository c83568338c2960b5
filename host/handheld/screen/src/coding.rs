//! Actions as a few bytes each: a byte of kind and board, then hexes, units, spells and numbers, a byte each.

use barrow_core::hex::Hex;
use barrow_core::minions::{
    Ability, Action, BoardAction, CastParams, GeneralAction, Movable, Path, Spell, UnitLabel,
};

/// Entry of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Action of the side to move.
    Action(Action),
    /// End of the turn.
    EndTurn,
    /// Resignation of the game by the side to move.
    ResignGame,
    /// Slices of the search that found the turn.
    Searched(u16),
    /// Mark before an action that was entered when so many bytes of the turn behind it were there already.
    Late(u16),
}

/// Bytes of an entry at most.
pub const ENTRY_BYTES: usize = 6;

/// Bytes of one entry.
pub type Code = heapless::Vec<u8, ENTRY_BYTES, u8>;

const MOVE: u8 = 0;
const JOINED_MOVE: u8 = 1;
const ATTACK: u8 = 2;
const TELEPORT: u8 = 3;
const BLINK: u8 = 4;
const SPAWN: u8 = 5;
const USE_TILE: u8 = 6;
const CAST: u8 = 7;
const CAST_PIECE: u8 = 8;
const CAST_PIECE_HEX: u8 = 9;
const CAST_HEX: u8 = 10;
const CAST_TERRAIN_HEX: u8 = 11;
const DISCARD: u8 = 12;
const USE_ABILITY: u8 = 13;
const BUY: u8 = 14;
const KEEP: u8 = 15;
const KEEP_ALL: u8 = 16;
const RESIGN: u8 = 17;
const END_PHASE: u8 = 18;
const WALK: u8 = 19;
const JOINED_WALK: u8 = 20;
const ASSIGN: u8 = 21;
const BUY_SPELL: u8 = 22;
const SELL: u8 = 23;
const MARCH: u8 = 24;
const ADVANCE: u8 = 25;
const LATE: u8 = 28;
const SEARCHED: u8 = 29;
const RESIGN_GAME: u8 = 30;
const END_TURN: u8 = 31;

/// Where an ability without a kind of terrain has its place.
const NO_TERRAIN: u8 = 15;

fn code(kind: u8, board: u8, rest: &[u8]) -> Code {
    let mut code = Code::new();
    // Six bytes are enough for the longest, a walk of three steps.
    let _ = code.push(kind | board << 5);
    let _ = code.extend_from_slice(rest);
    code
}

fn at(hex: Hex) -> u8 {
    hex.index() as u8
}

/// Bytes of an entry.
pub fn encode(entry: &Entry) -> Code {
    match *entry {
        Entry::EndTurn => code(END_TURN, 0, &[]),
        Entry::ResignGame => code(RESIGN_GAME, 0, &[]),
        Entry::Searched(slices) => code(SEARCHED, 0, &slices.to_le_bytes()),
        Entry::Late(behind) => code(LATE, 0, &behind.to_le_bytes()),
        Entry::Action(Action::General(action)) => match action {
            GeneralAction::BuySpell => code(BUY_SPELL, 0, &[]),
            GeneralAction::Sell => code(SELL, 0, &[]),
            GeneralAction::March => code(MARCH, 0, &[]),
            GeneralAction::Advance { index } => code(ADVANCE, 0, &[index]),
            GeneralAction::Assign { board, card } => code(ASSIGN, board, &[card]),
        },
        Entry::Action(Action::Board(board, action)) => encode_board_action(board, &action),
    }
}

fn encode_board_action(board: u8, action: &BoardAction) -> Code {
    match *action {
        BoardAction::Move { from, to, joined } => {
            code(if joined { JOINED_MOVE } else { MOVE }, board, &[at(from), at(to)])
        }
        BoardAction::Walk { path, joined } => {
            let mut code = code(if joined { JOINED_WALK } else { WALK }, board, &[]);
            let _ = code.push(path.steps().len() as u8);
            let _ = code.push(at(path.from()));
            for &step in path.steps() {
                let _ = code.push(at(step));
            }
            code
        }
        BoardAction::Attack { from, to } => code(ATTACK, board, &[at(from), at(to)]),
        BoardAction::Teleport { from, to } => code(TELEPORT, board, &[at(from), at(to)]),
        BoardAction::Blink { at: hex } => code(BLINK, board, &[at(hex)]),
        BoardAction::Spawn { unit, at: hex } => code(SPAWN, board, &[unit as u8, at(hex)]),
        BoardAction::UseTile { at: hex } => code(USE_TILE, board, &[at(hex)]),
        BoardAction::Cast { spell, params } => {
            let spell = spell as u8;
            match params {
                CastParams::None => code(CAST, board, &[spell]),
                CastParams::Piece(hex) => code(CAST_PIECE, board, &[spell, at(hex)]),
                CastParams::PieceHex(from, to) => code(CAST_PIECE_HEX, board, &[spell, at(from), at(to)]),
                CastParams::Hex(hex) => code(CAST_HEX, board, &[spell, at(hex)]),
                CastParams::TerrainHex(kind, hex) => {
                    code(CAST_TERRAIN_HEX, board, &[spell, kind as u8, at(hex)])
                }
            }
        }
        BoardAction::Discard { spell } => code(DISCARD, board, &[spell as u8]),
        BoardAction::UseAbility { user, ability, terrain, to } => {
            let kind = terrain.map_or(NO_TERRAIN, |kind| kind as u8);
            code(USE_ABILITY, board, &[ability as u8 | kind << 4, at(user), at(to)])
        }
        BoardAction::Buy { unit } => code(BUY, board, &[unit as u8]),
        BoardAction::Keep { unit: Some(unit) } => code(KEEP, board, &[unit as u8]),
        BoardAction::Keep { unit: None } => code(KEEP_ALL, board, &[]),
        BoardAction::Resign => code(RESIGN, board, &[]),
        BoardAction::EndPhase => code(END_PHASE, board, &[]),
    }
}

/// Reader of bytes, one after the other.
struct Bytes<'a> {
    bytes: &'a [u8],
    used: usize,
}

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.used)?;
        self.used += 1;
        Some(byte)
    }

    fn hex(&mut self) -> Option<Hex> {
        Hex::new(self.next()?)
    }

    fn unit(&mut self) -> Option<UnitLabel> {
        UnitLabel::from_index(self.next()?)
    }

    fn spell(&mut self) -> Option<Spell> {
        Spell::from_index(self.next()?)
    }

    fn movable(&mut self) -> Option<Movable> {
        Movable::ALL.get(usize::from(self.next()?)).copied()
    }

    fn path(&mut self) -> Option<Path> {
        let steps = usize::from(self.next()?);
        let mut hexes: heapless::Vec<Hex, 4, u8> = heapless::Vec::new();
        for _ in 0..=steps {
            hexes.push(self.hex()?).ok()?;
        }
        Path::new(&hexes)
    }

    fn ability(&mut self) -> Option<BoardAction> {
        let byte = self.next()?;
        let ability = *Ability::ALL.get(usize::from(byte & 15))?;
        let terrain = match byte >> 4 {
            NO_TERRAIN => None,
            kind => Some(*Movable::ALL.get(usize::from(kind))?),
        };
        Some(BoardAction::UseAbility { user: self.hex()?, ability, terrain, to: self.hex()? })
    }

    fn board_action(&mut self, kind: u8) -> Option<BoardAction> {
        Some(match kind {
            MOVE | JOINED_MOVE => {
                BoardAction::Move { from: self.hex()?, to: self.hex()?, joined: kind == JOINED_MOVE }
            }
            WALK | JOINED_WALK => BoardAction::Walk { path: self.path()?, joined: kind == JOINED_WALK },
            ATTACK => BoardAction::Attack { from: self.hex()?, to: self.hex()? },
            TELEPORT => BoardAction::Teleport { from: self.hex()?, to: self.hex()? },
            BLINK => BoardAction::Blink { at: self.hex()? },
            SPAWN => BoardAction::Spawn { unit: self.unit()?, at: self.hex()? },
            USE_TILE => BoardAction::UseTile { at: self.hex()? },
            CAST => BoardAction::Cast { spell: self.spell()?, params: CastParams::None },
            CAST_PIECE => BoardAction::Cast { spell: self.spell()?, params: CastParams::Piece(self.hex()?) },
            CAST_PIECE_HEX => {
                let spell = self.spell()?;
                BoardAction::Cast { spell, params: CastParams::PieceHex(self.hex()?, self.hex()?) }
            }
            CAST_HEX => BoardAction::Cast { spell: self.spell()?, params: CastParams::Hex(self.hex()?) },
            CAST_TERRAIN_HEX => {
                let spell = self.spell()?;
                BoardAction::Cast { spell, params: CastParams::TerrainHex(self.movable()?, self.hex()?) }
            }
            DISCARD => BoardAction::Discard { spell: self.spell()? },
            USE_ABILITY => self.ability()?,
            BUY => BoardAction::Buy { unit: self.unit()? },
            KEEP => BoardAction::Keep { unit: Some(self.unit()?) },
            KEEP_ALL => BoardAction::Keep { unit: None },
            RESIGN => BoardAction::Resign,
            END_PHASE => BoardAction::EndPhase,
            _ => return None,
        })
    }
}

/// First entry of these bytes and how many it takes. `None` when they begin with no entry.
pub fn decode(bytes: &[u8]) -> Option<(Entry, usize)> {
    let mut bytes = Bytes { bytes, used: 0 };
    let first = bytes.next()?;
    let (kind, board) = (first & 31, first >> 5);
    let general = |action| Entry::Action(Action::General(action));
    let entry = match kind {
        END_TURN => Entry::EndTurn,
        RESIGN_GAME => Entry::ResignGame,
        SEARCHED => Entry::Searched(u16::from_le_bytes([bytes.next()?, bytes.next()?])),
        LATE => Entry::Late(u16::from_le_bytes([bytes.next()?, bytes.next()?])),
        BUY_SPELL => general(GeneralAction::BuySpell),
        SELL => general(GeneralAction::Sell),
        MARCH => general(GeneralAction::March),
        ADVANCE => general(GeneralAction::Advance { index: bytes.next()? }),
        ASSIGN => general(GeneralAction::Assign { board, card: bytes.next()? }),
        _ => Entry::Action(Action::Board(board, bytes.board_action(kind)?)),
    };
    Some((entry, bytes.used))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that are read are the bytes of what was read, so that no two entries share theirs.
    #[test]
    fn what_can_be_read_is_written_the_same() {
        let mut rng = barrow_core::rng::Rng::new(1);
        let mut kinds = 0_u32;
        for _ in 0..200_000 {
            let bytes: [u8; ENTRY_BYTES] = core::array::from_fn(|_| {
                let high = rng.chance(1, 3);
                rng.below(if high { 256 } else { 100 }) as u8
            });
            if let Some((entry, used)) = decode(&bytes) {
                let board = if matches!(
                    entry,
                    Entry::Action(Action::Board(..) | Action::General(GeneralAction::Assign { .. }))
                ) {
                    255
                } else {
                    31
                };
                let again = encode(&entry);
                assert_eq!((again[0], &again[1..]), (bytes[0] & board, &bytes[1..used]), "{entry:?}");
                assert_eq!(decode(&again), Some((entry, again.len())));
                kinds |= 1 << (bytes[0] & 31);
            }
        }
        assert_eq!(kinds.count_ones(), 30);
        assert_eq!(decode(&[]), None);
    }
}
