//! Fields of the extended form: a writer and a reader for the value of each.

use core::fmt;

use heapless::Vec;

use crate::hex::Hex;

use super::error::{FenError, FenReason};
use super::token::Token;
use crate::minions::position::board::{Board, Marks};
use crate::minions::position::modifier::{Modifier, Modifiers};
use crate::minions::position::piece::Piece;
use crate::minions::position::state::{Budget, Deck, GameState};
use crate::minions::rules::game::Game;
use crate::minions::tables::capacities::{QUEUE_CAP, ROW_CAP};
use crate::minions::tables::side::Side;
use crate::minions::tables::spell::{SPELL_COUNT, Spell};
use crate::minions::tables::tech::{TechLevels, TechStatus};
use crate::minions::tables::terrain::Movable;
use crate::minions::tables::unit::UnitLabel;

type Read<T = ()> = Result<T, FenError>;

fn read_spell(name: Token<'_>) -> Read<Spell> {
    Spell::from_name(name.text).ok_or(name.error(FenReason::UnknownSpell))
}

fn read_unit(name: Token<'_>) -> Read<UnitLabel> {
    UnitLabel::from_name(name.text).ok_or(name.error(FenReason::UnknownUnit))
}

fn read_hex(name: Token<'_>) -> Read<Hex> {
    Hex::named(name.text).ok_or(name.expected("a hex"))
}

/// Reads a hex, or `-` for none.
fn read_place(name: Token<'_>) -> Read<Option<Hex>> {
    if name.text == "-" { Ok(None) } else { read_hex(name).map(Some) }
}

fn write_place(f: &mut fmt::Formatter<'_>, hex: Option<Hex>) -> fmt::Result {
    match hex {
        Some(hex) => write!(f, "{hex}"),
        None => f.write_str("-"),
    }
}

/// Writes items with a separator between them.
fn write_items<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    separator: &str,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    for (index, item) in items.enumerate() {
        write!(f, "{}{item}", if index == 0 { "" } else { separator })?;
    }
    Ok(())
}

// --- cards ---

/// Writes a deck as `copies:generator:queue`, the copies left as one base-36 digit for each spell of the data table.
pub(super) fn write_deck(f: &mut fmt::Formatter<'_>, deck: &Deck) -> fmt::Result {
    for &copies in deck.left() {
        write!(f, "{}", char::from_digit(u32::from(copies), 36).unwrap_or('?'))?;
    }
    write!(f, ":{:x}:", deck.rng())?;
    write_items(f, ",", deck.queue().iter().map(|card| card.name()))
}

pub(super) fn read_deck(game: &mut Game, side: Side, value: Token<'_>) -> Read<bool> {
    let malformed = value.expected("copies:generator:queue");
    let (copies, rest) = value.cut(':').ok_or(malformed)?;
    let (generator, queue) = rest.cut(':').ok_or(malformed)?;
    if copies.text.len() != SPELL_COUNT {
        return Err(copies.expected("a digit for each spell"));
    }
    let mut left = [0; SPELL_COUNT];
    for (slot, (digit, at)) in left.iter_mut().zip(copies.letters()) {
        let copies = char::from(digit).to_digit(36).ok_or(at.error(FenReason::Number))?;
        *slot = copies as u8;
    }
    let bad = generator.error(FenReason::Number);
    if generator.text.starts_with('+') {
        return Err(bad);
    }
    let rng = u64::from_str_radix(generator.text, 16).map_err(|_| bad)?;
    let mut cards: Vec<Spell, QUEUE_CAP, u8> = Vec::new();
    for name in queue.list() {
        cards.push(read_spell(name)?).map_err(|_| name.error(FenReason::Capacity))?;
    }
    let deck = Deck::with(&cards, left, rng).ok_or(value.error(FenReason::Capacity))?;
    game.state.decks[side] = deck;
    Ok(true)
}

/// Writes the row, cards that are taken marked by a star.
pub(super) fn write_row(f: &mut fmt::Formatter<'_>, state: &GameState) -> fmt::Result {
    for (place, card) in state.row().iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        write!(f, "{comma}{}{}", card.name(), if state.is_taken(place) { "*" } else { "" })?;
    }
    Ok(())
}

pub(super) fn read_row(game: &mut Game, value: Token<'_>) -> Read<bool> {
    let mut row: Vec<Spell, ROW_CAP, u8> = Vec::new();
    let mut taken = 0u64;
    for name in value.list() {
        let plain = name.text.strip_suffix('*');
        if plain.is_some() && row.len() < ROW_CAP {
            taken |= 1 << row.len();
        }
        let card = read_spell(Token { text: plain.unwrap_or(name.text), ..name })?;
        row.push(card).map_err(|_| name.error(FenReason::Capacity))?;
    }
    game.state.row = row;
    game.state.taken = taken;
    Ok(true)
}

