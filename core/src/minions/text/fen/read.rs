//! Reading a position: Spooky's form (fen §6), then the fields that extend it, if there are any.

use crate::hex::Hex;
use crate::rng::Rng;

use super::error::{FenError, FenReason};
use super::extended;
use super::fields::read_levels;
use super::implied::{implied_free, implied_mana, implied_winner, reads_candidates};
use super::token::{Token, Tokens};
use crate::minions::position::board::{Board, BoardState};
use crate::minions::position::piece::Piece;
use crate::minions::position::state::{Deck, GameState};
use crate::minions::position::validate::Invalid;
use crate::minions::rules::game::Game;
use crate::minions::tables::capacities::BOARD_CAP;
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::ruleset::Rules;
use crate::minions::tables::side::{Side, SideArray};
use crate::minions::tables::spell::Spell;
use crate::minions::tables::unit::UnitLabel;

/// Reads a position, in Spooky's form or extended; cards that the text does not name are dealt from seed 0.
///
/// A text that carries its own configuration is read under that one, any other under `config`.
///
/// ```
/// use barrow_core::minions::{GameConfig, fen};
/// let config = GameConfig::default();
/// let game = fen::parse("1|2 0|0 LLLLL", &config);
/// assert_eq!(game.unwrap_err().to_string(), "column 9: expected Yellow's and Blue's part, separated by |");
/// ```
pub fn parse(text: &str, config: &GameConfig) -> Result<Game, FenError> {
    parse_seeded(text, config, 0)
}

/// Reads a position as [`parse`] does; cards that the text does not name are dealt from this seed.
pub fn parse_seeded(text: &str, config: &GameConfig, seed: u64) -> Result<Game, FenError> {
    let mut tokens = Tokens::new(text)?;
    let own_config = extended::find_config(tokens.clone())?;
    let config = own_config.unwrap_or_else(|| config.clone());

    let money = tokens.require("souls")?;
    let souls: SideArray<u32> = money.numbers()?;
    let points = tokens.require("board points")?.numbers()?;
    let techs = tokens.require("tech levels")?.sides()?;
    let mut boards = [money; BOARD_CAP];
    let boards = boards.get_mut(..config.num_boards()).unwrap_or_default();
    for board in boards.iter_mut() {
        *board = tokens.require("a board")?;
    }
    let side = read_side(tokens.require("the side to move")?)?;
    let turn = tokens.require("the turn number")?;

    let mut state = GameState::bare(&config, seed);
    state.side = side;
    state.points = points;
    let completed = turn.number::<u64>()?.checked_sub(1).and_then(|turns| u32::try_from(turns).ok());
    state.turn = completed.ok_or(turn.error(FenReason::Number))?;
    for side in Side::ALL {
        state.tech[side] = read_levels(techs[side], config.techline.len())?;
    }
    state.tech_start = state.tech;
    state.winner = implied_winner(&config, state.points, side);
    for (index, token) in boards.iter().enumerate() {
        let board = read_board(*token, &config, index, side)?;
        if let Some(slot) = state.boards.get_mut(index) {
            *slot = board;
        }
    }
    if config.rules.spells {
        deal(&mut state, &config, seed);
    }
    let mut game = Game { config, state };
    extended::read_fields(&mut game, tokens)?;

    for side in Side::ALL {
        let pool = souls[side].checked_sub(game.state.pending(side));
        game.state.souls[side] = pool.ok_or(money.error(FenReason::Pending))?;
    }
    match game.validate() {
        Ok(()) => Ok(game),
        Err(invalid) => {
            let board = board_at_fault(invalid).and_then(|board| boards.get(usize::from(board)));
            Err(board.unwrap_or(&money).error(FenReason::Invalid(invalid)))
        }
    }
}

fn board_at_fault(invalid: Invalid) -> Option<u8> {
    match invalid {
        Invalid::PieceSets(board)
        | Invalid::Key(board)
        | Invalid::MovableTile(board)
        | Invalid::PieceRecord(board)
        | Invalid::NoSpells(board)
        | Invalid::Mana(board)
        | Invalid::Picks(board)
        | Invalid::FreeUnits(board) => Some(board),
        _ => None,
    }
}

