//! Profiles: one generic type for the sizes that networks differ in, and the three shipped sizes.

use core::marker::PhantomData;

use crate::kernels::Weight;
use crate::layout::{Folded, Full, Layout};

use super::sizes::{MAX_BOARD_LAYER, MAX_NARROW};

/// Accumulator of one perspective: `L1` sums, aligned for vector registers.
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

/// Sizes and types of a network. Implemented by [`Trunk`] only.
pub trait Profile: Copy + 'static {
    /// Name in reports.
    const NAME: &'static str;
    /// Number in file headers; 0 for sizes that are not shipped.
    const CODE: u16;
    /// Lanes of a board's accumulator for each perspective; a multiple of 32, at most 1,024.
    const L1: usize;
    /// Lanes that the rows of the narrow table reach, from lane 0 on.
    const NARROW: usize;
    /// Neurons of the board layer, which Death Prophet and Dark Seer read.
    const BOARD_LAYER: usize;
    /// Type of the weights of tables and layers.
    type Weight: Weight;
    /// Numbering of the features.
    type Layout: Layout;
    /// Accumulator of one perspective.
    type Lanes: Copy + AsRef<[i16]> + AsMut<[i16]> + core::fmt::Debug + PartialEq;
    /// Accumulator whose sums are all zero.
    const ZERO: Self::Lanes;

    /// Calls `work` with the clipped sums of both perspectives, one after the other in one slice of `2 * L1`.
    fn with_clipped<T>(us: &Self::Lanes, them: &Self::Lanes, work: impl FnOnce(&[i16]) -> T) -> T;
}

/// Largest activation of a profile; stands for 1.
pub const fn ceiling<P: Profile>() -> i16 {
    1 << <P::Weight as Weight>::ACTIVATION_BITS
}

/// Profile with `L1` lanes, weights `W` and the feature layout `L`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trunk<const L1: usize, W, L>(PhantomData<(W, L)>);

/// Profile of desktops: 256 lanes, 16-bit weights.
pub type Desktop = Trunk<256, i16, Full>;

/// Profile of handhelds with some megabytes of flash: 64 lanes, 16-bit weights.
pub type Handheld = Trunk<64, i16, Full>;

/// Profile of microcontrollers: 32 lanes, 8-bit weights, at most 256 KiB of network.
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
        _ => MAX_NARROW,
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
