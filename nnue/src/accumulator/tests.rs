//! Sizes, capacities, and the lists of a delta. `tests/accumulator` tests that updates equal refreshes.

extern crate std;
use std::vec::Vec;

use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Board, GameConfig, MapLabel, Piece, Ruleset, Side, UnitLabel};

use super::{BoardAccumulator, Delta, GlobalAccumulator, GlobalTable, NeedsRefresh, Tables};
use crate::features::{Part, Stage};
use crate::layout::{Folded, Full, Layout};
use crate::shape::{Desktop, GLOBAL, Profile, Tiny, UNITS};

const MAP: MapLabel = MapLabel::AllLand;

/// Tables in which the weights depend on the row.
fn weights<P: Profile<Weight = i8>>() -> (Vec<i8>, Vec<i8>, Vec<i16>) {
    let table =
        |rows: usize, lanes: usize| (0..rows * lanes).map(|at| (at / lanes * 7 % 19) as i8 - 9).collect();
    let wide = table(P::Layout::WIDE.rows(UNITS), P::L1);
    (wide, table(P::Layout::NARROW.rows(UNITS), P::NARROW), (0..P::L1 as i16).collect())
}

fn hex(name: &str) -> Hex {
    Hex::named(name).unwrap()
}

fn zombie(board: &mut Board, at: Hex) {
    board.set_piece(at, Some(Piece::fresh(Side::Yellow, UnitLabel::Zombie, at)));
}

#[test]
fn accumulators_are_their_sums_and_nothing_else() {
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
    let delta: Delta<Full> = Delta::between(MAP, (&before, Stage::TurnStart), (&after, Stage::TurnStart));
    for side in Side::ALL {
        assert_eq!((delta.wide_added(side).len(), delta.wide_removed(side).len()), (1, 1));
        // Walked one step, and began in another row of the board.
        assert_eq!((delta.narrow_added(side).len(), delta.narrow_removed(side).len()), (2, 0));
    }
    let none: Delta<Full> = Delta::between(MAP, (&after, Stage::TurnStart), (&after, Stage::TurnStart));
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
    let delta: Delta<Full> = Delta::between(MAP, (&before, Stage::TurnStart), (&after, Stage::TurnStart));
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
        Delta::between(MAP, (&before, Stage::TurnStart), (&after, Stage::TurnStart));
    assert!(delta.needs_refresh());
    let start = BoardAccumulator::of(&tables, MAP, &before, Stage::TurnStart);
    let mut sums = start;
    assert_eq!(sums.apply(&tables, &delta), Err(NeedsRefresh));
    assert_eq!(sums, start);
}

#[test]
fn parts_of_the_general_left_out_and_added_make_the_whole() {
    let rows: Vec<i8> =
        (0..<Tiny as Profile>::Layout::GLOBAL.rows(UNITS) * GLOBAL).map(|at| (at % 251) as i8).collect();
    let table: GlobalTable<'_, Tiny> = GlobalTable { rows: &rows, bias: &[7; GLOBAL] };
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    for line in barrow_testing::MIDGAME.lines().step_by(50) {
        let game = fen::parse(line, &config).unwrap();
        for parts in Part::ALL.windows(3) {
            let mut sums = GlobalAccumulator::without(&table, &game, parts);
            assert_ne!(sums, GlobalAccumulator::ZERO);
            sums.add(&table, &game, parts);
            assert_eq!(sums, GlobalAccumulator::of(&table, &game));
        }
    }
}
