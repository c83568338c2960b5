//! Writing a position in Spooky's form (fen §6).

use core::fmt::{self, Write};

use crate::hex::Hex;

use super::implied::reads_candidates;
use crate::minions::position::board::Board;
use crate::minions::rules::game::Game;
use crate::minions::tables::capacities::SOULS_CAP;
use crate::minions::tables::ruleset::Rules;
use crate::minions::tables::side::Side;
use crate::minions::tables::tech::TechLevels;
use crate::minions::tables::unit::UnitLabel;

/// Writes a position as Spooky and the web server do.
///
/// This form describes the start of a turn. It has no room for damage, modifiers, cards, movable tiles and what
/// was done during the turn; all necromancers become `N`, the acolyte, which has no letter, is left out, and
/// souls still to be paid count as paid, up to [`SOULS_CAP`]. [`super::Extended`] carries everything.
///
/// ```
/// use barrow_core::minions::{Game, GameConfig, fen};
/// let game = Game::new(GameConfig::default(), 1);
/// let text = fen::Display(&game).to_string();
/// assert!(text.starts_with("0|12 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL f|Z|z|||0/2ZZ6/"));
/// assert!(text.ends_with(" 0 1"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Display<'a>(pub &'a Game);

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The pool takes no more when it is paid.
        write_line(f, self.0, total_souls(self.0).map(|souls| souls.min(u64::from(SOULS_CAP))))
    }
}

/// Both sides' souls, those still to be paid included.
pub(super) fn total_souls(game: &Game) -> [u64; 2] {
    let state = game.state();
    Side::ALL.map(|side| u64::from(state.souls(side)) + u64::from(state.pending(side)))
}

/// Writes a position in Spooky's form with this money.
pub(super) fn write_line(f: &mut impl Write, game: &Game, [yellow, blue]: [u64; 2]) -> fmt::Result {
    let (config, state) = (game.config(), game.state());
    write!(f, "{yellow}|{blue} {}|{} ", state.points(Side::Yellow), state.points(Side::Blue))?;
    write_techs(f, config.techline.len(), Side::ALL.map(|side| state.tech(side)))?;
    for board in state.boards() {
        f.write_char(' ')?;
        write_board(f, board, &config.rules, state.side_to_move())?;
    }
    write!(f, " {} {}", state.side_to_move().index(), u64::from(state.turn()) + 1)
}

/// Writes both sides' tech levels, `LLUA|LLLL`.
pub(super) fn write_techs(f: &mut impl Write, count: usize, levels: [TechLevels; 2]) -> fmt::Result {
    for (side, levels) in levels.into_iter().enumerate() {
        if side > 0 {
            f.write_char('|')?;
        }
        for index in 0..count as u8 {
            f.write_char(char::from(levels.status(index).letter()))?;
        }
    }
    Ok(())
}

fn write_board(f: &mut impl Write, board: &Board, rules: &Rules, mover: Side) -> fmt::Result {
    write!(f, "{}|", char::from(board.state().letter()))?;
    for side in Side::ALL {
        let may_keep = board.free(side) > 0 && reads_candidates(rules, board.state(), side, mover);
        write_lists(f, board, side, may_keep)?;
        f.write_char('|')?;
    }
    // The two spell fields, which Spooky always leaves empty.
    f.write_str("||")?;
    for y in 0..Hex::WIDTH {
        if y > 0 {
            f.write_char('/')?;
        }
        write_row(f, board, y)?;
    }
    Ok(())
}

/// Writes the letters of reinforcements, and of the candidates while one may be kept, by character code. Types that share a
/// letter are one type to a reader, who takes as many of it as a board holds; the extended form has a field for them.
fn write_lists(f: &mut impl Write, board: &Board, side: Side, may_keep: bool) -> fmt::Result {
    let mut counts = [0u16; 26];
    for unit in UnitLabel::ALL {
        let candidate = may_keep && board.is_candidate(side, unit);
        let place = unit.letter().and_then(|letter| letter.checked_sub(b'A'));
        if let Some(count) = place.and_then(|place| counts.get_mut(usize::from(place))) {
            *count = count.saturating_add(u16::from(board.reserve(side, unit)) + u16::from(candidate));
        }
    }
    for (letter, count) in (b'A'..=b'Z').zip(counts) {
        for _ in 0..count.min(u16::from(u8::MAX)) {
            f.write_char(sided(letter, side))?;
        }
    }
    Ok(())
}

fn write_row(f: &mut impl Write, board: &Board, y: u8) -> fmt::Result {
    let mut empty = 0;
    for x in 0..Hex::WIDTH {
        let piece = Hex::at(x, y).and_then(|hex| board.piece(hex));
        let letter = piece.and_then(|piece| Some(sided(piece.unit().letter()?, piece.side())));
        match letter {
            Some(letter) => {
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                empty = 0;
                f.write_char(letter)?;
            }
            None => empty += 1,
        }
    }
    match empty {
        0 => Ok(()),
        Hex::WIDTH => f.write_char('0'),
        _ => write!(f, "{empty}"),
    }
}

/// Letter in upper case for Yellow and in lower case for Blue.
fn sided(letter: u8, side: Side) -> char {
    char::from(match side {
        Side::Yellow => letter,
        Side::Blue => letter.to_ascii_lowercase(),
    })
}
