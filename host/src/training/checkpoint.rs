//! Floating-point networks in files, so that a network can be rounded again later or learn on.
//!
//! `BRWFLOAT`, the profile's number (u16), the length of the provenance (u16), the layout's fingerprint (u64), the
//! provenance, and the blocks in the order of a network file as `f32`; all little-endian.

use anyhow::{Result, bail, ensure};
use barrow_nnue::format::Block;
use barrow_nnue::layout::Layout;
use barrow_nnue::shape::{Desktop, Handheld, Profile, Tiny};

use super::params::{Params, Shape};

const MAGIC: [u8; 8] = *b"BRWFLOAT";

/// One of the shipped profiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Size {
    /// 256 lanes.
    Desktop,
    /// 64 lanes.
    Handheld,
    /// 32 lanes of 8-bit weights.
    Tiny,
}

/// Something to be done for a profile that is known only at run time.
pub trait Task {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<P: Profile>(self) -> Self::Output;
}

impl Size {
    /// Does something for this profile.
    pub fn with<T: Task>(self, task: T) -> T::Output {
        match self {
            Size::Desktop => task.run::<Desktop>(),
            Size::Handheld => task.run::<Handheld>(),
            Size::Tiny => task.run::<Tiny>(),
        }
    }

    /// The profile with this number in headers.
    pub fn from_code(code: u16) -> Option<Size> {
        struct Code;
        impl Task for Code {
            type Output = u16;
            fn run<P: Profile>(self) -> u16 {
                P::CODE
            }
        }
        [Size::Desktop, Size::Handheld, Size::Tiny].into_iter().find(|size| size.with(Code) == code)
    }
}

/// Writes a network of a profile.
pub fn write<P: Profile>(params: &Params, provenance: &str) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend(P::CODE.to_le_bytes());
    file.extend((provenance.len() as u16).to_le_bytes());
    file.extend(P::Layout::hash().to_le_bytes());
    file.extend(provenance.bytes());
    for block in Block::ALL {
        params.block(block).iter().for_each(|number| file.extend(number.to_le_bytes()));
    }
    file
}

/// The profile of a file.
pub fn size(file: &[u8]) -> Result<Size> {
    let Some((head, _)) = file.split_at_checked(20) else { bail!("not a checkpoint: too short") };
    ensure!(head[..8] == MAGIC, "not a checkpoint");
    let code = u16::from_le_bytes([head[8], head[9]]);
    Size::from_code(code).ok_or_else(|| anyhow::anyhow!("a checkpoint of an unknown profile"))
}

/// Reads a network of a profile with its provenance.
pub fn read<P: Profile>(file: &[u8]) -> Result<(Params, String)> {
    size(file)?;
    let (head, rest) = file.split_at(20);
    ensure!(head[8..10] == P::CODE.to_le_bytes(), "not a checkpoint of profile {}", P::NAME);
    ensure!(head[12..20] == P::Layout::hash().to_le_bytes(), "a checkpoint for another feature layout");
    let words = usize::from(u16::from_le_bytes([head[10], head[11]]));
    let Some((words, numbers)) = rest.split_at_checked(words) else { bail!("the checkpoint ends too early") };
    let mut params = Params::zero(&Shape::of::<P>());
    let wanted: usize = Block::ALL.into_iter().map(|block| params.block(block).len()).sum();
    ensure!(
        numbers.len() == 4 * wanted,
        "the checkpoint has {} bytes of weights, not {}",
        numbers.len(),
        4 * wanted
    );
    let mut numbers =
        numbers.chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    for block in Block::ALL {
        for (slot, number) in params.block_mut(block).iter_mut().zip(&mut numbers) {
            ensure!(number.is_finite(), "{}: a weight is not a number", block.name());
            *slot = number;
        }
    }
    Ok((params, String::from_utf8_lossy(words).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_survives_being_written_and_read() {
        let params = Params::initial(&Shape::of::<Tiny>(), 4);
        let file = write::<Tiny>(&params, "whence");
        assert_eq!(size(&file).unwrap(), Size::Tiny);
        assert_eq!(read::<Tiny>(&file).unwrap(), (params, "whence".to_owned()));
    }

    #[test]
    fn damaged_files_are_refused() {
        let file = write::<Tiny>(&Params::initial(&Shape::of::<Tiny>(), 4), "whence");
        for len in [0, 7, 19, 21, 30, file.len() - 1] {
            assert!(read::<Tiny>(&file[..len]).is_err());
        }
        assert!(read::<Desktop>(&file).is_err());
        for place in [0, 8, 12] {
            let mut damaged = file.clone();
            damaged[place] ^= 1;
            assert!(read::<Tiny>(&damaged).is_err());
        }
        let mut odd = file.clone();
        odd[26..30].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(read::<Tiny>(&odd).unwrap_err().to_string().contains("not a number"));
    }
}
