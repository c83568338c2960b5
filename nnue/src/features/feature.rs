//! Features of a board and of the general: the statements for which layouts have rows.
//!
//! Unit types are given by their index in the unit table and techs by [`tech_number`](super::tech_number), so that a
//! layout can number types that the table does not have yet. Levels are those of the scale that the variant names.

use barrow_core::hex::Hex;
use barrow_core::minions::turn_search::ports::Stage;
use barrow_core::minions::{BoardState, MapLabel, Modifier, Movable, Side, Spell, TechStatus, TileType};

/// Event on a board during the current turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Mark {
    /// The attack phase is over.
    SpawnPhase = 0,
    /// A necromancer was killed.
    Won = 1,
    /// The board was lost through graveyards.
    Lost = 2,
    /// The side to move has resigned the board.
    Resigned = 3,
    /// A spawner tile was used.
    TileUsed = 4,
    /// The mandatory setup was done.
    SetUp = 5,
}

/// Statement about one board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardFeature {
    /// A side's piece of the unit type with this index stands on a hex.
    Piece(Side, u8, Hex),
    /// The piece on a hex carries a modifier with this counter, 1 or 2, at least once.
    Modifier(Side, Modifier, u8, Hex),
    /// Bit 0..40 of the modifiers of the piece on a hex in order of arrival, five bits each: the kind's number, then
    /// whether the counter is 2. Only for lists in which a modifier comes twice or before one that stands earlier in
    /// the table or is the same kind with a smaller counter.
    Arrival(Hex, u8),
    /// The piece on a hex carries a modifier that strengthens it.
    Boosted(Side, Hex),
    /// The piece on a hex carries a modifier that hampers it.
    Hampered(Side, Hex),
    /// Damage that the piece on a hex took this turn, at this step of [`Scale::DAMAGE`](super::Scale::DAMAGE).
    Damage(Side, Hex, u8),
    /// Bit of the damage beyond the last step of [`Scale::DAMAGE`](super::Scale::DAMAGE).
    DamageBit(Hex, u8),
    /// Steps walked this turn: 0..=3 for a piece that has moved that many, 4..=6 for one to three steps of a piece
    /// that has not moved, which only an editor of positions makes.
    Walk(Hex, u8),
    /// Attacks made this turn, at this level of [`Scale::ATTACKS`](super::Scale::ATTACKS).
    Attacks(Hex, u8),
    /// The piece on a hex may do nothing more this turn.
    Exhausted(Hex),
    /// The piece on a hex was created this turn.
    Newcomer(Hex),
    /// The piece on a hex has attacked several pieces.
    Several(Hex),
    /// Column where the piece on a hex began the turn, if it is in another one now.
    OriginColumn(Hex, u8),
    /// Row where the piece on a hex began the turn, if it is in another one now.
    OriginRow(Hex, u8),
    /// Column where the first piece that the piece on a hex attacked began the turn.
    TargetColumn(Hex, u8),
    /// Row where the first piece that the piece on a hex attacked began the turn.
    TargetRow(Hex, u8),
    /// A side's piece stands on a graveyard, sorcery node, teleporter, spawner or mist.
    Site(Side, TileType, Hex),
    /// A movable tile lies on a hex.
    Tile(Movable, Hex),
    /// The board's map, as it lies before Yellow.
    Map(MapLabel),
    /// The board's state, unless `Normal`.
    State(BoardState),
    /// The stage of the turn, unless `TurnStart`.
    Stage(Stage),
    /// Something has happened this turn.
    Mark(Mark),
    /// Cards of the row given to this board, at this level of [`Scale::FEW`](super::Scale::FEW).
    Picks(u8),
    /// Reinforcements of the unit type with this index, at this level of [`Scale::RESERVE`](super::Scale::RESERVE).
    Reserve(Side, u8, u8),
    /// A free unit may be chosen.
    Free(Side),
    /// The unit type with this index may be kept.
    Candidate(Side, u8),
    /// Cards of a spell in the hand, at this level of [`Scale::CARDS`](super::Scale::CARDS).
    Card(Side, Spell, u8),
    /// Souls still to be paid out, at this level of [`Scale::SOME`](super::Scale::SOME).
    Pending(Side, u8),
    /// Mana above zero, at this level of [`Scale::MANA`](super::Scale::MANA).
    Mana(u8),
    /// Mana below zero, at this level of [`Scale::MANA`](super::Scale::MANA).
    Debt(u8),
}

