//! Choice of the fast kernels of the target, made when the program is compiled.

cfg_select! {
    feature = "scalar" => {
        use super::scalar as family;
    }
    all(feature = "intrinsics", target_arch = "x86_64", target_feature = "sse2") => {
        use super::intrinsics as family;
    }
    any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128") => {
        use super::wide as family;
    }
    _ => {
        use super::words as family;
    }
}

pub use self::family::{
    add_bytes, add_row, clip, dense, dense_bytes, dense_part, dense_part_bytes, dot, dot_bytes, dot_rows,
    dot_rows_bytes, squash, sub_bytes, sub_row, update, update_bytes,
};

/// Name of the registers of the fast kernels: `avx2`, `sse2`, `neon`, `simd128`, `words` without any such, or `scalar`. With the feature
/// `intrinsics` some kernels use larger registers where the processor has them.
pub const FAMILY: &str = if cfg!(feature = "scalar") {
    "scalar"
} else if cfg!(target_feature = "avx2") {
    "avx2"
} else if cfg!(target_feature = "sse2") {
    "sse2"
} else if cfg!(target_feature = "neon") {
    "neon"
} else if cfg!(target_feature = "simd128") {
    "simd128"
} else {
    "words"
};
