//! What a network sees of a position.

use barrow_core::hex::Hex;
use barrow_core::minions::{Side, UnitLabel};

/// Something true of one board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardFeature {
    /// A piece stands on a hex.
    Piece(Side, UnitLabel, Hex),
}

/// Something true of the general's part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalFeature {
    /// Number of boards, 1..=8.
    Boards(u8),
}
