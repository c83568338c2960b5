//! Why a file is not a network for this program.

use core::fmt;

use super::block::Block;

/// What is wrong with a file, first finding first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// Not even a header.
    TooShort {
        /// Bytes there are.
        bytes: usize,
    },
    /// The bytes do not start at an address divisible by 64.
    Misaligned,
    /// This machine is big-endian; weights are read in place and are little-endian.
    ByteOrder,
    /// The file does not begin with the mark of a network file.
    Magic,
    /// Another version of the format.
    Version {
        /// The file's version.
        found: u16,
    },
    /// A network for another profile.
    Profile {
        /// The file's profile number.
        found: u16,
        /// The profile's number in this program.
        wanted: u16,
    },
    /// A layer has another size.
    Dimensions {
        /// Which: lanes, narrow lanes, summary, general, joined, board layer, then the rows of the three nets and the
        /// factors.
        which: u8,
        /// The file's number.
        found: u16,
        /// The program's number.
        wanted: u16,
    },
    /// Weights of another type.
    Weights {
        /// Bytes of a weight in the file.
        found: u8,
        /// Bytes of a weight in the program.
        wanted: u8,
    },
    /// Activations or weights count in other steps.
    Scales {
        /// Activation bits and weight bits of the file.
        found: (u8, u8),
        /// Those of the program.
        wanted: (u8, u8),
    },
    /// The features are numbered in another way.
    Layout {
        /// The file's fingerprint.
        found: u64,
        /// The program's fingerprint.
        wanted: u64,
    },
    /// The unit scale is not a finite number above 0.
    Scale,
    /// The architecture's name or the provenance is not printable ASCII followed by zeros.
    Text,
    /// A byte that must be 0 is not.
    Reserved,
    /// The header says another length of the body than the profile has.
    BodyLength {
        /// The header's number of bytes.
        found: u64,
        /// The profile's number of bytes.
        wanted: u64,
    },
    /// The header's check sum does not fit the header.
    Header,
    /// The file ends too early.
    Truncated {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        wanted: usize,
    },
    /// The file goes on after its end.
    Oversized {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        wanted: usize,
    },
    /// The body is not the one that the header was written for.
    Hash,
    /// With these weights a sum could leave its range.
    Overflow {
        /// Where.
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

const WHICH: [&str; 10] = [
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
];

fn name(code: u16) -> &'static str {
    match code {
        1 => "desktop",
        2 => "handheld",
        3 => "tiny",
        _ => "custom",
    }
}
