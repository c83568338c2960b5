//! Unit types: the label, the printed figures, and where they are looked up (rules §8, §10, §24).

use super::unit_table::{SERVER, SPOOKY};

/// Number of unit types known to the rules: the 33 of the `server` master list and the
/// `terrain_necromancer` that only `spooky` has.
pub const UNIT_COUNT: usize = 34;

/// A unit type. The discriminant is the position in the `server` master list (`piece_index`), which breaks
/// ties when a kept unit is chosen automatically (rules §17).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum UnitLabel {
    /// `necromancer`.
    Necromancer = 0,
    /// `arcane_necromancer`.
    ArcaneNecromancer = 1,
    /// `ranged_necromancer`.
    RangedNecromancer = 2,
    /// `mounted_necromancer`.
    MountedNecromancer = 3,
    /// `mana_necromancer`.
    ManaNecromancer = 4,
    /// `deadly_necromancer`.
    DeadlyNecromancer = 5,
    /// `battle_necromancer`.
    BattleNecromancer = 6,
    /// `zombie_necromancer`.
    ZombieNecromancer = 7,
    /// `zombie`.
    Zombie = 8,
    /// `acolyte`.
    Acolyte = 9,
    /// `initiate`.
    Initiate = 10,
    /// `skeleton`.
    Skeleton = 11,
    /// `serpent`.
    Serpent = 12,
    /// `warg`.
    Warg = 13,
    /// `ghost`.
    Ghost = 14,
    /// `wight`.
    Wight = 15,
    /// `haunt`.
    Haunt = 16,
    /// `shrieker`.
    Shrieker = 17,
    /// `spectre`.
    Spectre = 18,
    /// `rat`.
    Rat = 19,
    /// `witch`.
    Witch = 20,
    /// `vampire`.
    Vampire = 21,
    /// `mummy`.
    Mummy = 22,
    /// `lich`.
    Lich = 23,
    /// `sorcerer`.
    Sorcerer = 24,
    /// `void`.
    Void = 25,
    /// `cerberus`.
    Cerberus = 26,
    /// `wraith`.
    Wraith = 27,
    /// `horror`.
    Horror = 28,
    /// `banshee`.
    Banshee = 29,
    /// `elemental`.
    Elemental = 30,
    /// `harpy`.
    Harpy = 31,
    /// `shadowlord`.
    Shadowlord = 32,
    /// `terrain_necromancer`.
    TerrainNecromancer = 33,
}

/// Every label in master-list order.
const ALL: [UnitLabel; UNIT_COUNT] = {
    use UnitLabel::*;
    [
        Necromancer,
        ArcaneNecromancer,
        RangedNecromancer,
        MountedNecromancer,
        ManaNecromancer,
        DeadlyNecromancer,
        BattleNecromancer,
        ZombieNecromancer,
        Zombie,
        Acolyte,
        Initiate,
        Skeleton,
        Serpent,
        Warg,
        Ghost,
        Wight,
        Haunt,
        Shrieker,
        Spectre,
        Rat,
        Witch,
        Vampire,
        Mummy,
        Lich,
        Sorcerer,
        Void,
        Cerberus,
        Wraith,
        Horror,
        Banshee,
        Elemental,
        Harpy,
        Shadowlord,
        TerrainNecromancer,
    ]
};

const NAMES: [&str; UNIT_COUNT] = [
    "necromancer",
    "arcane_necromancer",
    "ranged_necromancer",
    "mounted_necromancer",
    "mana_necromancer",
    "deadly_necromancer",
    "battle_necromancer",
    "zombie_necromancer",
    "zombie",
    "acolyte",
    "initiate",
    "skeleton",
    "serpent",
    "warg",
    "ghost",
    "wight",
    "haunt",
    "shrieker",
    "spectre",
    "rat",
    "witch",
    "vampire",
    "mummy",
    "lich",
    "sorcerer",
    "void",
    "cerberus",
    "wraith",
    "horror",
    "banshee",
    "elemental",
    "harpy",
    "shadowlord",
    "terrain_necromancer",
];

/// FEN letters in master-list order; `-` where a type has none (the acolyte).
const LETTERS: &[u8; UNIT_COUNT] = b"NNNNNNNNZ-ISPWGTHKXAJVMLUOCRQBEYDN";

impl UnitLabel {
    /// Every unit type in master-list order.
    pub const ALL: [UnitLabel; UNIT_COUNT] = ALL;

    /// Position in the master list, `0..UNIT_COUNT`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The label at this master-list position.
    pub const fn from_index(index: u8) -> Option<UnitLabel> {
        if (index as usize) < UNIT_COUNT { Some(ALL[index as usize]) } else { None }
    }

