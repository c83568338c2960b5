//! Perspectives: numbers and hexes as a side sees them. For Blue the board is turned by 180 degrees.

use core::ops::{Add, Mul};

use barrow_core::hex::Hex;
use barrow_core::minions::{MapLabel, Side, SideArray};

/// Perspective pair: a number as Yellow sees it, then as Blue does, so that one computation gives both rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PerspectivePair(pub(super) [u16; 2]);

impl PerspectivePair {
    /// Owner as each perspective sees it: 0 for its own side, 1 for the enemy.
    #[inline]
    pub(super) const fn owner(side: Side) -> PerspectivePair {
        PerspectivePair([side as u16, 1 - side as u16])
    }

    /// Number of a hex.
    #[inline]
    pub(super) const fn place(hex: Hex) -> PerspectivePair {
        PerspectivePair([hex.index() as u16, hex.rotated().index() as u16])
    }

    /// Number of a column or row; numbers from 10 on stay beyond the board.
    #[inline]
    pub(super) const fn coordinate(number: u8) -> PerspectivePair {
        PerspectivePair([number as u16, (Hex::WIDTH as u16 - 1).wrapping_sub(number as u16)])
    }

    /// Number of a map as it lies.
    #[inline]
    pub(super) fn map(map: MapLabel) -> PerspectivePair {
        let number = map.index() as u16 * 2;
        PerspectivePair([number, number + u16::from(!TURNED_ALIKE.contains(&map))])
    }

    /// Results of a function of the number, by perspective.
    #[inline]
    pub(super) fn by_side<T>(self, number: impl Fn(u16) -> T) -> SideArray<T> {
        SideArray(self.0.map(number))
    }
}

impl From<u16> for PerspectivePair {
    #[inline]
    fn from(number: u16) -> PerspectivePair {
        PerspectivePair([number; 2])
    }
}

impl Add<u16> for PerspectivePair {
    type Output = PerspectivePair;

    #[inline]
    fn add(self, number: u16) -> PerspectivePair {
        PerspectivePair(self.0.map(|own| own.wrapping_add(number)))
    }
}

impl Mul<u16> for PerspectivePair {
    type Output = PerspectivePair;

    #[inline]
    fn mul(self, number: u16) -> PerspectivePair {
        PerspectivePair(self.0.map(|own| own.wrapping_mul(number)))
    }
}

/// Hex as a side sees it: the graveyard corner of every side is in the same place.
#[inline]
pub fn seen_from(side: Side, hex: Hex) -> Hex {
    match side {
        Side::Yellow => hex,
        Side::Blue => hex.rotated(),
    }
}

/// Maps that look the same when the board is turned by 180 degrees; each has one row for both perspectives.
pub(super) const TURNED_ALIKE: [MapLabel; 7] = [
    MapLabel::AllLand,
    MapLabel::ForbiddenIsle,
    MapLabel::MegaPuddles,
    MapLabel::RiverStyx,
    MapLabel::ChaosDiamond,
    MapLabel::Apocalypse,
    MapLabel::TestMap,
];

/// Whether a map looks the same from both sides when one of them reflects the board in its long diagonal
/// ([`Hex::reflected`]; rules §3).
pub fn has_reflection(map: MapLabel) -> bool {
    map == MapLabel::AllLand || !TURNED_ALIKE.contains(&map)
}
