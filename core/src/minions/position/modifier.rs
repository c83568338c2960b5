//! Modifiers: temporary changes of a piece's characteristics, in order of arrival (rules §13).

use crate::minions::tables::capacities::MODIFIER_CAP;
use crate::minions::tables::figures::{Attack, SPAWNER_RANGE, Unit};

/// Kind of a modifier; the effects on a piece are those of rules §13.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Modifier {
    /// Shielded: defense doubled; unsummoned instead of killed.
    Shielded = 1,
    /// Protected: two more defense.
    Protected = 2,
    /// Double attack: at least two attacks.
    DoubleAttack = 3,
    /// Spawner: a spawn range of at least 1.
    Spawner = 4,
    /// Frozen: no attack.
    Frozen = 5,
    /// Weakened: one attack less, or one damage less for a single attack.
    Weakened = 6,
    /// Lumbering: no attack in a turn in which the piece moved.
    Lumbering = 7,
    /// Shackled: speed and ranges capped at 1.
    Shackled = 8,
    /// Unsummon attack: the attack becomes unsummoning.
    UnsummonAttack = 9,
    /// Move three: a speed of at least 3.
    MoveThree = 10,
    /// Range two: ranges of at least 2.
    RangeTwo = 11,
    /// Air strike: a range against fliers of at least 3.
    AirStrike = 12,
    /// Necromancer pick: grants a disabled ability and so has no effect.
    NecroPick = 13,
}

impl Modifier {
    /// All 13 kinds in table order.
    pub const ALL: [Modifier; 13] = [
        Modifier::Shielded,
        Modifier::Protected,
        Modifier::DoubleAttack,
        Modifier::Spawner,
        Modifier::Frozen,
        Modifier::Weakened,
        Modifier::Lumbering,
        Modifier::Shackled,
        Modifier::UnsummonAttack,
        Modifier::MoveThree,
        Modifier::RangeTwo,
        Modifier::AirStrike,
        Modifier::NecroPick,
    ];

    /// The name in the rules' table, such as `DoubleAttack`.
    pub const fn name(self) -> &'static str {
        match self {
            Modifier::Shielded => "Shielded",
            Modifier::Protected => "Protected",
            Modifier::DoubleAttack => "DoubleAttack",
            Modifier::Spawner => "Spawner",
            Modifier::Frozen => "Frozen",
            Modifier::Weakened => "Weakened",
            Modifier::Lumbering => "Lumbering",
            Modifier::Shackled => "Shackled",
            Modifier::UnsummonAttack => "UnsummonAttack",
            Modifier::MoveThree => "MoveThree",
            Modifier::RangeTwo => "RangeTwo",
            Modifier::AirStrike => "AirStrike",
            Modifier::NecroPick => "NecroPick",
        }
    }

    /// The modifier with this name.
    pub fn from_name(name: &str) -> Option<Modifier> {
        Modifier::ALL.into_iter().find(|modifier| modifier.name() == name)
    }

    fn from_code(code: u8) -> Option<Modifier> {
        Modifier::ALL.get(usize::from(code).wrapping_sub(1)).copied()
    }
}

/// The modifiers of one piece in order of arrival, each with its counter of turn ends left (1 or 2).
///
/// Packed five bits each into 40 bits, so that a piece takes twelve bytes: four bits of kind, one of counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Modifiers([u8; 5]);

impl Modifiers {
    /// List without modifiers.
    pub const EMPTY: Modifiers = Modifiers([0; 5]);

