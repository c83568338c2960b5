//! The file format `.brw`: a header of 256 bytes and blocks of weights, all little-endian, read where they lie.
//!
//! | from | type | field |
//! |---|---|---|
//! | 0 | 4 bytes | `BRW` and 0x1a |
//! | 4 | u16 | version, 1 |
//! | 6 | u16 | profile: 1 desktop, 2 handheld, 3 tiny, 0 other |
//! | 8 | 6 × u16 | lanes, narrow lanes, board summary, general, joined layer, board layer |
//! | 20 | 4 × u8 | bytes of a weight, activation bits, weight bits, 0 |
//! | 24 | f32 | hundredths of a soul for a unit of the win logit; finite and above 0 |
//! | 28 | 4 × u16 | rows of Oracle, Death Prophet and Dark Seer, factors of Dark Seer |
//! | 36 | u16 | unit types past the first 34 that the network has rows for |
//! | 38 | u16 | rows of the general's net, 0 without it |
//! | 40 | u64 | fingerprint of the feature layout |
//! | 48 | u64 | bytes after the header |
//! | 56 | 32 bytes | SHA-256 of the bytes after the header |
//! | 88 | 32 bytes | name of the architecture, printable ASCII, then zeros |
//! | 120 | 96 bytes | provenance of the weights: printable ASCII, then zeros |
//! | 216 | u16 | rows of the contexts of Dark Seer's places, 960 or 0 |
//! | 218 | u16 | modes of Death Prophet, at most 8 |
//! | 220 | 28 bytes | 0 |
//! | 248 | 8 bytes | the first bytes of the SHA-256 of the header with zeros here |
//!
//! The blocks follow in the order of [`Block::ALL`], each filled up with zeros to a multiple of 64 bytes.
//!
//! Sizes and places of the blocks follow from the profile and the [`Extent`], so that a network for fewer
//! types than the unit table has is a shorter file of the same version ([`crate::shape::later_unit`]).
//!
//! Reading copies nothing, so a file may stay in flash; it must start at an address divisible by 64
//! ([`Aligned`], [`Line`]). Writing needs no allocator either: [`put`] fills a block of a slice that is
//! [`file_len`] long, [`seal`] writes the header.

mod aligned;
mod block;
mod error;
mod header;
#[cfg(test)]
mod tests;
mod write;

pub use self::aligned::{Aligned, Line};
pub use self::block::{Block, Element, Extent, HEADER_LEN, file_len};
pub use self::error::FormatError;
pub use self::header::{Header, VERSION};
pub use self::write::{Labels, get, put, seal};
