//! Writing of a file into a borrowed slice.

use super::block::{Block, Extent, HEADER_LEN, file_len};
use super::error::FormatError;
use super::header::{Header, text};
use crate::shape::{BASE_UNITS, MODE_CAP, PLACE_ROWS, Profile, UNIT_CAP};

/// Labels of a file: the fields of a header that neither the profile nor the body determines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Labels<'t> {
    /// Name of the architecture, at most 32 bytes of printable ASCII.
    pub architecture: &'t str,
    /// Provenance of the weights, at most 96 bytes of printable ASCII.
    pub provenance: &'t str,
    /// Hundredths of a soul that a unit of the win logit stands for; finite and above 0.
    pub unit_scale: f32,
}

/// Fills a block of a file of this extent with numbers, missing ones with 0, and returns how many were
/// written. The file is [`file_len`] long. The error is the place of the first number that is outside the range of
/// the block's type or beyond the block.
///
/// ```
/// use barrow_nnue::format::{Block, file_len, put};
/// use barrow_nnue::shape::{Tiny, UNITS};
/// let mut file = vec![0; file_len::<Tiny>(UNITS)];
/// assert_eq!(put::<Tiny>(&mut file, UNITS, Block::Embed, [1, -128, 127]), Ok(3));
/// assert_eq!(put::<Tiny>(&mut file, UNITS, Block::Embed, [1, -129, 127]), Err(1));
/// assert_eq!(put::<Tiny>(&mut file, UNITS, Block::BoardBias, [0; 33]), Err(32));
/// ```
pub fn put<P: Profile>(
    file: &mut [u8],
    extent: impl Into<Extent>,
    block: Block,
    numbers: impl IntoIterator<Item = i32>,
) -> Result<usize, usize> {
    let element = block.element();
    let bytes = element.bytes::<P>();
    let cells = file.get_mut(block.range::<P>(extent)).unwrap_or_default();
    cells.fill(0);
    let mut cells = cells.chunks_exact_mut(bytes);
    let mut written = 0;
    for number in numbers {
        let cell = cells.next().ok_or(written)?;
        let fits = match bytes {
            1 => i8::try_from(number).is_ok(),
            2 => i16::try_from(number).is_ok(),
            _ => true,
        };
        if !fits {
            return Err(written);
        }
        cell.iter_mut().zip(number.to_le_bytes()).for_each(|(to, from)| *to = from);
        written += 1;
    }
    Ok(written)
}

/// Numbers of a block of a file of this profile and extent; none when the file is too short. For tools
/// and tests: a [`Network`](crate::nets::Network) reads its blocks in place.
pub fn get<P: Profile>(file: &[u8], extent: impl Into<Extent>, block: Block) -> impl Iterator<Item = i32> {
    let bytes = block.element().bytes::<P>();
    let cells = file.get(block.range::<P>(extent)).unwrap_or_default();
    cells.chunks_exact(bytes).map(|cell| match *cell {
        [a] => i32::from(a as i8),
        [a, b] => i32::from(i16::from_le_bytes([a, b])),
        [a, b, c, d] => i32::from_le_bytes([a, b, c, d]),
        _ => 0,
    })
}

/// Writes the header of a file of this extent whose blocks are filled. The file is [`file_len`] long. A number of unit
/// types below 34 or above [`UNIT_CAP`] is an error, as are more than [`MODE_CAP`] modes, some but not all contexts of places, and labels that do not fit.
pub fn seal<P: Profile>(
    file: &mut [u8],
    extent: impl Into<Extent>,
    labels: &Labels<'_>,
) -> Result<(), FormatError> {
    let extent = extent.into();
    if !(BASE_UNITS..=UNIT_CAP).contains(&extent.units) {
        return Err(FormatError::Units { found: extent.units });
    }
    if extent.modes > MODE_CAP {
        return Err(FormatError::Modes { found: extent.modes });
    }
    if ![0, PLACE_ROWS].contains(&extent.places) {
        let [found, wanted] = [extent.places, PLACE_ROWS].map(|rows| rows.min(usize::from(u16::MAX)) as u16);
        return Err(FormatError::Dimensions { which: 10, found, wanted });
    }
    let (found, wanted) = (file.len(), file_len::<P>(extent));
    if found < wanted {
        return Err(FormatError::Truncated { found, wanted });
    }
    if found > wanted {
        return Err(FormatError::Oversized { found, wanted });
    }
    if !labels.unit_scale.is_finite() || labels.unit_scale <= 0.0 {
        return Err(FormatError::Scale);
    }
    let (head, body) = file.split_at_mut(HEADER_LEN);
    let (architecture, provenance) = (label(labels.architecture)?, label(labels.provenance)?);
    let header = Header::of::<P>(extent, body, architecture, provenance, labels.unit_scale);
    head.copy_from_slice(bytemuck::bytes_of(&header));
    Ok(())
}

fn label<const N: usize>(words: &str) -> Result<[u8; N], FormatError> {
    let mut bytes = [0; N];
    let to = bytes.get_mut(..words.len()).ok_or(FormatError::Text)?;
    to.copy_from_slice(words.as_bytes());
    if text(&bytes) == Some(words) { Ok(bytes) } else { Err(FormatError::Text) }
}
