//! Each side sees itself as the other would in its place.

use barrow_core::hex::Hex;
use barrow_core::minions::{Board, Builder, Game, MapLabel, Movable, Piece, Side, SideArray};
use barrow_nnue::features::Stage;
use barrow_nnue::layout::{
    Folded, Full, Group, Layout, Row, board_rows, has_reflection, reflected_board_rows,
};

use crate::{Seen, positions, seen};

/// Reflection of a board in its short diagonal, which takes one start hex to the other as the turn does.
fn in_short_diagonal(hex: Hex) -> Hex {
    hex.reflected().rotated()
}

fn turned_piece(piece: Piece, way: fn(Hex) -> Hex) -> Piece {
    Piece::created(piece.side().opponent(), piece.unit())
        .with_damage(piece.damage())
        .with_modifiers(piece.modifiers())
        .with_record(piece.steps(), piece.attacks(), piece.moved(), piece.exhausted())
        .with_history(piece.origin().map(way), piece.first_attacked().map(way), piece.attacked_several())
}

/// The board turned by 180 degrees or reflected, with the sides exchanged.
fn turned_board(board: &Board, way: fn(Hex) -> Hex) -> Board {
    let mut turned = Board::empty();
    for (hex, piece) in board.iter_all() {
        turned.set_piece(way(hex), Some(turned_piece(piece, way)));
    }
    for kind in Movable::ALL {
        turned.set_movable(kind, board.movable(kind).map(way));
    }
    for side in Side::ALL {
        let other = side.opponent();
        board.reserves(side).for_each(|(unit, count)| turned.set_reserve(other, unit, count));
        board.hand(side).iter().for_each(|&card| turned.push_card(other, card).unwrap());
        board.candidates(side).for_each(|unit| turned.add_candidate(other, unit));
        turned.set_pending(other, board.pending(side));
        turned.set_free(other, board.free(side));
    }
    turned.set_mana(board.mana());
    turned.set_state(board.state());
    turned.set_marks(board.marks());
    turned
}

/// The position with the sides exchanged and every board turned or reflected. Maps stay as they lie.
fn turned(game: &Game, way: fn(Hex) -> Hex) -> Option<Game> {
    let state = game.state();
    let both = |side: Side| side.opponent();
    let mut config = game.config().clone();
    config.extra_souls = SideArray(Side::ALL.map(|side| game.config().extra_souls[both(side)]));
    let mut builder = Builder::new(config, 0);
    builder.turn(game.side_to_move().opponent(), state.turn());
    builder.winner(state.winner().map(Side::opponent)).drawn(state.is_drawn());
    builder.souls(SideArray(Side::ALL.map(|side| state.souls(both(side)))));
    builder.points(SideArray(Side::ALL.map(|side| state.points(both(side)))));
    let tech = SideArray(Side::ALL.map(|side| state.tech(both(side))));
    builder.tech(tech, SideArray(Side::ALL.map(|side| state.tech_at_start(both(side)))));
    builder.budget(state.budget());
    let taken =
        (0..state.row().len()).filter(|&card| state.is_taken(card)).fold(0, |bits, card| bits | 1 << card);
    builder.row(state.row(), taken)?;
    for side in Side::ALL {
        builder.deck(side, state.deck(both(side)).clone());
    }
    for (index, board) in state.boards().iter().enumerate() {
        *builder.board(index)? = turned_board(board, way);
    }
    // On a map that is not the same afterwards a tile may come to lie where it cannot.
    builder.build().ok()
}

/// Maps that are the same when they are turned.
fn is_even(map: &MapLabel) -> bool {
    Hex::all().all(|hex| map.map().fixed_tile(hex) == map.map().fixed_tile(hex.rotated()))
}

/// The rows without those of the map and of who stands on its sites.
fn off_the_map<L: Layout>(mut rows: Seen) -> Seen {
    let mapped = |group: &Group, row: u16| {
        ["map", "site"].contains(&group.name) && (group.first..group.first + group.rows).contains(&row)
    };
    for board in &mut rows.boards {
        board.retain(|row| match *row {
            Row::Wide(_) => true,
            Row::Narrow(row) => !L::NARROW.groups.iter().any(|group| mapped(group, row)),
        });
    }
    rows
}

fn check<L: Layout>() {
    let (mut even, mut odd) = (0, 0);
    for game in positions(12, 600) {
        let Some(other) = turned(&game, Hex::rotated) else { continue };
        for side in Side::ALL {
            let rows = seen::<L>(&game, Stage::AfterAttack, side);
            let rows_there = seen::<L>(&other, Stage::AfterAttack, side.opponent());
            if game.config().maps().iter().all(is_even) {
                assert_eq!(rows, rows_there);
                even += 1;
            } else {
                assert_eq!(off_the_map::<L>(rows), off_the_map::<L>(rows_there));
                odd += 1;
            }
        }
    }
    assert!(even > 100 && odd > 100, "{even} and {odd}");
}

#[test]
fn with_sides_exchanged_and_boards_turned_the_rows_stay() {
    check::<Full>();
    check::<Folded>();
}

fn check_reflection<L: Layout>() {
    let mut reflected = 0;
    for game in positions(13, 600) {
        let Some(other) = turned(&game, in_short_diagonal) else { continue };
        let boards = game.state().boards().iter().zip(other.state().boards()).zip(game.config().maps());
        for ((board, there), &map) in boards.filter(|(_, map)| has_reflection(**map)) {
            for side in Side::ALL {
                let [mut rows, mut rows_there] = [Vec::new(), Vec::new()];
                reflected_board_rows::<L>(map, board, Stage::AfterAttack, side, |row| rows.push(row));
                board_rows::<L>(map, there, Stage::AfterAttack, side.opponent(), |row| rows_there.push(row));
                rows.sort_unstable();
                rows_there.sort_unstable();
                assert_eq!(rows, rows_there, "{map:?}");
                reflected += 1;
            }
        }
    }
    assert!(reflected > 300, "{reflected}");
}

#[test]
fn a_reflected_board_is_the_board_of_the_other_side_on_a_map_that_allows_it() {
    check_reflection::<Full>();
    check_reflection::<Folded>();
}

#[test]
fn both_ways_of_a_map_differ_unless_it_is_the_same_when_turned() {
    for map in MapLabel::ALL {
        let row = |side| Full::row(barrow_nnue::features::BoardFeature::Map(map), side);
        let tiles = Movable::ALL.iter().all(|&kind| map.map().movable_start(kind).is_none());
        assert_eq!(row(Side::Yellow) == row(Side::Blue), is_even(&map) && tiles, "{map:?}");
    }
}
