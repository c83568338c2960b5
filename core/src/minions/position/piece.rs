//! Pieces: one piece and what it has done this turn (rules §8), in twelve bytes.

use core::num::NonZeroU32;

use crate::hex::Hex;

use super::modifier::Modifiers;
use crate::minions::tables::side::Side;
use crate::minions::tables::unit::UnitLabel;

const OWNER_BIT: u8 = 0x80;
const UNIT_BITS: u8 = 0x3f;
const NO_PIECE: u8 = 0xff;
const NO_HEX: u8 = u8::MAX;

const EXHAUSTED: u8 = 1;
const MOVED: u8 = 2;
const SEVERAL: u8 = 4;
const STEP_SHIFT: u8 = 4;
const STEP_BITS: u8 = 0x30;

/// Bit of every first word, so that none is 0 and an `Option` needs no byte of its own. Keys do not see it.
const PRESENT: u32 = 0x40;

/// A piece without its hex, which is the index under which the board stores it.
// Words, since compilers for small processors copy twelve bytes by a call that takes ten times as long as three words.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Kind, flags, and the damage in two bytes.
    body: NonZeroU32,
    /// Attacks, origin, the piece attacked first, and the first byte of the modifiers.
    record: u32,
    /// The other four bytes of the modifiers.
    more_modifiers: u32,
}

impl Piece {
    /// Content of a hex without a piece.
    pub(crate) const NONE: Piece = Piece::new(NO_PIECE, 0, NO_HEX);

    const fn new(kind: u8, flags: u8, origin: u8) -> Piece {
        Piece {
            body: body(u32::from_le_bytes([kind, flags, 0, 0])),
            record: u32::from_le_bytes([0, origin, NO_HEX, 0]),
            more_modifiers: 0,
        }
    }

    /// A fresh piece that started the turn on `hex`.
    pub const fn fresh(side: Side, unit: UnitLabel, hex: Hex) -> Piece {
        Piece::new(unit as u8 | (side as u8) << 7, 0, hex.index() as u8)
    }

    /// A piece created during a turn: exhausted, and nobody can have attacked it.
    pub const fn created(side: Side, unit: UnitLabel) -> Piece {
        Piece::new(unit as u8 | (side as u8) << 7, EXHAUSTED, NO_HEX)
    }

    pub(crate) const fn is_none(self) -> bool {
        self.kind() == NO_PIECE
    }

    const fn kind(self) -> u8 {
        self.body.get() as u8
    }

    const fn flags(self) -> u8 {
        (self.body.get() >> 8) as u8
    }

    const fn with_flags(mut self, flags: u8) -> Piece {
        self.body = body(self.body.get() & !0xff00 | (flags as u32) << 8);
        self
    }

    /// Side that owns the piece.
    #[inline]
    pub const fn side(self) -> Side {
        if self.kind() & OWNER_BIT == 0 { Side::Yellow } else { Side::Blue }
    }

    /// Unit type of the piece.
    #[inline]
    pub fn unit(self) -> UnitLabel {
        // The constructors take a label, so the fallback is never used.
        UnitLabel::from_index(self.kind() & UNIT_BITS).unwrap_or(UnitLabel::Zombie)
    }

    /// Damage taken this turn.
    pub const fn damage(self) -> u16 {
        (self.body.get() >> 16) as u16
    }

    /// Steps used this turn, 0..=3. Kept even after an attack, when they no longer matter.
    pub const fn steps(self) -> u8 {
        (self.flags() & STEP_BITS) >> STEP_SHIFT
    }

    /// Attacks made this turn.
    pub const fn attacks(self) -> u8 {
        self.record as u8
    }

    /// Whether the piece may do nothing more this turn except blink.
    pub const fn exhausted(self) -> bool {
        self.flags() & EXHAUSTED != 0
    }

    /// Whether the piece has walked this turn (teleport, reposition, stumble and displace do not count).
    pub const fn moved(self) -> bool {
        self.flags() & MOVED != 0
    }

    /// Modifiers in order of arrival.
    #[inline]
    pub const fn modifiers(self) -> Modifiers {
        let [a, b, c, d] = self.more_modifiers.to_le_bytes();
        Modifiers::from_raw([(self.record >> 24) as u8, a, b, c, d])
    }

