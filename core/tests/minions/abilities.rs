//! Worked examples of the rules (§22), group "Abilities and special tiles".

use barrow_core::minions::{IllegalReason, Side, TileType};

use crate::table::Table;

#[test]
fn minions_rule_14_e102_abilities_cost_mana() {
    let table = Table::new("Y haunt d1, Y cerberus f5").with_row("weaken sunder");
    let mut poor = table.clone();
    poor.illegal("use move_earthquake d1 e1", IllegalReason::Mana);

    let mut table = table.with_hand(Side::Yellow, "shield fester");
    table.legal("discard shield");
    assert_eq!(table.mana(), 1);
    table.illegal("use move_earthquake d1 e3", IllegalReason::TooFar);
    table.legal("use move_earthquake d1 e1");
    assert_eq!((table.mana(), table.tile("e1")), (0, TileType::Earthquake));
    table.legal("use move_earthquake d1 d2");
    assert_eq!(table.mana(), -1);
    assert_eq!((table.tile("d2"), table.tile("e1")), (TileType::Earthquake, TileType::Ground));
    table.illegal("use move_firestorm f5 f6", IllegalReason::Mana);
    assert_eq!(table.hand(Side::Yellow), "fester");
    table.end();
    // Fester was discarded; Weaken was given at the end of the turn.
    assert_eq!(table.hand(Side::Yellow), "weaken");
}

#[test]
fn minions_rule_14_e103_unplayed_double_cantrip_counts_twice() {
    let mut table = Table::new("Y elemental c5").with_hand(Side::Yellow, "doubleCantrip");
    table.legal("use move_terrain water c5 c4");
    table.legal("use move_terrain whirlwind c5 c6");
    assert_eq!(table.mana(), -2);
    table.illegal("use move_terrain firestorm c5 d5", IllegalReason::Mana);
    assert_eq!((table.tile("c4"), table.tile("c6")), (TileType::Water, TileType::Whirlwind));
}

#[test]
fn minions_rule_07_e104_sorcery_nodes() {
    let pieces = "Y necromancer a0, Y zombie e4, B necromancer j9";
    let mut table = Table::on("SorcerersLair", pieces).with_mover(Side::Blue);
    table.end();
    assert_eq!((table.mover(), table.mana()), (Side::Yellow, 2));
    table.legal("e4-d4");
    assert_eq!(table.mana(), 2);
    table.end();
    assert_eq!((table.mover(), table.mana()), (Side::Blue, 1));
    table.end();
    assert_eq!((table.mover(), table.mana()), (Side::Yellow, 1));
}

#[test]
fn minions_rule_09_e105_teleport() {
    let pieces = "Y zombie h1, Y necromancer c2, Y horror c8, B necromancer h7";
    let mut table = Table::on("ChaosDiamond", pieces).with_reserve(Side::Yellow, "zombie");
    table.illegal("teleport h1-c2", IllegalReason::Occupied);
    table.illegal("teleport h1-d0", IllegalReason::Terrain);
    table.illegal("teleport c2-c3", IllegalReason::NoSuchTile);
    table.legal("teleport h1-h6");
    assert!(table.piece("h6").exhausted() && !table.piece("h6").moved());
    table.illegal("h6->h7", IllegalReason::Exhausted);
    table.illegal("h6-h5", IllegalReason::Exhausted);
    table.illegal("spawn zombie h5", IllegalReason::NoFriendNear);
    table.legal("teleport c8-c5; blink c5");
    assert_eq!(table.reserve(Side::Yellow), "zombie 1, horror 1");
    assert_eq!(table.pieces(Side::Yellow), "necromancer c2, zombie h6");

    let mut walker = Table::on("ChaosDiamond", "Y zombie h2");
    walker.legal("h2-h1");
    walker.illegal("teleport h1-h6", IllegalReason::HasMoved);
    walker.end();
    walker.end();
    walker.legal("teleport h1-h6");
    assert_eq!(walker.stands("h6"), "Y zombie");
}

#[test]
fn minions_rule_11_e106_spawner_tiles() {
    let mut table = Table::on("Apocalypse", "B warg j0");
    let mut twice = Table::on("Apocalypse", "");
    table.illegal("tile j0", IllegalReason::Occupied);
    table.illegal("tile c0", IllegalReason::NoSuchTile);
    table.legal("tile a9");
    assert_eq!(table.stands("a9"), "Y zombie");
    assert!(table.piece("a9").exhausted());
    table.end();
    table.legal("j0-j1; tile j0");
    assert_eq!(table.stands("j0"), "B zombie");

    twice.legal("tile a9");
    twice.illegal("tile j0", IllegalReason::TileUsed);
    twice.end();
    twice.legal("tile j0");
    assert_eq!(
        (twice.pieces(Side::Yellow).as_str(), twice.pieces(Side::Blue).as_str()),
        ("zombie a9", "zombie j0")
    );
}

#[test]
fn minions_rule_15_e107_a_zombie_each_turn() {
    let mut table = Table::new("Y zombie_necromancer c2, B zombie_necromancer h7");
    let reserves = |table: &Table| Side::ALL.map(|side| table.reserve(side));
    assert_eq!(reserves(&table), ["", ""]);
    for expected in
        [["", "zombie 1"], ["zombie 1", "zombie 1"], ["zombie 1", "zombie 2"], ["zombie 2", "zombie 2"]]
    {
        table.end();
        assert_eq!(reserves(&table), expected);
    }
}

#[test]
fn minions_rule_04_e109_shield_on_a_piece_placed_this_turn() {
    let strict = Table::new("Y necromancer c2, Y zombie c3")
        .with_reserve(Side::Yellow, "zombie")
        .with_hand(Side::Yellow, "shield");
    for mut table in [strict.clone(), strict.with_free_entry()] {
        table.legal("spawn zombie d2; play shield d2");
        assert!(table.current("d2").soulbound);
        assert_eq!((table.current("d2").defense, table.hand(Side::Yellow).as_str()), (2, ""));
        assert!(table.board().marks().spawn_phase);
    }
}
