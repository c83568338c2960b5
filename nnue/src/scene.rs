//! What Death Prophet and Dark Seer read of a board: one layer on its accumulators, computed once for both.

use barrow_core::hex::Hex;
use barrow_core::minions::Side;

use crate::network::Network;
use crate::profile::{MAX_SCENE, Profile};

/// A board as the side to move sees it: activations, `0..=2^ACTIVATION_BITS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Scene([i16; MAX_SCENE]);

impl Scene {
    /// The neurons that a profile uses.
    #[inline]
    pub fn neurons<P: Profile>(&self) -> &[i16] {
        self.0.get(..P::SCENE).unwrap_or_default()
    }
}

impl<P: Profile> Network<'_, P> {
    /// What the two nets see of a board, from the sums of the side to move and of the opponent.
    pub fn scene(&self, us: &P::Lanes, them: &P::Lanes) -> Scene {
        let mut scene = Scene([0; MAX_SCENE]);
        let mut sums = [0; MAX_SCENE];
        if let (Some(neurons), Some(sums)) = (scene.0.get_mut(..P::SCENE), sums.get_mut(..P::SCENE)) {
            P::with_clipped(us, them, |inputs| self.scene.activate(inputs, sums, neurons));
        }
        scene
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
