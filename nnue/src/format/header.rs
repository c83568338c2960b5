//! Headers: the first 256 bytes of a file.

use bytemuck::{Pod, Zeroable};
use sha2::{Digest, Sha256};

use super::block::{Extent, HEADER_LEN, file_len};
use super::error::FormatError;
use crate::kernels::Weight;
use crate::layout::Layout;
use crate::shape::{
    BASE_UNITS, EMBED, FACTORS, GLOBAL, HIDDEN, MODE_CAP, ORACLE_ROWS, PLACE_ROWS, Profile, UNIT_CAP,
    general_rows, later_units, prophet_rows, seer_rows,
};

/// Version of the format.
pub const VERSION: u16 = 1;

const MAGIC: [u8; 4] = *b"BRW\x1a";

/// Header as it lies in the file.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    magic: [u8; 4],
    version: u16,
    profile: u16,
    dimensions: [u16; 6],
    weight_bytes: u8,
    activation_bits: u8,
    weight_bits: u8,
    reserved_byte: u8,
    unit_scale: u32,
    rows: [u16; 4],
    later_units: u16,
    general_rows: u16,
    layout: u64,
    body_len: u64,
    hash: [u8; 32],
    architecture: [u8; 32],
    provenance: [u8; 96],
    places: u16,
    modes: u16,
    reserved_end: [u8; 28],
    check: [u8; 8],
}

const _: () = assert!(size_of::<Header>() == HEADER_LEN);

impl Header {
    /// Header of a file of this profile and extent with this body; the check sum is right.
    pub(super) fn of<P: Profile>(
        extent: Extent,
        body: &[u8],
        architecture: [u8; 32],
        provenance: [u8; 96],
        unit_scale: f32,
    ) -> Header {
        let units = extent.units;
        let header = Header {
            magic: MAGIC,
            version: VERSION.to_le(),
            profile: P::CODE.to_le(),
            dimensions: dimensions::<P>().map(u16::to_le),
            weight_bytes: <P::Weight as Weight>::BYTES as u8,
            activation_bits: <P::Weight as Weight>::ACTIVATION_BITS as u8,
            weight_bits: <P::Weight as Weight>::WEIGHT_BITS as u8,
            reserved_byte: 0,
            unit_scale: unit_scale.to_bits().to_le(),
            rows: rows(units).map(u16::to_le),
            later_units: (later_units(units) as u16).to_le(),
            general_rows: (rows_of_general(extent) as u16).to_le(),
            layout: P::Layout::hash(units).to_le(),
            body_len: (body.len() as u64).to_le(),
            hash: Sha256::digest(body).into(),
            architecture,
            provenance,
            places: (extent.places as u16).to_le(),
            modes: (extent.modes as u16).to_le(),
            reserved_end: [0; 28],
            check: [0; 8],
        };
        Header { check: header.computed_check(), ..header }
    }

    /// Reads and checks the header of a file of any profile. The bytes behind the header are not looked at; see
    /// [`Header::check_body`].
    pub fn read(file: &[u8]) -> Result<Header, FormatError> {
        let too_short = FormatError::TooShort { bytes: file.len() };
        let bytes = file.get(..HEADER_LEN).ok_or(too_short)?;
        let header: Header = bytemuck::try_pod_read_unaligned(bytes).map_err(|_| too_short)?;
        if header.magic != MAGIC {
            return Err(FormatError::Magic);
        }
        let version = u16::from_le(header.version);
        if version != VERSION {
            return Err(FormatError::Version { found: version });
        }
        let scale = header.unit_scale();
        if !scale.is_finite() || scale <= 0.0 {
            return Err(FormatError::Scale);
        }
        if text(&header.architecture).is_none() || text(&header.provenance).is_none() {
            return Err(FormatError::Text);
        }
        if header.reserved_byte != 0 || header.reserved_end.iter().any(|byte| *byte != 0) {
            return Err(FormatError::Reserved);
        }
        Ok(header)
    }

    /// Checks that the header belongs to a network of this profile.
    pub fn check_profile<P: Profile>(&self) -> Result<(), FormatError> {
        let (found, wanted) = (u16::from_le(self.profile), P::CODE);
        if found != wanted {
            return Err(FormatError::Profile { found, wanted });
        }
        let units = self.units();
        if units > UNIT_CAP {
            return Err(FormatError::Units { found: units });
        }
        let (found, wanted) = (u16::from_le(self.places), PLACE_ROWS as u16);
        if found != 0 && found != wanted {
            return Err(FormatError::Dimensions { which: 10, found, wanted });
        }
        let extent = self.extent();
        if extent.modes > MODE_CAP {
            return Err(FormatError::Modes { found: extent.modes });
        }
        let found = self.dimensions.iter().chain(&self.rows).map(|number| u16::from_le(*number));
        let wanted = dimensions::<P>().into_iter().chain(rows(units));
        for (which, (found, wanted)) in found.zip(wanted).enumerate() {
            if found != wanted {
                return Err(FormatError::Dimensions { which: which as u8, found, wanted });
            }
        }
        let found = u16::from_le(self.general_rows);
        let wanted = rows_of_general(extent) as u16;
        if found != wanted {
            return Err(FormatError::Dimensions { which: 11, found, wanted });
        }
        let wanted = <P::Weight as Weight>::BYTES as u8;
        if self.weight_bytes != wanted {
            return Err(FormatError::Weights { found: self.weight_bytes, wanted });
        }
        let found = (self.activation_bits, self.weight_bits);
        let wanted = (<P::Weight as Weight>::ACTIVATION_BITS as u8, <P::Weight as Weight>::WEIGHT_BITS as u8);
        if found != wanted {
            return Err(FormatError::Scales { found, wanted });
        }
        let (found, wanted) = (self.layout(), P::Layout::hash(units));
        if found != wanted {
            return Err(FormatError::Layout { found, wanted });
        }
        let (found, wanted) = (self.body_len(), (file_len::<P>(extent) - HEADER_LEN) as u64);
        if found != wanted {
            return Err(FormatError::BodyLength { found, wanted });
        }
        Ok(())
    }

