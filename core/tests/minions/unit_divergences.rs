//! Divergences 1 to 10 of ruleset `spooky`: figures of units. Each test plays both rulesets; that all other figures are
//! equal is the last one.

use barrow_core::minions::{Ability, GameConfig, IllegalReason, Side, Tech, UnitLabel, fen};

use crate::table::{Table, server, spooky};

const ONE: &str = "AllLand";

/// Both rulesets, `server` first, on the same maps.
fn both(maps: &str, pieces: &str) -> [Table; 2] {
    [server(maps), spooky(maps)].map(|config: GameConfig| Table::of(config, pieces))
}

#[test]
fn minions_divergence_01_the_sorcerer_walks_or_aims_farther() {
    let [mut ours, mut theirs] = both(ONE, "Y sorcerer c2 f5, B ghost e2");
    ours.illegal("c2->e2", IllegalReason::OutOfRange);
    theirs.legal("c2->e2");
    theirs.illegal("f5-f6-f7", IllegalReason::TooFar);
    ours.legal("f5-f6-f7");
    // Water is on d0.
    let [mut ours, mut theirs] = both("MidnightLake", "Y sorcerer d1");
    theirs.illegal("d1-d0", IllegalReason::Terrain);
    ours.legal("d1-d0");
}

#[test]
fn minions_divergence_02_the_banshee_blinks() {
    let [mut ours, mut theirs] = both(ONE, "Y banshee c2");
    theirs.illegal("blink c2", IllegalReason::NoBlink);
    ours.legal("blink c2");
}

#[test]
fn minions_divergence_03_and_04_defense_of_two_necromancers() {
    let defenses = both(ONE, "Y arcane_necromancer c2, B ranged_necromancer h7")
        .map(|table| (table.current("c2").defense, table.current("h7").defense));
    assert_eq!(defenses, [(7, 10), (10, 7)]);
}

#[test]
fn minions_divergence_05_the_zombie_necromancer() {
    let [mut ours, mut theirs] = both(ONE, "Y zombie_necromancer c2, B ghost e2");
    ours.legal("c2-d2; d2->e2");
    theirs.legal("c2-d2");
    theirs.illegal("d2->e2", IllegalReason::HasMoved);
    for (mut table, zombies) in [(ours, "zombie 1"), (theirs, "")] {
        table.end();
        table.end();
        assert_eq!(table.reserve(Side::Yellow), zombies);
    }
}

#[test]
fn minions_divergence_06_the_mana_necromancer() {
    let mana = both(ONE, "Y mana_necromancer c2").map(|mut table| {
        table.end();
        table.end();
        table.mana()
    });
    assert_eq!(mana, [10, 0]);
}

#[test]
fn minions_divergence_07_the_terrain_necromancer() {
    let [_, theirs] = both(ONE, "Y terrain_necromancer c2");
    assert_eq!((theirs.current("c2").defense, UnitLabel::TerrainNecromancer.spooky().range), (10, 1));
    // It is behind the server's master list, and nothing that the server has is called like it.
    assert_eq!(UnitLabel::ALL.last(), Some(&UnitLabel::TerrainNecromancer));
    assert_eq!(UnitLabel::ALL.len(), 34);
}

#[test]
fn minions_divergence_08_the_acolyte_cannot_be_had() {
    assert_eq!((UnitLabel::Acolyte.letter(), Tech::from_name("acolyte")), (None, None));
    for mut table in both(ONE, "").map(|table| table.with_souls(9, 9)) {
        assert!(table.game().may_buy(0, UnitLabel::Acolyte).is_err());
        table.illegal("spawn acolyte c2", IllegalReason::NotInReserve);
    }
}

#[test]
fn minions_divergence_09_terrain_abilities() {
    for (user, ability, action) in [
        (UnitLabel::Initiate, Ability::MoveFlood, "use move_flood c2 c3"),
        (UnitLabel::Haunt, Ability::MoveEarthquake, "use move_earthquake c2 c3"),
        (UnitLabel::Void, Ability::MoveWhirlwind, "use move_whirlwind c2 c3"),
        (UnitLabel::Cerberus, Ability::MoveFirestorm, "use move_firestorm c2 c3"),
        (UnitLabel::Elemental, Ability::MoveTerrain, "use move_terrain water c2 c3"),
    ] {
        assert_eq!((user.server().ability, user.spooky().ability), (Some(ability), None));
        let [ours, mut theirs] = both(ONE, &format!("Y {} c2", user.name()));
        ours.with_hand(Side::Yellow, "fester").legal(action);
        theirs.illegal(action, IllegalReason::NoSpells);
    }
}

#[test]
fn minions_divergence_10_special_necromancers_are_read_as_the_basic_one() {
    for label in UnitLabel::ALL.into_iter().filter(|label| label.is_necromancer()) {
        assert_eq!(
            (label.letter(), UnitLabel::from_letter(b'n')),
            (Some(b'N'), Some(UnitLabel::Necromancer))
        );
        for table in both(ONE, &format!("Y {} c2", label.name())) {
            let line = fen::Display(table.game()).to_string();
            let read = fen::parse(&line, table.game().config()).expect("its own line");
            let piece = read.state().boards()[0].iter(Side::Yellow).map(|(_, piece)| piece.unit()).next();
            assert_eq!(piece, Some(UnitLabel::Necromancer), "{}", label.name());
        }
        // No turn brings one onto a board: the feature that does is off.
        assert!(Table::new("").with_souls(9, 9).game().may_buy(0, label).is_err());
    }
}

#[test]
fn the_other_figures_of_what_can_be_had_are_equal() {
    for label in UnitLabel::ALL.into_iter().filter(|label| label.server().cost > 0 || label.index() == 0) {
        let (mut ours, mut theirs) = (*label.server(), *label.spooky());
        // Row 9, and for the basic necromancer row 11.
        (ours.ability, theirs.ability) = (None, None);
        (ours.extra_souls, theirs.extra_souls) = (0, 0);
        let is_row_1_or_2 = [UnitLabel::Sorcerer, UnitLabel::Banshee].contains(&label);
        assert_eq!(ours != theirs, is_row_1_or_2, "{}", label.name());
    }
}
