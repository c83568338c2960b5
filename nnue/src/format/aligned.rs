//! Memory at the addresses that network files need.

use bytemuck::{Pod, Zeroable};

/// Bytes at an address divisible by 64.
///
/// ```
/// use barrow_nnue::format::{Aligned, FormatError};
/// use barrow_nnue::nets::Network;
/// use barrow_nnue::shape::Tiny;
/// static FILE: &Aligned<[u8]> = &Aligned(*b"not a network");
/// assert_eq!(Network::<Tiny>::from_bytes(&FILE.0).unwrap_err(), FormatError::TooShort { bytes: 13 });
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Aligned<T: ?Sized>(pub T);

/// Line of 64 bytes of a file. A list of lines can be cast to bytes, and starts at an address divisible by 64.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Line(pub [u8; 64]);

impl Line {
    /// Line of zeros.
    pub const ZERO: Line = Line([0; 64]);

    /// Bytes of a list of lines.
    pub fn bytes(lines: &[Line]) -> &[u8] {
        bytemuck::cast_slice(lines)
    }

    /// Bytes of a list of lines, to be written to.
    pub fn bytes_mut(lines: &mut [Line]) -> &mut [u8] {
        bytemuck::cast_slice_mut(lines)
    }
}
