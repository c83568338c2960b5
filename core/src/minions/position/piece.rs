//! Pieces: one piece and what it has done this turn (rules §8), in twelve bytes.

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

/// A piece without its hex, which is the index under which the board stores it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    kind: u8,
    flags: u8,
    damage: [u8; 2],
    attacks: u8,
    origin: u8,
    attacked: u8,
    modifiers: Modifiers,
}

impl Piece {
    /// Content of a hex without a piece.
    pub(crate) const NONE: Piece = Piece {
        kind: NO_PIECE,
        flags: 0,
        damage: [0; 2],
        attacks: 0,
        origin: NO_HEX,
        attacked: NO_HEX,
        modifiers: Modifiers::EMPTY,
    };

    /// A fresh piece that started the turn on `hex`.
    pub const fn fresh(side: Side, unit: UnitLabel, hex: Hex) -> Piece {
        Piece { kind: unit as u8 | (side as u8) << 7, origin: hex.index() as u8, ..Piece::NONE }
    }

    /// A piece created during a turn: exhausted, and nobody can have attacked it.
    pub const fn created(side: Side, unit: UnitLabel) -> Piece {
        Piece { kind: unit as u8 | (side as u8) << 7, flags: EXHAUSTED, ..Piece::NONE }
    }

    pub(crate) const fn is_none(self) -> bool {
        self.kind == NO_PIECE
    }

    /// Side that owns the piece.
    #[inline]
    pub const fn side(self) -> Side {
        if self.kind & OWNER_BIT == 0 { Side::Yellow } else { Side::Blue }
    }

    /// Unit type of the piece.
    #[inline]
    pub fn unit(self) -> UnitLabel {
        // The constructors take a label, so the fallback is never used.
        UnitLabel::from_index(self.kind & UNIT_BITS).unwrap_or(UnitLabel::Zombie)
    }

    /// Damage taken this turn.
    pub const fn damage(self) -> u16 {
        u16::from_le_bytes(self.damage)
    }

    /// Steps used this turn, 0..=3. Kept even after an attack, when they no longer matter.
    pub const fn steps(self) -> u8 {
        (self.flags & STEP_BITS) >> STEP_SHIFT
    }

    /// Attacks made this turn.
    pub const fn attacks(self) -> u8 {
        self.attacks
    }

    /// Whether the piece may do nothing more this turn except blink.
    pub const fn exhausted(self) -> bool {
        self.flags & EXHAUSTED != 0
    }

    /// Whether the piece has walked this turn (teleport, reposition, stumble and displace do not count).
    pub const fn moved(self) -> bool {
        self.flags & MOVED != 0
    }

    /// Modifiers in order of arrival.
    pub const fn modifiers(self) -> Modifiers {
        self.modifiers
    }

    /// Hex on which the piece stood when the turn began; `None` for a piece created this turn. The origin identifies a
    /// piece through the turn, because the side that is not to move gets no new pieces in it.
    pub const fn origin(self) -> Option<Hex> {
        Hex::new(self.origin)
    }

    /// Origin of the first piece that this piece attacked this turn.
    pub const fn first_attacked(self) -> Option<Hex> {
        Hex::new(self.attacked)
    }

    /// Whether the piece attacked at least two different pieces this turn.
    pub const fn attacked_several(self) -> bool {
        self.flags & SEVERAL != 0
    }

    /// Whether the piece attacked another piece than the one that began the turn on `origin` (rules §14, Cleave).
    pub fn attacked_other_than(self, origin: Option<Hex>) -> bool {
        self.attacked_several() || (self.first_attacked().is_some() && self.first_attacked() != origin)
    }

    /// Whether the piece has neither moved, attacked nor been exhausted, and is undamaged.
    pub const fn is_fresh(self) -> bool {
        self.flags == 0 && self.attacks == 0 && self.damage() == 0 && self.attacked == NO_HEX
    }

    /// The same piece with this damage.
    pub const fn with_damage(mut self, damage: u16) -> Piece {
        self.damage = damage.to_le_bytes();
        self
    }

    /// The same piece with these modifiers.
    pub const fn with_modifiers(mut self, modifiers: Modifiers) -> Piece {
        self.modifiers = modifiers;
        self
    }

    /// The same piece, exhausted.
    pub const fn with_exhaustion(mut self) -> Piece {
        self.flags |= EXHAUSTED;
        self
    }

    /// The same piece after walking `steps` further steps; the total is capped at 3, the highest speed.
    pub const fn with_walk(mut self, steps: u8) -> Piece {
        let total = self.steps() + steps;
        let total = if total > 3 { 3 } else { total };
        self.flags = (self.flags & !STEP_BITS) | MOVED | total << STEP_SHIFT;
        self
    }

    /// The same piece with its turn record set; for readers of mid-turn positions.
    pub const fn with_record(mut self, steps: u8, attacks: u8, moved: bool, exhausted: bool) -> Piece {
        let steps = if steps > 3 { 3 } else { steps };
        self.flags = (self.flags & SEVERAL)
            | steps << STEP_SHIFT
            | if moved { MOVED } else { 0 }
            | if exhausted { EXHAUSTED } else { 0 };
        self.attacks = attacks;
        self
    }

    /// Piece with this origin and these attacked pieces, otherwise the same; for readers of mid-turn positions.
    pub const fn with_history(mut self, origin: Option<Hex>, attacked: Option<Hex>, several: bool) -> Piece {
        self.origin = match origin {
            Some(hex) => hex.index() as u8,
            None => NO_HEX,
        };
        self.attacked = match attacked {
            Some(hex) => hex.index() as u8,
            None => NO_HEX,
        };
        self.flags = (self.flags & !SEVERAL) | if several { SEVERAL } else { 0 };
        self
    }

    /// The same piece after one more attack, on the piece that began the turn on `target`.
    pub const fn with_attack(mut self, target: Option<Hex>) -> Piece {
        self.attacks = self.attacks.saturating_add(1);
        let target = match target {
            Some(hex) => hex.index() as u8,
            None => NO_HEX,
        };
        if self.attacked == NO_HEX {
            self.attacked = target;
        } else if self.attacked != target {
            self.flags |= SEVERAL;
        }
        self
    }

    /// Piece at the start of the next turn, on `hex`: fresh, modifiers counted down (rules §15, step 6.3).
    pub fn refreshed(self, hex: Hex) -> Piece {
        Piece { modifiers: self.modifiers.counted_down(), ..Piece::fresh(self.side(), self.unit(), hex) }
    }

    /// Whether [`Piece::refreshed`] would change nothing: most pieces have done nothing in the turn.
    #[inline]
    pub(crate) const fn is_refreshed(self, hex: Hex) -> bool {
        let idle = Piece { kind: self.kind, origin: hex.index() as u8, ..Piece::NONE }.packed();
        let own = self.packed();
        own.0 == idle.0 && own.1 == idle.1
    }

    /// All twelve bytes as two numbers, for hashing.
    #[inline]
    pub(crate) const fn packed(self) -> (u64, u32) {
        let [a, b, c, d, e] = self.modifiers.raw();
        let [low, high] = self.damage;
        let first = [self.kind, self.flags, low, high, self.attacks, self.origin, self.attacked, a];
        (u64::from_le_bytes(first), u32::from_le_bytes([b, c, d, e]))
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
            .field("attacks", &self.attacks)
            .field("moved", &self.moved())
            .field("exhausted", &self.exhausted())
            .field("modifiers", &self.modifiers)
            .finish_non_exhaustive()
    }
}

const _: () = assert!(core::mem::size_of::<Piece>() == 12);

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
    }
}