    /// Hex on which the piece stood when the turn began; `None` for a piece created this turn. The origin identifies a
    /// piece through the turn, because the side that is not to move gets no new pieces in it.
    pub const fn origin(self) -> Option<Hex> {
        Hex::new((self.record >> 8) as u8)
    }

    /// Origin of the first piece that this piece attacked this turn.
    pub const fn first_attacked(self) -> Option<Hex> {
        Hex::new((self.record >> 16) as u8)
    }

    /// Whether the piece attacked at least two different pieces this turn.
    pub const fn attacked_several(self) -> bool {
        self.flags() & SEVERAL != 0
    }

    /// Whether the piece attacked another piece than the one that began the turn on `origin` (rules §14, Cleave).
    pub fn attacked_other_than(self, origin: Option<Hex>) -> bool {
        self.attacked_several() || (self.first_attacked().is_some() && self.first_attacked() != origin)
    }

    /// Whether the piece has neither moved, attacked nor been exhausted, and is undamaged.
    pub const fn is_fresh(self) -> bool {
        self.flags() == 0 && self.attacks() == 0 && self.damage() == 0 && (self.record >> 16) as u8 == NO_HEX
    }

    /// The same piece with this damage.
    pub const fn with_damage(mut self, damage: u16) -> Piece {
        self.body = body(self.body.get() & 0xffff | (damage as u32) << 16);
        self
    }

    /// The same piece with these modifiers.
    pub const fn with_modifiers(mut self, modifiers: Modifiers) -> Piece {
        let [first, a, b, c, d] = modifiers.raw();
        self.record = self.record & 0x00ff_ffff | (first as u32) << 24;
        self.more_modifiers = u32::from_le_bytes([a, b, c, d]);
        self
    }

    /// The same piece, exhausted.
    pub const fn with_exhaustion(self) -> Piece {
        self.with_flags(self.flags() | EXHAUSTED)
    }

    /// The same piece after walking `steps` further steps; the total is capped at 3, the highest speed.
    pub const fn with_walk(self, steps: u8) -> Piece {
        let total = self.steps().saturating_add(steps);
        let total = if total > 3 { 3 } else { total };
        self.with_flags((self.flags() & !STEP_BITS) | MOVED | total << STEP_SHIFT)
    }

    /// The same piece with its turn record set; for readers of mid-turn positions.
    pub const fn with_record(self, steps: u8, attacks: u8, moved: bool, exhausted: bool) -> Piece {
        let steps = if steps > 3 { 3 } else { steps };
        let flags = (self.flags() & SEVERAL)
            | steps << STEP_SHIFT
            | if moved { MOVED } else { 0 }
            | if exhausted { EXHAUSTED } else { 0 };
        self.with_flags(flags).with_attacks(attacks)
    }

    const fn with_attacks(mut self, attacks: u8) -> Piece {
        self.record = self.record & !0xff | attacks as u32;
        self
    }

    const fn with_attacked(mut self, attacked: u8) -> Piece {
        self.record = self.record & !0x00ff_0000 | (attacked as u32) << 16;
        self
    }

    /// Piece with this origin and these attacked pieces, otherwise the same; for readers of mid-turn positions.
    pub const fn with_history(mut self, origin: Option<Hex>, attacked: Option<Hex>, several: bool) -> Piece {
        self.record = self.record & !0xff00 | (number(origin) as u32) << 8;
        self.with_attacked(number(attacked))
            .with_flags((self.flags() & !SEVERAL) | if several { SEVERAL } else { 0 })
    }

    /// The same piece after one more attack, on the piece that began the turn on `target`.
    pub const fn with_attack(self, target: Option<Hex>) -> Piece {
        let piece = self.with_attacks(self.attacks().saturating_add(1));
        let (target, first) = (number(target), (self.record >> 16) as u8);
        if first == NO_HEX {
            piece.with_attacked(target)
        } else if first != target {
            piece.with_flags(piece.flags() | SEVERAL)
        } else {
            piece
        }
    }

