//! A network in the bytes of its file.
//!
//! All arithmetic is on whole numbers, and equal on every target. Against real numbers with the same weights a neuron
//! is rounded down by less than `2^-ACTIVATION_BITS`, and outputs are off by what later weights make of that; the
//! test `reference` adds it up for a network and holds it to that. With random weights the win logit of middle games
//! is off by 0.003 at most with 16-bit weights and by 0.03 with 8-bit ones.

use bytemuck::Pod;

use crate::format::{Block, FormatError, Header, file_len};
use crate::kernels::scalar::whole_row;
use crate::overflow;
use crate::shape::{GLOBAL, Profile};

/// Weights of all three nets, borrowed from a file's bytes.
#[derive(Clone, Copy, Debug)]
pub struct Network<'a, P: Profile> {
    header: Header,
    pub(crate) wide: &'a [P::Weight],
    pub(crate) narrow: &'a [P::Weight],
    pub(crate) board_bias: &'a [i16],
    pub(crate) global: &'a [P::Weight],
    pub(crate) global_bias: &'a [i16],
    pub(crate) embed: Layer<'a, P>,
    pub(crate) join: Layer<'a, P>,
    pub(crate) oracle: Layer<'a, P>,
    pub(crate) board_layer: Layer<'a, P>,
    pub(crate) prophet: Layer<'a, P>,
    pub(crate) seer: Layer<'a, P>,
    pub(crate) seer_hexes: &'a [P::Weight],
    pub(crate) seer_units: &'a [P::Weight],
}

/// A layer: weights output by output, and biases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<'a, P: Profile> {
    pub(crate) weights: &'a [P::Weight],
    pub(crate) bias: &'a [i32],
}

impl<P: Profile> Layer<'_, P> {
    /// Weights of one output; nothing when there is no such output.
    #[inline]
    pub(crate) fn row(&self, output: usize) -> &[P::Weight] {
        match self.weights.len().checked_div(self.bias.len()) {
            Some(inputs) => whole_row(self.weights, output, inputs),
            None => &[],
        }
    }
}

impl<'a, P: Profile> Network<'a, P> {
    /// The network in a file of this profile, after checking everything about it: header, length, hash, and that no
    /// sum can overflow. The bytes must start at an address divisible by 64.
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
        let network = Network {
            header,
            wide: block::<P, _>(file, Block::Wide)?,
            narrow: block::<P, _>(file, Block::Narrow)?,
            board_bias: block::<P, _>(file, Block::BoardBias)?,
            global: block::<P, _>(file, Block::Global)?,
            global_bias: block::<P, _>(file, Block::GlobalBias)?,
            embed: layer(file, Block::Embed, Block::EmbedBias)?,
            join: layer(file, Block::Join, Block::JoinBias)?,
            oracle: layer(file, Block::Oracle, Block::OracleBias)?,
            board_layer: layer(file, Block::BoardLayer, Block::BoardLayerBias)?,
            prophet: layer(file, Block::Prophet, Block::ProphetBias)?,
            seer: layer(file, Block::Seer, Block::SeerBias)?,
            seer_hexes: block::<P, _>(file, Block::SeerHexes)?,
            seer_units: block::<P, _>(file, Block::SeerUnits)?,
        };
        overflow::check(&network)?;
        Ok(network)
    }

    /// The file's header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The piece table, rows of [`Profile::L1`] weights.
    pub fn wide_table(&self) -> &'a [P::Weight] {
        self.wide
    }

    /// The table of small features, rows of [`Profile::NARROW`] weights.
    pub fn narrow_table(&self) -> &'a [P::Weight] {
        self.narrow
    }

    /// The general's table, rows of [`GLOBAL`] weights.
    pub fn global_table(&self) -> &'a [P::Weight] {
        self.global
    }

    /// What a board's accumulator starts with: [`Profile::L1`] sums.
    pub fn board_bias(&self) -> &'a [i16] {
        self.board_bias
    }

    /// What the general's accumulator starts with.
    pub fn global_bias(&self) -> &'a [i16] {
        self.global_bias
    }

    /// A row of the piece table; empty when there is no such row.
    #[inline]
    pub fn wide_row(&self, row: u16) -> &'a [P::Weight] {
        whole_row(self.wide, usize::from(row), P::L1)
    }

    /// A row of the table of small features; empty when there is no such row.
    #[inline]
    pub fn narrow_row(&self, row: u16) -> &'a [P::Weight] {
        whole_row(self.narrow, usize::from(row), P::NARROW)
    }

    /// A row of the general's table; empty when there is no such row.
    #[inline]
    pub fn global_row(&self, row: u16) -> &'a [P::Weight] {
        whole_row(self.global, usize::from(row), GLOBAL)
    }
}

fn layer<P: Profile>(file: &[u8], weights: Block, bias: Block) -> Result<Layer<'_, P>, FormatError> {
    Ok(Layer { weights: block::<P, _>(file, weights)?, bias: block::<P, _>(file, bias)? })
}

fn block<P: Profile, T: Pod>(file: &[u8], block: Block) -> Result<&[T], FormatError> {
    let short = FormatError::Truncated { found: file.len(), wanted: file_len::<P>() };
    let bytes = file.get(block.range::<P>()).ok_or(short)?;
    bytemuck::try_cast_slice(bytes).map_err(|_| FormatError::Misaligned)
}
