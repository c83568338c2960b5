//! Where the features have their rows.
//!
//! A layout numbers features within three tables: the wide and the narrow one of the board transformer, and the
//! general's. Each table is made of [`Group`]s one after the other, whose exact sizes stand with [`Full`] and
//! [`Folded`]. Rows are relative to a perspective: `own` is what belongs to that side, and for Blue the board is
//! turned by 180 degrees ([`barrow_core::hex::Hex::rotated`]), so that each side sees itself as Yellow does.

use barrow_core::hex::Hex;
use barrow_core::minions::{Board, Game, MapLabel, Side, SideArray};

mod folded;
mod full;
mod group;
mod perspective;
#[cfg(test)]
mod tests;

pub use folded::Folded;
pub use full::Full;
pub use group::Group;

use crate::features::{self, BoardFeature, GlobalFeature, Stage};
use group::{FNV_OFFSET, fingerprint};

/// A row of one of the two tables of the board transformer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Row {
    /// A piece: all lanes.
    Wide(u16),
    /// Anything else: the first lanes only.
    Narrow(u16),
}

/// A numbering of features.
pub trait Layout: Copy + Eq + core::fmt::Debug + 'static {
    /// Name in reports.
    const NAME: &'static str;
    /// Rows of the piece table.
    const WIDE_ROWS: usize = Group::total(Self::WIDE_GROUPS);
    /// Rows of the table of everything else on a board.
    const NARROW_ROWS: usize = Group::total(Self::NARROW_GROUPS);
    /// Rows of the general's table.
    const GLOBAL_ROWS: usize = Group::total(Self::GLOBAL_GROUPS);

    /// Of the wide rows whose numbers leave the same remainder by this, at most one is active: a hex holds one
    /// piece, and the hex counts fastest.
    const WIDE_PLACES: usize = Hex::COUNT;
    /// The piece table's rows in order.
    const WIDE_GROUPS: &'static [Group];
    /// The narrow rows in order.
    const NARROW_GROUPS: &'static [Group];
    /// The general's rows in order.
    const GLOBAL_GROUPS: &'static [Group];

    /// Rows of a board feature as each side sees it; `None` when this layout leaves it out.
    fn rows(feature: BoardFeature) -> Option<SideArray<Row>>;

    /// Rows of a feature of the general as each side sees it; `None` when this layout leaves it out.
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

    /// Fingerprint of the numbering, 64-bit FNV-1a over the groups. Files made for another one are refused.
    fn hash() -> u64 {
        const {
            let board = fingerprint(fingerprint(FNV_OFFSET, Self::WIDE_GROUPS), Self::NARROW_GROUPS);
            fingerprint(board, Self::GLOBAL_GROUPS)
        }
    }
}

/// Calls `visit` with every active row of a board as a side sees it; twice with a row that stands for two features.
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

/// Calls `visit` with every active row of the general's table as a side sees the position; twice with a row that
/// stands for two features.
pub fn global_rows<L: Layout>(game: &Game, perspective: Side, mut visit: impl FnMut(u16)) {
    features::global(game, |feature| {
        if let Some(row) = L::global_row(feature, perspective) {
            visit(row);
        }
    });
}

/// Most hexes of a map that are sites; see [`BoardFeature::Site`].
const MOST_SITES: u16 = 17;
