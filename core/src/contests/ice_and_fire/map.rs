//! The map: the part of a position that never changes.

use super::CellSet;

/// The map of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Map {
    /// Cells that are not void.
    pub open: CellSet,
    /// Open cells on which mines can be built.
    pub mine_spots: CellSet,
}
