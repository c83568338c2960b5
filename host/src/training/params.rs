//! Parameters of a network in floating point, block by block as in a network file.

use barrow_core::rng::Rng;
use barrow_nnue::format::{Block, Extent};
use barrow_nnue::kernels::Weight;
use barrow_nnue::shape::{MAX_BOARD_LAYER, PLACE_ROWS, Profile, UNITS, prophet_rows};
use rayon::prelude::*;

/// Number of blocks of a network file.
pub(super) const BLOCKS: usize = Block::ALL.len();

/// Modes of Death Prophet in the networks that are trained.
const MODES: usize = 4;

/// Largest absolute weight of the piece table: a hundred such weights, one a hex, fit a 16-bit sum with 8 fraction
/// bits.
const WIDE_LIMIT: f32 = 0.8;

/// Largest absolute weight of the tables of narrow and global features.
const NARROW_LIMIT: f32 = 0.3;

/// Shape of a network: the sizes of a profile as run-time values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkShape {
    /// Unit types and optional heads.
    extent: Extent,
    /// Rows and columns of each block.
    blocks: [(usize, usize); BLOCKS],
    /// Largest absolute weight of tables and of layers that the weight type of the profile can hold.
    limits: [i32; 2],
}

impl NetworkShape {
    /// Shape of the networks of a profile that this program trains. Death Prophet's modes and Dark Seer's contexts of
    /// places would not fit the flash of the tiny profile.
    pub fn of<P: Profile>() -> NetworkShape {
        let (modes, places) =
            if P::BOARD_LAYER * 2 >= MAX_BOARD_LAYER { (MODES, PLACE_ROWS) } else { (0, 0) };
        NetworkShape::with_extent::<P>(Extent { units: UNITS, general: true, places, modes })
    }

    /// Shape of the networks of a profile and an extent.
    pub fn with_extent<P: Profile>(extent: Extent) -> NetworkShape {
        let largest =
            if <P::Weight as Weight>::BYTES == 1 { i32::from(i8::MAX) } else { i32::from(i16::MAX) };
        NetworkShape {
            extent,
            blocks: Block::ALL.map(|block| block.shape::<P>(extent)),
            limits: [
                largest >> <P::Weight as Weight>::ACTIVATION_BITS,
                largest >> <P::Weight as Weight>::WEIGHT_BITS,
            ],
        }
    }

    /// Unit types and optional heads.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Rows and columns of a block.
    pub fn block(&self, block: Block) -> (usize, usize) {
        self.blocks[block as usize]
    }

    /// Number of parameters in a block.
    pub fn len(&self, block: Block) -> usize {
        let (rows, columns) = self.block(block);
        rows * columns
    }

    /// Whether no block has parameters; false for every profile.
    pub fn is_empty(&self) -> bool {
        Block::ALL.into_iter().all(|block| self.len(block) == 0)
    }

    /// Number of lanes of a board accumulator.
    pub fn lanes(&self) -> usize {
        self.block(Block::BoardBias).1
    }

    /// Number of neurons of the board layer.
    pub fn board_layer(&self) -> usize {
        self.block(Block::BoardLayerBias).1
    }
}

/// Parameters of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Params {
    shape: NetworkShape,
    blocks: Vec<Vec<f32>>,
}

/// Blocks of Dark Seer, which no other net reads.
pub(super) const SEER_BLOCKS: [Block; 6] =
    [Block::Seer, Block::SeerBias, Block::SeerHexes, Block::SeerUnits, Block::Places, Block::PlaceBias];

/// Whether a block is one of the three feature tables, whose rows are added to accumulators.
pub(super) fn is_table(block: Block) -> bool {
    matches!(block, Block::Wide | Block::Narrow | Block::Global)
}

/// Place in a block of a network of one extent of the number at this place of a block of another extent, for as many unit
/// types or more. Later types have the last rows of their blocks, and of each mode those before its share (network §12).
pub(super) fn place_in_wider<P: Profile>(block: Block, place: usize, of: Extent, wider: Extent) -> usize {
    if !matches!(block, Block::Modes | Block::ModesBias) {
        return place;
    }
    let columns = if block == Block::Modes { P::BOARD_LAYER } else { 1 };
    let (row, column) = (place / columns, place % columns);
    let [rows, wider_rows] = [of, wider].map(|extent| prophet_rows(extent.units));
    let (mode, row) = (row / (rows + 1), row % (rows + 1));
    let row = if row == rows { wider_rows } else { row };
    (mode * (wider_rows + 1) + row) * columns + column
}

impl Params {
    /// Parameters that are all zero.
    pub fn zero(shape: &NetworkShape) -> Params {
        let blocks = Block::ALL.map(|block| vec![0.0; shape.len(block)]);
        Params { shape: *shape, blocks: blocks.into() }
    }

    /// Parameters that are all zero, with empty feature tables. Holds gradients of the layers.
    pub(super) fn without_tables(shape: &NetworkShape) -> Params {
        let blocks = Block::ALL.map(|block| if is_table(block) { 0 } else { shape.len(block) });
        Params { shape: *shape, blocks: blocks.map(|len| vec![0.0; len]).into() }
    }

