//! Maps (rules §3, §12): tiles as text, parsed at compile time into hex sets.
//!
//! A new map is one entry at the end of the table, so that the numbers of the others stay.
//! Row 0 comes first, column a leftmost. Lower-case letters are fixed terrain, upper-case `W E F A` the movable
//! tile of that kind where it lies at the start.

use crate::hex::{Hex, HexSet};

use super::terrain::{Movable, TileType, WALKER_CLASSES};

/// The map label and the tables, one entry per map in the order of the table.
macro_rules! map_table {
    ($($(#[$doc:meta])* $label:ident [$($row:literal,)*];)*) => {
        /// Label of a map (seed 000 "MapLabel").
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum MapLabel {
            $($(#[$doc])* $label,)*
        }

        /// Number of maps.
        pub const MAP_COUNT: usize = LABELS.len();

        const LABELS: [MapLabel; [$(stringify!($label)),*].len()] = [$(MapLabel::$label),*];
        const NAMES: [&str; MAP_COUNT] = [$(stringify!($label)),*];
        const ROWS: [[&[u8; 10]; 10]; MAP_COUNT] = [$([$($row),*]),*];
    };
}

map_table! {
    /// Map without features.
    AllLand [
        b"..........",
        b"..........",
        b"..........",
        b"..........",
        b"..........",
        b"..........",
        b"..........",
        b"..........",
        b"..........",
        b"..........",
    ];
    /// Blackened Shores.
    BlackenedShores [
        b"..g...g...",
        b"w.........",
        b"w.........",
        b"w....g...g",
        b"gw....g...",
        b"w..ww.....",
        b"wg..w.....",
        b"w.w......g",
        b"...g.w....",
        b"..wwwgwww.",
    ];
    /// Midnight Lake.
    MidnightLake [
        b".g.ww...g.",
        b".........g",
        b"..........",
        b"g..g.ww...",
        b"w...www...",
        b"....ww...w",
        b".g....g..w",
        b"..........",
        b"...g.....g",
        b".....wg...",
    ];
    /// Eternal Battlefield.
    EternalBattlefield [
        b"ww.g.....g",
        b"w.....g...",
        b"..........",
        b"........g.",
        b".gw.......",
        b"wwg.......",
        b"w........g",
        b"....gw....",
        b".g..wg...w",
        b"...ww...ww",
    ];
    /// Forbidden Isle.
    ForbiddenIsle [
        b"wwwwwwwwww",
        b"ww..g.wg.w",
        b"wg.......w",
        b"w........w",
        b"w..gw...gw",
        b"wg...wg..w",
        b"w........w",
        b"w.......gw",
        b"w.gw.g..ww",
        b"wwwwwwwwww",
    ];
    /// MegaPuddles.
    MegaPuddles [
        b"w..w..w..w",
        b".g..w..g..",
        b".....w..w.",
        b"w..g..w..g",
        b".w..g..w..",
        b"..w..g..w.",
        b"g..w..g..w",
        b".w..w.....",
        b"..g..w..g.",
        b"w..w..w..w",
    ];
    /// River Styx.
    RiverStyx [
        b"....ww..g.",
        b".g..w.....",
        b"...g......",
        b".......w..",
        b"..ww..gwg.",
        b".gwg..ww..",
        b"..w.......",
        b"......g...",
        b".....w..g.",
        b".g..ww....",
    ];
    /// Sorcerer's Lair.
    SorcerersLair [
        b"sw...g..ww",
        b"w....w.g.w",
        b"g...w...g.",
        b"..........",
        b"w.g.s...wg",
        b"..w..s.w..",
        b"..........",
        b"g...wg....",
        b".w.......w",
        b"w.g..w.gws",
    ];
    /// Chaos Diamond.
    ChaosDiamond [
        b"...w....g.",
        b".g..g..t.w",
        b"w.......ww",
        b"w..w...w..",
        b"....g...g.",
        b".g...g....",
        b"..w...w..w",
        b"ww.......w",
        b"w.t..g..g.",
        b".g....w...",
    ];
    /// Apocalypse.
    Apocalypse [
        b"..g.....gz",
        b"w.........",
        b"w...g.....",
        b"w.........",
        b"..ww..gw.g",
        b"g.wg..ww..",
        b".........w",
        b".....g...w",
        b".........w",
        b"zg.....g..",
    ];
    /// Treacherous Pathways.
    TreacherousPathways [
        b".g.....g..",
        b".......a..",
        b"..f.g..Wag",
        b"..........",
        b"g.........",
        b"wewwF..g..",
        b"....w.....",
        b"....w..f..",
        b"gA..e....g",
        b"Eg..wg....",
    ];
    /// Treacherous Pathways with mist.
    TreacherousPathwaysMist [
        b".g.....g..",
        b".m.....m..",
        b"....g..wmg",
        b"..........",
        b"g.........",
        b"wmwwm..g..",
        b"....w.....",
        b"....w.....",
        b"gw..m...mg",
        b".g..wg....",
    ];
    /// Test map of the web server.
    TestMap [
        b"........gw",
        b".....g....",
        b"g.........",
        b"......gw.g",
        b"...w..ww..",
        b"..ww..w...",
        b"g.wg......",
        b".........g",
        b"....g.....",
        b"wg........",
    ];
}

/// Map: the fixed terrain of a board (seed 000 "Map"), as one hex set per kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Map {
    fixed: [HexSet; TILE_KINDS],
    movable: [u8; 4],
    walkable: [HexSet; WALKER_CLASSES],
}

const TILE_KINDS: usize = TileType::ALL.len();
const NO_HEX: u8 = u8::MAX;

const fn tile_of(letter: u8) -> TileType {
    match letter {
        b'g' => TileType::Graveyard,
        b'w' => TileType::Water,
        b'e' => TileType::Earthquake,
        b'f' => TileType::Firestorm,
        b'a' => TileType::Whirlwind,
        b's' => TileType::SorceryNode,
        b't' => TileType::Teleporter,
        b'z' => TileType::Spawner,
        b'm' => TileType::Mist,
        _ => TileType::Ground,
    }
}

const fn parse(rows: &[&[u8; 10]; 10]) -> Map {
    let mut bits = [0u128; TILE_KINDS];
    let mut movable = [NO_HEX; 4];
    let mut index = 0;
    while index < 100 {
        let letter = rows[index / 10][index % 10];
        match letter {
            b'W' => movable[0] = index as u8,
            b'E' => movable[1] = index as u8,
            b'F' => movable[2] = index as u8,
            b'A' => movable[3] = index as u8,
            _ => {}
        }
        bits[tile_of(letter) as usize] |= 1 << index;
        index += 1;
    }
    let mut fixed = [HexSet::EMPTY; TILE_KINDS];
    let mut kind = 0;
    while kind < TILE_KINDS {
        fixed[kind] = HexSet::from_bits(bits[kind]);
        kind += 1;
    }
    let mut walkable = [HexSet::ALL; WALKER_CLASSES];
    let mut class = 0;
    while class < WALKER_CLASSES {
        let mut open = 0;
        let mut kind = 0;
        while kind < TILE_KINDS {
            if TileType::ALL[kind].admits(class as u8) {
                open |= bits[kind];
            }
            kind += 1;
        }
        walkable[class] = HexSet::from_bits(open);
        class += 1;
    }
    Map { fixed, movable, walkable }
}

static MAPS: [Map; MAP_COUNT] = {
    let mut maps = [parse(&ROWS[0]); MAP_COUNT];
    let mut i = 1;
    while i < MAP_COUNT {
        maps[i] = parse(&ROWS[i]);
        i += 1;
    }
    maps
};

impl MapLabel {
    /// Every map.
    pub const ALL: [MapLabel; MAP_COUNT] = LABELS;

    /// Maps that a random game draws from when advanced maps are off (rules §3).
    pub const BASIC: [MapLabel; 6] = {
        use MapLabel::*;
        [BlackenedShores, MidnightLake, EternalBattlefield, ForbiddenIsle, MegaPuddles, RiverStyx]
    };

    /// Maps that join those of [`MapLabel::BASIC`] when advanced maps are on.
    pub const ADVANCED: [MapLabel; 4] = {
        use MapLabel::*;
        [SorcerersLair, ChaosDiamond, Apocalypse, TreacherousPathways]
    };

    /// Position in [`MapLabel::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Name of the map without spaces or punctuation, such as `SorcerersLair`.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The map with this name; an apostrophe is ignored, because the web server sends `Sorcerer'sLair`.
    pub fn from_name(name: &str) -> Option<MapLabel> {
        LABELS.into_iter().find(|label| {
            let plain = name.bytes().filter(|&byte| byte != b'\'');
            plain.eq(label.name().bytes())
        })
    }

    /// Terrain of the map.
    pub fn map(self) -> &'static Map {
        &MAPS[self as usize]
    }
}

impl Map {
    /// Terrain from ten rows of ten letters: `.` ground, `g w e f a s t z m` fixed terrain, `W E F A` movable tiles
    /// at their start. Other letters read as ground.
    pub const fn from_rows(rows: &[&[u8; 10]; 10]) -> Map {
        parse(rows)
    }

    /// Terrain as printed on the map, movable tiles left out (their hexes read as ground).
    pub fn fixed_tile(&self, hex: Hex) -> TileType {
        for kind in TileType::ALL {
            if self.fixed[kind as usize].contains(hex) {
                return kind;
            }
        }
        TileType::Ground
    }

    /// All hexes whose fixed terrain is of this kind.
    pub fn all(&self, tile: TileType) -> HexSet {
        self.fixed[tile as usize]
    }

    /// Hex of the movable tile of this kind at the start, if the map has one.
    pub fn movable_start(&self, kind: Movable) -> Option<Hex> {
        Hex::new(self.movable[kind.index()])
    }

    /// Hexes whose fixed terrain admits units of this walker class.
    pub fn walkable(&self, class: u8) -> HexSet {
        self.walkable.get(usize::from(class)).copied().unwrap_or(HexSet::EMPTY)
    }
}
