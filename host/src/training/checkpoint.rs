//! Checkpoints: floating-point networks in files, from which training can go on or a network be quantised again.
//!
//! A file holds `BRWFLOAT`, the profile's number (u16), the length of the provenance (u16), the layout's fingerprint
//! (u64), the provenance, the blocks in the order of a network file as `f32`, the CRC-32 of all that (u32), and `BRWCHECK`; all
//! little-endian. Files of earlier versions have no checksum. Behind it there may be the state of a training run whose network
//! is not written yet (`run_state.rs`), its CRC-32 (u32), its length in bytes (u64), and `BRWSTATE`.

use anyhow::{Result, bail, ensure};
use barrow_nnue::format::{Block, Extent, Header};
use barrow_nnue::layout::Layout;
use barrow_nnue::shape::{BASE_UNITS, Desktop, Handheld, Profile, Tiny, UNITS};
use flate2::Crc;

use super::params::{NetworkShape, Params, place_in_wider};
use crate::engine::network::CHECKPOINT_MAGIC;

/// Last bytes of a checkpoint's network, behind its checksum.
const CHECK_MAGIC: [u8; 8] = *b"BRWCHECK";

/// Bytes of the checksum and its mark.
const CHECK_END: usize = 12;

/// Last bytes of a checkpoint with the state of a run.
const STATE_MAGIC: [u8; 8] = *b"BRWSTATE";

/// Bytes behind the state of a run.
const STATE_END: usize = 20;

/// Shipped profile, chosen at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShippedProfile {
    /// Desktop profile: 256 lanes.
    Desktop,
    /// Handheld profile: 64 lanes.
    Handheld,
    /// Tiny profile: 32 lanes of 8-bit weights.
    Tiny,
}

/// Task that is generic over the profile, for [`ShippedProfile::run`].
pub trait ProfileTask {
    /// Result of the task.
    type Output;
    /// Runs the task for a profile.
    fn run<P: Profile>(self) -> Self::Output;
}

impl ShippedProfile {
    /// Runs a task for this profile.
    pub fn run<T: ProfileTask>(self, task: T) -> T::Output {
        match self {
            ShippedProfile::Desktop => task.run::<Desktop>(),
            ShippedProfile::Handheld => task.run::<Handheld>(),
            ShippedProfile::Tiny => task.run::<Tiny>(),
        }
    }

    /// Name of the profile.
    pub fn name(self) -> &'static str {
        struct Name;
        impl ProfileTask for Name {
            type Output = &'static str;
            fn run<P: Profile>(self) -> &'static str {
                P::NAME
            }
        }
        self.run(Name)
    }

    /// Profile by its number in file headers.
    pub fn from_code(code: u16) -> Option<ShippedProfile> {
        struct Code;
        impl ProfileTask for Code {
            type Output = u16;
            fn run<P: Profile>(self) -> u16 {
                P::CODE
            }
        }
        [ShippedProfile::Desktop, ShippedProfile::Handheld, ShippedProfile::Tiny]
            .into_iter()
            .find(|profile| profile.run(Code) == code)
    }
}

/// Bytes of a checkpoint.
pub fn write<P: Profile>(params: &Params, provenance: &str) -> Vec<u8> {
    let mut file = CHECKPOINT_MAGIC.to_vec();
    file.extend(P::CODE.to_le_bytes());
    file.extend((provenance.len() as u16).to_le_bytes());
    file.extend(P::Layout::hash(UNITS).to_le_bytes());
    file.extend(provenance.bytes());
    for block in Block::ALL {
        params.block(block).iter().for_each(|number| file.extend(number.to_le_bytes()));
    }
    file.extend(sum(&file).to_le_bytes());
    file.extend(CHECK_MAGIC);
    file
}

/// Checkpoint of this network with the state of a training run behind it.
pub(super) fn with_state(mut network: Vec<u8>, state: &[u8]) -> Vec<u8> {
    network.extend(state);
    network.extend(sum(state).to_le_bytes());
    network.extend((state.len() as u64).to_le_bytes());
    network.extend(STATE_MAGIC);
    network
}

