//! Worked examples of the rules (§22), group "Attacks".

use barrow_core::minions::{IllegalReason, Side};

use crate::table::Table;

#[test]
fn minions_rule_10_e21_damage_adds_up() {
    let mut table = Table::new("Y zombie c2 c3; B skeleton d2");
    table.legal("c2->d2");
    assert_eq!(table.damage("d2"), 1);
    table.legal("c3->d2");
    assert!(table.is_empty("d2"));
    assert_eq!((table.pending(Side::Blue), table.reserve(Side::Blue).as_str()), (2, ""));
}

#[test]
fn minions_rule_08_e22_damage_ends_with_the_turn() {
    let mut table = Table::new("Y zombie c2; B skeleton d2");
    table.legal("c2->d2");
    assert_eq!(table.damage("d2"), 1);
    table.end();
    assert_eq!(table.damage("d2"), 0);
    table.end();
    table.legal("c2->d2");
    assert_eq!(table.damage("d2"), 1);
}

#[test]
fn minions_rule_10_e23_flurry() {
    let mut table = Table::new("Y wight c2; B zombie c4 d3, B skeleton e2, B ghost a4");
    table.legal("c2->c4");
    assert!(table.is_empty("c4"));
    table.legal("c2->d3");
    assert!(table.is_empty("d3"));
    table.legal("c2->e2");
    assert_eq!(table.damage("e2"), 1);
    table.legal("c2->e2");
    assert!(table.is_empty("e2"));
    table.legal("c2->a4");
    assert_eq!(table.damage("a4"), 1);
    table.illegal("c2->a4", IllegalReason::NoAttack);
    assert_eq!(table.pending(Side::Blue), 2);
}

#[test]
fn minions_rule_10_e24_unsummon_attack() {
    let mut table = Table::new("Y void c2 f2; B wight c3, B ghost g2");
    table.legal("c2->c3");
    assert!(table.is_empty("c3"));
    assert_eq!((table.reserve(Side::Blue).as_str(), table.pending(Side::Blue)), ("wight 1", 0));
    table.legal("f2->g2");
    assert_eq!((table.stands("g2").as_str(), table.damage("g2")), ("B ghost", 1));
    assert_eq!(table.reserve(Side::Blue), "wight 1");
}

#[test]
fn minions_rule_10_e25_two_unsummon_attacks() {
    let mut table = Table::new("Y sorcerer f2; B warg f3, B vampire g2, B mummy f1");
    table.legal("f2->f3; f2->g2");
    assert!(table.is_empty("f3"));
    assert_eq!((table.reserve(Side::Blue).as_str(), table.damage("g2")), ("warg 1", 1));
    table.illegal("f2->f1", IllegalReason::NoAttack);
}

#[test]
fn minions_rule_10_e26_necromancer_kill() {
    let mut table = Table::new("Y necromancer c2, Y shadowlord b3; B necromancer c3");
    table.legal("c2->c3");
    assert_eq!(table.damage("c3"), 1);
    assert!(!table.board().marks().won);
    table.legal("b3->c3");
    assert!(table.is_empty("c3") && table.board().marks().won);
    assert_eq!((table.reserve(Side::Blue).as_str(), table.reserve(Side::Yellow).as_str()), ("", ""));

    let mut variant = Table::new("Y necromancer c2, Y wight a3, Y initiate b3; B necromancer c3");
    variant.legal("a3->c3; a3->c3; a3->c3; a3->c3; a3->c3");
    assert_eq!(variant.damage("c3"), 5);
    assert!(!variant.board().marks().won);
    variant.legal("b3->c3");
    assert!(variant.is_empty("c3") && variant.board().marks().won);
    assert_eq!(variant.reserve(Side::Blue), "");
}

#[test]
fn minions_rule_10_e27_kill_attack() {
    let mut table = Table::new("Y lich c2; B shadowlord e2, B necromancer c4");
    table.illegal("c2->c4", IllegalReason::NecromancerImmune);
    table.legal("c2->e2");
    assert!(table.is_empty("e2"));
    assert_eq!(table.pending(Side::Blue), 5);
}

#[test]
fn minions_rule_02_e29_no_line_of_sight() {
    let mut table = Table::new("Y haunt c2, Y zombie c4; B zombie c5 c3");
    table.legal("c2->c5");
    assert!(table.is_empty("c5"));
    assert_eq!((table.stands("c3").as_str(), table.stands("c4").as_str()), ("B zombie", "Y zombie"));
}

#[test]
fn minions_rule_23_e30_a_removed_piece_frees_its_hex() {
    let mut table = Table::new("Y serpent c2, Y warg b2; B zombie d2 c3 d1 b3 c1 b1 a3 a2");
    table.illegal("b2-c2-d2-e2", IllegalReason::Blocked);
    table.legal("c2->d2; b2-c2-d2-e2");
    assert_eq!(table.pieces(Side::Yellow), "serpent c2, warg e2");
}

#[test]
fn minions_rule_10_e31_who_attacks_whom() {
    let mut table = Table::new("Y acolyte b3, Y witch c3; B zombie b4");
    table.illegal("b3->b4", IllegalReason::NoAttack);
    table.illegal("c3->b3", IllegalReason::WrongSide);
    table.illegal("b4->b3", IllegalReason::WrongSide);
}

#[test]
fn minions_rule_10_e32_play_goes_on_after_the_kill() {
    let mut table = Table::new("Y necromancer c2, Y shadowlord b3, Y zombie h7; B necromancer c3");
    table.legal("b3->c3");
    assert!(table.is_empty("c3") && table.board().marks().won);
    table.legal("h7-h8");
    assert_eq!(table.stands("h8"), "Y zombie");
}

#[test]
fn minions_rule_10_e108_shrieker_and_fester() {
    let mut table = Table::new("Y shrieker c2; B ghost d2").with_hand(Side::Yellow, "fester");
    table.legal("c2->d2");
    assert_eq!(table.damage("d2"), 3);
    table.illegal("c2->d2", IllegalReason::NoAttack);
    table.legal("play fester d2");
    assert!(table.is_empty("d2"));
    assert_eq!((table.pending(Side::Blue), table.hand(Side::Yellow).as_str()), (1, ""));
}
