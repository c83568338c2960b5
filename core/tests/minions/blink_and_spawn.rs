//! Worked examples of the rules (§22), group "Blink and spawning".

use barrow_core::minions::{IllegalReason, Side};

use crate::table::Table;

#[test]
fn minions_rule_09_e34_blink_after_an_attack() {
    let table = Table::new("Y haunt c2, Y necromancer b2; B zombie c5");
    let ways = [
        (table.clone(), IllegalReason::WrongPhase),
        // With free entry the new piece does not exist in the attack phase.
        (table.with_free_entry(), IllegalReason::NoPiece),
    ];
    for (mut table, reason) in ways {
        table.legal("c2->c5");
        assert!(table.is_empty("c5"));
        table.legal("blink c2");
        assert!(table.is_empty("c2"));
        assert_eq!((table.reserve(Side::Yellow).as_str(), table.pending(Side::Yellow)), ("haunt 1", 0));
        table.legal("spawn haunt c1");
        assert_eq!((table.stands("c1").as_str(), table.reserve(Side::Yellow).as_str()), ("Y haunt", ""));
        assert!(table.piece("c1").exhausted());
        table.illegal("blink c1", reason);
        table.illegal("c1-d1", reason);
    }
}

#[test]
fn minions_rule_09_e35_blink_needs_the_keyword() {
    let mut table = Table::new("Y zombie c2, Y void d2");
    table.illegal("blink c2", IllegalReason::NoBlink);
    table.legal("d2-d3-d4; blink d4");
    assert_eq!(
        (table.pieces(Side::Yellow).as_str(), table.reserve(Side::Yellow).as_str()),
        ("zombie c2", "void 1")
    );
}

#[test]
fn minions_rule_11_e37_spawners() {
    let mut table = Table::new("Y necromancer c2").with_reserve(Side::Yellow, "zombie zombie");
    table.illegal("spawn zombie c4", IllegalReason::NoFriendNear);
    table.legal("spawn zombie c3");
    assert_eq!(table.reserve(Side::Yellow), "zombie 1");
    table.illegal("spawn zombie c4", IllegalReason::NoFriendNear);
    table.illegal("spawn skeleton c1", IllegalReason::NotInReserve);
    table.illegal("spawn zombie c3", IllegalReason::Occupied);
}

#[test]
fn minions_rule_11_e38_spawner_that_moved_and_attacked() {
    let mut table = Table::new("Y mummy e5; B zombie e7").with_reserve(Side::Yellow, "zombie zombie");
    table.legal("e5-e6; e6->e7");
    assert!(table.is_empty("e7"));
    table.legal("spawn zombie e7; spawn zombie e5");
    assert_eq!(table.pieces(Side::Yellow), "zombie e5, mummy e6, zombie e7");
}

#[test]
fn minions_rule_11_e39_spawn_looks_at_the_terrain() {
    let mut table = Table::on("MidnightLake", "Y necromancer d1").with_reserve(Side::Yellow, "zombie ghost");
    table.illegal("spawn zombie d0", IllegalReason::Terrain);
    table.legal("spawn ghost d0");
    assert_eq!((table.stands("d0").as_str(), table.reserve(Side::Yellow).as_str()), ("Y ghost", "zombie 1"));
}

#[test]
fn minions_rule_04_e41_a_late_move_drops_a_spawn() {
    let mut table =
        Table::new("Y necromancer c2").with_reserve(Side::Yellow, "zombie zombie").with_free_entry();
    table.legal("spawn zombie c1");
    assert_eq!((table.stands("c1").as_str(), table.reserve(Side::Yellow).as_str()), ("Y zombie", "zombie 1"));
    table.legal("c2-c3");
    assert_eq!(table.pieces(Side::Yellow), "necromancer c3");
    assert_eq!(table.reserve(Side::Yellow), "zombie 2");
    table.legal("spawn zombie c2");
    assert_eq!(table.pieces(Side::Yellow), "zombie c2, necromancer c3");
}

#[test]
fn minions_rule_11_e42_a_new_piece_waits_for_the_next_turn() {
    let table = Table::new("Y necromancer c2").with_reserve(Side::Yellow, "warg");
    let ways =
        [(table.clone(), IllegalReason::WrongPhase), (table.with_free_entry(), IllegalReason::NoPiece)];
    for (mut table, reason) in ways {
        table.legal("spawn warg c3");
        table.illegal("c3-c4", reason);
        table.end();
        table.end();
        table.legal("c3-c4-c5-c6");
        assert_eq!(table.stands("c6"), "Y warg");
    }
}
