//! Sizes, capacities, and the lists of a delta. `tests/accumulator` tests that updates equal refreshes.

extern crate std;
use std::vec::Vec;

use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{
    Board, Builder, Game, GameConfig, MapLabel, Piece, Ruleset, Side, SideArray, Tech, TechLevels,
    TechStatus, Techline, UnitLabel,
};

use super::{BoardAccumulator, Delta, GlobalAccumulator, GlobalTable, LevelSums, NeedsRefresh, Tables};
use crate::features::{Part, Stage};
use crate::layout::{Folded, Full, Layout, Row, board_rows};
use crate::shape::{Desktop, GLOBAL, Profile, Tiny, Trunk, UNITS};

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
            let others: Vec<Part> = Part::ALL.into_iter().filter(|part| !parts.contains(part)).collect();
            let mut sums = GlobalAccumulator::with(&table, &game, &others);
            assert_ne!(sums, GlobalAccumulator::ZERO);
            sums.add(&table, &game, parts);
            assert_eq!(sums, GlobalAccumulator::of(&table, &game));
        }
    }
}

/// Sums of a board's rows, added one by one to a bias that may be shorter than the lanes.
fn summed(tables: &Tables<'_, Tiny>, board: &Board, side: Side) -> Vec<i16> {
    let mut lanes: Vec<i16> = tables.bias.to_vec();
    lanes.resize(Tiny::L1, 0);
    board_rows::<<Tiny as Profile>::Layout>(MAP, board, Stage::TurnStart, side, |row| {
        let (table, row, length) = match row {
            Row::Wide(row) => (tables.wide, usize::from(row), Tiny::L1),
            Row::Narrow(row) => (tables.narrow, usize::from(row), Tiny::NARROW),
        };
        let weights = &table[row * length..][..length];
        lanes.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += i16::from(*weight));
    });
    lanes
}

#[test]
fn crowded_boards_and_short_biases_are_summed_like_others() {
    let (wide, narrow, bias) = weights::<Tiny>();
    let mut crowded = Board::empty();
    for at in Hex::all() {
        let side = if at.index() % 3 == 0 { Side::Blue } else { Side::Yellow };
        let piece = Piece::fresh(side, UnitLabel::Warg, hex("c2")).with_damage(1);
        crowded.set_piece(at, Some(piece.with_record(2, 1, true, false)));
    }
    let mut rows = 0;
    board_rows::<<Tiny as Profile>::Layout>(MAP, &crowded, Stage::TurnStart, Side::Blue, |_| rows += 1);
    assert!(rows > 2 * 192, "{rows} rows: more than two lots");
    for length in [0, 5, Tiny::L1] {
        let tables: Tables<'_, Tiny> = Tables { wide: &wide, narrow: &narrow, bias: &bias[..length] };
        for board in [&Board::empty(), &crowded] {
            // What was there before leaves no trace.
            let mut sums = BoardAccumulator::of(&tables, MAP, &crowded, Stage::AfterSpawn);
            sums.refresh(&tables, MAP, board, Stage::TurnStart);
            for side in Side::ALL {
                assert_eq!(sums.lanes(side).as_ref(), summed(&tables, board, side));
            }
        }
    }
}

/// Position of a line with these levels, by place, of Yellow now and when the turn began.
fn with_levels(line: &Techline, levels: impl Fn(u8) -> [TechStatus; 2]) -> Game {
    let mut sides = [TechLevels::default(); 2];
    for place in 0..line.len() as u8 {
        sides.iter_mut().zip(levels(place)).for_each(|(side, level)| side.set(place, level));
    }
    let [now, began] = sides.map(|levels| SideArray::new(levels, TechLevels::default()));
    let mut builder = Builder::new(GameConfig::default().with_techline(line.clone()), 1);
    builder.tech(now, began);
    builder.build().unwrap()
}

#[test]
fn kept_levels_follow_any_change() {
    use TechStatus::{Acquired, Locked, Unlocked};
    let rows: Vec<i8> =
        (0..Full::GLOBAL.rows(UNITS) * GLOBAL).map(|at| (at / GLOBAL * 37 % 251) as i8).collect();
    // All features of levels have rows.
    let table: GlobalTable<'_, Trunk<32, i8, Full>> = GlobalTable { rows: &rows, bias: &[7; GLOBAL] };
    let usual = Techline::default();
    let mut repeated: Vec<Tech> = usual.techs()[..22].to_vec();
    repeated.extend([Tech::Copycat, usual.techs()[4], usual.techs()[4]]);
    let repeated = Techline::new(&repeated).unwrap();
    let mut kept = LevelSums::default();
    for line in [&usual, &repeated, &usual] {
        let games = std::vec![
            with_levels(line, |_| [Locked; 2]),
            // Two rows for each place, and in the next position one for the first and two for each other.
            with_levels(line, |_| [Acquired, Unlocked]),
            with_levels(line, |place| [Acquired, if place == 0 { Acquired } else { Locked }]),
            with_levels(line, |place| if place < 22 { [Unlocked, Locked] } else { [Locked; 2] }),
            with_levels(line, |place| if place < 22 { [Locked; 2] } else { [Acquired, Unlocked] }),
        ];
        for game in &games {
            let levels = Part::Levels(Side::Yellow);
            let others: Vec<Part> = Part::ALL.into_iter().filter(|&part| part != levels).collect();
            let mut sums = GlobalAccumulator::with(&table, game, &others);
            sums.add_sums(kept.update(&table, game, Side::Yellow));
            assert_eq!(sums, GlobalAccumulator::of(&table, game), "{:?}", game.state().tech(Side::Yellow));
        }
    }
}
