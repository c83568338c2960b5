//! The fields of the extended form: writing them, and finding the right reader for each.

use core::fmt;

use heapless::Vec;

use super::config_line::{read_maps, read_points, read_tech, write_maps};
use super::error::{FenError, FenReason};
use super::fields::read_levels;
use super::implied::{implied_free, implied_mana, implied_winner};
use super::token::{Token, Tokens};
use super::write::write_techs;
use super::{fields, write};
use crate::minions::position::board::{Board, Marks};
use crate::minions::position::piece::Piece;
use crate::minions::position::state::Budget;
use crate::minions::rules::game::Game;
use crate::minions::tables::capacities::TECH_CAP;
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::ruleset::{ResetChoice, Ruleset};
use crate::minions::tables::side::{Side, SideArray};
use crate::minions::tables::tech::{Tech, Techline};
use crate::minions::tables::terrain::Movable;
use crate::minions::tables::unit::UnitLabel;

/// Extended form of a position: everything that belongs to it, in the middle of a turn as well. The documentation of
/// [`fen`](super) lists the fields.
///
/// The configuration is left out when it cannot be named: its switches are those of no preset, or its line has
/// units without a letter. Such a text must be read under the same configuration.
///
/// ```
/// use barrow_core::minions::{Game, GameConfig, fen};
/// let game = Game::new(GameConfig::default(), 7);
/// let text = fen::Extended(&game).to_string();
/// assert_eq!(Game::from_fen(&text), Ok(game));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Extended<'a>(pub &'a Game);

impl fmt::Display for Extended<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (config, state) = (self.0.config(), self.0.state());
        write::write_line(f, self.0, write::total_souls(self.0))?;
        write!(f, " {VERSION}")?;
        if is_portable(config) {
            write_config(f, config)?;
        }
        for (side, key) in [(Side::Yellow, "dy"), (Side::Blue, "db")] {
            write!(f, " {key}=")?;
            fields::write_deck(f, state.deck(side))?;
        }
        f.write_str(" row=")?;
        fields::write_row(f, state)?;
        let Budget { tech_points, bought, sold } = state.budget();
        if state.budget() != FULL_BUDGET {
            write!(f, " tp={tech_points},{bought},{}", u8::from(sold))?;
        }
        let (now, start) = (Side::ALL.map(|s| state.tech(s)), Side::ALL.map(|s| state.tech_at_start(s)));
        if start != now {
            f.write_str(" ts=")?;
            write_techs(f, config.techline.len(), start)?;
        }
        let points = SideArray(Side::ALL.map(|side| state.points(side)));
        let implied = implied_winner(config, points, state.side_to_move());
        if state.winner() != implied || state.is_drawn() {
            let winner = state.winner().map_or("-", |side| if side == Side::Yellow { "0" } else { "1" });
            write!(f, " over={winner}{}", if state.is_drawn() { "d" } else { "" })?;
        }
        for (index, board) in state.boards().iter().enumerate() {
            write_board(f, self.0, index, board)?;
        }
        Ok(())
    }
}

const VERSION: &str = "x1";

/// Budget of the general at the start of a turn.
const FULL_BUDGET: Budget = Budget { tech_points: 1, bought: 0, sold: false };

/// Whether a `cfg` field can express a configuration.
fn is_portable(config: &GameConfig) -> bool {
    let mut preset = config.ruleset.rules();
    preset.draw_after_turns = config.rules.draw_after_turns;
    let named = |tech: &Tech| match *tech {
        Tech::UnitTech(unit) => !unit.is_necromancer() && unit.letter().is_some(),
        _ => true,
    };
    preset == config.rules && config.points_needed > 0 && config.techline.techs().iter().all(named)
}

fn write_config(f: &mut fmt::Formatter<'_>, config: &GameConfig) -> fmt::Result {
    write!(f, " cfg={}:{}:", config.ruleset.name(), config.points_needed)?;
    write_maps(f, config.maps())?;
    f.write_str(":")?;
    for tech in config.techline.techs() {
        write!(f, "{}", char::from(tech.letter()))?;
    }
    let extra = config.extra_souls;
    write!(f, ":{}|{}", extra[Side::Yellow], extra[Side::Blue])?;
    match config.rules.draw_after_turns {
        Some(turns) => write!(f, ":{turns}"),
        None => Ok(()),
    }
}

