//! A position as a page shows it. Arrays of two are Yellow's part and Blue's part.

use serde::{Deserialize, Serialize};

/// Position with the turn that is being entered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PositionView {
    /// Ruleset, `server` or `spooky`.
    pub ruleset: String,
    /// Turns of the game so far.
    pub turn: u32,
    /// Index of this position among those of the game: turns played before it.
    pub after: usize,
    /// Whether this is the latest position, in which the turn can be entered.
    pub is_latest: bool,
    /// Side to move, `Yellow` or `Blue`.
    pub side: String,
    /// Name of the winner, or `draw`; none while the game goes on.
    pub result: Option<String>,
    /// Why the game ended where no points did it, such as `resignation`.
    pub result_reason: Option<String>,
    /// Board points that win the game.
    pub points_to_win: u8,
    /// Board points.
    pub points: [u8; 2],
    /// Souls that can be spent.
    pub souls: [u32; 2],
    /// Souls to be paid out.
    pub pending: [u32; 2],
    /// Souls earned by all boards if a turn ended now.
    pub income: [u32; 2],
    /// Tech points that are left in this turn.
    pub tech_points: u8,
    /// Souls that an extra tech point costs, which comes with a card under rules with spells.
    pub spell_price: u32,
    /// Techs in the order of the line.
    pub techs: Vec<TechView>,
    /// Line that unlocks the next tech; none where it is not possible.
    pub march: Option<String>,
    /// Line that buys a tech point; none where it is not possible.
    pub buy_spell: Option<String>,
    /// Line that sells the tech point; none where it is not possible.
    pub sell: Option<String>,
    /// Row of cards that are given to boards.
    pub row: Vec<CardView>,
    /// Boards.
    pub boards: Vec<BoardView>,
    /// Lines entered.
    pub lines: Vec<String>,
    /// Turn so far in words, a sentence for each action.
    pub sentences: Vec<String>,
    /// Why the turn cannot end yet; none where it can.
    pub end_refused: Option<String>,
    /// Reminders of what the rules still expect or what would be lost, before the turn ends, such as souls not spent.
    pub reminders: Vec<String>,
    /// Turns of the game so far.
    pub history: Vec<PlayedTurn>,
    /// Position at the start of the turn in the extended form of FEN.
    pub fen: String,
}

/// Level of a tech for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TechState {
    /// Locked.
    Locked,
    /// Unlocked.
    Unlocked,
    /// Acquired.
    Acquired,
}

/// Tech of the line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TechView {
    /// Position in the line.
    pub index: u8,
    /// Letter of the tech.
    pub letter: char,
    /// Name of the tech.
    pub name: String,
    /// Name of its unit, where the tech is that of a unit.
    pub unit: Option<String>,
    /// Effect of the tech in words, where it is none of a unit.
    pub effect: Option<String>,
    /// Levels.
    pub state: [TechState; 2],
    /// Line that makes a step on the tech; none where it is not possible.
    pub line: Option<String>,
    /// Why no step is possible.
    pub why: Option<String>,
}

/// Card of the row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CardView {
    /// Name of the spell.
    pub spell: String,
    /// Whether the card was given to a board in this turn.
    pub taken: bool,
    /// Lines that give the card to each board; none where it is not possible.
    pub lines: Vec<Option<String>>,
}

/// Board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BoardView {
    /// Name of the map.
    pub map: String,
    /// State: `first_turn`, `normal`, `reset_first` or `reset_second`.
    pub state: String,
    /// Terrain of hexes that are not plain ground.
    pub tiles: Vec<TileView>,
    /// Movable tiles.
    pub movables: Vec<MovableView>,
    /// Pieces.
    pub pieces: Vec<PieceView>,
    /// Units waiting to be placed.
    pub reinforcements: [Vec<ReinforcementView>; 2],
    /// Cards in the hands, oldest first.
    pub hands: [Vec<String>; 2],
    /// Mana of the side to move.
    pub mana: i16,
    /// Graveyards occupied.
    pub graveyards: [u8; 2],
    /// Graveyards that win the board.
    pub graveyards_to_win: u8,
    /// Souls earned if a turn ended now.
    pub income: [u32; 2],
    /// Whether the attack phase is over.
    pub spawn_phase: bool,
    /// Whether the side to move has won the board in this turn.
    pub won: bool,
    /// Whether the side to move has lost the board in this turn.
    pub lost: bool,
    /// Whether the side to move has resigned the board in this turn.
    pub resigned: bool,
    /// Whether a unit must be kept before anything else.
    pub awaits_setup: bool,
}

/// Fixed terrain of a hex.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TileView {
    /// Hex.
    pub hex: String,
    /// Kind, such as `graveyard`.
    pub kind: String,
}

/// Movable tile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MovableView {
    /// Hex.
    pub hex: String,
    /// Kind, such as `water`.
    pub kind: String,
}

/// Piece with its present figures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PieceView {
    /// Hex.
    pub hex: String,
    /// Side, `Yellow` or `Blue`.
    pub side: String,
    /// Name of the unit.
    pub unit: String,
    /// Letter of the unit.
    pub letter: String,
    /// Attack: a number of damage, `unsummon`, `deathtouch` or `none`.
    pub attack: String,
    /// Attacks a turn.
    pub attacks: u8,
    /// Attacks made in this turn.
    pub attacks_made: u8,
    /// Defense.
    pub defense: u16,
    /// Damage taken in this turn.
    pub damage: u16,
    /// Steps a turn.
    pub speed: u8,
    /// Steps used in this turn.
    pub steps_made: u8,
    /// Range of attacks.
    pub range: u8,
    /// Whether the piece is a necromancer.
    pub necromancer: bool,
    /// Whether the piece flies.
    pub flying: bool,
    /// Whether the piece is exhausted.
    pub exhausted: bool,
    /// Whether the piece has walked in this turn.
    pub moved: bool,
    /// Distance within which the piece lets units be placed, 0 for none.
    pub spawn_range: u8,
    /// Modifiers.
    pub modifiers: Vec<WaitingModifier>,
    /// Whether the piece can still walk or attack.
    pub ready: bool,
}

/// Modifier of a piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WaitingModifier {
    /// Name, such as `Shielded`.
    pub name: String,
    /// Turn ends until it goes.
    pub turns: u8,
}

/// Units of a type that wait to be placed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReinforcementView {
    /// Name of the unit.
    pub unit: String,
    /// Letter of the unit.
    pub letter: String,
    /// Number of units.
    pub count: u8,
    /// Number of hexes on which one may be placed now; 0 for the side that is not to move.
    pub places: usize,
}

/// Turn of the game so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedTurn {
    /// Side that played it, `Yellow` or `Blue`.
    pub side: String,
    /// Turn in a few words.
    pub summary: String,
    /// Turn in words, a sentence for each action.
    pub sentences: Vec<String>,
    /// Lines in UMI, `turn` first.
    pub lines: Vec<String>,
    /// Win chance that its player gave it, and the expected error of that.
    pub value: Option<[f64; 2]>,
}
