//! The tables of the documentation, and rows as a numbering of features without gaps or collisions.

extern crate std;
use core::fmt::Write as _;
use core::ops::Range;
use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;

use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{
    BoardState, GameConfig, MapLabel, Modifier, Modifiers, Movable, Ruleset, Side, Spell, Tech, TechStatus,
    TileType, UnitLabel,
};

use super::numbering::MOST_SITES;
use super::perspective::{TURNED_ALIKE, has_reflection};
use super::{Folded, Full, Group, Layout, Row, Table};
use crate::features::{
    self, BoardFeature, GlobalFeature, Mark, Part, SITES, SWITCHES, Scale, Stage, tech_number,
};
use crate::shape::{BASE_LINE_PLACES, BASE_UNITS, UNIT_CAP};

/// Unit types of the features that the tests list: more than the unit table has.
const UNITS: u8 = BASE_UNITS as u8 + 6;

fn documentation<L: Layout>() -> String {
    let mut text = String::new();
    for (title, table) in
        [("Wide table", L::WIDE), ("Narrow table", L::NARROW), ("The general's table", L::GLOBAL)]
    {
        write!(text, "{title}, {} rows:\n\n", table.rows(BASE_UNITS)).unwrap();
        describe(&mut text, table.groups);
        let rows = table.rows(BASE_UNITS + 1) - table.rows(BASE_UNITS);
        write!(text, "{title}, {rows} rows of each later unit type:\n\n").unwrap();
        describe(&mut text, table.later);
    }
    writeln!(
        text,
        "Fingerprint `{:016x}`, with rows of later unit types `{:016x}`.",
        L::hash(34),
        L::hash(35)
    )
    .unwrap();
    text
}

fn describe(text: &mut String, groups: &[Group]) {
    *text += "| group | first row | rows | numbered by | most at once |\n|---|---:|---:|---|---:|\n";
    for Group { name, first, rows, index, active, .. } in groups {
        let index = if index.is_empty() { "-" } else { index };
        writeln!(text, "| {name} | {first} | {rows} | {index} | {active} |").unwrap();
    }
    text.push('\n');
}

#[test]
fn the_documented_tables_are_the_ones_in_force() {
    assert_eq!(include_str!("full.md"), documentation::<Full>(), "\n{}", documentation::<Full>());
    assert_eq!(include_str!("folded.md"), documentation::<Folded>(), "\n{}", documentation::<Folded>());
}

#[test]
fn groups_follow_each_other_and_fit_their_row_numbers() {
    fn check(table: &Table) {
        let mut next = 0;
        for group in table.groups(UNIT_CAP) {
            assert_eq!(usize::from(group.first), next, "{}", group.name);
            assert_eq!(group.rows % group.cells, 0, "{}", group.name);
            assert_eq!(group.active, group.per_cell * group.places, "{}", group.name);
            assert_eq!(table.group_of(group.first), Some(group));
            next += usize::from(group.rows);
            assert_eq!(table.group_of(next as u16 - 1), Some(group));
        }
        assert_eq!(next, table.rows(UNIT_CAP));
        assert!(u16::try_from(next).is_ok_and(|next| table.group_of(next).is_none()));
    }
    for table in [Full::WIDE, Full::NARROW, Full::GLOBAL, Folded::WIDE, Folded::NARROW, Folded::GLOBAL] {
        check(&table);
    }
    assert!(Folded::NARROW.rows(BASE_UNITS) + Folded::GLOBAL.rows(BASE_UNITS) <= 1_900);
    // A hex counts fastest in the rows of later pieces, too.
    for table in [Full::WIDE, Folded::WIDE] {
        assert!(table.groups(UNIT_CAP).all(|group| usize::from(group.first).is_multiple_of(Hex::COUNT)));
    }
}

