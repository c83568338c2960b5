//! The referee's generator: the 48-bit linear congruential one of Java's class library (rules §2; D. Knuth, "The Art
//! of Computer Programming", volume 2, 3.2.1).

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

/// The generator. Two with equal state give equal numbers.
///
/// ```
/// use barrow_core::kutulu::Dice;
/// let mut dice = Dice::new(42);
/// assert_eq!((dice.int(), dice.below(10), dice.below(4)), (-1_170_105_035, 3, 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dice {
    /// 48 bits.
    state: u64,
}

impl Dice {
    /// A generator from a seed.
    pub const fn new(seed: u64) -> Dice {
        Dice { state: (seed ^ MULTIPLIER) & MASK }
    }

    /// The top `bits` (1..=32) of the next state.
    fn next(&mut self, bits: u32) -> u32 {
        self.state = (self.state.wrapping_mul(MULTIPLIER) + 0xB) & MASK;
        (self.state >> (48 - bits)) as u32
    }

    /// Any 32-bit number.
    pub fn int(&mut self) -> i32 {
        self.next(32) as i32
    }

    /// A number in 0..n, each equally likely; 0 without a draw if `n` is 0 or above 2^31 - 1.
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 || n > i32::MAX as u32 {
            return 0;
        }
        if n.is_power_of_two() {
            return ((u64::from(n) * u64::from(self.next(31))) >> 31) as u32;
        }
        loop {
            let drawn = self.next(31);
            let value = drawn % n;
            // Draws of the last, incomplete run of n numbers would favour small ones.
            if u64::from(drawn - value) + u64::from(n - 1) < 1 << 31 {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kutulu_rule_2_the_generator_is_javas() {
        // Published first draws of seed 0 and seed 42.
        let mut dice = Dice::new(0);
        assert_eq!([dice.int(), dice.int()], [-1_155_484_576, -723_955_400]);
        let mut dice = Dice::new(42);
        assert_eq!([0; 8].map(|_| dice.below(10)), [0, 3, 8, 4, 0, 5, 5, 8]);
        assert_eq!((dice.below(0), dice.below(u32::MAX)), (0, 0));
    }

    #[test]
    fn bounded_draws_spread_and_redraw_what_would_favour() {
        let mut counts = [0_u32; 3];
        let mut dice = Dice::new(9);
        for _ in 0..30_000 {
            counts[dice.below(3) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)), "{counts:?}");
        // Two in three draws of 31 bits are above the last whole run of this length.
        let most = (1 << 30) + 1;
        assert!((0..1000).all(|_| dice.below(most) < most));
        let before = dice;
        let many = (0..200).map(|_| dice.below(most)).count();
        let mut plain = before;
        for _ in 0..many {
            plain.next(31);
        }
        assert_ne!(plain, dice);
    }
}
