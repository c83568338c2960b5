//! Printed figures of a unit type: attack, terrain ability, and the numbers on the card (rules §8, §10, §14).

/// Kind of an attack (rules §10; seed 000 "Attack").
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
    /// All abilities.
    pub const ALL: [Ability; 5] = [
        Ability::MoveFlood,
        Ability::MoveEarthquake,
        Ability::MoveWhirlwind,
        Ability::MoveFirestorm,
        Ability::MoveTerrain,
    ];

    /// Name of the ability in data files, such as `move_flood`.
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
    /// Whether the unit is a necromancer: its death decides the board.
    pub necromancer: bool,
    /// Whether the unit passes over enemies and water.
    pub flying: bool,
    /// Whether the unit cannot attack in a turn in which it moved.
    pub lumbering: bool,
    /// Whether attacks, mist and the spell Unsummon leave the unit on the board.
    pub persistent: bool,
    /// Whether the unit may return to the reinforcements in the attack phase.
    pub blink: bool,
    /// Whether a zombie joins the reinforcements at each own turn start (`server` `zombie_necromancer`).
    pub zombie_each_turn: bool,
    /// Distance in hexes within which the unit lets units be placed; 0 for none.
    pub spawn_range: u8,
    /// Souls earned at each own turn end.
    pub extra_souls: u8,
    /// Mana at each own turn start.
    pub extra_mana: u8,
    /// Terrain ability, if any.
    pub ability: Option<Ability>,
}

/// Distance in hexes within which a piece with the modifier Spawner lets units be placed at least (rules §13).
pub(crate) const SPAWNER_RANGE: u8 = 1;
