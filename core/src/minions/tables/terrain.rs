//! Terrain kinds, movable tiles, and the classes of units that may stand on them (rules §12).

use super::figures::Unit;

/// Terrain of one hex. The four movable kinds exist in a fixed version, stored in the map, and a movable one, stored in
/// the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum TileType {
    /// Ground: plain land.
    Ground = 0,
    /// Graveyard: worth a soul a turn; eight of them win the board.
    Graveyard = 1,
    /// Water: admits fliers only.
    Water = 2,
    /// Earthquake: admits units with a printed speed of at least 2.
    Earthquake = 3,
    /// Firestorm: admits units with a printed defense of at least 4.
    Firestorm = 4,
    /// Whirlwind: admits units that are printed persistent.
    Whirlwind = 5,
    /// Sorcery node: one mana for its occupant's side at the start of the turn.
    SorceryNode = 6,
    /// Teleporter: a fresh piece on it may jump anywhere.
    Teleporter = 7,
    /// Spawner: creates a free zombie once a turn.
    Spawner = 8,
    /// Mist: unsummons occupants that are not persistent at every turn end.
    Mist = 9,
    /// Wall: admits nobody; no shipped map has one.
    Wall = 10,
}

/// Movable tile kind; each board has at most one tile of each.
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
    /// All movable kinds in the order of their indices.
    pub const ALL: [Movable; 4] =
        [Movable::Water, Movable::Earthquake, Movable::Firestorm, Movable::Whirlwind];

    /// Index of the kind in arrays, 0..4.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Terrain of a tile of this kind.
    pub const fn tile(self) -> TileType {
        match self {
            Movable::Water => TileType::Water,
            Movable::Earthquake => TileType::Earthquake,
            Movable::Firestorm => TileType::Firestorm,
            Movable::Whirlwind => TileType::Whirlwind,
        }
    }

    /// Name of the kind in data files, such as `water`.
    pub const fn name(self) -> &'static str {
        match self {
            Movable::Water => "water",
            Movable::Earthquake => "earthquake",
            Movable::Firestorm => "firestorm",
            Movable::Whirlwind => "whirlwind",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Movable> {
        Movable::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Letter of the kind in map files: `W`, `E`, `F` or `A`.
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

/// Number of walker classes: the values of [`walker_class`].
pub const WALKER_CLASSES: usize = 16;

/// Walker class of a unit, 0..16: the printed properties that terrain depends on, as bits (1 flying, 2 fast, 4 tough,
/// 8 persistent; rules §12).
pub const fn walker_class(unit: &Unit) -> u8 {
    (unit.flying as u8)
        | ((unit.speed >= 2) as u8) << 1
        | ((unit.defense >= 4) as u8) << 2
        | ((unit.persistent as u8) << 3)
}

impl TileType {
    /// Every kind of terrain by number.
    pub const ALL: [TileType; 11] = [
        TileType::Ground,
        TileType::Graveyard,
        TileType::Water,
        TileType::Earthquake,
        TileType::Firestorm,
        TileType::Whirlwind,
        TileType::SorceryNode,
        TileType::Teleporter,
        TileType::Spawner,
        TileType::Mist,
        TileType::Wall,
    ];

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