    /// Checks the check sum of the header, the length of the file and the hash of the bytes behind the header.
    pub fn check_body(&self, file: &[u8]) -> Result<(), FormatError> {
        if self.check != self.computed_check() {
            return Err(FormatError::Header);
        }
        let body = file.get(HEADER_LEN..).unwrap_or_default();
        let (found, body_len) = (file.len(), self.body_len());
        let wanted = usize::try_from(body_len).unwrap_or(usize::MAX).saturating_add(HEADER_LEN);
        if (body.len() as u64) < body_len {
            return Err(FormatError::Truncated { found, wanted });
        }
        if (body.len() as u64) > body_len {
            return Err(FormatError::Oversized { found, wanted });
        }
        if self.hash == *Sha256::digest(body) { Ok(()) } else { Err(FormatError::Hash) }
    }

    fn computed_check(&self) -> [u8; 8] {
        let blank = Header { check: [0; 8], ..*self };
        let digest: [u8; 32] = Sha256::digest(bytemuck::bytes_of(&blank)).into();
        let [a, b, c, d, e, f, g, h, ..] = digest;
        [a, b, c, d, e, f, g, h]
    }

    /// Number of the profile: 1 desktop, 2 handheld, 3 tiny, 0 any other.
    pub fn profile(&self) -> u16 {
        u16::from_le(self.profile)
    }

    /// Number of unit types that the network has rows for, the first ones of the unit table.
    pub fn units(&self) -> usize {
        BASE_UNITS + usize::from(u16::from_le(self.later_units))
    }

    /// Extent: unit types and optional heads of the network.
    pub fn extent(&self) -> Extent {
        Extent {
            units: self.units(),
            general: self.general_rows != 0,
            places: usize::from(u16::from_le(self.places)),
            modes: usize::from(u16::from_le(self.modes)),
        }
    }

    /// Sizes: lanes, narrow lanes, board summary, general, joined layer, board layer.
    pub fn dimensions(&self) -> [u16; 6] {
        self.dimensions.map(u16::from_le)
    }

    /// Quantisation: bytes of a weight, activation bits, weight bits.
    pub fn quantisation(&self) -> [u8; 3] {
        [self.weight_bytes, self.activation_bits, self.weight_bits]
    }

    /// Fingerprint of the feature layout.
    pub fn layout(&self) -> u64 {
        u64::from_le(self.layout)
    }

    /// Bytes after the header.
    pub fn body_len(&self) -> u64 {
        u64::from_le(self.body_len)
    }

    /// SHA-256 of the bytes after the header, as the file states it.
    pub fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// Name of the architecture.
    pub fn architecture(&self) -> &str {
        text(&self.architecture).unwrap_or("")
    }

    /// Provenance of the weights.
    pub fn provenance(&self) -> &str {
        text(&self.provenance).unwrap_or("")
    }

    /// Hundredths of a soul that a unit of the win logit stands for.
    pub fn unit_scale(&self) -> f32 {
        f32::from_bits(u32::from_le(self.unit_scale))
    }
}

/// Rows of the general's net, 0 without it.
fn rows_of_general(extent: Extent) -> usize {
    if extent.general { general_rows(extent.units) } else { 0 }
}

fn rows(units: usize) -> [u16; 4] {
    [ORACLE_ROWS, prophet_rows(units), seer_rows(units), FACTORS].map(|rows| rows as u16)
}

fn dimensions<P: Profile>() -> [u16; 6] {
    [P::L1, P::NARROW, EMBED, GLOBAL, HIDDEN, P::BOARD_LAYER].map(|size| size as u16)
}

/// Text of printable ASCII followed by zeros; `None` for other bytes.
pub(super) fn text(bytes: &[u8]) -> Option<&str> {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (letters, rest) = bytes.split_at_checked(end)?;
    let clean = letters.iter().all(|byte| (b' '..=b'~').contains(byte)) && rest.iter().all(|byte| *byte == 0);
    if clean { str::from_utf8(letters).ok() } else { None }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Writes the check sum that fits the header.
    pub(in crate::format) fn recheck(file: &mut [u8]) {
        let header: Header = bytemuck::pod_read_unaligned(&file[..HEADER_LEN]);
        file[248..256].copy_from_slice(&header.computed_check());
    }
}
