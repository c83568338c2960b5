//! The random generator of the contest referees: a linear congruential generator of 48 bits, `java.util.Random`.
//!
//! Games that are to be repeated exactly draw from it (kutulu §2, ice-and-fire §6). The
//! multiplier is that of `drand48`; D. Knuth, "The Art of Computer Programming" volume 2, 3.2.1, has the theory.
//! Everything else in this crate uses [`crate::rng`].

/// A linear congruential generator with a state of 48 bits.
///
/// ```
/// use barrow_core::contests::lcg48::Lcg48;
/// let mut dice = Lcg48::new(42);
/// assert_eq!((dice.int(), dice.below(10)), (-1_170_105_035, 3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lcg48 {
    state: u64,
}

const MULTIPLIER: u64 = 0x5_deec_e66d;
const MASK: u64 = (1 << 48) - 1;

impl Lcg48 {
    /// A generator from a seed; the upper 16 bits of the seed do not matter.
    pub const fn new(seed: u64) -> Lcg48 {
        Lcg48 { state: (seed ^ MULTIPLIER) & MASK }
    }

    /// The next `bits` bits of the generator, 1 to 32; other values of `bits` are clamped to that range.
    pub const fn bits(&mut self, bits: u32) -> u32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(0xb) & MASK;
        let bits = match bits {
            0 => 1,
            1..=32 => bits,
            _ => 32,
        };
        (self.state >> (48 - bits)) as u32
    }

    /// The next 32 bits of the generator as a signed number.
    pub const fn int(&mut self) -> i32 {
        self.bits(32) as i32
    }

    /// A uniform number in 0..n; 0 without a draw if `n` is 0 or more than 2^31 - 1.
    pub const fn below(&mut self, n: u32) -> u32 {
        if n == 0 || n > i32::MAX as u32 {
            return 0;
        }
        if n.is_power_of_two() {
            return ((n as u64 * self.bits(31) as u64) >> 31) as u32;
        }
        loop {
            let bits = self.bits(31);
            let number = bits % n;
            // What is left over at the upper end would favour small numbers.
            if bits - number + (n - 1) < 1 << 31 {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_equal_those_of_java() {
        let mut dice = Lcg48::new(0);
        assert_eq!([(); 3].map(|()| dice.int()), [-1_155_484_576, -723_955_400, 1_033_096_058]);
        let mut dice = Lcg48::new(0);
        assert_eq!([(); 8].map(|()| dice.below(10)), [0, 8, 9, 7, 5, 3, 1, 1]);
        let mut dice = Lcg48::new(0);
        assert_eq!([(); 4].map(|()| dice.below(16)), [11, 13, 3, 9]);
    }

    #[test]
    fn bounded_numbers_stay_in_bounds() {
        let mut dice = Lcg48::new(99);
        assert_eq!((dice.below(0), dice.below(1 << 31)), (0, 0));
        assert_eq!(dice, Lcg48::new(99));
        let large = (1 << 30) + 1;
        assert!((0..1000).all(|_| dice.below(large) < large && dice.below(7) < 7 && dice.below(1) == 0));
        assert!((0..1000).all(|_| dice.bits(0) < 2 && dice.bits(24) < 1 << 24));
        // A third of the draws of 31 bits and more are drawn again.
        let (mut plain, mut once) = (dice, dice);
        for _ in 0..200 {
            once.below(large);
            plain.bits(31);
        }
        assert_ne!(plain, once);
    }

    #[test]
    fn bounded_numbers_spread() {
        let mut counts = [0_u32; 3];
        let mut dice = Lcg48::new(9);
        for _ in 0..30_000 {
            counts[dice.below(3) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)), "{counts:?}");
    }
}
