//! Network sizes: one generic type, three shipped profiles.

use core::marker::PhantomData;

use crate::kernels::Weight;
use crate::layout::{Folded, Full, Layout};

/// Values of a board's summary that the other boards see.
pub const EMBED: usize = 16;

/// Lanes of the accumulator of the general's features, for each perspective.
pub const GLOBAL: usize = 16;

/// Neurons of the layer that joins a board, the other boards and the general.
pub const HIDDEN: usize = 32;

/// Inputs of that layer: own board, sum of the others, the general seen from both sides.
pub const JOINED: usize = 2 * EMBED + 2 * GLOBAL;

/// Most neurons of any profile that Death Prophet and Dark Seer read.
pub const MAX_BOARD_LAYER: usize = 64;

/// One perspective's sums, at an address that vector registers like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Lanes<const L1: usize>(pub [i16; L1]);

impl<const L1: usize> AsRef<[i16]> for Lanes<L1> {
    fn as_ref(&self) -> &[i16] {
        &self.0
    }
}

impl<const L1: usize> AsMut<[i16]> for Lanes<L1> {
    fn as_mut(&mut self) -> &mut [i16] {
        &mut self.0
    }
}

/// What a network's shape is made of. Implemented by [`Trunk`] only.
pub trait Profile: Copy + 'static {
    /// Name in reports.
    const NAME: &'static str;
    /// Number in file headers; 0 for sizes that are not shipped.
    const CODE: u16;
    /// Lanes of a board's accumulator for each perspective; a multiple of 32, at most 1,024.
    const L1: usize;
    /// Lanes that the rows of small features touch.
    const NARROW: usize;
    /// Neurons that Death Prophet and Dark Seer read.
    const BOARD_LAYER: usize;
    /// Table and layer weights.
    type Weight: Weight;
    /// Which features exist and where their rows are.
    type Layout: Layout;
    /// One perspective's sums.
    type Lanes: Copy + AsRef<[i16]> + AsMut<[i16]> + core::fmt::Debug + PartialEq;
    /// All sums zero.
    const ZERO: Self::Lanes;

    /// Works on the clipped sums of both perspectives, one after the other in one slice of `2 * L1`.
    fn with_clipped<T>(us: &Self::Lanes, them: &Self::Lanes, work: impl FnOnce(&[i16]) -> T) -> T;
}

/// The largest activation of a profile, which stands for 1.
pub const fn ceiling<P: Profile>() -> i16 {
    1 << <P::Weight as Weight>::ACTIVATION_BITS
}

/// A profile by its sizes: `L1` lanes, weights `W`, features `L`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trunk<const L1: usize, W, L>(PhantomData<(W, L)>);

/// Desktops: 256 lanes, 16-bit weights.
pub type Desktop = Trunk<256, i16, Full>;

/// Handhelds with some megabytes of flash: 64 lanes, 16-bit weights.
pub type Handheld = Trunk<64, i16, Full>;

/// Microcontrollers: 32 lanes, 8-bit weights, at most 256 KiB of network.
pub type Tiny = Trunk<32, i8, Folded>;

impl<const L1: usize, W: Weight, L: Layout> Profile for Trunk<L1, W, L> {
    const NAME: &'static str = match Self::CODE {
        1 => "desktop",
        2 => "handheld",
        3 => "tiny",
        _ => "custom",
    };
    const CODE: u16 = match (L1, W::BYTES) {
        (256, 2) => 1,
        (64, 2) => 2,
        (32, 1) => 3,
        _ => 0,
    };
    const L1: usize = {
        assert!(L1 > 0 && L1.is_multiple_of(32) && L1 <= 1024, "lanes come in groups of 32");
        L1
    };
    const NARROW: usize = match L1 {
        0..64 => 8,
        64..128 => 16,
        _ => 32,
    };
    const BOARD_LAYER: usize = match L1 {
        0..64 => 16,
        64..128 => 32,
        _ => MAX_BOARD_LAYER,
    };
    type Weight = W;
    type Layout = L;
    type Lanes = Lanes<L1>;
    const ZERO: Self::Lanes = Lanes([0; L1]);

    #[inline]
    fn with_clipped<T>(us: &Self::Lanes, them: &Self::Lanes, work: impl FnOnce(&[i16]) -> T) -> T {
        let mut clipped = Pair([[0; L1]; 2]);
        let Pair([first, second]) = &mut clipped;
        W::clip(us.as_ref(), ceiling::<Self>(), first);
        W::clip(them.as_ref(), ceiling::<Self>(), second);
        work(clipped.0.as_flattened())
    }
}

#[repr(C, align(64))]
struct Pair<const L1: usize>([[i16; L1]; 2]);
