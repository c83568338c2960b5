//! The blocks of a file: contents, shapes and places.

use core::ops::Range;

use crate::kernels::Weight;
use crate::layout::Layout;
use crate::shape::{
    EMBED, FACTORS, GENERAL_OUTPUTS, GLOBAL, HEX_FACTORS, HIDDEN, JOINED, ORACLE_ROWS, Profile, general_rows,
    mode_rows, prophet_rows, seer_rows, unit_factors,
};

/// Bytes of a header; the first block follows.
pub const HEADER_LEN: usize = 256;

/// Divisor of the offset of each block, in bytes.
const PADDING: usize = 64;

/// Extent of a file: how many rows the blocks have that do not follow from the profile alone. An optional head that a
/// network lacks has extent 0, and its blocks are empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Extent {
    /// Unit types that the network has rows for.
    pub units: usize,
    /// Whether the general's net is there.
    pub general: bool,
    /// Rows of the contexts of Dark Seer's places: none or [`PLACE_ROWS`](crate::shape::PLACE_ROWS).
    pub places: usize,
    /// Modes of Death Prophet beside its marginal predictions.
    pub modes: usize,
}

impl From<usize> for Extent {
    /// Extent of a network for this many unit types without optional heads.
    fn from(units: usize) -> Extent {
        Extent { units, ..Extent::default() }
    }
}

/// Type of a block's numbers.
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

/// Block of weights. Layers are stored output by output, tables row by row; shapes are in numbers, outermost first,
/// for the number of unit types that the file is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Block {
    /// Wide table, the pieces: `[rows of Layout::WIDE][L1]`.
    Wide = 0,
    /// Narrow table, everything else on a board: `[rows of Layout::NARROW][NARROW]`.
    Narrow = 1,
    /// Bias of a board's accumulator: `[L1]`.
    BoardBias = 2,
    /// Table of the general: `[rows of Layout::GLOBAL][GLOBAL]`.
    Global = 3,
    /// Bias of the general's accumulator: `[GLOBAL]`.
    GlobalBias = 4,
    /// Layer from a board's accumulators to its summary: `[EMBED][2 * L1]`, lanes of the side to move first.
    Embed = 5,
    /// Biases of the summary: `[EMBED]`.
    EmbedBias = 6,
    /// Layer from a summary, the sum of the other summaries and the general to the joined layer: `[HIDDEN][JOINED]`.
    Join = 7,
    /// Biases of the joined layer: `[HIDDEN]`.
    JoinBias = 8,
    /// Layer from the joined layer to Oracle's outputs: `[ORACLE_ROWS][HIDDEN]`.
    Oracle = 9,
    /// Biases of Oracle's outputs: `[ORACLE_ROWS]`.
    OracleBias = 10,
    /// Board layer, from a board's accumulators: `[BOARD_LAYER][2 * L1]`, lanes of the side to move first.
    BoardLayer = 11,
    /// Biases of the board layer: `[BOARD_LAYER]`.
    BoardLayerBias = 12,
    /// Contexts of Death Prophet, prediction by prediction: `[prophet_rows][BOARD_LAYER]`.
    Prophet = 13,
    /// Biases of Death Prophet: `[prophet_rows]`.
    ProphetBias = 14,
    /// Hexes and unit types of Dark Seer: `[seer_rows][BOARD_LAYER]`.
    Seer = 15,
    /// Biases of Dark Seer: `[seer_rows]`.
    SeerBias = 16,
    /// Factors of hexes: `[HEX_FACTORS][FACTORS]`.
    SeerHexes = 17,
    /// Factors of unit types: `[unit_factors][FACTORS]`.
    SeerUnits = 18,
    /// Contexts of the general's net: `[general_rows][BOARD_LAYER]`.
    GeneralContexts = 19,
    /// Biases of the general's layer: `[BOARD_LAYER]`.
    GeneralBias = 20,
    /// Layer from the general's layer to its steps: `[GENERAL_OUTPUTS][BOARD_LAYER]`.
    GeneralSteps = 21,
    /// Biases of the general's steps: `[GENERAL_OUTPUTS]`.
    GeneralStepsBias = 22,
    /// Contexts of places of Dark Seer: `[Extent::places][BOARD_LAYER]`.
    Places = 23,
    /// Biases of the contexts of places: `[Extent::places]`.
    PlaceBias = 24,
    /// Modes of Death Prophet, mode by mode: the rows that add to those of [`Block::Prophet`], then the row of the
    /// mode's own logit: `[mode_rows][BOARD_LAYER]`.
    Modes = 25,
    /// Biases of the modes: `[mode_rows]`.
    ModesBias = 26,
}

impl Block {
    /// All blocks in the order of the file.
    pub const ALL: [Block; 27] = [
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
        Block::GeneralContexts,
        Block::GeneralBias,
        Block::GeneralSteps,
        Block::GeneralStepsBias,
        Block::Places,
        Block::PlaceBias,
        Block::Modes,
        Block::ModesBias,
    ];

