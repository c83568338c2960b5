//! Features of one board.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{
    Board, BoardState, Map, MapLabel, Modifier, Modifiers, Movable, Piece, Side, TileType, UnitLabel,
};

use barrow_core::minions::turn_search::ports::Stage;

use super::feature::{BoardFeature as Feature, Mark};
use super::scale::Scale;

/// Fixed terrain whose pieces have a feature of their own.
pub(crate) const SITES: [TileType; 5] =
    [TileType::Graveyard, TileType::SorceryNode, TileType::Teleporter, TileType::Spawner, TileType::Mist];

/// Calls `visit` with every feature of a board on this map at this stage of the turn.
pub fn board(map: MapLabel, board: &Board, stage: Stage, mut visit: impl FnMut(Feature)) {
    pieces(board, &mut visit);
    others(map, board, stage, true, &mut visit);
}

/// Calls `visit` with the feature [`Piece`](Feature::Piece) of each piece.
#[inline]
pub(crate) fn pieces(board: &Board, mut visit: impl FnMut(Feature)) {
    for (hex, piece) in board.iter_all() {
        visit(Feature::Piece(piece.side(), piece.unit().index() as u8, hex));
    }
}

/// Calls `visit` with every feature of a board except those of [`pieces`], and those for which only layouts with details
/// have rows ([`Layout::DETAILS`](crate::layout::Layout::DETAILS)) if they are asked for.
#[inline]
pub(crate) fn others(
    map: MapLabel,
    board: &Board,
    stage: Stage,
    details: bool,
    mut visit: impl FnMut(Feature),
) {
    for (hex, piece) in board.iter_all() {
        distinctions(hex, piece, details, &mut visit);
    }
    let terrain = map.map();
    let occupied = board.all_pieces();
    for tile in SITES {
        for hex in occupied & terrain.all(tile) {
            let side = if board.pieces(Side::Yellow).contains(hex) { Side::Yellow } else { Side::Blue };
            visit(Feature::Site(side, tile, hex));
        }
    }
    visit(Feature::Map(map));
    without_hex(board, stage, details, visit);
}

/// Calls `visit` with every feature of a piece on a hex of this map.
#[inline]
pub fn square(map: &Map, hex: Hex, piece: Piece, mut visit: impl FnMut(Feature)) {
    visit(Feature::Piece(piece.side(), piece.unit().index() as u8, hex));
    let sites = SITES.into_iter().fold(HexSet::EMPTY, |all, tile| all | map.all(tile));
    if sites.contains(hex) {
        visit(Feature::Site(piece.side(), map.fixed_tile(hex), hex));
    }
    traits(hex, piece, visit);
}

/// Calls `visit` with the features that distinguish a piece from a fresh one of its type: modifiers and turn record.
#[inline]
pub fn traits(hex: Hex, piece: Piece, visit: impl FnMut(Feature)) {
    distinctions(hex, piece, true, visit);
}

#[inline]
fn distinctions(hex: Hex, piece: Piece, details: bool, mut visit: impl FnMut(Feature)) {
    let carried = piece.modifiers();
    if !carried.is_empty() {
        modifiers(piece.side(), hex, carried, details, &mut visit);
    }
    if piece.origin() != Some(hex) || !piece.is_fresh() {
        turn_record(hex, piece, &mut visit);
        if details {
            turn_details(hex, piece, &mut visit);
        }
    }
}

/// Features of a piece's actions and damage this turn.
fn turn_record(hex: Hex, piece: Piece, visit: &mut impl FnMut(Feature)) {
    let side = piece.side();
    let steps = Scale::DAMAGE.steps() as u8;
    Scale::DAMAGE.visit(u32::from(piece.damage()), |level| match level.checked_sub(steps) {
        Some(bit) => visit(Feature::DamageBit(hex, bit)),
        None => visit(Feature::Damage(side, hex, level)),
    });
    match (piece.moved(), piece.steps()) {
        (true, steps) => visit(Feature::Walk(hex, steps)),
        (false, 0) => {}
        (false, steps) => visit(Feature::Walk(hex, 3 + steps)),
    }
    Scale::ATTACKS.visit(u32::from(piece.attacks()), |level| visit(Feature::Attacks(hex, level)));
    if piece.exhausted() {
        visit(Feature::Exhausted(hex));
    }
}

/// Features of where a piece began this turn, and of its attacks.
fn turn_details(hex: Hex, piece: Piece, visit: &mut impl FnMut(Feature)) {
    if piece.attacked_several() {
        visit(Feature::Several(hex));
    }
    match piece.origin() {
        None => visit(Feature::Newcomer(hex)),
        Some(origin) => {
            if origin.x() != hex.x() {
                visit(Feature::OriginColumn(hex, origin.x()));
            }
            if origin.y() != hex.y() {
                visit(Feature::OriginRow(hex, origin.y()));
            }
        }
    }
    if let Some(target) = piece.first_attacked() {
        visit(Feature::TargetColumn(hex, target.x()));
        visit(Feature::TargetRow(hex, target.y()));
    }
}

