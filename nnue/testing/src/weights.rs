//! Random weight tables of a profile.

use barrow_core::rng::Rng;
use barrow_nnue::accumulator::{GlobalTable, Tables};
use barrow_nnue::layout::Layout;
use barrow_nnue::shape::{GLOBAL, Profile, UNITS};

/// Weight tables and biases of the first layer: of a board and of the general.
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
    /// Generates tables with odd weights in -127..=127 and biases of eight bits.
    pub fn random(seed: u64) -> Weights<P> {
        let mut rng = Rng::new(seed);
        let mut table = |rows: usize, lanes: usize| -> Vec<P::Weight> {
            // Odd numbers, so that no row is all zero.
            (0..rows * lanes).filter_map(|_| P::Weight::try_from(rng.next_u64() as i8 | 1).ok()).collect()
        };
        let wide = table(P::Layout::WIDE.rows(UNITS), P::L1);
        let narrow = table(P::Layout::NARROW.rows(UNITS), P::NARROW);
        let global = table(P::Layout::GLOBAL.rows(UNITS), GLOBAL);
        let mut bias = |lanes: usize| (0..lanes).map(|_| rng.next_u64() as i8 as i16).collect();
        Weights { wide, narrow, bias: bias(P::L1), global, global_bias: bias(GLOBAL) }
    }
}

impl<P: Profile> Weights<P> {
    /// Returns the tables of a board.
    pub fn tables(&self) -> Tables<'_, P> {
        Tables { wide: &self.wide, narrow: &self.narrow, bias: &self.bias }
    }

    /// Returns the table of the general.
    pub fn general(&self) -> GlobalTable<'_, P> {
        GlobalTable { rows: &self.global, bias: &self.global_bias }
    }
}
