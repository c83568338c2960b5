//! Worked examples of the rules (§22), group "Spells" from E89 on: spells that move or create pieces, hit others or change
//! the terrain.

use barrow_core::minions::{IllegalReason, Movable, Side, TileType};

use crate::notation::hex;
use crate::table::Table;

#[test]
fn minions_rule_14_e89_reposition() {
    let mut table = Table::new("Y zombie c2, Y necromancer a0; B zombie c3")
        .with_reserve(Side::Yellow, "zombie zombie")
        .with_hand(Side::Yellow, "reposition reposition");
    table.legal("c2-d2");
    table.illegal("play reposition a0-b0", IllegalReason::BadTarget);
    table.illegal("play reposition c3-b3", IllegalReason::WrongSide);
    table.illegal("play reposition d2-d4", IllegalReason::TooFar);
    table.illegal("play reposition d2-c3", IllegalReason::Occupied);
    table.legal("play reposition d2-e2");
    assert!(table.piece("e2").exhausted());
    assert_eq!(table.piece("e2").steps(), 1);
    table.illegal("spawn zombie f2", IllegalReason::NoFriendNear);
    table.legal("spawn zombie a1; play reposition a1-b1");
    assert_eq!(table.pieces(Side::Yellow), "necromancer a0, zombie b1, zombie e2");
}

#[test]
fn minions_rule_14_e90_stumble() {
    let mut table = Table::new("Y wight c2; B mummy d2, B zombie e2").with_hand(Side::Yellow, "stumble");
    table.illegal("play stumble d2-d3", IllegalReason::BadTarget);
    table.legal("c2->d2");
    table.illegal("play stumble d2-e2", IllegalReason::Occupied);
    table.illegal("play stumble d2-c2", IllegalReason::Occupied);
    table.illegal("play stumble d2-d4", IllegalReason::TooFar);
    table.legal("play stumble d2-d3");
    assert_eq!((table.stands("d3").as_str(), table.damage("d3")), ("B mummy", 1));
    assert!(table.is_empty("d2") && !table.piece("d3").moved());
}

#[test]
fn minions_rule_14_e91_spawn() {
    let mut table = Table::new("Y warg c2")
        .with_reserve(Side::Yellow, "zombie zombie")
        .with_hand(Side::Yellow, "spawn fester");
    table.illegal("spawn zombie c3", IllegalReason::NoFriendNear);
    table.legal("play spawn c2");
    assert_eq!(table.mana(), -1);
    table.legal("spawn zombie c3");
    assert_eq!((table.current("c2").spawn_range, table.piece("c2").modifiers().len()), (1, 1));
    table.end();
    assert!(table.piece("c2").modifiers().is_empty());
    table.end();
    assert_eq!(table.mover(), Side::Yellow);
    // Next to the warg but not to the zombie, which is a spawner by now.
    table.illegal("spawn zombie c1", IllegalReason::NoFriendNear);
}

#[test]
fn minions_rule_14_e92_raise_zombie() {
    let mut table = Table::new("Y warg c2; B zombie d2")
        .with_hand(Side::Yellow, "raise_zombie raise_zombie raise_zombie");
    table.illegal("play raise_zombie d2", IllegalReason::Occupied);
    table.illegal("play raise_zombie e5", IllegalReason::NoFriendNear);
    table.legal("play raise_zombie c3");
    assert_eq!((table.stands("c3").as_str(), table.mana()), ("Y zombie", 1));
    table.illegal("play raise_zombie c4", IllegalReason::NoFriendNear);
    table.illegal("c2-c3", IllegalReason::Occupied);
    table.legal("c2-c3-c4; play raise_zombie c5");
    assert_eq!(table.pieces(Side::Yellow), "zombie c3, warg c4, zombie c5");
    assert_eq!(table.reserve(Side::Yellow), "");
}

/// Plays example E93 and returns its table.
fn after_cleave() -> Table {
    let mut table = Table::new("Y wight c2; B mummy d2, B ghost c4 c5")
        .with_hand(Side::Yellow, "cleave cleave sunder shield");
    table.illegal("play cleave c4", IllegalReason::BadTarget);
    table.legal("c2->d2");
    table.illegal("play cleave d2", IllegalReason::BadTarget);
    table.illegal("play cleave c5", IllegalReason::BadTarget);
    table.legal("play cleave c4");
    assert_eq!(table.damage("c4"), 1);
    table
}

#[test]
fn minions_rule_14_e93_cleave() {
    after_cleave();
    let mut table = Table::new("Y necromancer c2; B mummy d2, B ghost d1").with_hand(Side::Yellow, "cleave");
    table.legal("c2->d2");
    table.illegal("play cleave d1", IllegalReason::BadTarget);
}

#[test]
fn minions_rule_14_e94_sunder() {
    let mut table = after_cleave();
    table.legal("play sunder c4");
    assert_eq!((table.damage("c4"), table.mana()), (3, -1));
}