pub(super) fn write_hands(f: &mut fmt::Formatter<'_>, board: &Board) -> fmt::Result {
    write_items(f, ",", board.hand(Side::Yellow).iter().map(|card| card.name()))?;
    f.write_str("|")?;
    write_items(f, ",", board.hand(Side::Blue).iter().map(|card| card.name()))
}

pub(super) fn read_hands(board: &mut Board, value: Token<'_>) -> Read {
    let sides = value.sides()?;
    for side in Side::ALL {
        while board.remove_card(side, 0).is_some() {}
        for name in sides[side].list() {
            board.push_card(side, read_spell(name)?).ok_or(name.error(FenReason::Capacity))?;
        }
    }
    Ok(())
}

// --- the purse and the reinforcements ---

/// Reads a budget, `tech points,spells bought,sold`.
pub(super) fn read_budget(value: Token<'_>) -> Read<Budget> {
    let malformed = value.expected("tech points,spells bought,0 or 1");
    let (points, rest) = value.cut(',').ok_or(malformed)?;
    let (bought, sold) = rest.cut(',').ok_or(malformed)?;
    let sold = match sold.text {
        "0" => false,
        "1" => true,
        _ => return Err(sold.expected("0 or 1")),
    };
    Ok(Budget { tech_points: points.number()?, bought: bought.number()?, sold })
}

pub(super) fn write_reserves(f: &mut fmt::Formatter<'_>, board: &Board) -> fmt::Result {
    for side in Side::ALL {
        f.write_str(if side == Side::Yellow { "" } else { "|" })?;
        for (index, (unit, count)) in board.reserves(side).enumerate() {
            write!(f, "{}{count}*{}", if index == 0 { "" } else { "," }, unit.name())?;
        }
    }
    Ok(())
}

pub(super) fn read_reserves(board: &mut Board, value: Token<'_>) -> Read {
    let sides = value.sides()?;
    for side in Side::ALL {
        board.clear_reserves(side);
        for item in sides[side].list() {
            let (count, name) = item.cut('*').ok_or(item.expected("number*unit"))?;
            board.set_reserve(side, read_unit(name)?, count.number()?);
        }
    }
    Ok(())
}

pub(super) fn write_candidates(f: &mut fmt::Formatter<'_>, board: &Board) -> fmt::Result {
    write_items(f, ",", board.candidates(Side::Yellow).map(UnitLabel::name))?;
    f.write_str("|")?;
    write_items(f, ",", board.candidates(Side::Blue).map(UnitLabel::name))
}

pub(super) fn read_candidates(board: &mut Board, value: Token<'_>) -> Read {
    let sides = value.sides()?;
    for side in Side::ALL {
        board.clear_candidates(side);
        for name in sides[side].list() {
            board.add_candidate(side, read_unit(name)?);
        }
    }
    Ok(())
}

pub(super) fn read_free(board: &mut Board, value: Token<'_>) -> Read {
    let numbers = value.numbers()?;
    for side in Side::ALL {
        board.set_free(side, numbers[side]);
    }
    Ok(())
}

pub(super) fn read_pending(board: &mut Board, value: Token<'_>) -> Read {
    let numbers = value.numbers()?;
    for side in Side::ALL {
        board.set_pending(side, numbers[side]);
    }
    Ok(())
}

// --- the board ---

pub(super) fn read_mana(board: &mut Board, value: Token<'_>) -> Read {
    let bad = value.error(FenReason::Number);
    if value.text.starts_with('+') {
        return Err(bad);
    }
    board.set_mana(value.text.parse().map_err(|_| bad)?);
    Ok(())
}

/// Writes the hexes of the movable water, earthquake, firestorm and whirlwind.
pub(super) fn write_tiles(f: &mut fmt::Formatter<'_>, board: &Board) -> fmt::Result {
    for kind in Movable::ALL {
        f.write_str(if kind == Movable::Water { "" } else { "," })?;
        write_place(f, board.movable(kind))?;
    }
    Ok(())
}

pub(super) fn read_tiles(board: &mut Board, value: Token<'_>) -> Read {
    let malformed = value.expected("four hexes or -");
    let mut parts = value.split(',');
    for kind in Movable::ALL {
        board.set_movable(kind, read_place(parts.next().ok_or(malformed)?)?);
    }
    if parts.next().is_some() { Err(malformed) } else { Ok(()) }
}

/// Writes marks: `s`pawn phase, `w`on, `l`ost, `r`esigned, `t`ile used, set `u`p, and the number of cards picked.
pub(super) fn write_marks(f: &mut fmt::Formatter<'_>, marks: Marks) -> fmt::Result {
    for (letter, set) in [
        ("s", marks.spawn_phase),
        ("w", marks.won),
        ("l", marks.lost),
        ("r", marks.resigned),
        ("t", marks.tile_used),
        ("u", marks.set_up),
    ] {
        f.write_str(if set { letter } else { "" })?;
    }
    if marks.picks > 0 { write!(f, "{}", marks.picks) } else { Ok(()) }
}

