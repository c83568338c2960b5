//! The layout of desktops and handhelds: tells apart all positions that the rules tell apart.

use barrow_core::minions::Side;

use super::{Layout, Row};
use crate::features::{BoardFeature, GlobalFeature};

/// Every feature has a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Full;

impl Layout for Full {
    const NAME: &'static str = "full";
    const WIDE_ROWS: usize = 6_800;
    const NARROW_ROWS: usize = 0;
    const GLOBAL_ROWS: usize = 0;

    fn row(_: BoardFeature, _: Side) -> Option<Row> {
        None
    }

    fn global_row(_: GlobalFeature, _: Side) -> Option<u16> {
        None
    }

    fn hash() -> u64 {
        0
    }
}