    #[inline]
    const fn bits(self) -> u64 {
        let [a, b, c, d, e] = self.0;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])
    }

    #[inline]
    const fn from_bits(bits: u64) -> Modifiers {
        let [a, b, c, d, e, ..] = bits.to_le_bytes();
        Modifiers([a, b, c, d, e])
    }

    pub(crate) const fn from_raw(bytes: [u8; 5]) -> Modifiers {
        Modifiers(bytes)
    }

    pub(crate) const fn raw(self) -> [u8; 5] {
        self.0
    }

    /// Whether the list is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] == 0
    }

    /// Number of modifiers, 0..=[`MODIFIER_CAP`].
    pub const fn len(self) -> usize {
        (64 - self.bits().leading_zeros() as usize).div_ceil(5)
    }

    /// The list with a modifier added at the end, with a counter of 1 or 2 turn ends. `None` when the list is full or the
    /// counter is neither.
    pub const fn with(self, modifier: Modifier, counter: u8) -> Option<Modifiers> {
        let len = self.len();
        if len >= MODIFIER_CAP || counter == 0 || counter > 2 {
            return None;
        }
        let entry = (modifier as u64) | ((counter as u64 - 1) << 4);
        Some(Modifiers::from_bits(self.bits() | entry << (5 * len)))
    }

    /// Modifiers in order of arrival, with their counters.
    pub fn iter(self) -> impl Iterator<Item = (Modifier, u8)> {
        let mut bits = self.bits();
        core::iter::from_fn(move || {
            let modifier = Modifier::from_code((bits & 15) as u8)?;
            let counter = ((bits >> 4) & 1) as u8 + 1;
            bits >>= 5;
            Some((modifier, counter))
        })
    }

    /// Whether a modifier of this kind is in the list.
    pub fn has(self, modifier: Modifier) -> bool {
        self.iter().any(|(other, _)| other == modifier)
    }

    /// The list after a turn end: counters are one less, and modifiers whose counter is zero are gone.
    pub fn counted_down(self) -> Modifiers {
        if self.is_empty() {
            return self;
        }
        let mut left = Modifiers::EMPTY;
        for (modifier, counter) in self.iter() {
            if counter == 2
                && let Some(more) = left.with(modifier, 1)
            {
                left = more;
            }
        }
        left
    }
}

impl core::fmt::Debug for Modifiers {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Current characteristics of a piece: the printed figures with all modifiers applied (rules §8 "current").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Current {
    /// Kind and strength of one attack.
    pub attack: Attack,
    /// Attacks per turn.
    pub num_attacks: u8,
    /// Damage that kills, up to 10 doubled eight times.
    pub defense: u16,
    /// Steps per turn.
    pub speed: u8,
    /// Range in hexes against walkers.
    pub range: u8,
    /// Range in hexes against fliers.
    pub range_flying: u8,
    /// Cannot attack after moving.
    pub lumbering: bool,
    /// Unsummoned instead of killed.
    pub soulbound: bool,
    /// Distance in hexes within which the piece lets units be placed.
    pub spawn_range: u8,
}

impl Current {
    /// Characteristics from printed figures, changed by the modifiers in their order of arrival.
    #[inline]
    pub fn new(unit: &Unit, modifiers: Modifiers) -> Current {
        if modifiers.is_empty() { Current::printed(unit) } else { Current::modified(unit, modifiers) }
    }

    /// Characteristics of a piece without modifiers.
    #[inline]
    fn printed(unit: &Unit) -> Current {
        Current {
            attack: unit.attack,
            num_attacks: unit.num_attacks,
            defense: u16::from(unit.defense),
            speed: unit.speed,
            range: unit.range,
            range_flying: unit.range,
            lumbering: unit.lumbering,
            soulbound: false,
            spawn_range: unit.spawn_range,
        }
    }

    /// Characteristics of a piece with modifiers, which few have. Apart, so that callers stay small: a search runs through
    /// more code than the first cache of a processor holds.
    #[cold]
    #[inline(never)]
    fn modified(unit: &Unit, modifiers: Modifiers) -> Current {
        let mut now = Current::printed(unit);
        for (modifier, _) in modifiers.iter() {
            now.apply(modifier);
        }
        now
    }

