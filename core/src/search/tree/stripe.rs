//! Stripe of a tree: the nodes whose keys end in the same bits.

use super::NONE;

/// Stripe of a tree, by its number and the number of bits that tell stripes apart. The low bits of a node's index are
/// those of its key, so that both name its stripe; the bits above count the nodes of the stripe. A whole tree is one
/// stripe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stripe {
    number: u16,
    bits: u8,
}

impl Stripe {
    /// The only stripe of a whole tree.
    pub const WHOLE: Stripe = Stripe { number: 0, bits: 0 };

    /// The stripe of this number among so many, which are rounded down to a power of two. `None` when there is no such
    /// stripe, as of more than 65,536.
    pub const fn new(number: u32, count: u32) -> Option<Stripe> {
        match count.checked_ilog2() {
            Some(bits @ 0..=16) if number < 1 << bits => {
                Some(Stripe { number: number as u16, bits: bits as u8 })
            }
            _ => None,
        }
    }

    /// Whether a whole tree is this stripe.
    pub const fn is_whole(self) -> bool {
        self.bits == 0
    }

    /// Whether a node of this index, or of a key that ends like it, belongs to the stripe.
    pub const fn holds(self, node: u32) -> bool {
        node & ((1 << self.bits) - 1) == self.number as u32
    }

    /// Place of a node of this stripe in the slice of its nodes.
    pub(super) const fn place(self, node: u32) -> Option<usize> {
        if self.holds(node) { Some((node >> self.bits) as usize) } else { None }
    }

    /// Index of the node in this place; `None` beyond the indices that there are.
    pub(super) fn index(self, place: usize) -> Option<u32> {
        let high = u32::try_from(place).ok()?.checked_mul(1 << self.bits)?;
        Some(high | u32::from(self.number)).filter(|&index| index < NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_names_its_stripe_and_its_place() {
        for (count, bits) in [(1, 0), (2, 1), (16, 4), (17, 4)] {
            for number in 0..1 << bits {
                let stripe = Stripe::new(number, count).unwrap();
                for place in [0, 1, 77, (u32::MAX >> bits) as usize - 1] {
                    let index = stripe.index(place).unwrap();
                    assert_eq!((index % (1 << bits), stripe.place(index)), (number, Some(place)));
                    assert_eq!(stripe.place(index ^ 1), if bits == 0 { Some(place ^ 1) } else { None });
                }
                assert_eq!(stripe.index((u32::MAX >> bits) as usize + 1), None);
            }
            assert_eq!(Stripe::new(1 << bits, count), None);
        }
        assert_eq!((Stripe::new(0, 0), Stripe::new(0, 1)), (None, Some(Stripe::WHOLE)));
        assert!(Stripe::new(65_535, 65_536).is_some() && Stripe::new(0, 1 << 17).is_none());
        // The last place of the last stripe would be `NONE`.
        assert_eq!(Stripe::new(1, 2).unwrap().index(u32::MAX as usize >> 1), None);
    }
}
