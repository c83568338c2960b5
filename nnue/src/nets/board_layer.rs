//! The board layer: one layer on a board's accumulators, which Death Prophet and Dark Seer share.

use super::network::Network;
use crate::shape::{MAX_BOARD_LAYER, Profile};

/// Board layer from the view of the side to move: activations, `0..=2^ACTIVATION_BITS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct BoardLayer([i16; MAX_BOARD_LAYER]);

impl BoardLayer {
    /// Neurons that a profile uses.
    #[inline]
    pub fn neurons<P: Profile>(&self) -> &[i16] {
        self.0.get(..P::BOARD_LAYER).unwrap_or_default()
    }
}

impl<P: Profile> Network<'_, P> {
    /// Board layer of a board, from its accumulators of the side to move and of the opponent.
    pub fn board_layer(&self, us: &P::Lanes, them: &P::Lanes) -> BoardLayer {
        let mut board_layer = BoardLayer([0; MAX_BOARD_LAYER]);
        let mut sums = [0; MAX_BOARD_LAYER];
        if let (Some(neurons), Some(sums)) =
            (board_layer.0.get_mut(..P::BOARD_LAYER), sums.get_mut(..P::BOARD_LAYER))
        {
            P::with_clipped(us, them, |inputs| self.board_layer.activate(inputs, sums, neurons));
        }
        board_layer
    }
}
