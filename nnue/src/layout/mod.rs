//! Where the features have their rows.
//!
//! A layout numbers features within three tables: the wide and the narrow one of the board transformer, and the
//! general's. Each table is made of [`Group`]s one after the other, whose exact sizes stand with [`Full`] and
//! [`Folded`]. Rows are relative to a perspective: `own` is what belongs to that side, and for Blue the board is
//! turned by 180 degrees ([`barrow_core::hex::Hex::rotated`]), so that each side sees itself as Yellow does.

use barrow_core::hex::Hex;
use barrow_core::minions::{Board, Game, MapLabel, Side};

mod folded;
mod full;
mod group;
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

    /// Row of a board feature as a side sees it; `None` when this layout leaves it out.
    fn row(feature: BoardFeature, perspective: Side) -> Option<Row>;

    /// Row of a feature of the general as a side sees it; `None` when this layout leaves it out.
    fn global_row(feature: GlobalFeature, perspective: Side) -> Option<u16>;

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

/// 0 for the perspective's own side, 1 for the enemy.
#[inline]
const fn owner(side: Side, perspective: Side) -> u16 {
    (side as u8 ^ perspective as u8) as u16
}

/// Number of a hex as a side sees the board.
#[inline]
const fn place(hex: Hex, perspective: Side) -> u16 {
    (match perspective {
        Side::Yellow => hex.index(),
        Side::Blue => hex.rotated().index(),
    }) as u16
}

/// Number of a column or row as a side sees the board.
#[inline]
const fn coordinate(number: u8, perspective: Side) -> u16 {
    (match perspective {
        Side::Yellow => number,
        Side::Blue => (Hex::WIDTH - 1).wrapping_sub(number),
    }) as u16
}

/// Most hexes of a map that are sites; see [`BoardFeature::Site`].
const MOST_SITES: u16 = 17;

/// Maps that look the same when the board is turned by 180 degrees: both sides see them by the same row.
const TURNED_ALIKE: [MapLabel; 7] = [
    MapLabel::AllLand,
    MapLabel::ForbiddenIsle,
    MapLabel::MegaPuddles,
    MapLabel::RiverStyx,
    MapLabel::ChaosDiamond,
    MapLabel::Apocalypse,
    MapLabel::TestMap,
];

/// Number of a map as it lies before a side.
#[inline]
fn map_place(map: MapLabel, perspective: Side) -> u16 {
    let turned = perspective == Side::Blue && !TURNED_ALIKE.contains(&map);
    map.index() as u16 * 2 + u16::from(turned)
}
