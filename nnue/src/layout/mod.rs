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

    /// Row of a board feature as a side sees it; `None` when this layout leaves it out.
    fn row(feature: BoardFeature, perspective: Side) -> Option<Row>;

    /// Row of a feature of the general as a side sees it; `None` when this layout leaves it out.
    fn global_row(feature: GlobalFeature, perspective: Side) -> Option<u16>;

    /// Fingerprint of the numbering. Files made for another one are refused.
    fn hash() -> u64;
}