#[test]
fn maps_that_look_alike_from_both_sides_are_the_ones_named() {
    let alike = |map: &MapLabel| {
        let terrain = map.map();
        let kinds = Hex::all().map(|hex| terrain.fixed_tile(hex));
        let turned = Hex::all().map(|hex| terrain.fixed_tile(hex.rotated()));
        let starts = Movable::ALL.map(|kind| terrain.movable_start(kind));
        kinds.eq(turned) && starts == starts.map(|start| start.map(Hex::rotated))
    };
    let maps: Vec<MapLabel> = MapLabel::ALL.into_iter().filter(alike).collect();
    assert_eq!(maps, TURNED_ALIKE);
}

#[test]
fn maps_that_look_alike_when_one_side_reflects_them_are_the_ones_named() {
    let alike = |map: &MapLabel| {
        let terrain = map.map();
        let reflected = Hex::all().map(|hex| terrain.fixed_tile(hex.reflected()));
        let turned = Hex::all().map(|hex| terrain.fixed_tile(hex.rotated()));
        let starts = Movable::ALL.map(|kind| terrain.movable_start(kind));
        let [reflect, turn] = [Hex::reflected, Hex::rotated].map(|way| starts.map(|start| start.map(way)));
        reflected.eq(turned) && reflect == turn
    };
    for map in MapLabel::ALL {
        assert_eq!(has_reflection(map), alike(&map), "{map:?}");
    }
}

#[test]
fn no_map_has_more_sites_than_a_group_allows() {
    let count = |map: &MapLabel| SITES.iter().map(|&tile| map.map().all(tile).len()).sum::<usize>();
    let most = MapLabel::ALL.iter().map(count).max();
    assert_eq!(most, Some(usize::from(MOST_SITES)));
}

fn levels(scale: Scale) -> impl Iterator<Item = u8> {
    0..scale.levels() as u8
}

/// Every board feature there is.
fn board_features() -> Vec<BoardFeature> {
    use BoardFeature as F;
    let mut all = Vec::new();
    for hex in Hex::all() {
        for side in Side::ALL {
            all.extend((0..UNITS).map(|unit| F::Piece(side, unit, hex)));
            for modifier in Modifier::ALL {
                all.extend([1, 2].map(|counter| F::Modifier(side, modifier, counter, hex)));
            }
            all.extend([F::Boosted(side, hex), F::Hampered(side, hex)]);
            all.extend((0..Scale::DAMAGE.steps() as u8).map(|step| F::Damage(side, hex, step)));
            all.extend(SITES.map(|site| F::Site(side, site, hex)));
        }
        all.extend((0..40).map(|bit| F::Arrival(hex, bit)));
        all.extend((0..16).map(|bit| F::DamageBit(hex, bit)));
        all.extend((0..7).map(|steps| F::Walk(hex, steps)));
        all.extend(levels(Scale::ATTACKS).map(|level| F::Attacks(hex, level)));
        all.extend([F::Exhausted(hex), F::Newcomer(hex), F::Several(hex)]);
        for number in 0..Hex::WIDTH {
            all.extend([F::OriginColumn(hex, number), F::OriginRow(hex, number)]);
            all.extend([F::TargetColumn(hex, number), F::TargetRow(hex, number)]);
        }
        all.extend(Movable::ALL.map(|kind| F::Tile(kind, hex)));
    }
    all.extend(MapLabel::ALL.map(F::Map));
    all.extend([BoardState::FirstTurn, BoardState::Reset1, BoardState::Reset2].map(F::State));
    all.extend([Stage::AfterAttack, Stage::AfterSpawn].map(F::Stage));
    let marks = [Mark::SpawnPhase, Mark::Won, Mark::Lost, Mark::Resigned, Mark::TileUsed, Mark::SetUp];
    all.extend(marks.map(F::Mark));
    all.extend(levels(Scale::FEW).map(F::Picks));
    for side in Side::ALL {
        for unit in 0..UNITS {
            all.extend(levels(Scale::RESERVE).map(|level| F::Reserve(side, unit, level)));
            all.push(F::Candidate(side, unit));
        }
        for spell in Spell::ALL {
            all.extend(levels(Scale::CARDS).map(|level| F::Card(side, spell, level)));
        }
        all.push(F::Free(side));
        all.extend(levels(Scale::SOME).map(|level| F::Pending(side, level)));
    }
    all.extend(levels(Scale::MANA).flat_map(|level| [F::Mana(level), F::Debt(level)]));
    all
}