/// Plays example E95 and returns its table.
fn after_two_earthquakes() -> Table {
    let mut table = Table::new("Y warg c2; B zombie c4")
        .with_hand(Side::Yellow, "earthquake earthquake firestorm normalize");
    table.illegal("play earthquake e5", IllegalReason::NoFriendNear);
    table.illegal("play earthquake c2", IllegalReason::Occupied);
    table.legal("play earthquake c3");
    assert_eq!(table.tile("c3"), TileType::Earthquake);
    table.end();
    table.illegal("c4-c3", IllegalReason::Terrain);
    table.end();
    table = table.with_free_entry();
    table.legal("c2-c3; play earthquake d3");
    assert_eq!((table.tile("c3"), table.tile("d3")), (TileType::Ground, TileType::Earthquake));
    table
}

/// Plays example E96 and returns its table.
fn after_firestorm() -> Table {
    let mut table = after_two_earthquakes();
    table.illegal("play firestorm d3", IllegalReason::Terrain);
    table.legal("play firestorm b3");
    assert_eq!((table.tile("b3"), table.tile("d3")), (TileType::Firestorm, TileType::Earthquake));
    table.illegal("c3-b3", IllegalReason::Terrain);
    table
}

#[test]
fn minions_rule_12_e95_earthquake() {
    after_two_earthquakes();
}

#[test]
fn minions_rule_12_e96_firestorm() {
    let mut table = after_firestorm();
    table.end();
    table.end();
    table.illegal("c3-b3", IllegalReason::Terrain);
    table.legal("c3-d3");
}

#[test]
fn minions_rule_12_e97_flood() {
    let mut table =
        Table::on("MidnightLake", "Y warg d1").with_hand(Side::Yellow, "flood flood").with_free_entry();
    table.legal("play flood d2");
    assert_eq!((table.tile("d2"), table.tile("d0")), (TileType::Water, TileType::Water));
    assert_eq!(table.board().movable(Movable::Water).unwrap().to_string(), "d2");
    table.illegal("play flood d3", IllegalReason::NoFriendNear);
    table.illegal("d1-d2", IllegalReason::Terrain);
    // The graveyard alone makes it illegal as well.
    let mut near = Table::on("MidnightLake", "Y warg c3").with_hand(Side::Yellow, "flood");
    assert_eq!(near.tile("d3"), TileType::Graveyard);
    near.illegal("play flood d3", IllegalReason::Terrain);
}

#[test]
fn minions_rule_12_e98_whirlwind() {
    let mut table = Table::new("Y warg d1, Y ghost c2").with_hand(Side::Yellow, "whirlwind");
    table.legal("play whirlwind d2");
    assert_eq!(table.tile("d2"), TileType::Whirlwind);
    table.end();
    table.end();
    table.illegal("d1-d2", IllegalReason::Terrain);
    table.legal("c2-d2");
}

/// Plays example E99 and returns its table.
fn after_normalize() -> Table {
    let mut table = after_firestorm();
    table.illegal("play normalize c5", IllegalReason::BadTarget);
    table.legal("play normalize b3");
    assert_eq!((table.tile("b3"), table.mana()), (TileType::Ground, 1));
    assert_eq!(table.board().movable(Movable::Firestorm), None);
    table
}

#[test]
fn minions_rule_14_e99_normalize() {
    after_normalize();
}

#[test]
fn minions_rule_14_e100_terraform() {
    // Normalize leaves one mana and nothing but Terraform, as at the end of E99.
    let mut table = Table::new("Y warg c3").with_hand(Side::Yellow, "normalize terraform");
    table = table.with(|builder| {
        builder.board(0).unwrap().set_movable(Movable::Firestorm, Some(hex("b3")));
    });
    table.legal("play normalize b3");
    assert_eq!((table.mana(), table.hand(Side::Yellow).as_str()), (1, "terraform"));
    table.legal("play terraform whirlwind b3");
    assert_eq!((table.tile("b3"), table.mana()), (TileType::Whirlwind, 0));

    let mut poor = Table::new("Y warg c3").with_hand(Side::Yellow, "terraform");
    poor.illegal("play terraform whirlwind b3", IllegalReason::Mana);
}

#[test]
fn minions_rule_14_e101_spells_that_are_never_dealt() {
    let mut table = Table::new("Y warg c2, Y ghost b5; B warg c4, B ghost e5")
        .with_reserve(Side::Yellow, "zombie zombie zombie")
        .with_hand(Side::Yellow, "lightning_bolt rising_horde displace blink blink shield shield");
    let mut horde = table.clone();
    table.illegal("play displace c4-c2", IllegalReason::TooFar);
    table.legal("play lightning_bolt e5");
    assert_eq!((table.damage("e5"), table.mana()), (1, -1));
    table.legal("play displace c4-c3");
    assert_eq!((table.stands("c3").as_str(), table.is_empty("c4")), ("B warg", true));
    table.legal("play blink b5");
    assert_eq!((table.stands("b5").as_str(), table.damage("b5")), ("Y ghost", 1));
    table.legal("play blink c2");
    assert!(table.is_empty("c2"));
    assert_eq!(table.reserve(Side::Yellow), "zombie 3, warg 1");

    horde.illegal("spawn zombie c1", IllegalReason::NoFriendNear);
    horde.legal("play rising_horde; spawn zombie c1; spawn zombie b6");
    horde.illegal("spawn zombie c0", IllegalReason::NoFriendNear);
    horde.end();
    horde.end();
    // Next to the warg only.
    horde.illegal("spawn zombie c3", IllegalReason::NoFriendNear);
}
