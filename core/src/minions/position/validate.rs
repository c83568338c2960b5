//! Validity of a position: the one list of its invariants, for parsers, the builder and the tests.

use core::fmt;

use crate::hex::Hex;

use super::board::Board;
use crate::minions::rules::game::Game;
use crate::minions::tables::capacities::{QUEUE_EXTRA, SOULS_CAP};
use crate::minions::tables::map::Map;
use crate::minions::tables::side::Side;
use crate::minions::tables::terrain::{Movable, TileType};

/// Invariant that a position breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Invalid {
    /// The number of boards differs from the number of maps.
    BoardCount,
    /// The two sides' piece sets overlap or differ from the pieces on the hexes.
    PieceSets(u8),
    /// A board's key differs from the key computed from scratch.
    Key(u8),
    /// A movable tile lies on terrain that is not ground, or two tiles share a hex.
    MovableTile(u8),
    /// A piece of the side that is not to move has acted, or two pieces have the same origin.
    PieceRecord(u8),
    /// Spell cards or mana under rules without spells.
    NoSpells(u8),
    /// Less mana than the cards in the hand of the side to move could make up for.
    Mana(u8),
    /// Boards as far as this one claim more cards of the row than were taken.
    Picks(u8),
    /// More free units than one.
    FreeUnits(u8),
    /// A tech level beyond the line, or a tech acquired without being unlocked.
    Tech,
    /// A level went down during the turn.
    TechStart,
    /// A pool of souls above [`SOULS_CAP`].
    Souls,
    /// A card of the row is taken that does not exist, or more than one per board are.
    Row,
    /// A queue longer than n + 11.
    Queue,
    /// More tech points than the turn's own and those bought. One that was sold is not counted off.
    Budget,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Invalid::BoardCount => f.write_str("the number of boards differs from the number of maps"),
            Invalid::PieceSets(board) => write!(f, "board {board}: piece sets and hexes disagree"),
            Invalid::Key(board) => write!(f, "board {board}: the key is stale"),
            Invalid::MovableTile(board) => write!(f, "board {board}: a movable tile lies where it cannot"),
            Invalid::PieceRecord(board) => write!(f, "board {board}: a piece's turn record is impossible"),
            Invalid::NoSpells(board) => write!(f, "board {board}: cards or mana under rules without spells"),
            Invalid::Mana(board) => write!(f, "board {board}: less mana than the hand covers"),
            Invalid::Picks(board) => write!(f, "board {board}: more cards picked than taken"),
            Invalid::FreeUnits(board) => write!(f, "board {board}: more than one free unit"),
            Invalid::Tech => f.write_str("tech levels do not fit the line"),
            Invalid::TechStart => f.write_str("a tech level went down during the turn"),
            Invalid::Souls => f.write_str("too many souls"),
            Invalid::Row => f.write_str("cards taken do not fit the row"),
            Invalid::Queue => f.write_str("a queue is too long"),
            Invalid::Budget => f.write_str("tech points do not fit the spells bought"),
        }
    }
}

impl core::error::Error for Invalid {}

impl Game {
    /// Checks every invariant of the position. Every action and every turn end keeps them; [`Game::append_cards`] may not.
    pub fn validate(&self) -> Result<(), Invalid> {
        let (config, state) = (&self.config, &self.state);
        if state.boards.len() != config.num_boards() {
            return Err(Invalid::BoardCount);
        }
        let mut picks = 0;
        for (index, board) in state.boards.iter().enumerate() {
            self.validate_board(index as u8, board, config.map(index))?;
            picks += usize::from(board.marks().picks);
            if picks > state.num_taken() {
                return Err(Invalid::Picks(index as u8));
            }
        }
        let line = (1u32 << config.techline.len()) - 1;
        for side in Side::ALL {
            let (now, start) = (state.tech[side], state.tech_start[side]);
            for levels in [now, start] {
                let (unlocked, acquired) = (levels.unlocked_bits(), levels.acquired_bits());
                if unlocked & !line != 0 || acquired & !unlocked != 0 {
                    return Err(Invalid::Tech);
                }
            }
            let lost_levels = start.unlocked_bits() & !now.unlocked_bits();
            if lost_levels != 0 || start.acquired_bits() & !now.acquired_bits() != 0 {
                return Err(Invalid::TechStart);
            }
            if state.souls[side] > SOULS_CAP {
                return Err(Invalid::Souls);
            }
            if state.decks[side].queue.len() > config.num_boards() + QUEUE_EXTRA {
                return Err(Invalid::Queue);
            }
        }
        let cards_in_row = if state.row.len() >= 64 { u64::MAX } else { (1 << state.row.len()) - 1 };
        if state.taken & !cards_in_row != 0 || state.num_taken() > config.num_boards() {
            return Err(Invalid::Row);
        }
        if u16::from(state.budget.tech_points) > 1 + u16::from(state.budget.bought) {
            return Err(Invalid::Budget);
        }
        Ok(())
    }

    fn validate_board(&self, index: u8, board: &Board, map: &Map) -> Result<(), Invalid> {
        let rules = &self.config.rules;
        if board.key() != board.computed_key() {
            return Err(Invalid::Key(index));
        }
        let mut origins = crate::hex::HexSet::EMPTY;
        for hex in Hex::all() {
            let owners = Side::ALL.map(|side| board.pieces(side).contains(hex));
            let piece = board.piece(hex);
            if owners != Side::ALL.map(|side| piece.is_some_and(|piece| piece.side() == side)) {
                return Err(Invalid::PieceSets(index));
            }
            let Some(piece) = piece else { continue };
            let waits = piece.side() != self.state.side;
            let acted = piece.steps() > 0 || piece.attacks() > 0 || piece.moved() || piece.exhausted();
            let unknown = piece.origin().is_none();
            let doubled = piece.origin().is_some_and(|origin| !origins.insert(origin));
            if (waits && (acted || unknown)) || doubled {
                return Err(Invalid::PieceRecord(index));
            }
        }
        let mut tiles = crate::hex::HexSet::EMPTY;
        for kind in Movable::ALL {
            if let Some(hex) = board.movable(kind)
                && (map.fixed_tile(hex) != TileType::Ground || !tiles.insert(hex))
            {
                return Err(Invalid::MovableTile(index));
            }
        }
        let cards = Side::ALL.into_iter().any(|side| !board.hand(side).is_empty());
        if !rules.spells && (cards || board.mana() != 0) {
            return Err(Invalid::NoSpells(index));
        }
        let cards = board.hand(self.state.side).iter().map(|card| i32::from(card.mana_on_discard()));
        if i32::from(board.mana()) + cards.sum::<i32>() < 0 {
            return Err(Invalid::Mana(index));
        }
        if Side::ALL.into_iter().any(|side| board.free(side) > 1) {
            return Err(Invalid::FreeUnits(index));
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "validate_tests.rs"]
mod tests;
