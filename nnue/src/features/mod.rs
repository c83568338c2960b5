//! What a network sees of a position: short statements, each of which a layout gives a row of weights.
//!
//! [`board`] and [`global`] call a visitor with everything that is true. What is usual is left unsaid (a piece that
//! has not moved, a count of zero, the state `Normal`), so that few rows are active. Statements name absolute sides
//! and hexes; a [`crate::layout::Layout`] turns them to the perspective of a side. What belongs to the side to move
//! (mana, marks, budget, spell row, turn records) names no side: networks read the perspective of the side to move
//! first.
//!
//! Together the statements are injective: positions with the same side to move and the same statements, board by
//! board, are equal in everything the rules look at. What they leave out has no say in any rule: the order of the
//! cards in a hand and in the spell row (cards are named by their spell), and the state of the generator that
//! shuffles the undealt cards, which nobody knows.

mod board;
mod global;
mod scale;

pub(crate) use board::{SITES, choices, hand, mana, marks, others, pending, pieces, reserve, state};
pub use board::{board, rest, square, traits};
pub use global::global;
pub(crate) use global::{MISSING, Part, SWITCHES, TECHS, number};
pub use scale::Scale;

use barrow_core::hex::Hex;
use barrow_core::minions::{
    BoardState, MapLabel, Modifier, Movable, Side, Spell, Tech, TechStatus, TileType, UnitLabel,
};

/// How far the side to move has come in its turn on a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Stage {
    /// Nothing is decided yet.
    #[default]
    TurnStart = 0,
    /// Attacks are done; placing and the remaining moves are to come.
    AfterAttack = 1,
    /// All is done.
    AfterSpawn = 2,
}

/// What has happened on a board during the current turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Mark {
    /// The attack phase is over.
    SpawnPhase = 0,
    /// A necromancer was killed.
    Won = 1,
    /// Lost through graveyards.
    Lost = 2,
    /// The side to move has resigned the board.
    Resigned = 3,
    /// A spawner tile was used.
    TileUsed = 4,
    /// The mandatory setup was done.
    SetUp = 5,
}

/// Something true of one board. Levels are those of the scale that the variant names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardFeature {
    /// A piece stands on a hex.
    Piece(Side, UnitLabel, Hex),
    /// It carries a modifier with this counter, 1 or 2, at least once.
    Modifier(Side, Modifier, u8, Hex),
    /// Bit 0..40 of its modifiers in order of arrival, five bits each: the kind's number, then whether the counter
    /// is 2. Said only of lists in which a modifier comes twice or before one that stands earlier in the table or
    /// is the same kind with a smaller counter.
    Arrival(Hex, u8),
    /// It carries a modifier that strengthens it.
    Boosted(Side, Hex),
    /// It carries a modifier that hampers it.
    Hampered(Side, Hex),
    /// Damage taken this turn, at this step of [`Scale::DAMAGE`].
    Damage(Side, Hex, u8),
    /// A bit of what its damage exceeds that step by.
    DamageBit(Hex, u8),
    /// Steps walked this turn: 0..=3 for a piece that has moved that many, 4..=6 for one to three steps of a piece
    /// that has not moved, which only an editor of positions makes.
    Walk(Hex, u8),
    /// Attacks made this turn, at this level of [`Scale::ATTACKS`].
    Attacks(Hex, u8),
    /// It may do nothing more this turn.
    Exhausted(Hex),
    /// It was created this turn.
    Newcomer(Hex),
    /// It has attacked several pieces.
    Several(Hex),
    /// The column where it began the turn, if not the one it is in.
    OriginColumn(Hex, u8),
    /// The row where it began the turn, if not the one it is in.
    OriginRow(Hex, u8),
    /// The column where the first piece it attacked began the turn.
    TargetColumn(Hex, u8),
    /// The row where the first piece it attacked began the turn.
    TargetRow(Hex, u8),
    /// A side's piece stands on a graveyard, sorcery node, teleporter, spawner or mist.
    Site(Side, TileType, Hex),
    /// A movable tile lies on a hex.
    Tile(Movable, Hex),
    /// The board's map, as it lies before Yellow.
    Map(MapLabel),
    /// The board's state, unless `Normal`.
    State(BoardState),
    /// The stage, unless `TurnStart`.
    Stage(Stage),
    /// Something has happened this turn.
    Mark(Mark),
    /// Cards of the row given to this board, at this level of [`Scale::FEW`].
    Picks(u8),
    /// Units waiting to be placed, at this level of [`Scale::RESERVE`].
    Reserve(Side, UnitLabel, u8),
    /// A free unit may be chosen.
    Free(Side),
    /// A type may be kept.
    Candidate(Side, UnitLabel),
    /// Cards of a spell in the hand, at this level of [`Scale::CARDS`].
    Card(Side, Spell, u8),
    /// Souls still to be paid out, at this level of [`Scale::SOME`].
    Pending(Side, u8),
    /// Mana above zero, at this level of [`Scale::MANA`].
    Mana(u8),
    /// Mana below zero, at this level of [`Scale::MANA`].
    Debt(u8),
}

/// Something true of the general's part of a position. Levels are those of the scale that the variant names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalFeature {
    /// Number of boards, 1..=8.
    Boards(u8),
    /// The preset of rules is `spooky`.
    Spooky,
    /// This switch of the rules, by its place among those with two settings, 0..20, differs from the preset.
    Switch(u8),
    /// The starting reinforcement, if it differs from the preset's.
    StartReserve(UnitLabel),
    /// There is a turn limit (0), or bit 0..16 of it is set (1..17).
    TurnLimit(u8),
    /// Level of a tech now, unless locked; of its first place in the line.
    Level(Side, Tech, TechStatus),
    /// Level now, unless locked, of a place 0..25 whose tech is also at an earlier one.
    LevelAt(Side, u8, TechStatus),
    /// Level of a tech when the turn began, if it was another; of its first place in the line.
    Began(Side, Tech, TechStatus),
    /// The same of a place 0..25 whose tech is also at an earlier one.
    BeganAt(Side, u8, TechStatus),
    /// The tech at a place 0..25 of the line, where it is not that of the default line.
    Line(u8, Tech),
    /// Number of techs in the line, 1..=24, unless 25.
    LineLength(u8),
    /// Spendable souls, at this level of [`Scale::SOULS`].
    Souls(Side, u8),
    /// Board points, at this level of [`Scale::POINTS`].
    Points(Side, u8),
    /// Points that win, at this level of [`Scale::POINTS`].
    Needed(u8),
    /// Points a side still needs, 0..=8; 8 stands for more, too.
    Missing(Side, u8),
    /// Extra souls each turn, at this level of [`Scale::SOME`].
    Extra(Side, u8),
    /// Tech points left, at this level of [`Scale::FEW`].
    TechPoints(u8),
    /// Extra spells bought this turn, at this level of [`Scale::FEW`].
    Bought(u8),
    /// The free tech point was sold.
    Sold,
    /// Cards of the spell row, still there or taken, at this level of [`Scale::CARDS`].
    Card(Spell, bool, u8),
    /// The card at a place 0..24 of a queue.
    Next(Side, u8, Spell),
    /// Copies of a spell dealt from a deck, 1..=10.
    Dealt(Side, Spell, u8),
    /// Completed turns, at this level of [`Scale::TURN`].
    Turn(u8),
    /// The number of completed turns is odd.
    Odd,
    /// The winner.
    Winner(Side),
    /// Drawn by the turn limit.
    Drawn,
}
