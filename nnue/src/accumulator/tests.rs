//! Sizes, capacities, and the lists of a delta. That updates equal refreshes is the business of the tests in
//! `tests/accumulator`.

extern crate std;
use std::vec;
use std::vec::Vec;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{Board, MapLabel, Piece, Side, UnitLabel};

use super::{BoardAccumulator, Delta, Frame, NeedsRefresh, Stack, StackFull, Tables};
use crate::features::Stage;
use crate::layout::{Folded, Full, Layout};
use crate::shape::{Desktop, Profile, Tiny};

const MAP: MapLabel = MapLabel::AllLand;

/// Tables in which every weight tells its row.
fn weights<P: Profile<Weight = i8>>() -> (Vec<i8>, Vec<i8>, Vec<i16>) {
    let table =
        |rows: usize, lanes: usize| (0..rows * lanes).map(|at| (at / lanes * 7 % 19) as i8 - 9).collect();
    let wide = table(P::Layout::WIDE_ROWS, P::L1);
    (wide, table(P::Layout::NARROW_ROWS, P::NARROW), (0..P::L1 as i16).collect())
}

fn hex(name: &str) -> Hex {
    Hex::named(name).unwrap()
}

fn zombie(board: &mut Board, at: Hex) {
    board.set_piece(at, Some(Piece::fresh(Side::Yellow, UnitLabel::Zombie, at)));
}

#[test]
fn a_stack_of_small_networks_fits_four_kibibytes() {
    assert!(size_of::<[Frame<Tiny, 16>; 12]>() <= 4 * 1024, "{}", size_of::<Frame<Tiny, 16>>());
    assert_eq!(size_of::<BoardAccumulator<Tiny>>(), 2 * 32 * 2);
    assert_eq!(size_of::<BoardAccumulator<Desktop>>(), 2 * 256 * 2);
    assert_eq!(align_of::<BoardAccumulator<Desktop>>(), 64);
}

#[test]
fn a_walk_changes_one_piece_and_its_record() {
    let mut before = Board::empty();
    zombie(&mut before, hex("c2"));
    zombie(&mut before, hex("f6"));
    let mut after = before.clone();
    let piece = after.set_piece(hex("c2"), None).unwrap();
    after.set_piece(hex("c3"), Some(piece.with_walk(1)));
    let touched = hex("c2").to_set().with(hex("c3"));
    let delta: Delta<Full> =
        Delta::between(MAP, (&before, Stage::TurnStart), (&after, Stage::TurnStart), touched);
    for side in Side::ALL {
        assert_eq!((delta.wide_added(side).len(), delta.wide_removed(side).len()), (1, 1));
        // Walked one step, and began in another row of the board.
        assert_eq!((delta.narrow_added(side).len(), delta.narrow_removed(side).len()), (2, 0));
    }
    let all: Delta<Full> =
        Delta::between(MAP, (&before, Stage::TurnStart), (&after, Stage::TurnStart), HexSet::ALL);
    assert_eq!(delta, all);
    let none: Delta<Full> =
        Delta::between(MAP, (&after, Stage::TurnStart), (&after, Stage::TurnStart), HexSet::ALL);
    assert!(none.is_nothing() && !delta.is_nothing());
}

#[test]
fn what_stays_is_not_listed() {
    let mut before = Board::empty();
    zombie(&mut before, hex("c2"));
    before.set_reserve(Side::Blue, UnitLabel::Zombie, 2);
    let mut after = before.clone();
    after.set_reserve(Side::Blue, UnitLabel::Zombie, 3);
    let hurt = after.piece(hex("c2")).unwrap().with_damage(1);
    after.set_piece(hex("c2"), Some(hurt));
    let delta: Delta<Full> =
        Delta::between(MAP, (&before, Stage::TurnStart), (&after, Stage::TurnStart), HexSet::ALL);
    for side in Side::ALL {
        assert!(delta.wide_added(side).is_empty() && delta.wide_removed(side).is_empty());
        // A third zombie in reserve and a point of damage.
        assert_eq!((delta.narrow_added(side).len(), delta.narrow_removed(side).len()), (2, 0));
    }
}