/// Configuration in the `cfg` field of an extended text, if the text has one; of several, the last one.
pub(super) fn find_config(tokens: Tokens<'_>) -> Result<Option<GameConfig>, FenError> {
    let fields = tokens.skip_while(|token| token.text != VERSION);
    let own = fields.filter_map(|token| token.cut('=')).filter(|(key, _)| key.text == "cfg").last();
    own.map(|(_, value)| read_config(value)).transpose()
}

fn read_config(value: Token<'_>) -> Result<GameConfig, FenError> {
    let mut parts = value.split(':');
    let mut next = || parts.next().ok_or(value.expected("ruleset:points:maps:techs:souls"));
    let name = next()?;
    let ruleset = Ruleset::from_name(name.text).ok_or(name.error(FenReason::UnknownRuleset))?;
    let points = read_points(next()?)?;
    let maps = read_maps(next()?)?;
    let letters = next()?;
    let mut techs: Vec<Tech, TECH_CAP, u8> = Vec::new();
    for (letter, at) in letters.letters() {
        techs.push(read_tech(letter, at)?).map_err(|_| at.error(FenReason::Capacity))?;
    }
    let techline = Techline::new(&techs).ok_or(letters.expected("tech letters"))?;
    let extra_souls = next()?.numbers()?;
    let config = GameConfig::new(ruleset, &maps).unwrap_or_default();
    let mut config = config.with_points(points).with_techline(techline);
    config.extra_souls = extra_souls;
    if let Some(turns) = parts.next() {
        config.rules.draw_after_turns = Some(turns.number()?);
    }
    Ok(config)
}

/// Reads the fields after the turn number into a position that was read from Spooky's form. Words before the version
/// are ignored, as Spooky ignores them.
pub(super) fn read_fields(game: &mut Game, tokens: Tokens<'_>) -> Result<(), FenError> {
    let mut tokens = tokens;
    loop {
        match tokens.next() {
            None => return Ok(()),
            Some(token) if token.text == VERSION => break,
            Some(token) => {
                let number = token.text.strip_prefix('x').unwrap_or("");
                if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(token.error(FenReason::Version));
                }
            }
        }
    }
    let mut mana_given = 0u8;
    let mut cards_given = [false; 3];
    for token in tokens.clone() {
        let (key, value) = token.cut('=').ok_or(token.expected("name=value"))?;
        match key.text {
            "cfg" => {}
            "dy" => cards_given[0] = fields::read_deck(game, Side::Yellow, value)?,
            "db" => cards_given[1] = fields::read_deck(game, Side::Blue, value)?,
            "row" => cards_given[2] = fields::read_row(game, value)?,
            "tp" => game.state.budget = fields::read_budget(value)?,
            "ts" => read_tech_start(game, value)?,
            "over" => read_over(game, value)?,
            _ => {
                let (index, name) = board_key(game, key)?;
                mana_given |= u8::from(name == "m") << index;
                read_board_field(game, index, name, key, value)?;
            }
        }
    }
    // A row cannot be dealt from queues that are given, nor the other way round.
    if cards_given != [cards_given[0]; 3] {
        let end = tokens.last().map_or(1, |token| token.column);
        return Err(FenError { column: end, reason: FenReason::Expected("dy, db and row together") });
    }
    for index in 0..game.state.boards.len() {
        if mana_given & (1 << index) == 0
            && let Some(board) = game.state.boards.get_mut(index)
        {
            let mana = implied_mana(&game.config, index, board, game.state.side);
            board.set_mana(mana);
        }
    }
    Ok(())
}

fn read_tech_start(game: &mut Game, value: Token<'_>) -> Result<(), FenError> {
    let sides = value.sides()?;
    for side in Side::ALL {
        game.state.tech_start[side] = read_levels(sides[side], game.config.techline.len())?;
    }
    Ok(())
}