/// Numbers of the techs of the unit types and of the three other techs.
fn techs() -> Range<u8> {
    0..UNITS + 3
}

/// Every feature of the general there is.
fn global_features() -> Vec<GlobalFeature> {
    use GlobalFeature as F;
    let mut all = Vec::from([F::Spooky, F::Sold, F::Odd, F::Drawn]);
    all.extend((1..=8).map(F::Boards));
    all.extend((0..SWITCHES as u8).map(F::Switch));
    all.extend((0..UNITS).map(F::StartReserve));
    all.extend((0..17).map(F::TurnLimit));
    all.extend((1..25).map(F::LineLength));
    for place in 0..BASE_LINE_PLACES as u8 {
        all.extend(techs().map(|tech| F::Line(place, tech)));
    }
    for side in Side::ALL {
        for tech in techs() {
            all.extend([TechStatus::Unlocked, TechStatus::Acquired].map(|now| F::Level(side, tech, now)));
            all.extend([TechStatus::Locked, TechStatus::Unlocked].map(|was| F::Began(side, tech, was)));
        }
        for place in 0..BASE_LINE_PLACES as u8 {
            all.extend([TechStatus::Unlocked, TechStatus::Acquired].map(|now| F::LevelAt(side, place, now)));
            all.extend([TechStatus::Locked, TechStatus::Unlocked].map(|was| F::BeganAt(side, place, was)));
        }
        all.extend(levels(Scale::SOULS).map(|level| F::Souls(side, level)));
        all.extend(levels(Scale::POINTS).map(|level| F::Points(side, level)));
        all.extend((0..=8).map(|points| F::Missing(side, points)));
        all.extend(levels(Scale::SOME).map(|level| F::Extra(side, level)));
        for spell in Spell::ALL {
            all.extend((0..24).map(|place| F::Next(side, place, spell)));
            all.extend((1..=10).map(|copies| F::Dealt(side, spell, copies)));
        }
        all.push(F::Winner(side));
    }
    all.extend(levels(Scale::POINTS).map(F::Needed));
    all.extend(levels(Scale::FEW).flat_map(|level| [F::TechPoints(level), F::Bought(level)]));
    for spell in Spell::ALL {
        all.extend(
            levels(Scale::CARDS)
                .flat_map(|level| [F::Card(spell, false, level), F::Card(spell, true, level)]),
        );
    }
    all.extend(levels(Scale::TURN).map(F::Turn));
    all
}

/// Number of features of a list on each row.
fn shares<F: Copy, R: Ord>(features: &[F], row: impl Fn(F) -> Option<R>) -> BTreeMap<R, usize> {
    let mut shares = BTreeMap::new();
    for row in features.iter().filter_map(|&feature| row(feature)) {
        *shares.entry(row).or_insert(0) += 1;
    }
    shares
}