/// State of a training run in a checkpoint; `None` where there is none. Fails when it is damaged.
pub(super) fn state(file: &[u8]) -> Result<Option<&[u8]>> {
    split(file).map(|(_, state)| state)
}

/// Network of a checkpoint without its checksum. Fails when it is damaged.
fn checked(network: &[u8]) -> Result<&[u8]> {
    let Some((rest, end)) =
        network.split_last_chunk::<CHECK_END>().filter(|(_, end)| end[4..] == CHECK_MAGIC)
    else {
        return Ok(network);
    };
    ensure!(end[..4] == sum(rest).to_le_bytes(), "the checkpoint is damaged: wrong checksum");
    Ok(rest)
}

/// Network of a checkpoint, its checksum included, and the state of a training run behind it.
fn split(file: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    let Some((rest, end)) = file.split_last_chunk::<STATE_END>().filter(|(_, end)| end[12..] == STATE_MAGIC)
    else {
        return Ok((file, None));
    };
    let mut len = [0; 8];
    len.copy_from_slice(&end[4..12]);
    let len = usize::try_from(u64::from_le_bytes(len)).ok().and_then(|len| rest.len().checked_sub(len));
    let Some((network, state)) = len.and_then(|place| rest.split_at_checked(place)) else {
        bail!("the checkpoint's state begins before the file");
    };
    ensure!(end[..4] == sum(state).to_le_bytes(), "the checkpoint's state is damaged: wrong checksum");
    Ok((network, Some(state)))
}

/// CRC-32 of some bytes.
fn sum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Profile of a checkpoint, from its first bytes.
pub fn profile(file: &[u8]) -> Result<ShippedProfile> {
    let Some((head, _)) = file.split_at_checked(20) else { bail!("not a checkpoint: too short") };
    ensure!(Header::read(file).is_err(), "a network file, not a checkpoint");
    ensure!(head[..8] == CHECKPOINT_MAGIC, "not a checkpoint");
    let code = u16::from_le_bytes([head[8], head[9]]);
    ShippedProfile::from_code(code).ok_or_else(|| anyhow::anyhow!("a checkpoint of an unknown profile"))
}

