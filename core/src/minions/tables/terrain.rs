//! Terrain: what a hex is made of and who may stand on it (rules §12).

use super::figures::Unit;

/// Terrain of one hex. The four movable kinds exist in a fixed and a movable version; which one a tile is, is
/// known by where it is stored ([`super::map::Map`] or [`crate::minions::position::board::Board`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum TileType {
    /// Plain land.
    Ground = 0,
    /// Worth a soul a turn; eight of them win the board.
    Graveyard = 1,
    /// Fliers only.
    Water = 2,
    /// Printed speed of at least 2.
    Earthquake = 3,
    /// Printed defense of at least 4.
    Firestorm = 4,
    /// Printed persistent.
    Whirlwind = 5,
    /// One mana at turn start for its occupant.
    SorceryNode = 6,
    /// A fresh piece on it may jump anywhere.
    Teleporter = 7,
    /// Creates a free zombie once a turn.
    Spawner = 8,
    /// Unsummons non-persistent occupants at every turn end.
    Mist = 9,
    /// Nobody may enter; no shipped map has one.
    Wall = 10,
}

/// The kinds of which each board has at most one movable tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Movable {
    /// Movable water.
    Water = 0,
    /// Movable earthquake.
    Earthquake = 1,
    /// Movable firestorm.
    Firestorm = 2,
    /// Movable whirlwind.
    Whirlwind = 3,
}

impl Movable {
    /// All four kinds.
    pub const ALL: [Movable; 4] =
        [Movable::Water, Movable::Earthquake, Movable::Firestorm, Movable::Whirlwind];

    /// Position in per-kind arrays, 0..4.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The terrain such a tile is.
    pub const fn tile(self) -> TileType {
        match self {
            Movable::Water => TileType::Water,
            Movable::Earthquake => TileType::Earthquake,
            Movable::Firestorm => TileType::Firestorm,
            Movable::Whirlwind => TileType::Whirlwind,
        }
    }

    /// The data-file word, such as `water`.
    pub const fn name(self) -> &'static str {
        match self {
            Movable::Water => "water",
            Movable::Earthquake => "earthquake",
            Movable::Firestorm => "firestorm",
            Movable::Whirlwind => "whirlwind",
        }
    }

    /// The kind with this data-file word.
    pub fn from_name(name: &str) -> Option<Movable> {
        Movable::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The map-file letter: `W`, `E`, `F` or `A`.
    pub const fn letter(self) -> u8 {
        match self {
            Movable::Water => b'W',
            Movable::Earthquake => b'E',
            Movable::Firestorm => b'F',
            Movable::Whirlwind => b'A',
        }
    }

    /// The kind with this map-file letter.
    pub fn from_letter(letter: u8) -> Option<Movable> {
        Movable::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

/// The classes of units that terrain tells apart, as a bit set: flying, fast, tough, persistent. Terrain looks
/// at printed figures only (rules §12).
pub const fn walker_class(unit: &Unit) -> u8 {
    (unit.flying as u8)
        | ((unit.speed >= 2) as u8) << 1
        | ((unit.defense >= 4) as u8) << 2
        | ((unit.persistent as u8) << 3)
}

impl TileType {
    /// Whether a unit of this class may walk on or be created on the tile.
    pub const fn admits(self, class: u8) -> bool {
        match self {
            TileType::Water => class & 1 != 0,
            TileType::Earthquake => class & 2 != 0,
            TileType::Firestorm => class & 4 != 0,
            TileType::Whirlwind => class & 8 != 0,
            TileType::Wall => false,
            TileType::Ground
            | TileType::Graveyard
            | TileType::SorceryNode
            | TileType::Teleporter
            | TileType::Spawner
            | TileType::Mist => true,
        }
    }
}
