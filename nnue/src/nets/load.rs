//! Loading: the checks that make a file a network.

use bytemuck::Pod;

use super::general_layer::GeneralNet;
use super::layer::Layer;
use super::network::Network;
use super::overflow;
use crate::format::{Block, Extent, FormatError, Header, file_len};
use crate::shape::Profile;

impl<'a, P: Profile> Network<'a, P> {
    /// Network in a file of this profile, for any number of unit types. Checks header, length, hash, and that no sum
    /// can overflow. The bytes must start at an address divisible by 64.
    pub fn from_bytes(file: &'a [u8]) -> Result<Network<'a, P>, FormatError> {
        let header = Header::read(file)?;
        if cfg!(target_endian = "big") {
            return Err(FormatError::ByteOrder);
        }
        if !file.as_ptr().addr().is_multiple_of(64) {
            return Err(FormatError::Misaligned);
        }
        header.check_profile::<P>()?;
        header.check_body(file)?;
        let extent = header.extent();
        let network = Network {
            header,
            wide: block::<P, _>(file, extent, Block::Wide)?,
            narrow: block::<P, _>(file, extent, Block::Narrow)?,
            board_bias: block::<P, _>(file, extent, Block::BoardBias)?,
            global: block::<P, _>(file, extent, Block::Global)?,
            global_bias: block::<P, _>(file, extent, Block::GlobalBias)?,
            embed: layer(file, extent, Block::Embed, Block::EmbedBias)?,
            join: layer(file, extent, Block::Join, Block::JoinBias)?,
            oracle: layer(file, extent, Block::Oracle, Block::OracleBias)?,
            board_layer: layer(file, extent, Block::BoardLayer, Block::BoardLayerBias)?,
            prophet: layer(file, extent, Block::Prophet, Block::ProphetBias)?,
            seer: layer(file, extent, Block::Seer, Block::SeerBias)?,
            seer_hexes: block::<P, _>(file, extent, Block::SeerHexes)?,
            seer_units: block::<P, _>(file, extent, Block::SeerUnits)?,
            general: if extent.general { Some(general(file, extent)?) } else { None },
            places: layer(file, extent, Block::Places, Block::PlaceBias)?,
            modes: layer(file, extent, Block::Modes, Block::ModesBias)?,
        };
        overflow::check(&network)?;
        Ok(network)
    }
}

fn general<P: Profile>(file: &[u8], extent: Extent) -> Result<GeneralNet<'_, P>, FormatError> {
    Ok(GeneralNet {
        contexts: block::<P, _>(file, extent, Block::GeneralContexts)?,
        bias: block::<P, _>(file, extent, Block::GeneralBias)?,
        steps: layer(file, extent, Block::GeneralSteps, Block::GeneralStepsBias)?,
    })
}

fn layer<P: Profile>(
    file: &[u8],
    extent: Extent,
    weights: Block,
    bias: Block,
) -> Result<Layer<'_, P>, FormatError> {
    Ok(Layer { weights: block::<P, _>(file, extent, weights)?, bias: block::<P, _>(file, extent, bias)? })
}

fn block<P: Profile, T: Pod>(file: &[u8], extent: Extent, block: Block) -> Result<&[T], FormatError> {
    let short = FormatError::Truncated { found: file.len(), wanted: file_len::<P>(extent) };
    let bytes = file.get(block.range::<P>(extent)).ok_or(short)?;
    bytemuck::try_cast_slice(bytes).map_err(|_| FormatError::Misaligned)
}