/// Reads the parameters and the provenance from a checkpoint of profile `P`. Fails when the file has another profile or
/// feature layout, a wrong checksum or length, or a weight that is not finite. Rows of unit types that the unit table has gained since
/// the checkpoint was written are zero, and optional heads that it lacks are as in [`Params::initial`].
pub fn read<P: Profile>(file: &[u8]) -> Result<(Params, String)> {
    let found = profile(file)?;
    let (file, _) = split(file)?;
    let file = checked(file)?;
    let (head, rest) = file.split_at(20);
    ensure!(
        head[8..10] == P::CODE.to_le_bytes(),
        "checkpoint of profile {}, expected {}",
        found.name(),
        P::NAME
    );
    let is_numbered_for = |units: usize| head[12..20] == P::Layout::hash(units).to_le_bytes();
    ensure!(is_numbered_for(BASE_UNITS) || is_numbered_for(UNITS), "a checkpoint for another feature layout");
    let words = usize::from(u16::from_le_bytes([head[10], head[11]]));
    let Some((words, numbers)) = rest.split_at_checked(words) else { bail!("the checkpoint ends too early") };
    let wanted = NetworkShape::of::<P>();
    let bytes =
        |extent: Extent| 4 * Block::ALL.into_iter().map(|block| block.len::<P>(extent)).sum::<usize>();
    let extents = (BASE_UNITS..=UNITS).filter(|&units| is_numbered_for(units));
    let mut extents = extents.flat_map(|units| {
        let Extent { general, places, modes, .. } = wanted.extent();
        let heads = [false, true].map(|general| {
            [(general, places, modes), (general, 0, modes), (general, places, 0), (general, 0, 0)]
        });
        heads.into_iter().flatten().map(move |(of_general, places, modes)| Extent {
            units,
            general: of_general && general,
            places,
            modes,
        })
    });
    let Some(extent) = extents.find(|&extent| bytes(extent) == numbers.len()) else {
        bail!("the checkpoint has {} bytes of weights, not {}", numbers.len(), bytes(wanted.extent()));
    };
    let mut params = Params::initial(&wanted, 1);
    let mut numbers =
        numbers.chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    for block in Block::ALL {
        let read = block.len::<P>(extent);
        // Rows of later unit types are zero; a head that the file lacks begins as that of a new network.
        if read > 0 {
            params.block_mut(block).fill(0.0);
        }
        for (place, number) in numbers.by_ref().take(read).enumerate() {
            ensure!(number.is_finite(), "{}: a weight is not a number", block.name());
            params.block_mut(block)[place_in_wider::<P>(block, place, extent, wanted.extent())] = number;
        }
    }
    Ok((params, String::from_utf8_lossy(words).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checkpoint as earlier versions wrote it.
    fn without_checksum(mut file: Vec<u8>) -> Vec<u8> {
        file.truncate(file.len() - CHECK_END);
        file
    }

    #[test]
    fn a_network_survives_being_written_and_read() {
        let params = Params::initial(&NetworkShape::of::<Tiny>(), 4);
        let file = write::<Tiny>(&params, "whence");
        assert_eq!(profile(&file).unwrap(), ShippedProfile::Tiny);
        assert_eq!(read::<Tiny>(&file).unwrap(), (params, "whence".to_owned()));
    }

    #[test]
    fn a_checkpoint_from_before_the_general_s_net_is_read() {
        let params = Params::initial(&NetworkShape::of::<Tiny>(), 4);
        let mut file = without_checksum(write::<Tiny>(&params, "whence"));
        let extent = params.shape().extent();
        let bytes =
            |blocks: &[Block]| 4 * blocks.iter().map(|block| block.len::<Tiny>(extent)).sum::<usize>();
        let first = 26 + bytes(&Block::ALL[..Block::GeneralContexts as usize]);
        let end = 26 + bytes(&Block::ALL[..=Block::GeneralStepsBias as usize]);
        file.drain(first..end);
        let read = read::<Tiny>(&file).unwrap().0;
        for block in Block::ALL {
            let of_general = (Block::GeneralContexts as usize..=Block::GeneralStepsBias as usize)
                .contains(&(block as usize));
            assert!(of_general || read.block(block) == params.block(block), "{block:?}");
        }
        // Its layer begins with weights, so that it can be trained, and it says nothing yet.
        assert!(
            !read.has_general() && read.block(Block::GeneralContexts).iter().any(|&weight| weight != 0.0)
        );
    }

    #[test]
    fn a_changed_weight_is_told_by_the_checksum() {
        let whole = write::<Tiny>(&Params::initial(&NetworkShape::of::<Tiny>(), 4), "whence");
        for file in [whole.clone(), with_state(whole.clone(), b"a run")] {
            assert!(read::<Tiny>(&file).is_ok());
            for place in [20, 26, whole.len() / 2, whole.len() - CHECK_END - 1, whole.len() - CHECK_END] {
                let mut damaged = file.clone();
                damaged[place] ^= 1;
                let refused = read::<Tiny>(&damaged).unwrap_err().to_string();
                assert_eq!(refused, "the checkpoint is damaged: wrong checksum", "{place}");
            }
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let file =
            without_checksum(write::<Tiny>(&Params::initial(&NetworkShape::of::<Tiny>(), 4), "whence"));
        assert!(read::<Tiny>(&file).is_ok());
        for len in [0, 7, 19, 21, 30, file.len() - 1] {
            assert!(read::<Tiny>(&file[..len]).is_err());
        }
        let other = read::<Desktop>(&file).unwrap_err().to_string();
        assert_eq!(other, "checkpoint of profile tiny, expected desktop");
        let network = read::<Tiny>(barrow_nnue::embedded_nets::TINY).unwrap_err().to_string();
        assert_eq!(network, "a network file, not a checkpoint");
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
