//! The layout of small chips: rare features share rows or have none.

use barrow_core::minions::Side;

use super::{Layout, Row};
use crate::features::{BoardFeature, GlobalFeature};

/// Rare features share rows or have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Folded;

impl Layout for Folded {
    const NAME: &'static str = "folded";
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