fn modifiers(side: Side, hex: Hex, carried: Modifiers, details: bool, visit: &mut impl FnMut(Feature)) {
    let (mut seen, mut last, mut in_order) = (0u32, None, true);
    let (mut packed, mut length) = (0u64, 0);
    let (mut boosted, mut hampered) = (false, false);
    for (modifier, counter) in carried.iter() {
        if details {
            let code = (modifier as u8) << 1 | (counter - 1);
            in_order &= last < Some(code);
            last = Some(code);
            if seen & (1 << code) == 0 {
                seen |= 1 << code;
                visit(Feature::Modifier(side, modifier, counter, hex));
            }
            packed |= (modifier as u64 | u64::from(counter - 1) << 4) << (5 * length);
            length += 1;
        }
        match modifier {
            Modifier::Frozen | Modifier::Weakened | Modifier::Lumbering | Modifier::Shackled => {
                hampered = true;
            }
            Modifier::NecroPick => {}
            _ => boosted = true,
        }
    }
    if boosted {
        visit(Feature::Boosted(side, hex));
    }
    if hampered {
        visit(Feature::Hampered(side, hex));
    }
    while !in_order && packed != 0 {
        visit(Feature::Arrival(hex, packed.trailing_zeros() as u8));
        packed &= packed - 1;
    }
}

/// Calls `visit` with every feature of a board except those of its map and its pieces.
#[inline]
pub fn rest(board: &Board, stage: Stage, visit: impl FnMut(Feature)) {
    without_hex(board, stage, true, visit);
}

#[inline]
fn without_hex(board: &Board, stage: Stage, details: bool, mut visit: impl FnMut(Feature)) {
    for kind in Movable::ALL {
        if let Some(hex) = board.movable(kind) {
            visit(Feature::Tile(kind, hex));
        }
    }
    if stage != Stage::TurnStart {
        visit(Feature::Stage(stage));
    }
    state(board, &mut visit);
    marks(board, &mut visit);
    mana(board, &mut visit);
    for side in Side::ALL {
        reserves(board, side, &mut visit);
        hand(board, side, &mut visit);
        free(board, side, &mut visit);
        if details {
            candidates(board, side, &mut visit);
        }
        pending(board, side, &mut visit);
    }
}

pub(crate) fn state(board: &Board, visit: &mut impl FnMut(Feature)) {
    if board.state() != BoardState::Normal {
        visit(Feature::State(board.state()));
    }
}

pub(crate) fn marks(board: &Board, visit: &mut impl FnMut(Feature)) {
    let marks = board.marks();
    for (mark, holds) in [
        (Mark::SpawnPhase, marks.spawn_phase),
        (Mark::Won, marks.won),
        (Mark::Lost, marks.lost),
        (Mark::Resigned, marks.resigned),
        (Mark::TileUsed, marks.tile_used),
        (Mark::SetUp, marks.set_up),
    ] {
        if holds {
            visit(Feature::Mark(mark));
        }
    }
    Scale::FEW.visit(u32::from(marks.picks), |level| visit(Feature::Picks(level)));
}

pub(crate) fn mana(board: &Board, visit: &mut impl FnMut(Feature)) {
    let mana = board.mana();
    Scale::MANA.visit(u32::from(mana.max(0).unsigned_abs()), |level| visit(Feature::Mana(level)));
    Scale::MANA.visit(u32::from(mana.min(0).unsigned_abs()), |level| visit(Feature::Debt(level)));
}

#[inline]
fn reserves(board: &Board, side: Side, visit: &mut impl FnMut(Feature)) {
    for (unit, count) in board.reserves(side) {
        reserve(side, unit, count, visit);
    }
}

#[inline]
pub(crate) fn reserve(side: Side, unit: UnitLabel, count: u8, visit: &mut impl FnMut(Feature)) {
    Scale::RESERVE.visit(u32::from(count), |level| visit(Feature::Reserve(side, unit.index() as u8, level)));
}

pub(crate) fn hand(board: &Board, side: Side, visit: &mut impl FnMut(Feature)) {
    let hand = board.hand(side);
    for (place, &spell) in hand.iter().enumerate() {
        if !hand.iter().take(place).any(|&earlier| earlier == spell) {
            let count = hand.iter().skip(place).filter(|&&card| card == spell).count();
            Scale::CARDS.visit(count as u32, |level| visit(Feature::Card(side, spell, level)));
        }
    }
}

/// Features of the units that may be chosen or kept.
pub(crate) fn choices(board: &Board, side: Side, visit: &mut impl FnMut(Feature)) {
    free(board, side, visit);
    candidates(board, side, visit);
}

fn free(board: &Board, side: Side, visit: &mut impl FnMut(Feature)) {
    if board.free(side) > 0 {
        visit(Feature::Free(side));
    }
}

fn candidates(board: &Board, side: Side, visit: &mut impl FnMut(Feature)) {
    if board.candidate_bits(side) != 0 {
        board.candidates(side).for_each(|unit| visit(Feature::Candidate(side, unit.index() as u8)));
    }
}

pub(crate) fn pending(board: &Board, side: Side, visit: &mut impl FnMut(Feature)) {
    Scale::SOME.visit(u32::from(board.pending(side)), |level| visit(Feature::Pending(side, level)));
}
