//! Deterministic random numbers from a generator whose whole state is one `u64`.
//!
//! The algorithm is `SplitMix64` (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators",
//! OOPSLA 2014, with S. Vigna's constants): a counter that grows by a fixed odd number, and a mixing function on
//! top. It is not fit for secrets. Bounded numbers use D. Lemire's multiply-and-reject method ("Fast random
//! integer generation in an interval", 2019), which has no bias.

/// Random number generator. Two generators with equal state yield equal numbers, on every target.
///
/// ```
/// use barrow_core::rng::Rng;
/// let mut rng = Rng::new(7);
/// let later = Rng::from_state(rng.state());
/// assert!((0..100).all(|_| rng.below(6) < 6));
/// assert_eq!(later, Rng::new(7));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator from a seed; every seed is as good as any other.
    pub const fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// A generator that continues where the one with this [`state`](Rng::state) stood.
    pub const fn from_state(state: u64) -> Rng {
        Rng { state }
    }

    /// State of the generator; [`Rng::from_state`] continues from it.
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// Next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// A number in 0..n, each equally likely; 0 if `n` is 0.
    pub const fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        // The product's upper half is the number; lower halves below 2^32 mod n would favour some numbers. That is less
        // than n, so that the division is rarely needed.
        loop {
            let product = (self.next_u64() >> 32) * n as u64;
            let lower = product as u32;
            if lower >= n || lower >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }

    /// True with probability `numerator / denominator`: never for 0, always from `denominator` on. A
    /// denominator of 0 counts as 1.
    pub const fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        self.below(denominator) < numerator
    }

    /// Shuffles the items, each order equally likely (Fisher and Yates). Slices of more than `u32::MAX` items keep their
    /// tail.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len().min(u32::MAX as usize)).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }

    /// Item of the slice, each equally likely; nothing from an empty slice.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(u32::try_from(items.len()).unwrap_or(u32::MAX)) as usize)
    }

    /// A generator for a side task, seeded with the next number of this one.
    pub const fn split(&mut self) -> Rng {
        Rng::new(self.next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_equal_the_published_ones() {
        let mut rng = Rng::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
        assert_eq!(Rng::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn state_is_everything() {
        let mut rng = Rng::new(99);
        rng.next_u64();
        let mut copy = Rng::from_state(rng.state());
        assert!((0..50).all(|_| rng.next_u64() == copy.next_u64()));
    }

    #[test]
    fn bounded_numbers_stay_in_bounds_and_spread() {
        let mut rng = Rng::new(5);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
        assert_eq!((rng.below(0), rng.below(1)), (0, 0));
        assert!((0..1000).all(|_| rng.below(u32::MAX) < u32::MAX));
        assert!((0..1000).all(|_| rng.below(0x8000_0001) <= 0x8000_0000));
    }

    #[test]
    fn chances_hold_at_both_ends() {
        let mut rng = Rng::new(6);
        assert!((0..1000).all(|_| !rng.chance(0, 3)));
        assert!((0..1000).all(|_| rng.chance(3, 3) && rng.chance(1, 0)));
        let hits = (0..30_000).filter(|_| rng.chance(1, 3)).count();
        assert!((9_500..10_500).contains(&hits), "{hits}");
    }

    #[test]
    fn shuffling_keeps_the_items_and_reaches_every_order() {
        let mut seen = [0_u32; 27];
        for seed in 0..6_000 {
            let mut items = [0_usize, 1, 2];
            Rng::new(seed).shuffle(&mut items);
            seen[items[0] * 9 + items[1] * 3 + items[2]] += 1;
            items.sort_unstable();
            assert_eq!(items, [0, 1, 2]);
        }
        let orders = seen.iter().filter(|&&count| count > 0);
        assert!(orders.clone().count() == 6 && orders.clone().all(|&count| count > 800), "{seen:?}");
        Rng::new(1).shuffle::<u8>(&mut []);
    }

    #[test]
    fn choosing_takes_from_the_slice() {
        let mut rng = Rng::new(8);
        assert_eq!(rng.choose::<u8>(&[]), None);
        assert!((0..100).all(|_| rng.choose(&[3, 5]).is_some_and(|&item| item == 3 || item == 5)));
        assert_ne!(rng.split(), rng);
    }
}