fn read_over(game: &mut Game, value: Token<'_>) -> Result<(), FenError> {
    let (winner, drawn) = match value.text.strip_suffix('d') {
        Some(winner) => (winner, true),
        None => (value.text, false),
    };
    game.state.drawn = drawn;
    game.state.winner = match winner {
        "-" => None,
        "0" => Some(Side::Yellow),
        "1" => Some(Side::Blue),
        _ => return Err(value.expected("-, 0 or 1, and d for a draw")),
    };
    Ok(())
}

/// The board index and field name of a key such as `b0.r`.
fn board_key<'a>(game: &Game, key: Token<'a>) -> Result<(usize, &'a str), FenError> {
    let unknown = key.error(FenReason::UnknownField);
    let (index, name) = key.text.strip_prefix('b').and_then(|key| key.split_once(['.'])).ok_or(unknown)?;
    let index = Token { text: index, ..key }.number().map_err(|_| unknown)?;
    if index < game.state.boards.len() { Ok((index, name)) } else { Err(unknown) }
}

fn read_board_field(
    game: &mut Game,
    index: usize,
    name: &str,
    key: Token<'_>,
    value: Token<'_>,
) -> Result<(), FenError> {
    let Some(board) = game.state.boards.get_mut(index) else { return Ok(()) };
    match name {
        "r" => fields::read_reserves(board, value),
        "c" => fields::read_candidates(board, value),
        "f" => fields::read_free(board, value),
        "p" => fields::read_pending(board, value),
        "m" => fields::read_mana(board, value),
        "h" => fields::read_hands(board, value),
        "t" => fields::read_tiles(board, value),
        "k" => fields::read_marks(board, value),
        "a" => fields::read_pieces(board, value),
        _ => Err(key.error(FenReason::UnknownField)),
    }
}

/// Whether a letter of Spooky's form identifies this unit type.
fn has_own_letter(unit: UnitLabel) -> bool {
    unit.letter().and_then(UnitLabel::from_letter) == Some(unit)
}

/// Writes the fields of one board that Spooky's form leaves out or cannot express.
fn write_board(f: &mut fmt::Formatter<'_>, game: &Game, index: usize, board: &Board) -> fmt::Result {
    let (rules, mover) = (&game.config.rules, game.state.side);
    let merged = rules.reset_choice == ResetChoice::Optional && board.state().is_reset();
    let odd = Side::ALL.into_iter().any(|side| {
        board.candidates(side).next().is_some() || board.reserves(side).any(|(unit, _)| !has_own_letter(unit))
    });
    if merged || odd {
        write!(f, " b{index}.r=")?;
        fields::write_reserves(f, board)?;
        write!(f, " b{index}.c=")?;
        fields::write_candidates(f, board)?;
    }
    let free = Side::ALL.map(|side| board.free(side));
    if free != Side::ALL.map(|side| implied_free(rules, board.state(), side, mover)) {
        write!(f, " b{index}.f={}|{}", free[0], free[1])?;
    }
    let pending = Side::ALL.map(|side| board.pending(side));
    if pending != [0; 2] {
        write!(f, " b{index}.p={}|{}", pending[0], pending[1])?;
    }
    if board.mana() != implied_mana(&game.config, index, board, mover) {
        write!(f, " b{index}.m={}", board.mana())?;
    }
    if Side::ALL.into_iter().any(|side| !board.hand(side).is_empty()) {
        write!(f, " b{index}.h=")?;
        fields::write_hands(f, board)?;
    }
    let map = game.config.map(index);
    if Movable::ALL.into_iter().any(|kind| board.movable(kind) != map.movable_start(kind)) {
        write!(f, " b{index}.t=")?;
        fields::write_tiles(f, board)?;
    }
    if board.marks() != Marks::default() {
        write!(f, " b{index}.k=")?;
        fields::write_marks(f, board.marks())?;
    }
    let plain = |piece: Piece, hex| {
        has_own_letter(piece.unit()) && piece == Piece::fresh(piece.side(), piece.unit(), hex)
    };
    let odd = board.iter_all().filter(|&(hex, piece)| !plain(piece, hex));
    for (written, (hex, piece)) in odd.enumerate() {
        if written == 0 {
            write!(f, " b{index}.a=")?;
        } else {
            f.write_str(",")?;
        }
        fields::write_piece(f, hex, piece)?;
    }
    Ok(())
}
