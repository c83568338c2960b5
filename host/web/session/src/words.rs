//! Words for what has none on a card of its own: terrain, modifiers, techs of no unit, maps.

use barrow_core::minions::{Modifier, Tech, TileType};

/// Name of a kind of terrain.
pub fn tile_name(tile: TileType) -> &'static str {
    match tile {
        TileType::Ground => "ground",
        TileType::Graveyard => "graveyard",
        TileType::Water => "water",
        TileType::Earthquake => "earthquake",
        TileType::Firestorm => "firestorm",
        TileType::Whirlwind => "whirlwind",
        TileType::SorceryNode => "sorcery_node",
        TileType::Teleporter => "teleporter",
        TileType::Spawner => "spawner",
        TileType::Mist => "mist",
        TileType::Wall => "wall",
    }
}

/// Effect of terrain in words.
pub fn tile_effect(tile: TileType) -> &'static str {
    match tile {
        TileType::Ground => "plain land, open to everybody",
        TileType::Graveyard => "earns a soul each turn while you stand on it; eight of them win the board",
        TileType::Water => "only fliers may stand on it",
        TileType::Earthquake => "only units with a printed speed of 2 or more may stand on it",
        TileType::Firestorm => "only units with a printed defense of 4 or more may stand on it",
        TileType::Whirlwind => "only persistent units may stand on it",
        TileType::SorceryNode => "brings 1 mana at the start of your turn while you stand on it",
        TileType::Teleporter => {
            "a piece that begins its turn here may jump to any free hex instead of walking"
        }
        TileType::Spawner => "makes a free zombie once a turn",
        TileType::Mist => {
            "at every turn end, what stands here goes back to its reinforcements unless persistent"
        }
        TileType::Wall => "nobody may stand on it",
    }
}

/// Effect of a modifier in words.
pub fn modifier_effect(modifier: Modifier) -> &'static str {
    match modifier {
        Modifier::Shielded => "twice the defense; goes back to the reinforcements instead of dying",
        Modifier::Protected => "2 more defense",
        Modifier::DoubleAttack => "at least two attacks",
        Modifier::Spawner => "units may be placed beside it",
        Modifier::Frozen => "no attack",
        Modifier::Weakened => {
            "an attack less, or 1 damage less of a single one; unsummoning and killing attacks stay"
        }
        Modifier::Lumbering => "no attack in a turn in which it moved",
        Modifier::Shackled => "speed and range at most 1",
        Modifier::UnsummonAttack => "its attack sends the target back to its reinforcements",
        Modifier::MoveThree => "a speed of at least 3",
        Modifier::RangeTwo => "a range of at least 2",
        Modifier::AirStrike => "a range of at least 3 against fliers",
        Modifier::NecroPick => "no effect",
    }
}

/// Effect of a tech that is none of a unit, in words.
pub fn tech_effect(tech: Tech) -> Option<&'static str> {
    match tech {
        Tech::UnitTech(_) => None,
        Tech::Copycat => Some("you may acquire techs that the opponent has acquired"),
        Tech::Thaumaturgy => Some("once a turn you may sell an unspent tech point for souls"),
        Tech::Metamagic => Some("a board may take several cards of the row in a turn"),
    }
}

/// Name with blanks before its capital letters: `Blackened Shores`.
pub fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter);
    }
    words
}