    /// Piece at the start of the next turn, on `hex`: fresh, modifiers counted down (rules §15, step 6.3).
    pub fn refreshed(self, hex: Hex) -> Piece {
        let fresh = Piece::new(self.kind(), 0, hex.index() as u8);
        fresh.with_modifiers(self.modifiers().counted_down())
    }

    /// Whether [`Piece::refreshed`] would change nothing: most pieces have done nothing in the turn.
    #[inline]
    pub(crate) const fn is_refreshed(self, hex: Hex) -> bool {
        let idle = Piece::new(self.kind(), 0, hex.index() as u8);
        self.body.get() == idle.body.get() && self.record == idle.record && self.more_modifiers == 0
    }

    /// All twelve bytes as two numbers, for hashing.
    #[inline]
    pub(crate) const fn packed(self) -> (u64, u32) {
        ((self.body.get() & !PRESENT) as u64 | (self.record as u64) << 32, self.more_modifiers)
    }
}

/// First word of a piece.
const fn body(word: u32) -> NonZeroU32 {
    match NonZeroU32::new(word | PRESENT) {
        Some(word) => word,
        None => NonZeroU32::MAX,
    }
}

/// Number that stands for a hex or for none.
const fn number(hex: Option<Hex>) -> u8 {
    match hex {
        Some(hex) => hex.index() as u8,
        None => NO_HEX,
    }
}

impl core::fmt::Debug for Piece {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.is_none() {
            return f.write_str("-");
        }
        f.debug_struct("Piece")
            .field("side", &self.side())
            .field("unit", &self.unit())
            .field("damage", &self.damage())
            .field("steps", &self.steps())
            .field("attacks", &self.attacks())
            .field("moved", &self.moved())
            .field("exhausted", &self.exhausted())
            .field("modifiers", &self.modifiers())
            .finish_non_exhaustive()
    }
}

const _: () = assert!(core::mem::size_of::<Piece>() == 12 && core::mem::size_of::<Option<Piece>>() == 12);

#[cfg(test)]
mod tests {
    use super::super::modifier::Modifier;
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_piece_is_refreshed_when_refreshing_changes_nothing() {
        let [here, there] = ["c4", "h7"].map(|name| Hex::named(name).unwrap());
        let (mut rng, mut same) = (Rng::new(1), 0);
        for round in 0..2_000 {
            let unit = *rng.choose(&UnitLabel::ALL).unwrap();
            let side = if round % 2 == 0 { Side::Yellow } else { Side::Blue };
            let mut piece = Piece::fresh(side, unit, if rng.chance(1, 6) { there } else { here });
            let [walks, attacks, hurts, tires, changes] = [(); 5].map(|()| rng.chance(1, 6));
            if walks {
                piece = piece.with_walk(1);
            }
            if attacks {
                piece = piece.with_attack(Some(there));
            }
            if hurts {
                piece = piece.with_damage(2);
            }
            if tires {
                piece = piece.with_exhaustion();
            }
            if changes {
                let modifier = *rng.choose(&Modifier::ALL).unwrap();
                piece = piece.with_modifiers(Modifiers::EMPTY.with(modifier, 1 + (round % 2) as u8).unwrap());
            }
            let unchanged = piece.refreshed(here) == piece;
            assert!(!piece.is_refreshed(here) || unchanged, "{piece:?}");
            // Modifiers that stay are looked at again each turn.
            assert!(piece.is_refreshed(here) || !unchanged || changes, "{piece:?}");
            same += u32::from(unchanged);
        }
        assert!((400..1_600).contains(&same), "{same}");
    }

    #[test]
    fn a_record_takes_the_place_of_what_was_done() {
        let hex = Hex::named("c4").unwrap();
        let fresh = Piece::fresh(Side::Yellow, UnitLabel::Zombie, hex);
        let done = fresh.with_walk(2).with_exhaustion();
        assert_eq!(done.with_record(0, 0, false, false), fresh);
        assert!(!done.with_record(1, 2, true, false).attacked_several());
        assert_eq!(done.with_record(1, 2, true, false).steps(), 1);
        assert_eq!([0, 1, 2, u8::MAX].map(|steps| done.with_walk(steps).steps()), [2, 3, 3, 3]);
    }
}
