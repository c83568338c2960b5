//! The book: cards, maps and levels.

use barrow_core::hex::Hex;
use barrow_core::minions::{MapLabel, Modifier, Movable, Ruleset, Spell, Tech, TileType, UnitLabel};

use crate::messages::{Book, Effect, LevelRow, MapRow, SpellRow, TerrainRow, UnitRow};
use crate::position_view::{attack_word, letter_of};
use crate::text::cards::{spell_effect, unit_card};
use crate::words::{modifier_effect, spaced, tech_effect, tile_effect, tile_name};

/// Level: name, what the engine does, nodes and milliseconds for a turn.
type Level = (&'static str, &'static str, Option<u64>, Option<u64>);

/// Levels, the weakest first.
const LEVELS: [Level; 7] = [
    ("first game", "looks at one turn", Some(1), None),
    ("gentle", "looks at 8 positions", Some(8), None),
    ("medium", "looks at 40 positions", Some(40), None),
    ("hard", "looks at 400 positions", Some(400), None),
    ("strong", "thinks for 3 seconds", None, Some(3_000)),
    ("master", "thinks for 10 seconds", None, Some(10_000)),
    ("all it has", "thinks for a minute", None, Some(60_000)),
];

/// The book for a ruleset.
pub fn book(ruleset: Ruleset) -> Book {
    let rules = ruleset.rules();
    let unit = |label: UnitLabel| {
        let unit = rules.unit(label);
        UnitRow {
            name: label.name().to_owned(),
            letter: letter_of(label),
            cost: unit.cost,
            rebate: unit.rebate,
            attack: attack_word(unit.attack),
            attacks: unit.num_attacks,
            defense: unit.defense,
            speed: unit.speed,
            range: unit.range,
            card: unit_card(&rules, label),
        }
    };
    let spell = |spell: Spell| SpellRow {
        name: spell.name().to_owned(),
        effect: spell_effect(spell).to_owned(),
        mana: spell.mana_on_play(),
        spawn_phase: spell.is_spawn_phase(),
        copies: spell.copies(),
    };
    let techs = [Tech::Copycat, Tech::Thaumaturgy, Tech::Metamagic];
    Book {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ruleset: ruleset.name().to_owned(),
        rulesets: [Ruleset::Server, Ruleset::Spooky].map(|rules| rules.name().to_owned()).to_vec(),
        maps: MapLabel::ALL.into_iter().map(map).collect(),
        levels: LEVELS
            .map(|(name, about, nodes, movetime)| LevelRow {
                name: name.to_owned(),
                about: about.to_owned(),
                nodes,
                movetime,
            })
            .to_vec(),
        units: UnitLabel::ALL.map(unit).to_vec(),
        spells: Spell::ALL.map(spell).to_vec(),
        terrain: TileType::ALL[1..]
            .iter()
            .map(|&tile| TerrainRow {
                kind: tile_name(tile).to_owned(),
                effect: tile_effect(tile).to_owned(),
            })
            .collect(),
        techs: techs
            .map(|tech| Effect {
                name: tech.name().to_owned(),
                effect: tech_effect(tech).unwrap_or_default().to_owned(),
            })
            .to_vec(),
        modifiers: Modifier::ALL
            .map(|modifier| Effect {
                name: modifier.name().to_owned(),
                effect: modifier_effect(modifier).to_owned(),
            })
            .to_vec(),
    }
}

/// A map, one letter for each hex: `.` ground, `G` graveyard, `w` and the like for what admits few, `*` for the rest.
fn map(label: MapLabel) -> MapRow {
    let map = label.map();
    let letter = |hex: Hex| {
        let movable = Movable::ALL.into_iter().find(|&kind| map.movable_start(kind) == Some(hex));
        match movable.map_or(map.fixed_tile(hex), Movable::tile) {
            TileType::Ground => '.',
            TileType::Graveyard => 'G',
            TileType::Water => 'w',
            TileType::Earthquake => 'e',
            TileType::Firestorm => 'f',
            TileType::Whirlwind => 'a',
            TileType::Wall => '#',
            TileType::SorceryNode | TileType::Teleporter | TileType::Spawner | TileType::Mist => '*',
        }
    };
    let hexes: Vec<Hex> = Hex::all().collect();
    let rows = hexes.chunks(10).map(|row| row.iter().map(|&hex| letter(hex)).collect()).collect();
    MapRow { name: label.name().to_owned(), words: spaced(label.name()), rows }
}
