//! The blocks of a file: what they hold and where they lie.

use core::ops::Range;

use super::header::HEADER_LEN;
use crate::kernels::Weight;
use crate::layout::Layout;
use crate::nets::oracle::ORACLE_ROWS;
use crate::nets::prophet::PROPHET_ROWS;
use crate::nets::seer::{FACTORS, HEX_FACTORS, SEER_ROWS, UNIT_FACTORS};
use crate::shape::{EMBED, GLOBAL, HIDDEN, JOINED, Profile};

/// A block starts at a multiple of this.
const PADDING: usize = 64;

/// The type of a block's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// `i16` or `i8`, as the profile has it.
    Weight,
    /// `i16`.
    Short,
    /// `i32`.
    Long,
}

impl Element {
    /// Bytes of one number.
    pub const fn bytes<P: Profile>(self) -> usize {
        match self {
            Element::Weight => <P::Weight as Weight>::BYTES,
            Element::Short => 2,
            Element::Long => 4,
        }
    }
}

/// A block of weights. Layers are stored output by output, tables row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Block {
    /// Pieces: `[WIDE_ROWS][L1]`.
    Wide = 0,
    /// Everything else on a board: `[NARROW_ROWS][NARROW]`.
    Narrow = 1,
    /// What a board's accumulator starts with: `[L1]`.
    BoardBias = 2,
    /// The general's features: `[GLOBAL_ROWS][GLOBAL]`.
    Global = 3,
    /// What the general's accumulator starts with: `[GLOBAL]`.
    GlobalBias = 4,
    /// Accumulators of a board to its summary: `[EMBED][2 * L1]`, our lanes first.
    Embed = 5,
    /// `[EMBED]`.
    EmbedBias = 6,
    /// Summary, sum of the other boards, general to the joined layer: `[HIDDEN][JOINED]`.
    Join = 7,
    /// `[HIDDEN]`.
    JoinBias = 8,
    /// Joined layer to Oracle's outputs: `[ORACLE_ROWS][HIDDEN]`.
    Oracle = 9,
    /// `[ORACLE_ROWS]`.
    OracleBias = 10,
    /// Accumulators of a board to the layer that Death Prophet and Dark Seer read: `[BOARD_LAYER][2 * L1]`.
    BoardLayer = 11,
    /// `[BOARD_LAYER]`.
    BoardLayerBias = 12,
    /// Death Prophet's contexts, output by output: `[PROPHET_ROWS][BOARD_LAYER]`.
    Prophet = 13,
    /// `[PROPHET_ROWS]`.
    ProphetBias = 14,
    /// Dark Seer's hexes and units, spawning before moving: `[SEER_ROWS][BOARD_LAYER]`.
    Seer = 15,
    /// `[SEER_ROWS]`.
    SeerBias = 16,
    /// `[2][100][FACTORS]`, spawning before moving.
    SeerHexes = 17,
    /// `[2][34][FACTORS]`, spawning before moving.
    SeerUnits = 18,
}

impl Block {
    /// All blocks in the order of the file.
    pub const ALL: [Block; 19] = [
        Block::Wide,
        Block::Narrow,
        Block::BoardBias,
        Block::Global,
        Block::GlobalBias,
        Block::Embed,
        Block::EmbedBias,
        Block::Join,
        Block::JoinBias,
        Block::Oracle,
        Block::OracleBias,
        Block::BoardLayer,
        Block::BoardLayerBias,
        Block::Prophet,
        Block::ProphetBias,
        Block::Seer,
        Block::SeerBias,
        Block::SeerHexes,
        Block::SeerUnits,
    ];

