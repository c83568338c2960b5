//! Weights of two sizes, each with its kernels.

/// A weight type: `i16` or `i8`.
pub trait Weight: Copy + Default + core::fmt::Debug + Into<i32> + 'static {
    /// Bytes of one weight.
    const BYTES: usize = size_of::<Self>();
    /// Accumulators and activations count in steps of `2^-ACTIVATION_BITS`.
    const ACTIVATION_BITS: u32;
    /// Layer weights count in steps of `2^-WEIGHT_BITS`.
    const WEIGHT_BITS: u32;
}

impl Weight for i16 {
    const ACTIVATION_BITS: u32 = 8;
    const WEIGHT_BITS: u32 = 10;
}

impl Weight for i8 {
    const ACTIVATION_BITS: u32 = 6;
    const WEIGHT_BITS: u32 = 6;
}
