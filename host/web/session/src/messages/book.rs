//! The book: what can be chosen, and what the rules say of units, spells and terrain.

use serde::{Deserialize, Serialize};

/// Cards, maps and levels.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Book {
    /// Version of the program.
    pub version: String,
    /// Ruleset of the figures.
    pub ruleset: String,
    /// Rulesets.
    pub rulesets: Vec<String>,
    /// Maps.
    pub maps: Vec<MapRow>,
    /// Levels of the engine, the weakest first.
    pub levels: Vec<LevelRow>,
    /// Units.
    pub units: Vec<UnitRow>,
    /// Spells.
    pub spells: Vec<SpellRow>,
    /// Kinds of terrain.
    pub terrain: Vec<TerrainRow>,
    /// Techs that are none of a unit.
    pub techs: Vec<Effect>,
    /// Modifiers of pieces.
    pub modifiers: Vec<Effect>,
}

/// Map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MapRow {
    /// Name, as messages have it.
    pub name: String,
    /// Name in words.
    pub words: String,
    /// Rows of the map, one letter for each hex.
    pub rows: Vec<String>,
}

/// Level of the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LevelRow {
    /// Name.
    pub name: String,
    /// Description of the level: what the engine does.
    pub about: String,
    /// Nodes for a turn at most.
    pub nodes: Option<u64>,
    /// Milliseconds for a turn at most.
    pub movetime: Option<u64>,
}

/// Unit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct UnitRow {
    /// Name.
    pub name: String,
    /// Letter; none for units that have no letter of their own.
    pub letter: String,
    /// Price in souls; 0 for necromancers.
    pub cost: u8,
    /// Souls that come back when it dies.
    pub rebate: u8,
    /// Attack: a number of damage, `unsummon`, `deathtouch` or `none`.
    pub attack: String,
    /// Attacks a turn.
    pub attacks: u8,
    /// Defense.
    pub defense: u8,
    /// Steps a turn.
    pub speed: u8,
    /// Range of attacks.
    pub range: u8,
    /// Card in words.
    pub card: String,
}

/// Spell.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpellRow {
    /// Name.
    pub name: String,
    /// Effect in words.
    pub effect: String,
    /// Change of mana when it is played.
    pub mana: i16,
    /// Whether it is played in the spawn phase only.
    pub spawn_phase: bool,
    /// Copies in the deck.
    pub copies: u8,
}

/// Kind of terrain.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TerrainRow {
    /// Kind, such as `graveyard`.
    pub kind: String,
    /// Effect in words.
    pub effect: String,
}

/// Something by its name, and what it does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Effect {
    /// Name.
    pub name: String,
    /// Effect in words.
    pub effect: String,
}
