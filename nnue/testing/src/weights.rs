//! Random tables of a profile.

use barrow_core::rng::Rng;
use barrow_nnue::accumulator::{GlobalTable, Tables};
use barrow_nnue::layout::Layout;
use barrow_nnue::shape::{GLOBAL, Profile};

pub struct Weights<P: Profile> {
    wide: Vec<P::Weight>,
    narrow: Vec<P::Weight>,
    bias: Vec<i16>,
    global: Vec<P::Weight>,
    global_bias: Vec<i16>,
}

impl<P: Profile> Weights<P>
where
    P::Weight: TryFrom<i8>,
{
    pub fn random(seed: u64) -> Weights<P> {
        let mut dice = Rng::new(seed);
        let mut table = |rows: usize, lanes: usize| -> Vec<P::Weight> {
            // Odd numbers, so that no row is all zero.
            (0..rows * lanes).filter_map(|_| P::Weight::try_from(dice.next_u64() as i8 | 1).ok()).collect()
        };
        let wide = table(P::Layout::WIDE_ROWS, P::L1);
        let narrow = table(P::Layout::NARROW_ROWS, P::NARROW);
        let global = table(P::Layout::GLOBAL_ROWS, GLOBAL);
        let mut bias = |lanes: usize| (0..lanes).map(|_| dice.next_u64() as i8 as i16).collect();
        Weights { wide, narrow, bias: bias(P::L1), global, global_bias: bias(GLOBAL) }
    }
}

impl<P: Profile> Weights<P> {
    pub fn tables(&self) -> Tables<'_, P> {
        Tables { wide: &self.wide, narrow: &self.narrow, bias: &self.bias }
    }

    pub fn general(&self) -> GlobalTable<'_, P> {
        GlobalTable { rows: &self.global, bias: &self.global_bias }
    }
}