    /// The name the data files use, such as `mana_necromancer`.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The label with this data-file name.
    pub fn from_name(name: &str) -> Option<UnitLabel> {
        ALL.into_iter().find(|label| label.name() == name)
    }

    /// The upper-case FEN letter; all necromancers share `N`, the acolyte has none.
    pub const fn letter(self) -> Option<u8> {
        match LETTERS[self as usize] {
            b'-' => None,
            letter => Some(letter),
        }
    }

    /// The unit with this FEN letter in either case; `N` reads as the basic necromancer (fen §6).
    pub fn from_letter(letter: u8) -> Option<UnitLabel> {
        let upper = letter.to_ascii_uppercase();
        if upper == b'-' {
            return None;
        }
        ALL.into_iter().find(|label| LETTERS[label.index()] == upper)
    }

    /// Whether this type is any of the necromancers, under every ruleset.
    pub const fn is_necromancer(self) -> bool {
        (self as u8) < (UnitLabel::Zombie as u8) || matches!(self, UnitLabel::TerrainNecromancer)
    }

    /// Printed figures under the `server` tables.
    pub fn server(self) -> &'static Unit {
        &SERVER[self as usize]
    }

    /// Printed figures under the `spooky` tables; types that ruleset lacks keep the `server` figures.
    pub fn spooky(self) -> &'static Unit {
        &SPOOKY[self as usize]
    }
}

/// What an attack does (rules §10; seed 000 "Attack").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Attack {
    /// The unit cannot attack.
    None,
    /// Adds this much damage.
    Damage(u8),
    /// Sends the target to its owner's reinforcements; one damage when the target is persistent.
    Unsummon,
    /// Kills outright; not available against necromancers.
    Deathtouch,
}

/// Terrain abilities (rules §14). Each costs one mana and is used in the spawn phase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Ability {
    /// Initiate: the movable water.
    MoveFlood = 0,
    /// Haunt: the movable earthquake.
    MoveEarthquake = 1,
    /// Void: the movable whirlwind.
    MoveWhirlwind = 2,
    /// Cerberus: the movable firestorm.
    MoveFirestorm = 3,
    /// Elemental: any of the four.
    MoveTerrain = 4,
}

impl Ability {
    /// All five.
    pub const ALL: [Ability; 5] = [
        Ability::MoveFlood,
        Ability::MoveEarthquake,
        Ability::MoveWhirlwind,
        Ability::MoveFirestorm,
        Ability::MoveTerrain,
    ];

    /// The data-file name, such as `move_flood`.
    pub const fn name(self) -> &'static str {
        match self {
            Ability::MoveFlood => "move_flood",
            Ability::MoveEarthquake => "move_earthquake",
            Ability::MoveWhirlwind => "move_whirlwind",
            Ability::MoveFirestorm => "move_firestorm",
            Ability::MoveTerrain => "move_terrain",
        }
    }

    /// The ability with this data-file name.
    pub fn from_name(name: &str) -> Option<Ability> {
        Ability::ALL.into_iter().find(|ability| ability.name() == name)
    }
}

/// Printed figures of a unit type (seed 000 "Unit"). Distances are hexes, money is souls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Kind and strength of one attack.
    pub attack: Attack,
    /// Attacks per turn, 1..=20.
    pub num_attacks: u8,
    /// Damage that kills, 1..=10.
    pub defense: u8,
    /// Steps per turn, 1..=3.
    pub speed: u8,
    /// Attack range in hexes, 0..=3; the same against fliers for every printed unit.
    pub range: u8,
    /// Price in souls; 0 for necromancers, which are not for sale.
    pub cost: u8,
    /// Souls the owner gets when the piece dies.
    pub rebate: u8,
    /// Its death decides the board.
    pub necromancer: bool,
    /// Passes over enemies and water.
    pub flying: bool,
    /// Cannot attack in a turn in which it moved.
    pub lumbering: bool,
    /// Not unsummoned by attacks, mist or the Unsummon spell.
    pub persistent: bool,
    /// May return to the reinforcements in the attack phase.
    pub blink: bool,
    /// At its owner's turn start a zombie joins the reinforcements (`server` `zombie_necromancer`).
    pub zombie_each_turn: bool,
    /// Distance within which it lets units be placed; 0 for none.
    pub spawn_range: u8,
    /// Souls earned at each own turn end.
    pub extra_souls: u8,
    /// Mana at each own turn start.
    pub extra_mana: u8,
    /// Terrain ability, if any.
    pub ability: Option<Ability>,
}
