//! Parts of fuzz targets: mutation of texts by words and lines, calls of the C interface, and the choice of inputs that
//! are checked slowly.

pub mod c_calls;
pub mod text_mutator;

/// Returns whether an input is one of those on which a slow check runs, about one in `n`. An input always gets the same
/// answer, which does not depend on a single byte of it (FNV-1a).
pub fn one_in(n: u64, data: &[u8]) -> bool {
    let hash = data.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    (hash ^ hash >> 32).is_multiple_of(n)
}