#[test]
fn in_the_full_layout_features_and_rows_go_both_ways() {
    let (board, general) = (board_features(), global_features());
    for side in Side::ALL {
        let rows = shares(&board, |feature| Full::row(feature, side));
        let wide = (0..Full::WIDE.rows(UNITS.into()) as u16).map(Row::Wide);
        let all: Vec<Row> =
            wide.chain((0..Full::NARROW.rows(UNITS.into()) as u16).map(Row::Narrow)).collect();
        let mut taken: Vec<Row> = rows.keys().copied().collect();
        // Each side sees every map in one of the two ways for which it has rows.
        let seen = board.iter().filter(|feature| matches!(feature, BoardFeature::Map(_))).count();
        assert_eq!(rows.values().max(), Some(&1), "two features on one row");
        assert_eq!(taken.len() + seen, all.len());
        taken.retain(|row| !all.contains(row));
        assert!(taken.is_empty(), "a row outside its table");
        let left_out = board.iter().filter(|&&feature| Full::row(feature, side).is_none());
        assert!(
            left_out.into_iter().all(|f| matches!(f, BoardFeature::Boosted(..) | BoardFeature::Hampered(..)))
        );

        let rows = shares(&general, |feature| Full::global_row(feature, side));
        assert!(
            rows.keys().copied().eq(0..Full::GLOBAL.rows(UNITS.into()) as u16),
            "gaps in the general's table"
        );
        assert_eq!(rows.len(), general.len(), "two features on one row, or one without");
    }
}

#[test]
fn the_folded_layout_uses_every_row_it_has() {
    let (board, general) = (board_features(), global_features());
    for side in Side::ALL {
        let rows = shares(&board, |feature| Folded::row(feature, side));
        let turned = MapLabel::ALL.len();
        assert_eq!(rows.len() + turned, Folded::WIDE.rows(UNITS.into()) + Folded::NARROW.rows(UNITS.into()));
        let inside = |row: &Row| match *row {
            Row::Wide(row) => usize::from(row) < Folded::WIDE.rows(UNITS.into()),
            Row::Narrow(row) => usize::from(row) < Folded::NARROW.rows(UNITS.into()),
        };
        assert!(rows.keys().all(inside));
        let rows = shares(&general, |feature| Folded::global_row(feature, side));
        assert!(rows.keys().copied().eq(0..Folded::GLOBAL.rows(UNITS.into()) as u16));
    }
}

#[test]
fn a_layout_without_details_has_no_rows_for_them() {
    const { assert!(Full::DETAILS && !Folded::DETAILS) };
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let changed =
        Modifiers::default().with(Modifier::Frozen, 1).unwrap().with(Modifier::Shielded, 2).unwrap();
    let mut spared = 0;
    for line in barrow_testing::MIDGAME.lines().step_by(7) {
        let game = fen::parse(line, &config).unwrap();
        for (board, &map) in game.state().boards().iter().zip(game.config().maps()) {
            // In the middle of a turn: everybody has walked, attacked and been changed.
            let mut board = board.clone();
            for (at, piece) in board.clone().iter_all() {
                let busy = piece.with_damage(1).with_record(2, 1, true, false);
                let busy = busy.with_history(None, Some(at), true);
                board.set_piece(at, Some(busy.with_modifiers(changed)));
            }
            let [all, few] = [true, false].map(|details| {
                let (mut seen, mut rows) = (0, Vec::new());
                features::others(map, &board, Stage::AfterAttack, details, |feature| {
                    seen += 1;
                    rows.extend(Folded::rows(feature).map(|rows| rows.0));
                });
                (seen, rows)
            });
            assert_eq!(all.1, few.1, "{line}");
            spared += all.0 - few.0;
        }
        for part in Part::ALL {
            let [all, few] = [true, false].map(|details| {
                let (mut seen, mut rows) = (0, Vec::new());
                part.visit(&game, details, &mut |feature| {
                    seen += 1;
                    rows.extend(Folded::global_rows(feature).map(|rows| rows.0));
                });
                (seen, rows)
            });
            assert_eq!(all.1, few.1, "{line} {part:?}");
            spared += all.0 - few.0;
        }
    }
    assert!(spared > 1_000, "{spared}");
}

