//! What Death Prophet and Dark Seer read of a board: one layer on its accumulators, computed once for both.

use barrow_core::hex::Hex;
use barrow_core::minions::Side;

use crate::nets::network::Network;
use crate::shape::{MAX_BOARD_LAYER, Profile};

/// A board as the side to move sees it: activations, `0..=2^ACTIVATION_BITS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct BoardLayer([i16; MAX_BOARD_LAYER]);

impl BoardLayer {
    /// The neurons that a profile uses.
    #[inline]
    pub fn neurons<P: Profile>(&self) -> &[i16] {
        self.0.get(..P::BOARD_LAYER).unwrap_or_default()
    }
}

impl<P: Profile> Network<'_, P> {
    /// What the two nets see of a board, from the sums of the side to move and of the opponent.
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

/// A hex as a side sees it: both sides have their graveyard corner in the same place.
#[inline]
pub fn seen_from(side: Side, hex: Hex) -> Hex {
    match side {
        Side::Yellow => hex,
        Side::Blue => hex.rotated(),
    }
}