impl BoardFeature {
    /// Statement about the board reflected in its long diagonal ([`Hex::reflected`]) that says what this one says of the board as
    /// it is. What says nothing about a hex stays the same, the map included.
    pub const fn reflected(self) -> BoardFeature {
        use BoardFeature as F;
        match self {
            F::Piece(side, unit, hex) => F::Piece(side, unit, hex.reflected()),
            F::Modifier(side, modifier, counter, hex) => {
                F::Modifier(side, modifier, counter, hex.reflected())
            }
            F::Arrival(hex, bit) => F::Arrival(hex.reflected(), bit),
            F::Boosted(side, hex) => F::Boosted(side, hex.reflected()),
            F::Hampered(side, hex) => F::Hampered(side, hex.reflected()),
            F::Damage(side, hex, step) => F::Damage(side, hex.reflected(), step),
            F::DamageBit(hex, bit) => F::DamageBit(hex.reflected(), bit),
            F::Walk(hex, steps) => F::Walk(hex.reflected(), steps),
            F::Attacks(hex, level) => F::Attacks(hex.reflected(), level),
            F::Exhausted(hex) => F::Exhausted(hex.reflected()),
            F::Newcomer(hex) => F::Newcomer(hex.reflected()),
            F::Several(hex) => F::Several(hex.reflected()),
            F::OriginColumn(hex, column) => F::OriginRow(hex.reflected(), column),
            F::OriginRow(hex, row) => F::OriginColumn(hex.reflected(), row),
            F::TargetColumn(hex, column) => F::TargetRow(hex.reflected(), column),
            F::TargetRow(hex, row) => F::TargetColumn(hex.reflected(), row),
            F::Site(side, tile, hex) => F::Site(side, tile, hex.reflected()),
            F::Tile(kind, hex) => F::Tile(kind, hex.reflected()),
            F::Map(_)
            | F::State(_)
            | F::Stage(_)
            | F::Mark(_)
            | F::Picks(_)
            | F::Reserve(..)
            | F::Free(_)
            | F::Candidate(..)
            | F::Card(..)
            | F::Pending(..)
            | F::Mana(_)
            | F::Debt(_) => self,
        }
    }
}

/// Statement about the general's part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalFeature {
    /// Number of boards, 1..=8.
    Boards(u8),
    /// The preset of rules is `spooky`.
    Spooky,
    /// The switch at this place among those with two settings, 0..20, differs from the preset of rules.
    Switch(u8),
    /// The starting reinforcement is the unit type with this index, and not the preset's.
    StartReserve(u8),
    /// There is a turn limit (0), or bit 0..16 of the limit is set (1..17).
    TurnLimit(u8),
    /// Level of the tech with this number now, unless locked; of its first place in the line.
    Level(Side, u8, TechStatus),
    /// Level now, unless locked, of a place 0..25 whose tech is also at an earlier place.
    LevelAt(Side, u8, TechStatus),
    /// Level of the tech with this number when the turn began, if it was another; of its first place in the line.
    Began(Side, u8, TechStatus),
    /// Level when the turn began, if it was another, of a place 0..25 whose tech is also at an earlier place.
    BeganAt(Side, u8, TechStatus),
    /// At a place 0..25 of the line stands the tech with this number, and not that of the default line.
    Line(u8, u8),
    /// Number of techs in the line, 1..=24, unless 25.
    LineLength(u8),
    /// Spendable souls, at this level of [`Scale::SOULS`](super::Scale::SOULS).
    Souls(Side, u8),
    /// Board points, at this level of [`Scale::POINTS`](super::Scale::POINTS).
    Points(Side, u8),
    /// Board points that win the game, at this level of [`Scale::POINTS`](super::Scale::POINTS).
    Needed(u8),
    /// Board points that a side still needs, 0..=8; 8 stands for more, too.
    Missing(Side, u8),
    /// Extra souls each turn, at this level of [`Scale::SOME`](super::Scale::SOME).
    Extra(Side, u8),
    /// Tech points left, at this level of [`Scale::FEW`](super::Scale::FEW).
    TechPoints(u8),
    /// Extra spells bought this turn, at this level of [`Scale::FEW`](super::Scale::FEW).
    Bought(u8),
    /// The free tech point was sold.
    Sold,
    /// Cards of a spell in the spell row, still there (`false`) or taken (`true`), at this level of
    /// [`Scale::CARDS`](super::Scale::CARDS).
    Card(Spell, bool, u8),
    /// Card at a place 0..24 of a side's queue.
    Next(Side, u8, Spell),
    /// Copies of a spell dealt from a side's deck, 1..=10.
    Dealt(Side, Spell, u8),
    /// Completed turns, at this level of [`Scale::TURN`](super::Scale::TURN).
    Turn(u8),
    /// The number of completed turns is odd.
    Odd,
    /// The winner.
    Winner(Side),
    /// The game was drawn by the turn limit.
    Drawn,
}
