//! The trait of a layout: which rows a feature has.

use barrow_core::hex::Hex;
use barrow_core::minions::{Board, Game, MapLabel, Side, SideArray};

use super::table::{Table, tables_fingerprint};
use crate::features::{self, BoardFeature, GlobalFeature, Stage};
use crate::shape::later_units;

/// Row of one of the two tables of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Row {
    /// Row of a piece, which reaches all lanes.
    Wide(u16),
    /// Row of any other feature, which reaches the first lanes only.
    Narrow(u16),
}

/// Numbering of features in three tables.
pub trait Layout: Copy + Eq + core::fmt::Debug + 'static {
    /// Name in reports.
    const NAME: &'static str;
    /// Whether any details have rows; a layout without is spared the search for them. Details are the kinds and the order of
    /// modifiers, where a piece began its turn and what it attacked, candidates, changed rules and the tech line, the
    /// points there are and those needed, extra souls, spells bought and sold points, decks.
    const DETAILS: bool;
    /// Number of wide rows of which at most one is active if their numbers leave the same remainder by it: a hex
    /// holds one piece, and the hex counts fastest.
    const WIDE_PLACES: usize = Hex::COUNT;
    /// Wide table: pieces.
    const WIDE: Table;
    /// Narrow table: everything else on a board.
    const NARROW: Table;
    /// Table of the general.
    const GLOBAL: Table;

    /// Rows of a board feature as each side sees it; `None` when this layout has no row for the feature.
    fn rows(feature: BoardFeature) -> Option<SideArray<Row>>;

    /// Rows of a feature of the general as each side sees it; `None` when this layout has no row for the feature.
    fn global_rows(feature: GlobalFeature) -> Option<SideArray<u16>>;

    /// Row of a board feature as a side sees it.
    #[inline]
    fn row(feature: BoardFeature, perspective: Side) -> Option<Row> {
        Self::rows(feature).map(|rows| rows[perspective])
    }

    /// Row of a feature of the general as a side sees it.
    #[inline]
    fn global_row(feature: GlobalFeature, perspective: Side) -> Option<u16> {
        Self::global_rows(feature).map(|rows| rows[perspective])
    }

    /// Fingerprint of the numbering for this many unit types, 64-bit FNV-1a over the groups. Files with another one
    /// are refused.
    fn hash(units: usize) -> u64 {
        let hashes = const {
            let tables = [Self::WIDE, Self::NARROW, Self::GLOBAL];
            [tables_fingerprint(tables, false), tables_fingerprint(tables, true)]
        };
        if later_units(units) == 0 { hashes[0] } else { hashes[1] }
    }
}

/// Calls `visit` with every active row of a board as a side sees it; twice with a row that two features name.
pub fn board_rows<L: Layout>(
    map: MapLabel,
    board: &Board,
    stage: Stage,
    perspective: Side,
    mut visit: impl FnMut(Row),
) {
    features::board(map, board, stage, |feature| {
        if let Some(row) = L::row(feature, perspective) {
            visit(row);
        }
    });
}

/// Calls `visit` with every row that is active when a board, reflected in its long diagonal, lies on the map as the opponent
/// sees it: on a map with this symmetry ([`has_reflection`](super::has_reflection)) that is the same board once more, which is worth
/// the same.
pub fn reflected_board_rows<L: Layout>(
    map: MapLabel,
    board: &Board,
    stage: Stage,
    perspective: Side,
    mut visit: impl FnMut(Row),
) {
    features::board(map, board, stage, |feature| {
        let perspective = match feature {
            BoardFeature::Map(_) => perspective.opponent(),
            _ => perspective,
        };
        if let Some(row) = L::row(feature.reflected(), perspective) {
            visit(row);
        }
    });
}

/// Calls `visit` with every active row of the general's table as a side sees the position; twice with a row that two
/// features name.
pub fn global_rows<L: Layout>(game: &Game, perspective: Side, mut visit: impl FnMut(u16)) {
    features::global(game, |feature| {
        if let Some(row) = L::global_row(feature, perspective) {
            visit(row);
        }
    });
}

/// Most hexes of a map that are sites; see [`BoardFeature::Site`].
pub(super) const MOST_SITES: u16 = 17;
