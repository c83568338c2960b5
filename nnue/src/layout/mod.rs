//! Where the features have their rows.

use barrow_core::minions::Side;

mod folded;
mod full;

pub use folded::Folded;
pub use full::Full;

use crate::features::{BoardFeature, GlobalFeature};

/// A row of one of the two tables of the board transformer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Row {
    /// A piece: all lanes.
    Wide(u16),
    /// Anything else: the first lanes only.
    Narrow(u16),
}

/// A run of rows of which only so many can be active at the same time. What the loader's bound on sums is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Group {
    /// Number of rows.
    pub rows: u16,
    /// Most of them that any position makes active at once.
    pub active: u16,
}

/// A numbering of features.
pub trait Layout: Copy + 'static {
    /// Name in reports.
    const NAME: &'static str;
    /// Rows of the piece table.
    const WIDE_ROWS: usize;
    /// Rows of the table of everything else on a board.
    const NARROW_ROWS: usize;
    /// Rows of the general's table.
    const GLOBAL_ROWS: usize;

    /// Of the wide rows whose numbers leave the same remainder by this, at most one is active: a hex holds one
    /// piece, and the hex counts fastest.
    const WIDE_PLACES: usize = 100;
    /// The narrow rows in order, as runs. Rows past the last run count as active all at once.
    const NARROW_GROUPS: &'static [Group] = &[];
    /// The general's rows in the same way.
    const GLOBAL_GROUPS: &'static [Group] = &[];

    /// Row of a board feature as a side sees it; `None` when this layout leaves it out.
    fn row(feature: BoardFeature, perspective: Side) -> Option<Row>;

    /// Row of a feature of the general as a side sees it; `None` when this layout leaves it out.
    fn global_row(feature: GlobalFeature, perspective: Side) -> Option<u16>;

    /// Fingerprint of the numbering. Files made for another one are refused.
    fn hash() -> u64;
}