    fn apply(&mut self, modifier: Modifier) {
        match modifier {
            Modifier::Shielded => {
                self.defense = self.defense.saturating_mul(2);
                self.soulbound = true;
            }
            Modifier::Protected => self.defense = self.defense.saturating_add(2),
            Modifier::DoubleAttack => self.num_attacks = self.num_attacks.max(2),
            Modifier::Spawner => self.spawn_range = self.spawn_range.max(SPAWNER_RANGE),
            Modifier::Frozen => self.attack = Attack::None,
            Modifier::Weakened => {
                if let Attack::Damage(amount) = self.attack {
                    if amount == 1 && self.num_attacks > 1 {
                        self.num_attacks -= 1;
                    } else if amount <= 1 {
                        self.attack = Attack::None;
                    } else {
                        self.attack = Attack::Damage(amount - 1);
                    }
                }
            }
            Modifier::Lumbering => self.lumbering = true,
            Modifier::Shackled => {
                self.speed = self.speed.min(1);
                self.range = self.range.min(1);
                self.range_flying = self.range_flying.min(1);
            }
            Modifier::UnsummonAttack => self.attack = Attack::Unsummon,
            Modifier::MoveThree => self.speed = self.speed.max(3),
            Modifier::RangeTwo => {
                self.range = self.range.max(2);
                self.range_flying = self.range_flying.max(2);
            }
            Modifier::AirStrike => self.range_flying = self.range_flying.max(3),
            Modifier::NecroPick => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minions::tables::unit::UnitLabel;

    fn list(kinds: &[(Modifier, u8)]) -> Modifiers {
        kinds.iter().fold(Modifiers::EMPTY, |all, &(kind, counter)| all.with(kind, counter).unwrap())
    }

    #[test]
    fn packing_keeps_order_and_counters_up_to_the_cap() {
        let mut all = Modifiers::EMPTY;
        for (index, kind) in Modifier::ALL.into_iter().take(MODIFIER_CAP).enumerate() {
            assert_eq!(all.len(), index);
            all = all.with(kind, 1 + (index % 2) as u8).unwrap();
        }
        assert_eq!(all.len(), MODIFIER_CAP);
        assert!(all.with(Modifier::Frozen, 1).is_none());
        let expected = Modifier::ALL.into_iter().take(MODIFIER_CAP).enumerate();
        assert!(all.iter().eq(expected.map(|(index, kind)| (kind, 1 + (index % 2) as u8))));
        assert_eq!(all.counted_down().len(), MODIFIER_CAP / 2);
        assert!(all.counted_down().counted_down().is_empty());
        assert!(Modifiers::EMPTY.with(Modifier::Frozen, 3).is_none());
    }

    #[test]
    fn minions_rule_13_e83_shield_and_protection_apply_in_order() {
        let wight = UnitLabel::Wight.server();
        let first = list(&[(Modifier::Shielded, 2), (Modifier::Protected, 2)]);
        let second = list(&[(Modifier::Protected, 2), (Modifier::Shielded, 2)]);
        assert_eq!(Current::new(wight, first).defense, 8);
        assert_eq!(Current::new(wight, second).defense, 10);
    }

    #[test]
    fn minions_rule_13_e86_weakened_by_unit() {
        let weak = |unit: UnitLabel, times: usize| {
            let now = Current::new(unit.server(), list(&[(Modifier::Weakened, 2); 2][..times]));
            (now.attack, now.num_attacks)
        };
        assert_eq!(weak(UnitLabel::Wight, 1), (Attack::Damage(1), 4));
        assert_eq!(weak(UnitLabel::Warg, 1), (Attack::None, 1));
        assert_eq!(weak(UnitLabel::Void, 1), (Attack::Unsummon, 1));
        assert_eq!(weak(UnitLabel::Cerberus, 1), (Attack::Damage(1), 1));
        assert_eq!(weak(UnitLabel::Cerberus, 2), (Attack::None, 1));
        assert_eq!(weak(UnitLabel::Mummy, 1), (Attack::Damage(4), 1));
    }
}
