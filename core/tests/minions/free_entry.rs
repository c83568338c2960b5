//! Free entry of a turn (rules §4) beyond examples E15, E34, E41, E42, E53 and E109.

use barrow_core::minions::{IllegalReason, Side};

use crate::table::Table;

#[test]
fn minions_rule_04_a_late_move_neither_enters_nor_cancels_a_placement() {
    let mut table = Table::new("Y necromancer c2, Y warg d3")
        .with_reserve(Side::Yellow, "zombie zombie")
        .with_free_entry();
    table.legal("spawn zombie c3");
    table.illegal("d3-c3", IllegalReason::Occupied);
    table.legal("d3-c3-b4");
    assert_eq!(table.pieces(Side::Yellow), "necromancer c2, zombie c3, warg b4");
    assert_eq!(table.reserve(Side::Yellow), "zombie 1");
}

#[test]
fn minions_rule_04_spawn_phase_spells_open_nothing_for_the_attack_phase() {
    let mut table = Table::new("Y zombie c2, Y warg f5; B warg c4")
        .with_hand(Side::Yellow, "firestorm displace normalize")
        .with_free_entry();
    table.legal("play firestorm f6");
    table.end();
    table.end();
    table.legal("play normalize f6");
    table.illegal("f5-f6", IllegalReason::Terrain);
    table.illegal("f5-f6-f7", IllegalReason::Terrain);
    table.legal("play displace c4-c3");
    // The warg displayed on c3 is on c4 before the spawn phase; c4 is displayed as empty.
    table.illegal("c2->c3", IllegalReason::OutOfRange);
    table.illegal("c2->c4", IllegalReason::NoPiece);
    table.legal("f5-e6");
}

#[test]
fn minions_rule_04_supplies_arrive_at_any_time() {
    let mut table =
        Table::new("Y necromancer c2").with_souls(4, 0).with_row("fester shield").with_free_entry();
    table.legal("buy zombie; spawn zombie c1; give 1; buy zombie; c2-d1");
    // Bought units and the card stay, and so does the placement, since c1 is next to d1.
    assert_eq!(table.pieces(Side::Yellow), "zombie c1, necromancer d1");
    assert_eq!(
        (table.reserve(Side::Yellow).as_str(), table.hand(Side::Yellow).as_str()),
        ("zombie 1", "shield")
    );
    table.legal("play shield c1; spawn zombie d2");
    assert_eq!((table.souls(), table.reserve(Side::Yellow).as_str()), ([0, 0], ""));
}