    /// Name in messages.
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
            Block::GeneralContexts => "contexts of the general's net",
            Block::GeneralBias => "general's layer",
            Block::GeneralSteps => "weights of the general's steps",
            Block::GeneralStepsBias => "general's steps",
            Block::Places => "Dark Seer's weights of places",
            Block::PlaceBias => "Dark Seer's places",
            Block::Modes => "weights of Death Prophet's modes",
            Block::ModesBias => "Death Prophet's modes",
        }
    }

    /// Type of the block's numbers.
    pub const fn element(self) -> Element {
        match self {
            Block::BoardBias | Block::GlobalBias | Block::GeneralBias => Element::Short,
            Block::EmbedBias
            | Block::JoinBias
            | Block::OracleBias
            | Block::BoardLayerBias
            | Block::ProphetBias
            | Block::SeerBias
            | Block::GeneralStepsBias
            | Block::PlaceBias
            | Block::ModesBias => Element::Long,
            _ => Element::Weight,
        }
    }

    /// Rows and numbers in a row, in a file of this extent; a bias is one row.
    pub fn shape<P: Profile>(self, extent: impl Into<Extent>) -> (usize, usize) {
        let Extent { units, general, places, modes } = extent.into();
        // A file has the blocks of the general's net once or not at all.
        let once = usize::from(general);
        match self {
            Block::Wide => (P::Layout::WIDE.rows(units), P::L1),
            Block::Narrow => (P::Layout::NARROW.rows(units), P::NARROW),
            Block::BoardBias => (1, P::L1),
            Block::Global => (P::Layout::GLOBAL.rows(units), GLOBAL),
            Block::GlobalBias => (1, GLOBAL),
            Block::Embed => (EMBED, 2 * P::L1),
            Block::EmbedBias => (1, EMBED),
            Block::Join => (HIDDEN, JOINED),
            Block::JoinBias => (1, HIDDEN),
            Block::Oracle => (ORACLE_ROWS, HIDDEN),
            Block::OracleBias => (1, ORACLE_ROWS),
            Block::BoardLayer => (P::BOARD_LAYER, 2 * P::L1),
            Block::BoardLayerBias => (1, P::BOARD_LAYER),
            Block::Prophet => (prophet_rows(units), P::BOARD_LAYER),
            Block::ProphetBias => (1, prophet_rows(units)),
            Block::Seer => (seer_rows(units), P::BOARD_LAYER),
            Block::SeerBias => (1, seer_rows(units)),
            Block::SeerHexes => (HEX_FACTORS, FACTORS),
            Block::SeerUnits => (unit_factors(units), FACTORS),
            Block::GeneralContexts => (general_rows(units).saturating_mul(once), P::BOARD_LAYER),
            Block::GeneralBias => (once, P::BOARD_LAYER),
            Block::GeneralSteps => (once * GENERAL_OUTPUTS, P::BOARD_LAYER),
            Block::GeneralStepsBias => (once, GENERAL_OUTPUTS),
            Block::Places => (places, P::BOARD_LAYER),
            Block::PlaceBias => (1, places),
            Block::Modes => (mode_rows(modes, units), P::BOARD_LAYER),
            Block::ModesBias => (1, mode_rows(modes, units)),
        }
    }

    /// Numbers in the block, in a file of this extent.
    pub fn len<P: Profile>(self, extent: impl Into<Extent>) -> usize {
        let (rows, columns) = self.shape::<P>(extent);
        rows.saturating_mul(columns)
    }

    /// Bytes of the block in a file of this extent, without the zeros that fill the block up.
    pub fn range<P: Profile>(self, extent: impl Into<Extent>) -> Range<usize> {
        let extent = extent.into();
        let before = Block::ALL.into_iter().take(self as usize);
        let start = before.fold(HEADER_LEN, |start, block| start.saturating_add(block.padded::<P>(extent)));
        start..start.saturating_add(self.bytes::<P>(extent))
    }

    fn bytes<P: Profile>(self, extent: Extent) -> usize {
        self.len::<P>(extent).saturating_mul(self.element().bytes::<P>())
    }

    fn padded<P: Profile>(self, extent: Extent) -> usize {
        self.bytes::<P>(extent).checked_next_multiple_of(PADDING).unwrap_or(usize::MAX)
    }
}

/// Bytes of a file of this profile and extent.
pub fn file_len<P: Profile>(extent: impl Into<Extent>) -> usize {
    let extent = extent.into();
    Block::ALL.into_iter().fold(HEADER_LEN, |end, block| end.saturating_add(block.padded::<P>(extent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{BASE_UNITS, Desktop, Handheld, Tiny, Trunk, UNIT_CAP, UNITS};

    fn blocks_lie_one_after_another<P: Profile>(extent: impl Into<Extent>) {
        let extent = extent.into();
        let mut end = HEADER_LEN;
        for (index, block) in Block::ALL.into_iter().enumerate() {
            assert_eq!(block as usize, index);
            let range = block.range::<P>(extent);
            assert_eq!(range.start, end, "{block:?}");
            assert_eq!(range.len(), block.len::<P>(extent) * block.element().bytes::<P>());
            end = range.end.next_multiple_of(64);
        }
        assert_eq!(file_len::<P>(extent), end);
    }

    #[test]
    fn blocks_lie_one_after_another_in_every_profile() {
        blocks_lie_one_after_another::<Desktop>(BASE_UNITS);
        blocks_lie_one_after_another::<Handheld>(UNIT_CAP);
        blocks_lie_one_after_another::<Tiny>(BASE_UNITS + 1);
        blocks_lie_one_after_another::<Tiny>(Extent {
            units: UNITS,
            general: true,
            places: crate::shape::PLACE_ROWS,
            modes: 3,
        });
        blocks_lie_one_after_another::<Trunk<1024, i8, crate::layout::Full>>(BASE_UNITS);
    }

    #[test]
    fn the_tiny_network_fits_its_flash() {
        assert!(file_len::<Tiny>(UNITS) <= 256 * 1024, "{}", file_len::<Tiny>(UNITS));
    }
}
