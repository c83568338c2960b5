//! Choices of a player: possible actions, and why another is none.

use serde::{Deserialize, Serialize};

/// Choices about a subject.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Choices {
    /// Index of the board.
    pub board: usize,
    /// Subject in a few words, such as `zombie d1`.
    pub title: String,
    /// Choices.
    pub choices: Vec<Choice>,
    /// Enemies that the piece could attack after walking, besides those that it can attack now.
    pub after_walking: Vec<String>,
    /// Why there are none, in words.
    pub why: Option<String>,
}

/// Kind of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceKind {
    /// A piece walks.
    Walk,
    /// A piece attacks.
    Attack,
    /// A piece teleports.
    Teleport,
    /// Two pieces change places.
    Swap,
    /// A piece goes back to the reinforcements.
    Blink,
    /// A piece moves terrain.
    Ability,
    /// A unit is placed.
    Spawn,
    /// A spawner tile makes a zombie.
    Tile,
    /// A card is cast.
    Cast,
    /// A card is discarded for mana.
    Discard,
    /// A unit is bought.
    Buy,
    /// A unit is kept after a reset.
    Keep,
    /// The attack phase ends.
    EndPhase,
    /// The board is resigned.
    Resign,
}

/// Something that can be done, or cannot and why.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// Kind.
    pub kind: ChoiceKind,
    /// Line that does it; empty where it is not possible.
    pub line: String,
    /// Effect in words.
    pub words: String,
    /// Hexes to point at in their order, those of the subject itself left out.
    pub hexes: Vec<String>,
    /// Name of the unit, where it is about one.
    pub unit: Option<String>,
    /// Name of the spell, where it is about one.
    pub spell: Option<String>,
    /// Kind of terrain, where one is chosen.
    pub terrain: Option<String>,
    /// Souls that it costs.
    pub price: Option<u8>,
    /// Why it is not possible; none where it is.
    pub why: Option<String>,
}
