//! Numbers as features: steps that networks learn well, and bits that lose nothing.

/// Division of a number into features. Level `i` below the number of steps is true when the number has reached that
/// step (or, where one step at a time counts, when it is the last one reached); the levels after those are the bits
/// of what exceeds the last step reached. Zero has no features; different numbers below [`Scale::end`] have different
/// ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    steps: &'static [u32],
    bits: u32,
    single: bool,
}

impl Scale {
    /// Damage of a piece. One step at a time, so that a hex adds one row to the sums.
    pub const DAMAGE: Scale = Scale { steps: &[1, 2, 3, 4, 5, 6, 7], bits: 16, single: true };
    /// Attacks of a piece. One step at a time.
    pub const ATTACKS: Scale = Scale { steps: &[1, 2, 3, 4], bits: 8, single: true };
    /// Numbers of a byte that seldom exceed one.
    pub const FEW: Scale = Scale { steps: &[1, 2], bits: 8, single: false };
    /// Reinforcements of a unit type.
    pub const RESERVE: Scale = Scale { steps: &[1, 2, 3, 4, 6], bits: 8, single: false };
    /// Cards of a spell in a hand or in the row.
    pub const CARDS: Scale = Scale { steps: &[1, 2, 3], bits: 6, single: false };
    /// Souls of two bytes that seldom exceed sixteen.
    pub const SOME: Scale = Scale { steps: &[1, 2, 3, 4, 6, 8, 12, 16], bits: 16, single: false };
    /// Mana, or mana missing to zero.
    pub const MANA: Scale = Scale { steps: &[1, 2, 3, 4, 6], bits: 16, single: false };
    /// Souls of a side, up to a million.
    pub const SOULS: Scale = Scale {
        steps: &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64, 96],
        bits: 20,
        single: false,
    };
    /// Board points.
    pub const POINTS: Scale = Scale { steps: &[1, 2, 3, 4, 5, 6, 7, 8], bits: 8, single: false };
    /// Completed turns.
    pub const TURN: Scale = Scale { steps: &[1, 2, 4, 8, 16, 32, 64], bits: 32, single: false };

    /// Number of levels, at most 64.
    pub const fn levels(&self) -> u16 {
        (self.steps.len() + self.bits as usize) as u16
    }

    /// Number of levels that are steps.
    pub const fn steps(&self) -> u16 {
        self.steps.len() as u16
    }

    /// Number of levels that are bits.
    pub const fn bits(&self) -> u16 {
        self.bits as u16
    }

    /// Smallest number that may share its features with a smaller one.
    pub const fn end(&self) -> u64 {
        (match self.steps.last() {
            Some(&last) => last as u64,
            None => 0,
        }) + (1 << self.bits)
    }

    /// Levels that are true of a number, as a bit set.
    #[inline]
    pub fn of(&self, number: u32) -> u64 {
        if number == 0 {
            return 0;
        }
        let reached = self.steps.iter().take_while(|&&step| step <= number).count();
        let floor = reached.checked_sub(1).and_then(|last| self.steps.get(last)).copied().unwrap_or(0);
        let excess = u64::from(number - floor) & ((1 << self.bits) - 1);
        let steps = match reached {
            0 => 0,
            _ if self.single => 1 << (reached - 1),
            _ => (1 << reached) - 1,
        };
        steps | excess << self.steps.len()
    }

    /// Calls `visit` with the levels that are true of a number, in ascending order.
    #[inline]
    pub fn visit(&self, number: u32, mut visit: impl FnMut(u8)) {
        let mut levels = self.of(number);
        while levels != 0 {
            visit(levels.trailing_zeros() as u8);
            levels &= levels - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::collections::HashSet;

    const ALL: [Scale; 10] = [
        Scale::DAMAGE,
        Scale::ATTACKS,
        Scale::FEW,
        Scale::RESERVE,
        Scale::CARDS,
        Scale::SOME,
        Scale::MANA,
        Scale::SOULS,
        Scale::POINTS,
        Scale::TURN,
    ];

    #[test]
    fn different_numbers_have_different_levels() {
        for scale in ALL {
            assert!(scale.levels() <= 64 && scale.steps.is_sorted());
            let numbers = 0..scale.end().min(1 << 17) as u32;
            let sets: HashSet<u64> = numbers.clone().map(|number| scale.of(number)).collect();
            assert_eq!(sets.len(), numbers.len(), "{scale:?}");
            assert!(sets.iter().all(|&levels| levels >> scale.levels() == 0));
        }
    }

    #[test]
    fn every_field_of_the_rules_is_below_the_end_of_its_scale() {
        for (scale, largest) in [
            (Scale::DAMAGE, u64::from(u16::MAX)),
            (Scale::ATTACKS, u64::from(u8::MAX)),
            (Scale::FEW, u64::from(u8::MAX)),
            (Scale::RESERVE, u64::from(u8::MAX)),
            (Scale::CARDS, 64),
            (Scale::SOME, u64::from(u16::MAX)),
            (Scale::MANA, u64::from(i16::MIN.unsigned_abs())),
            (Scale::SOULS, u64::from(barrow_core::minions::tables::capacities::SOULS_CAP)),
            (Scale::POINTS, u64::from(u8::MAX)),
            (Scale::TURN, u64::from(u32::MAX)),
        ] {
            assert!(largest < scale.end(), "{scale:?}");
        }
    }

    #[test]
    fn steps_are_a_thermometer_or_one_at_a_time() {
        assert_eq!(Scale::RESERVE.of(5), 0b1111 | 1 << 5);
        assert_eq!(Scale::RESERVE.of(6), 0b1_1111);
        assert_eq!(Scale::DAMAGE.of(3), 0b100);
        assert_eq!(Scale::DAMAGE.of(9), 1 << 6 | 0b10 << 7);
        assert_eq!(Scale::SOULS.of(0), 0);
        // Below the first step there are only bits.
        for single in [true, false] {
            assert_eq!(Scale { steps: &[4, 9], bits: 3, single }.of(3), 0b11 << 2);
        }
    }
}