/// Deals fresh decks; the row of the side to move comes from its own queue. Before the first turn the queues are not
/// refilled after the draw (rules §7).
fn deal(state: &mut GameState, config: &GameConfig, seed: u64) {
    let mut rng = Rng::new(seed);
    state.decks = SideArray::new(Deck::new(rng.next_u64()), Deck::new(rng.next_u64()));
    state.refill(config);
    state.draw_row(config);
    if state.turn > 0 {
        state.refill(config);
    }
}

fn read_side(token: Token<'_>) -> Result<Side, FenError> {
    match token.text {
        "0" => Ok(Side::Yellow),
        "1" => Ok(Side::Blue),
        _ => Err(token.expected("0 for Yellow or 1 for Blue")),
    }
}

fn read_board(token: Token<'_>, config: &GameConfig, index: usize, mover: Side) -> Result<Board, FenError> {
    let malformed = token.expected("a board: state|units|units|spells|spells|rows");
    let (state, rest) = token.cut('|').ok_or(malformed)?;
    let (yellow_units, rest) = rest.cut('|').ok_or(malformed)?;
    let (blue_units, rest) = rest.cut('|').ok_or(malformed)?;
    let (yellow_spells, rest) = rest.cut('|').ok_or(malformed)?;
    let (blue_spells, rows) = rest.cut('|').ok_or(malformed)?;

    let mut board = Board::empty();
    board.lay_movable(config.map(index));
    let letter = match *state.text.as_bytes() {
        [letter] => BoardState::from_letter(letter),
        _ => None,
    };
    board.set_state(letter.ok_or(state.error(FenReason::BoardState))?);
    for (side, units, spells) in
        [(Side::Yellow, yellow_units, yellow_spells), (Side::Blue, blue_units, blue_spells)]
    {
        board.set_free(side, implied_free(&config.rules, board.state(), side, mover));
        let candidates = reads_candidates(&config.rules, board.state(), side, mover);
        read_units(&mut board, units, side, candidates)?;
        read_hand(&mut board, spells, side, &config.rules)?;
    }
    let mut parts = rows.split('/');
    for y in 0..Hex::WIDTH {
        let row = parts.next().ok_or(rows.expected("ten rows"))?;
        read_row(&mut board, row, y)?;
    }
    if let Some(row) = parts.next() {
        return Err(row.expected("ten rows"));
    }
    board.set_mana(implied_mana(config, index, &board, mover));
    Ok(board)
}

/// Reads the unit letters of a side: candidates of which it may keep one, or reinforcements.
fn read_units(board: &mut Board, list: Token<'_>, side: Side, candidates: bool) -> Result<(), FenError> {
    for (letter, at) in list.letters() {
        let unit = UnitLabel::from_letter(letter).ok_or(at.error(FenReason::UnknownUnit))?;
        if candidates {
            board.add_candidate(side, unit);
        } else {
            let count = board.reserve(side, unit).checked_add(1).ok_or(at.error(FenReason::Capacity))?;
            board.set_reserve(side, unit, count);
        }
    }
    Ok(())
}

/// Reads the hand of a side. Rules without spells allow two more names, and give nobody a card.
fn read_hand(board: &mut Board, list: Token<'_>, side: Side, rules: &Rules) -> Result<(), FenError> {
    for name in list.list() {
        match Spell::from_name(name.text) {
            Some(spell) if rules.spells => {
                board.push_card(side, spell).ok_or(name.error(FenReason::Capacity))?;
            }
            Some(_) => {}
            None if !rules.spells && matches!(name.text, "blank" | "unknown") => {}
            None => return Err(name.error(FenReason::UnknownSpell)),
        }
    }
    Ok(())
}

fn read_row(board: &mut Board, row: Token<'_>, y: u8) -> Result<(), FenError> {
    if row.text == "0" {
        return Ok(());
    }
    let mut x = 0;
    for (letter, at) in row.letters() {
        if let b'1'..=b'9' = letter {
            x += letter - b'0';
        } else {
            let unit = UnitLabel::from_letter(letter).ok_or(at.error(FenReason::UnknownUnit))?;
            let side = if letter.is_ascii_uppercase() { Side::Yellow } else { Side::Blue };
            let hex = Hex::at(x, y).ok_or(row.error(FenReason::RowLength))?;
            board.set_piece(hex, Some(Piece::fresh(side, unit, hex)));
            x += 1;
        }
        if x > Hex::WIDTH {
            return Err(row.error(FenReason::RowLength));
        }
    }
    if x == Hex::WIDTH { Ok(()) } else { Err(row.error(FenReason::RowLength)) }
}