    /// Initial parameters for training, from a seed. Feature tables are zero: rows that never occur stay zero and add
    /// nothing to the overflow bounds. Biases of the lanes start where the activation is neither 0 nor 1.
    pub fn initial(shape: &NetworkShape, seed: u64) -> Params {
        let mut rng = Rng::new(seed);
        let mut unit = move || (rng.next_u64() >> 40) as f32 / (1_u32 << 24) as f32;
        let mut params = Params::zero(shape);
        for block in Block::ALL {
            let columns = shape.block(block).1;
            let (low, high) = match block {
                Block::BoardBias | Block::GlobalBias | Block::GeneralBias => (0.05, 0.45),
                Block::EmbedBias | Block::JoinBias | Block::BoardLayerBias => (0.2, 0.4),
                Block::Embed | Block::Join | Block::BoardLayer => {
                    let size = (1.5 / columns as f32).sqrt();
                    (-size, size)
                }
                // Modes that begin equal would stay equal, and the product of two factors that are zero would stay zero.
                // The outputs of the general's net begin as zeros, so that an untrained one says nothing.
                Block::Oracle
                | Block::Modes
                | Block::GeneralContexts
                | Block::SeerHexes
                | Block::SeerUnits => (-0.1, 0.1),
                Block::Prophet | Block::Seer => (-0.02, 0.02),
                Block::ModesBias => (-0.3, 0.3),
                _ => (0.0, 0.0),
            };
            if high > low {
                params.block_mut(block).fill_with(|| low + (high - low) * unit());
            }
        }
        params
    }

    /// Whether Dark Seer has contexts of places that have learnt nothing yet.
    pub fn has_blank_places(&self) -> bool {
        let mut weights = self.block(Block::Places).iter().chain(self.block(Block::PlaceBias));
        self.shape.len(Block::PlaceBias) > 0 && weights.all(|&weight| weight == 0.0)
    }

    /// Begins Dark Seer anew, from a seed: its wishes are nothing but a little noise then.
    pub fn begin_seer(&mut self, seed: u64) {
        let initial = Params::initial(&self.shape, seed);
        for block in SEER_BLOCKS {
            self.block_mut(block).copy_from_slice(initial.block(block));
        }
    }

    /// Shape of the network.
    pub fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    /// Parameters of a block, row by row.
    pub fn block(&self, block: Block) -> &[f32] {
        &self.blocks[block as usize]
    }

    /// Mutable parameters of a block, row by row.
    pub fn block_mut(&mut self, block: Block) -> &mut [f32] {
        &mut self.blocks[block as usize]
    }

    /// Row of a block.
    #[inline]
    pub(super) fn row(&self, block: Block, row: usize) -> &[f32] {
        let columns = self.shape.block(block).1;
        &self.blocks[block as usize][row * columns..][..columns]
    }

    /// Mutable row of a block.
    #[inline]
    pub(super) fn row_mut(&mut self, block: Block, row: usize) -> &mut [f32] {
        let columns = self.shape.block(block).1;
        &mut self.blocks[block as usize][row * columns..][..columns]
    }

    /// Mutable rows of a block.
    pub(super) fn rows_mut(&mut self, block: Block) -> impl Iterator<Item = &mut [f32]> {
        let columns = self.shape.block(block).1;
        self.blocks[block as usize].chunks_exact_mut(columns)
    }

    /// Mutable parameters of all blocks in order.
    pub(super) fn blocks_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.blocks.iter_mut().map(Vec::as_mut_slice)
    }

    /// Moves every parameter by a share of its difference towards that of another network of this shape.
    pub(super) fn approach(&mut self, other: &Params, share: f32) {
        for (block, other) in self.blocks.iter_mut().zip(&other.blocks) {
            block.par_iter_mut().zip(other).with_min_len(1 << 14).for_each(|(number, other)| {
                *number += share * (other - *number);
            });
        }
    }

    /// Whether the general's net says anything. One that was never trained does not, and its file leaves it out.
    pub fn has_general(&self) -> bool {
        [Block::GeneralSteps, Block::GeneralStepsBias]
            .into_iter()
            .any(|block| self.block(block).iter().any(|&weight| weight != 0.0))
    }

    /// Sets every parameter to 0.
    pub(super) fn clear(&mut self) {
        self.blocks.iter_mut().for_each(|block| block.fill(0.0));
    }

    /// Largest absolute value of a parameter in a block: for weights what the type in the file can hold, for biases
    /// 100.
    pub(super) fn limit(&self, block: Block) -> f32 {
        let [tables, layers] = self.shape.limits;
        match block {
            Block::GeneralContexts => tables as f32,
            Block::Wide => (tables as f32).min(WIDE_LIMIT),
            Block::Narrow | Block::Global => (tables as f32).min(NARROW_LIMIT),
            Block::BoardBias
            | Block::GlobalBias
            | Block::EmbedBias
            | Block::JoinBias
            | Block::OracleBias
            | Block::BoardLayerBias
            | Block::ProphetBias
            | Block::SeerBias
            | Block::GeneralBias
            | Block::GeneralStepsBias
            | Block::PlaceBias
            | Block::ModesBias => 100.0,
            _ => layers as f32,
        }
    }
}
