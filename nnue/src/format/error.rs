//! Errors of network files.

use core::fmt;

use super::block::Block;
use crate::shape::{BASE_UNITS, MODE_CAP, UNIT_CAP};

/// First reason for which a file is not a network for this program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// The file is shorter than a header.
    TooShort {
        /// Bytes of the file.
        bytes: usize,
    },
    /// The bytes do not start at an address divisible by 64.
    Misaligned,
    /// This machine is big-endian; weights are read in place and are little-endian.
    ByteOrder,
    /// The file does not begin with the mark of a network file.
    Magic,
    /// The file has another version of the format.
    Version {
        /// Version of the file.
        found: u16,
    },
    /// The network has another profile.
    Profile {
        /// Profile number of the file.
        found: u16,
        /// Profile number of the program.
        wanted: u16,
    },
    /// A network for too few or too many unit types: not 34 to [`UNIT_CAP`].
    Units {
        /// Unit types of the network.
        found: usize,
    },
    /// The network has more modes of Death Prophet than any may have.
    Modes {
        /// Modes in the file.
        found: usize,
    },
    /// A size of the network differs from the profile's.
    Dimensions {
        /// Index of the size: lanes, narrow lanes, summary, general, joined, board layer, then the rows of the three
        /// nets, the factors, the contexts of places and the rows of the general's net.
        which: u8,
        /// Size in the file.
        found: u16,
        /// Size in the program.
        wanted: u16,
    },
    /// The weights have another type.
    Weights {
        /// Bytes of a weight in the file.
        found: u8,
        /// Bytes of a weight in the program.
        wanted: u8,
    },
    /// Activations or weights count in other steps than the profile's.
    Scales {
        /// Activation bits and weight bits of the file.
        found: (u8, u8),
        /// Activation bits and weight bits of the program.
        wanted: (u8, u8),
    },
    /// The features are numbered in another way.
    Layout {
        /// Fingerprint in the file.
        found: u64,
        /// Fingerprint in the program.
        wanted: u64,
    },
    /// The unit scale is not a finite number above 0.
    Scale,
    /// The architecture's name or the provenance is not printable ASCII followed by zeros.
    Text,
    /// A reserved byte is not 0.
    Reserved,
    /// The header announces another number of bytes than the profile has.
    BodyLength {
        /// Bytes that the header announces.
        found: u64,
        /// Bytes that the profile has.
        wanted: u64,
    },
    /// The check sum of the header is wrong.
    Header,
    /// The file ends too early.
    Truncated {
        /// Bytes of the file.
        found: usize,
        /// Bytes that the header announces.
        wanted: usize,
    },
    /// The file goes on after its end.
    Oversized {
        /// Bytes of the file.
        found: usize,
        /// Bytes that the header announces.
        wanted: usize,
    },
    /// The hash of the bytes behind the header is not the one in the header.
    Hash,
    /// A sum could leave its range with these weights.
    Overflow {
        /// Block of the weights.
        block: Block,
        /// Lane of an accumulator or row of a layer.
        lane: usize,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FormatError::TooShort { bytes } => {
                write!(f, "{bytes} bytes are too short for a network file")
            }
            FormatError::Misaligned => {
                f.write_str("the network does not start at an address divisible by 64")
            }
            FormatError::ByteOrder => f.write_str("networks cannot be read in place on a big-endian machine"),
            FormatError::Magic => f.write_str("not a network file"),
            FormatError::Version { found } => write!(f, "network file of version {found}, expected 1"),
            FormatError::Profile { found, wanted } => {
                write!(f, "network of profile {}, expected {}", name(found), name(wanted))
            }
            FormatError::Units { found } => {
                write!(f, "network for {found} unit types, expected {BASE_UNITS} to {UNIT_CAP}")
            }
            FormatError::Modes { found } => {
                write!(f, "network with {found} modes of Death Prophet, expected at most {MODE_CAP}")
            }
            FormatError::Dimensions { which, found, wanted } => {
                let which = WHICH.get(usize::from(which)).unwrap_or(&"unknown size");
                write!(f, "network with {which} {found}, expected {wanted}")
            }
            FormatError::Weights { found, wanted } => {
                write!(f, "network with weights of {found} bytes, expected {wanted}")
            }
            FormatError::Scales { found, wanted } => write!(
                f,
                "network with {} bits of activation and {} of weight, expected {} and {}",
                found.0, found.1, wanted.0, wanted.1
            ),
            FormatError::Layout { found, wanted } => {
                write!(f, "network for the feature layout {found:016x}, expected {wanted:016x}")
            }
            FormatError::Scale => f.write_str("the network's unit scale is not a finite number above 0"),
            FormatError::Text => f.write_str("a text in the network's header is not printable ASCII"),
            FormatError::Reserved => f.write_str("a reserved byte in the network's header is not 0"),
            FormatError::BodyLength { found, wanted } => {
                write!(f, "the header announces {found} bytes of weights, expected {wanted}")
            }
            FormatError::Header => f.write_str("the network's header is damaged"),
            FormatError::Truncated { found, wanted } => {
                write!(f, "the network file ends after {found} bytes, expected {wanted}")
            }
            FormatError::Oversized { found, wanted } => {
                write!(f, "the network file has {found} bytes, expected {wanted}")
            }
            FormatError::Hash => f.write_str("the network's weights are damaged"),
            FormatError::Overflow { block, lane } => {
                write!(f, "the network's sums could overflow: {}, row or lane {lane}", block.name())
            }
        }
    }
}

impl core::error::Error for FormatError {}

const WHICH: [&str; 12] = [
    "lanes",
    "narrow lanes",
    "summary",
    "general's lanes",
    "joined layer",
    "board layer",
    "rows of Oracle",
    "rows of Death Prophet",
    "rows of Dark Seer",
    "factors of Dark Seer",
    "contexts of places",
    "rows of the general's net",
];

fn name(code: u16) -> &'static str {
    match code {
        1 => "desktop",
        2 => "handheld",
        3 => "tiny",
        _ => "custom",
    }
}