#[test]
fn values_that_no_feature_has_have_no_row_or_one_of_their_group() {
    let hex = Hex::named("c2").unwrap();
    for odd in [
        BoardFeature::Arrival(hex, 40),
        BoardFeature::Walk(hex, 7),
        BoardFeature::DamageBit(hex, 16),
        BoardFeature::Site(Side::Blue, TileType::Water, hex),
        BoardFeature::State(BoardState::Normal),
        BoardFeature::Mana(90),
    ] {
        assert_eq!(Full::row(odd, Side::Yellow), None, "{odd:?}");
    }
    let damage = |step| Full::row(BoardFeature::Damage(Side::Yellow, hex, step), Side::Yellow);
    assert_eq!(damage(200), damage(Scale::DAMAGE.steps() as u8 - 1));
    assert_eq!(Folded::row(BoardFeature::Picks(2), Side::Blue), None);
    let unlocked = |place| GlobalFeature::LevelAt(Side::Yellow, place, TechStatus::Unlocked);
    assert_eq!(Full::global_row(unlocked(BASE_LINE_PLACES as u8), Side::Yellow), None);
    assert_eq!(Full::global_row(GlobalFeature::Boards(0), Side::Blue), None);
    assert_eq!(Full::global_row(GlobalFeature::Dealt(Side::Blue, Spell::Fester, 0), Side::Blue), None);
    assert_eq!(Full::global_row(GlobalFeature::Switch(200), Side::Blue), None);
}

#[test]
fn techs_have_numbers_that_later_unit_types_do_not_move() {
    let units = UnitLabel::ALL.into_iter().enumerate().map(|(index, unit)| (Tech::UnitTech(unit), index));
    for (tech, index) in units {
        let number = if index < 34 { index } else { index + 3 };
        assert_eq!(usize::from(tech_number(tech)), number);
    }
    assert_eq!([Tech::Copycat, Tech::Thaumaturgy, Tech::Metamagic].map(tech_number), [34, 35, 36]);
}

/// Features of the unit types of the first networks have the rows that those networks have; features of later types
/// have rows behind them.
fn later_rows_are_behind<L: Layout>() {
    let behind = |row: Row, units: usize| match row {
        Row::Wide(row) => usize::from(row) >= L::WIDE.rows(units),
        Row::Narrow(row) => usize::from(row) >= L::NARROW.rows(units),
    };
    for side in Side::ALL {
        for feature in board_features() {
            use BoardFeature as F;
            let unit = match feature {
                F::Piece(_, unit, _) | F::Reserve(_, unit, _) | F::Candidate(_, unit) => usize::from(unit),
                _ => 0,
            };
            if let Some(row) = L::row(feature, side) {
                assert_eq!(behind(row, BASE_UNITS), unit >= BASE_UNITS, "{feature:?}");
                assert!(unit < BASE_UNITS || behind(row, unit) && !behind(row, unit + 1), "{feature:?}");
            }
        }
        for feature in global_features() {
            use GlobalFeature as F;
            let unit = match feature {
                F::StartReserve(unit) => usize::from(unit),
                F::Level(_, tech, _) | F::Began(_, tech, _) | F::Line(_, tech) => match usize::from(tech) {
                    tech @ 0..34 => tech,
                    34..37 => 0,
                    tech => tech - 3,
                },
                _ => 0,
            };
            let behind = |row: u16, units: usize| usize::from(row) >= L::GLOBAL.rows(units);
            if let Some(row) = L::global_row(feature, side) {
                assert_eq!(behind(row, BASE_UNITS), unit >= BASE_UNITS, "{feature:?}");
                assert!(unit < BASE_UNITS || behind(row, unit) && !behind(row, unit + 1), "{feature:?}");
            }
        }
    }
}

#[test]
fn a_later_unit_type_moves_no_row() {
    later_rows_are_behind::<Full>();
    later_rows_are_behind::<Folded>();
    let far = BoardFeature::Piece(Side::Yellow, UNIT_CAP as u8, Hex::named("c2").unwrap());
    assert_eq!(Full::row(far, Side::Blue), None);
}
