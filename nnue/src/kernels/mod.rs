//! The few loops in which a network spends its time, twice: [`scalar`] in plain words and, where the target has
//! vector registers, `wide` in lanes of sixteen. Both have the same functions in the same order and agree bit for
//! bit on every input. The names at this level are the fast ones of the target.
//!
//! | function | works on | overflow |
//! |---|---|---|
//! | `add_row`, `sub_row` | accumulator of `i16`, row of `i16` | wraps |
//! | `clip` | `i16` to `0..=ceiling` | cannot |
//! | `dot` | `i16` times `i16`, sum in `i32` | wraps |
//!
//! Wrapping makes the order of operations irrelevant, which is what lets the two versions agree. A network keeps
//! clear of it by its bounds: with `n` active features whose weights are at most `w` in absolute value the
//! accumulator is exact while `n * w <= 32,767`; and a dot product over `len` inputs in `0..=ceiling` with
//! weights at most `w` is exact while `len * ceiling * w <= 2,147,483,647` (for example 1,024 inputs of at most
//! 255 with weights up to 8,224). A product of two `i16` alone never overflows an `i32`, but the sum of two such
//! products does for one case, all four factors -32,768; it wraps too, in both versions.
//!
//! Slices of different lengths are used up to the shorter one.

pub mod scalar;
mod weight;
#[cfg(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"))]
pub mod wide;

#[cfg(not(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128")))]
pub use self::scalar::{add_row, clip, dot, sub_row};
#[cfg(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"))]
pub use self::wide::{add_row, clip, dot, sub_row};

pub use self::weight::Weight;

/// The registers that the kernels at this level use: `avx2`, `sse2`, `neon`, `simd128` or `scalar`.
pub const FAMILY: &str = if cfg!(target_feature = "avx2") {
    "avx2"
} else if cfg!(target_feature = "sse2") {
    "sse2"
} else if cfg!(target_feature = "neon") {
    "neon"
} else if cfg!(target_feature = "simd128") {
    "simd128"
} else {
    "scalar"
};

#[cfg(all(test, any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128")))]
mod tests;
