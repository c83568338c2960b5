//! Worked examples of the rules (§22), group "Techs and the spell row".

use barrow_core::minions::{IllegalReason, Side, TechStatus, Techline};

use crate::table::{Table, server};

const TWO_BOARDS: &str = "BlackenedShores MidnightLake";

/// Plays example E63 and returns its table.
fn after_yellows_first_turn() -> Table {
    let mut table = Table::start(server(TWO_BOARDS));
    assert_eq!((table.tech_points(), table.souls()[0]), (1, 0));
    table.illegal("advance serpent", IllegalReason::TechLocked);
    table.legal("advance skeleton");
    assert_eq!(table.tech(Side::Yellow, "skeleton"), TechStatus::Unlocked);
    table.illegal("advance skeleton", IllegalReason::TechPoints);
    table.illegal("extra spell", IllegalReason::Souls);
    assert_eq!(table.row().split(' ').count(), 3);
    table
}

/// Plays the first half of example E64 and returns its table.
fn after_blues_first_turn() -> Table {
    let mut table = after_yellows_first_turn();
    table.end();
    assert_eq!((table.mover(), table.souls()[1], table.row().split(' ').count()), (Side::Blue, 12, 3));
    table.legal("extra spell");
    assert_eq!((table.souls()[1], table.row().split(' ').count()), (4, 4));
    table.legal("advance skeleton; advance skeleton");
    assert_eq!(table.tech(Side::Blue, "skeleton"), TechStatus::Acquired);
    table.illegal("buy skeleton", IllegalReason::TechNotOwned);
    table.legal("buy zombie");
    assert_eq!(table.souls()[1], 2);
    table
}

/// Plays example E66 and returns its table.
fn after_yellows_second_turn() -> Table {
    let mut table = after_blues_first_turn();
    table.end();
    assert_eq!(table.tech(Side::Yellow, "skeleton"), TechStatus::Unlocked);
    table.illegal("advance skeleton", IllegalReason::TechTaken);
    table.legal("advance serpent");
    assert_eq!(table.tech(Side::Yellow, "serpent"), TechStatus::Unlocked);
    table
}

#[test]
fn minions_rule_06_e63_first_turn() {
    after_yellows_first_turn();
}

#[test]
fn minions_rule_06_e64_two_steps_and_a_purchase_two_turns_later() {
    let mut table = after_yellows_second_turn();
    table.end();
    assert_eq!((table.mover(), table.souls()[1]), (Side::Blue, 8));
    table.legal("buy skeleton");
    assert_eq!((table.souls()[1], table.reserve(Side::Blue).as_str()), (4, "zombie 2, skeleton 1"));
}

#[test]
fn minions_rule_06_e66_passing_through_what_the_opponent_owns() {
    after_yellows_second_turn();
}

#[test]
fn minions_rule_06_e67_unlocking_what_the_opponent_owns() {
    let mut table = Table::new("").with_tech(Side::Blue, "skeleton", "skeleton");
    table.legal("advance skeleton");
    assert_eq!(table.tech(Side::Yellow, "skeleton"), TechStatus::Unlocked);
    table.end();
    table.end();
    table.illegal("advance skeleton", IllegalReason::TechTaken);
    table.illegal("buy skeleton", IllegalReason::TechNotOwned);
}

#[test]
fn minions_rule_06_e68_copycat() {
    let mut table = Table::new("")
        .with_tech(Side::Yellow, "copycat", "")
        .with_tech(Side::Blue, "copycat", "skeleton serpent")
        .with_souls(4, 0);
    table.legal("extra spell; advance copycat");
    table.illegal("advance skeleton", IllegalReason::TechTaken);
    assert_eq!(table.tech_points(), 1);
    table.end();
    // Blue may acquire Copycat too, although Yellow owns it.
    table.legal("advance copycat");
    assert_eq!(table.tech(Side::Blue, "copycat"), TechStatus::Acquired);
    table.end();
    table.legal("advance skeleton");
    assert_eq!(table.tech(Side::Yellow, "skeleton"), TechStatus::Acquired);
}

#[test]
fn minions_rule_06_e69_thaumaturgy() {
    let seller = Table::new("").with_tech(Side::Yellow, "thaumaturgy", "thaumaturgy").with_souls(3, 0);
    let mut table = seller.clone();
    table.legal("sell");
    assert_eq!((table.souls()[0], table.tech_points()), (4, 0));
    table.illegal("sell", IllegalReason::NoSale);
    table.illegal("advance skeleton", IllegalReason::TechPoints);
    table.legal("extra spell");
    assert_eq!((table.souls()[0], table.tech_points()), (0, 1));
    table.legal("advance skeleton");
    table.illegal("advance serpent", IllegalReason::TechPoints);

    let mut spent = seller;
    spent.legal("advance skeleton");
    spent.illegal("sell", IllegalReason::TechPoints);

    let mut late = Table::new("").with_tech(Side::Yellow, "thaumaturgy", "").with_souls(4, 0);
    late.legal("extra spell; advance thaumaturgy");
    assert_eq!(late.tech_points(), 1);
    late.illegal("sell", IllegalReason::NoSale);
}

#[test]
fn minions_rule_06_e70_metamagic() {
    let plain = Table::on(TWO_BOARDS, "").with_row("fester shield stumble");
    let mut table = plain.clone().with_tech(Side::Yellow, "metamagic", "metamagic");
    table.legal("give 0; give 1");
    assert_eq!(table.hand(Side::Yellow), "fester shield");
    table.illegal("give 2", IllegalReason::CardsTaken);
    table.turn_to(1).illegal("give 2", IllegalReason::CardsTaken);
    table.end();
    assert_eq!(table.hand(Side::Yellow), "stumble");
    assert_eq!(table.turn_to(0).hand(Side::Yellow), "fester shield");

    let mut without = plain;
    without.legal("give 0");
    without.illegal("give 1", IllegalReason::CardsTaken);
    without.turn_to(1).illegal("give 0", IllegalReason::NoSuchCard);
    without.legal("give 1");
}

#[test]
fn minions_rule_07_e71_leftovers_of_a_turn() {
    let mut table = Table::start(server(TWO_BOARDS));
    let first = table.row().split(' ').map(str::to_owned).collect::<Vec<_>>();
    table.end();
    assert_eq!(table.tech(Side::Yellow, "skeleton"), TechStatus::Unlocked);
    assert_eq!(table.tech(Side::Yellow, "serpent"), TechStatus::Locked);
    for board in [0, 1] {
        assert_eq!(table.turn_to(board).hand(Side::Yellow), first[usize::from(board)]);
        assert_eq!(table.hand(Side::Blue), "");
    }
}

#[test]
fn minions_rule_06_e72_random_layout() {
    let shuffled = [25, 4, 9, 3, 17, 22, 8, 12, 6, 20, 15, 11, 5, 7, 10, 13, 14, 16, 18, 19, 21, 23, 24];
    let expected =
        [1, 2, 3, 5, 4, 7, 6, 10, 8, 13, 9, 14, 11, 16, 12, 18, 15, 19, 17, 21, 20, 23, 22, 24, 25];
    let line = Techline::from_shuffle(&shuffled);
    let numbers: Vec<u8> = line.techs().iter().map(|tech| tech.number()).collect();
    assert_eq!(numbers, expected);
}
