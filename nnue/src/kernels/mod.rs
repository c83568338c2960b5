//! Kernels: the inner loops of a network, as plain loops in [`scalar`], in lanes of sixteen in `wide` where the target has
//! vector registers, and in words of 32 bits in [`words`] where it has none. The modules have the same functions and agree
//! bit for bit on every input. The functions of this module are the fast kernels of the target; the cargo feature `scalar` makes them the
//! plain loops everywhere, and the feature `intrinsics` adds a module of that name, which uses the widest
//! registers of x86-64 processors that have them.
//!
//! | function | works on | overflow |
//! |---|---|---|
//! | `add_row`, `sub_row`, `update` | accumulator of `i16`, rows of `i16` | wraps |
//! | `clip` | `i16` to `0..=ceiling` | cannot |
//! | `dot`, `dot_rows`, `dense`, `dense_part` | `i16` times `i16`, sum in `i32` | wraps |
//! | `squash` | `i32` to `0..=ceiling` | cannot |
//!
//! `add_bytes`, `sub_bytes`, `update_bytes`, `dot_bytes`, `dot_rows_bytes`, `dense_bytes` and `dense_part_bytes` do the same with weights
//! of `i8`; [`Weight`] has both under one name.
//!
//! Wrapping makes the order of operations irrelevant, so that all versions agree. The sums of a network never wrap:
//! the loader of files refuses weights with which a sum could leave its range
//! ([`FormatError::Overflow`](crate::format::FormatError::Overflow)).
//!
//! Slices of different lengths are used up to the shorter one.

mod fast;
#[cfg(all(feature = "intrinsics", target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
pub mod intrinsics;
pub mod scalar;
mod weight;
#[cfg(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"))]
pub mod wide;
pub mod words;

pub use self::fast::{
    FAMILY, add_bytes, add_row, clip, dense, dense_bytes, dense_part, dense_part_bytes, dot, dot_bytes,
    dot_rows, dot_rows_bytes, squash, sub_bytes, sub_row, update, update_bytes,
};
pub use self::weight::Weight;

#[cfg(all(test, any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128")))]
mod tests;