    /// What messages call it.
    pub const fn name(self) -> &'static str {
        match self {
            Block::Wide => "piece table",
            Block::Narrow => "table of small features",
            Block::BoardBias => "board accumulator",
            Block::Global => "general's table",
            Block::GlobalBias => "general's accumulator",
            Block::Embed => "summary weights",
            Block::EmbedBias => "summary",
            Block::Join => "joined weights",
            Block::JoinBias => "joined layer",
            Block::Oracle => "Oracle's weights",
            Block::OracleBias => "Oracle",
            Block::BoardLayer => "board layer weights",
            Block::BoardLayerBias => "board layer",
            Block::Prophet => "Death Prophet's weights",
            Block::ProphetBias => "Death Prophet",
            Block::Seer => "Dark Seer's weights",
            Block::SeerBias => "Dark Seer",
            Block::SeerHexes => "Dark Seer's hex factors",
            Block::SeerUnits => "Dark Seer's unit factors",
        }
    }

    /// The type of its numbers.
    pub const fn element(self) -> Element {
        match self {
            Block::BoardBias | Block::GlobalBias => Element::Short,
            Block::EmbedBias
            | Block::JoinBias
            | Block::OracleBias
            | Block::BoardLayerBias
            | Block::ProphetBias
            | Block::SeerBias => Element::Long,
            _ => Element::Weight,
        }
    }

    /// Rows and numbers in a row; a bias is one row.
    pub const fn shape<P: Profile>(self) -> (usize, usize) {
        match self {
            Block::Wide => (P::Layout::WIDE_ROWS, P::L1),
            Block::Narrow => (P::Layout::NARROW_ROWS, P::NARROW),
            Block::BoardBias => (1, P::L1),
            Block::Global => (P::Layout::GLOBAL_ROWS, GLOBAL),
            Block::GlobalBias => (1, GLOBAL),
            Block::Embed => (EMBED, 2 * P::L1),
            Block::EmbedBias => (1, EMBED),
            Block::Join => (HIDDEN, JOINED),
            Block::JoinBias => (1, HIDDEN),
            Block::Oracle => (ORACLE_ROWS, HIDDEN),
            Block::OracleBias => (1, ORACLE_ROWS),
            Block::BoardLayer => (P::BOARD_LAYER, 2 * P::L1),
            Block::BoardLayerBias => (1, P::BOARD_LAYER),
            Block::Prophet => (PROPHET_ROWS, P::BOARD_LAYER),
            Block::ProphetBias => (1, PROPHET_ROWS),
            Block::Seer => (SEER_ROWS, P::BOARD_LAYER),
            Block::SeerBias => (1, SEER_ROWS),
            Block::SeerHexes => (HEX_FACTORS, FACTORS),
            Block::SeerUnits => (UNIT_FACTORS, FACTORS),
        }
    }

    /// Numbers in the block.
    #[expect(
        clippy::len_without_is_empty,
        reason = "only a layout without small features has an empty block"
    )]
    pub const fn len<P: Profile>(self) -> usize {
        let (rows, columns) = self.shape::<P>();
        rows * columns
    }

    /// The block's bytes in the file, without the zeros that fill it up.
    pub const fn range<P: Profile>(self) -> Range<usize> {
        let mut start = HEADER_LEN;
        let mut index = 0;
        while index < self as usize {
            start += Block::ALL[index].padded::<P>();
            index += 1;
        }
        start..start + self.len::<P>() * self.element().bytes::<P>()
    }

    const fn padded<P: Profile>(self) -> usize {
        (self.len::<P>() * self.element().bytes::<P>()).next_multiple_of(PADDING)
    }
}

/// Bytes of a file of this profile.
pub const fn file_len<P: Profile>() -> usize {
    Block::SeerUnits.range::<P>().start + Block::SeerUnits.padded::<P>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Desktop, Handheld, Tiny, Trunk};

    fn blocks_lie_one_after_another<P: Profile>() {
        let mut end = HEADER_LEN;
        for (index, block) in Block::ALL.into_iter().enumerate() {
            assert_eq!(block as usize, index);
            let range = block.range::<P>();
            assert_eq!(range.start, end, "{block:?}");
            assert_eq!(range.len(), block.len::<P>() * block.element().bytes::<P>());
            end = range.end.next_multiple_of(64);
        }
        assert_eq!(file_len::<P>(), end);
    }

    #[test]
    fn blocks_lie_one_after_another_in_every_profile() {
        blocks_lie_one_after_another::<Desktop>();
        blocks_lie_one_after_another::<Handheld>();
        blocks_lie_one_after_another::<Tiny>();
        blocks_lie_one_after_another::<Trunk<1024, i8, crate::layout::Full>>();
    }

    #[test]
    fn the_tiny_network_fits_its_flash() {
        assert!(file_len::<Tiny>() <= 256 * 1024, "{}", file_len::<Tiny>());
    }
}