#[test]
fn a_change_too_large_to_list_asks_for_a_refresh() {
    let (wide, narrow, bias) = weights::<Tiny>();
    let tables: Tables<'_, Tiny> = Tables { wide: &wide, narrow: &narrow, bias: &bias };
    let before = Board::empty();
    let mut after = Board::empty();
    Hex::all().take(17).for_each(|at| zombie(&mut after, at));
    let delta: Delta<Folded, 16> =
        Delta::between(MAP, (&before, Stage::TurnStart), (&after, Stage::TurnStart), HexSet::ALL);
    assert!(delta.needs_refresh());
    let start = BoardAccumulator::of(&tables, MAP, &before, Stage::TurnStart);
    let mut sums = start;
    assert_eq!(sums.apply(&tables, &delta), Err(NeedsRefresh));
    assert_eq!(sums, start);

    let mut frames = [Frame::EMPTY; 3];
    let mut stack = Stack::new(&mut frames).unwrap();
    stack.push(&delta).unwrap();
    let sums = *stack.accumulator(&tables, MAP, &after, Stage::TurnStart);
    assert_eq!(sums, BoardAccumulator::of(&tables, MAP, &after, Stage::TurnStart));
}

#[test]
fn a_full_stack_refuses_and_stays_as_it_was() {
    let (wide, narrow, bias) = weights::<Tiny>();
    let tables: Tables<'_, Tiny> = Tables { wide: &wide, narrow: &narrow, bias: &bias };
    let mut frames: Vec<Frame<Tiny, 16>> = vec![Frame::EMPTY; 3];
    let mut stack = Stack::new(&mut frames).unwrap();
    let mut board = Board::empty();
    let mut path = vec![board.clone()];
    for at in ["a0", "b0"].map(hex) {
        zombie(&mut board, at);
        let (before, after) = ((path.last().unwrap(), Stage::TurnStart), (&board, Stage::TurnStart));
        stack.push(&Delta::between(MAP, before, after, at.to_set())).unwrap();
        path.push(board.clone());
    }
    assert_eq!((stack.push(&Delta::NOTHING), stack.depth(), stack.capacity()), (Err(StackFull), 2, 2));
    for board in path.iter().rev() {
        let sums = *stack.accumulator(&tables, MAP, board, Stage::TurnStart);
        assert_eq!(sums, BoardAccumulator::of(&tables, MAP, board, Stage::TurnStart));
        assert_eq!(stack.pop(), board.all_pieces() != HexSet::EMPTY);
    }
    assert!(Stack::<Tiny, 16>::new(&mut []).is_none());
}

#[test]
fn a_perspective_is_computed_when_it_is_asked_for() {
    let (wide, narrow, bias) = weights::<Tiny>();
    let tables: Tables<'_, Tiny> = Tables { wide: &wide, narrow: &narrow, bias: &bias };
    let mut frames: [Frame<Tiny, 16>; 4] = [Frame::EMPTY; 4];
    let mut stack = Stack::new(&mut frames).unwrap();
    let start = Board::empty();
    // Yellow's sums of the first position are known, Blue's are not.
    let _ = stack.lanes(&tables, MAP, &start, Stage::TurnStart, Side::Yellow);
    let mut board = start.clone();
    zombie(&mut board, hex("d4"));
    let before = (&start, Stage::TurnStart);
    stack.push(&Delta::between(MAP, before, (&board, Stage::AfterAttack), HexSet::ALL)).unwrap();
    let expected = BoardAccumulator::of(&tables, MAP, &board, Stage::AfterAttack);
    // Yellow's come from the first position: a board that is not the present one is not even looked at.
    let empty = Board::empty();
    assert_eq!(
        stack.lanes(&tables, MAP, &empty, Stage::TurnStart, Side::Yellow),
        expected.lanes(Side::Yellow)
    );
    // Blue's can only come from the present board.
    assert_eq!(stack.lanes(&tables, MAP, &board, Stage::AfterAttack, Side::Blue), expected.lanes(Side::Blue));
    stack.restart();
    assert_eq!(stack.depth(), 0);
    let sums = *stack.accumulator(&tables, MAP, &start, Stage::TurnStart);
    assert_eq!(sums, BoardAccumulator::of(&tables, MAP, &start, Stage::TurnStart));
}
