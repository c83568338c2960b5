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

/// What a network's shape is made of. Implemented by [`Trunk`] only.
pub trait Profile: Copy + 'static {
    /// Name in file headers and reports.
    const NAME: &'static str;
    /// Lanes of a board's accumulator for each perspective; a multiple of 32.
    const L1: usize;
    /// Lanes that the rows of small features touch.
    const NARROW: usize;
    /// Neurons that Death Prophet and Dark Seer read.
    const SCENE: usize;
    /// Table and layer weights.
    type Weight: Weight;
    /// Which features exist and where their rows are.
    type Layout: Layout;
    /// One perspective's sums.
    type Lanes: Copy + AsRef<[i16]> + AsMut<[i16]> + core::fmt::Debug + PartialEq;
    /// All sums zero.
    const ZERO: Self::Lanes;
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
    const NAME: &'static str = match L1 {
        256 => "desktop",
        64 => "handheld",
        32 => "tiny",
        _ => "custom",
    };
    const L1: usize = {
        assert!(L1 % 32 == 0 && L1 <= 1024, "lanes come in groups of 32");
        L1
    };
    const NARROW: usize = match L1 {
        0..64 => 8,
        64..128 => 16,
        _ => 32,
    };
    const SCENE: usize = if L1 < 128 { 32 } else { 64 };
    type Weight = W;
    type Layout = L;
    type Lanes = [i16; L1];
    const ZERO: Self::Lanes = [0; L1];
}