pub(super) fn read_marks(board: &mut Board, value: Token<'_>) -> Read {
    let mut marks = Marks::default();
    let digits = value.text.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    if !digits.is_empty() {
        let column = value.column + value.text.len() - digits.len();
        marks.picks = Token { text: digits, column }.number()?;
    }
    let letters = value.text.len() - digits.len();
    for (letter, at) in value.letters().take(letters) {
        match letter {
            b's' => marks.spawn_phase = true,
            b'w' => marks.won = true,
            b'l' => marks.lost = true,
            b'r' => marks.resigned = true,
            b't' => marks.tile_used = true,
            b'u' => marks.set_up = true,
            _ => return Err(at.expected("s, w, l, r, t, u or a number")),
        }
    }
    board.set_marks(marks);
    Ok(())
}

/// Writes a piece as `hex:side:unit:damage:steps:attacks:flags:origin:attacked:modifiers`.
pub(super) fn write_piece(f: &mut fmt::Formatter<'_>, hex: Hex, piece: Piece) -> fmt::Result {
    let side = piece.side().index();
    write!(f, "{hex}:{side}:{}:{}:", piece.unit().name(), piece.damage())?;
    write!(f, "{}:{}:", piece.steps(), piece.attacks())?;
    let flags = [("m", piece.moved()), ("x", piece.exhausted()), ("s", piece.attacked_several())];
    for (letter, set) in flags {
        f.write_str(if set { letter } else { "" })?;
    }
    f.write_str(":")?;
    write_place(f, piece.origin())?;
    f.write_str(":")?;
    write_place(f, piece.first_attacked())?;
    f.write_str(":")?;
    for (index, (modifier, counter)) in piece.modifiers().iter().enumerate() {
        write!(f, "{}{counter}{}", if index == 0 { "" } else { "+" }, modifier.name())?;
    }
    Ok(())
}

pub(super) fn read_pieces(board: &mut Board, value: Token<'_>) -> Read {
    for item in value.list() {
        let (hex, piece) = read_piece(item)?;
        board.set_piece(hex, Some(piece));
    }
    Ok(())
}

fn read_piece(item: Token<'_>) -> Read<(Hex, Piece)> {
    let mut parts = item.split(':');
    let mut next = || {
        parts
            .next()
            .ok_or(item.expected("hex:side:unit:damage:steps:attacks:flags:origin:attacked:modifiers"))
    };
    let hex = read_hex(next()?)?;
    let side = next()?;
    let side = side.number().ok().and_then(Side::from_index).ok_or(side.expected("side 0 or 1"))?;
    let unit = read_unit(next()?)?;
    let damage = next()?.number()?;
    let steps = next()?;
    let attacks = next()?.number()?;
    let flags = next()?;
    let origin = read_place(next()?)?;
    let attacked = read_place(next()?)?;
    let modifiers = read_modifiers(next()?)?;
    let walked @ 0..=3 = steps.number()? else {
        return Err(steps.error(FenReason::Number));
    };
    if let Some((_, odd)) = flags.letters().find(|(letter, _)| !b"mxs".contains(letter)) {
        return Err(odd.expected("m, x or s"));
    }
    let has = |flag| flags.text.contains(flag);
    let piece = Piece::fresh(side, unit, hex)
        .with_record(walked, attacks, has('m'), has('x'))
        .with_history(origin, attacked, has('s'))
        .with_damage(damage)
        .with_modifiers(modifiers);
    match parts.next() {
        Some(more) => Err(more.expected("no more parts")),
        None => Ok((hex, piece)),
    }
}

fn read_modifiers(value: Token<'_>) -> Read<Modifiers> {
    let mut all = Modifiers::EMPTY;
    for item in value.split('+').filter(|item| !item.text.is_empty()) {
        let (counter, name) = match item.text.as_bytes().first() {
            Some(b'1') => (1, item.text.get(1..)),
            Some(b'2') => (2, item.text.get(1..)),
            _ => return Err(item.expected("1 or 2 turn ends")),
        };
        let modifier = name.and_then(Modifier::from_name).ok_or(item.error(FenReason::UnknownModifier))?;
        all = all.with(modifier, counter).ok_or(item.error(FenReason::Capacity))?;
    }
    Ok(all)
}

/// Reads one side's tech levels, a letter for each of `count` techs.
pub(super) fn read_levels(token: Token<'_>, count: usize) -> Result<TechLevels, FenError> {
    if token.text.len() != count {
        return Err(token.error(FenReason::TechCount(count as u8)));
    }
    let mut levels = TechLevels::default();
    for (index, (letter, at)) in token.letters().enumerate() {
        let status = match letter {
            b'L' => TechStatus::Locked,
            b'U' => TechStatus::Unlocked,
            b'A' => TechStatus::Acquired,
            _ => return Err(at.error(FenReason::TechLevel)),
        };
        levels.set(index as u8, status);
    }
    Ok(levels)
}
