//! Worked examples of the rules (§22), group "Spells" up to E88: damage, mana and modifiers.

use barrow_core::minions::{Attack, IllegalReason, Modifier, Side};

use crate::table::Table;

#[test]
fn minions_rule_14_e74_fester() {
    let mut table = Table::new("Y zombie c2; B wight d2").with_hand(Side::Yellow, "fester");
    table.illegal("play fester d2", IllegalReason::BadTarget);
    table.legal("c2->d2; play fester d2");
    assert_eq!((table.damage("d2"), table.hand(Side::Yellow).as_str(), table.mana()), (2, "", 0));
}

#[test]
fn minions_rule_14_e75_unsummon() {
    let mut table = Table::new("Y zombie c2 f2; B wight d2, B ghost g2").with_hand(Side::Yellow, "unsummon");
    table.illegal("play unsummon d2", IllegalReason::BadTarget);
    table.legal("c2->d2; f2->g2");
    table.illegal("play unsummon g2", IllegalReason::BadTarget);
    table.legal("play unsummon d2");
    assert!(table.is_empty("d2"));
    assert_eq!(table.reserve(Side::Blue), "wight 1");
}

fn ghost_hit_once(cards: &str) -> Table {
    let mut table = Table::new("Y zombie c2; B ghost d2").with_hand(Side::Yellow, cards);
    table.legal("c2->d2");
    table
}

#[test]
fn minions_rule_07_e76_a_sorcery_needs_mana() {
    let mut alone = ghost_hit_once("dismember");
    alone.illegal("play dismember d2", IllegalReason::Mana);

    let mut table = ghost_hit_once("dismember shield");
    table.legal("discard shield");
    assert_eq!(table.mana(), 1);
    table.legal("play dismember d2");
    assert!(table.is_empty("d2"));
    assert_eq!((table.mana(), table.pending(Side::Blue)), (0, 1));
}

#[test]
fn minions_rule_07_e77_cards_cover_negative_mana() {
    let mut table = ghost_hit_once("dismember shield").with_row("weaken sunder");
    table.legal("play dismember d2");
    assert_eq!(table.mana(), -1);
    table.illegal("play shield c2", IllegalReason::Mana);
    assert_eq!(table.hand(Side::Yellow), "shield");
    table.end();
    // Shield was discarded; Weaken was given at the end of the turn.
    assert_eq!(table.hand(Side::Yellow), "weaken");
}

#[test]
fn minions_rule_07_e78_a_cantrip_pays_for_a_sorcery() {
    let mut table = ghost_hit_once("weaken dismember");
    table.legal("play weaken d2");
    assert_eq!(table.mana(), 1);
    table.legal("play dismember d2");
    assert!(table.is_empty("d2"));
    assert_eq!((table.mana(), table.hand(Side::Yellow).as_str()), (0, ""));
}

#[test]
fn minions_rule_07_e79_double_cantrip() {
    let mut table = ghost_hit_once("doubleCantrip dismember");
    table.legal("play doubleCantrip");
    assert_eq!(table.mana(), 2);
    table.legal("play dismember d2");
    assert_eq!(table.mana(), 1);
    table.end();
    table.end();
    assert_eq!((table.mover(), table.mana()), (Side::Yellow, 0));
}

#[test]
fn minions_rule_14_e80_unholy_might() {
    let mut table = Table::new("Y necromancer c2; B zombie d2 c3 c1").with_hand(Side::Yellow, "unholy_might");
    table.legal("c2->d2");
    assert!(table.is_empty("d2"));
    assert_eq!((table.reserve(Side::Blue).as_str(), table.pending(Side::Blue)), ("zombie 1", 0));
    table.illegal("c2->c3", IllegalReason::NoAttack);
    table.legal("play unholy_might c2; c2->c3");
    assert_eq!(table.reserve(Side::Blue), "zombie 2");
    table.illegal("c2->c1", IllegalReason::NoAttack);
}

/// Plays example E81 and returns its table.
fn after_the_attack_on_shields() -> Table {
    let mut table = Table::new("Y wight c2, Y mummy e2, Y necromancer a0; B lich c4, B shadowlord f2")
        .with_hand(Side::Yellow, "shield shield shield");
    table.illegal("play shield a0", IllegalReason::BadTarget);
    table.illegal("play shield c4", IllegalReason::WrongSide);
    table.legal("play shield c2; play shield e2");
    table.end();
    let owed = table.pending(Side::Yellow);
    table.legal("c4->c2");
    assert!(table.is_empty("c2"));
    assert_eq!((table.reserve(Side::Yellow).as_str(), table.pending(Side::Yellow)), ("wight 1", owed));
    table.legal("f2->e2");
    assert_eq!((table.damage("e2"), table.current("e2").defense), (7, 14));
    table
}

#[test]
fn minions_rule_14_e81_shield() {
    let table = after_the_attack_on_shields();
    assert_eq!(table.stands("e2"), "Y mummy");
}

#[test]
fn minions_rule_13_e82_shield_ends_before_the_casters_next_turn() {
    let mut table = after_the_attack_on_shields();
    table.end();
    assert!(table.piece("e2").modifiers().is_empty());
    assert_eq!((table.damage("e2"), table.current("e2").defense), (0, 7));
}

#[test]
fn minions_rule_13_e83_modifiers_apply_in_order_of_arrival() {
    let table = Table::new("Y wight c2").with_hand(Side::Yellow, "shield protection protection");
    let mut first = table.clone();
    first.legal("play shield c2; play protection c2");
    assert_eq!(first.current("c2").defense, 8);
    let mut second = table.clone();
    second.legal("play protection c2; play shield c2");
    assert_eq!(second.current("c2").defense, 10);
    let mut third = table;
    third.legal("play protection c2; play protection c2");
    assert_eq!((third.mana(), third.current("c2").defense), (2, 7));
}

#[test]
fn minions_rule_13_e84_protection_lasts_through_the_opponents_turn() {
    let mut table = Table::new("Y wight c2").with_hand(Side::Yellow, "protection");
    table.legal("play protection c2");
    table.end();
    assert_eq!((table.mover(), table.current("c2").defense), (Side::Blue, 5));
    table.end();
    assert_eq!((table.mover(), table.current("c2").defense), (Side::Yellow, 3));
}

#[test]
fn minions_rule_14_e85_freeze_ray() {
    let mut table = Table::new("Y zombie c2; B haunt e2").with_hand(Side::Yellow, "freeze_ray shield");
    table.legal("play freeze_ray e2");
    assert_eq!(table.mana(), -1);
    table.end();
    table.illegal("e2->c2", IllegalReason::NoAttack);
    table.legal("e2-e3; blink e3");
    assert_eq!(table.reserve(Side::Blue), "haunt 1");
}

#[test]
fn minions_rule_13_e86_weaken() {
    let mut table = Table::new("Y zombie a0; B wight c2, B warg d2, B void e2, B cerberus f2, B mummy g2")
        .with_hand(Side::Yellow, "weaken weaken weaken weaken weaken weaken");
    let attack = |table: &Table, at: &str| {
        let now = table.current(at);
        (now.attack, now.num_attacks)
    };
    table.legal("play weaken c2; play weaken d2; play weaken e2; play weaken f2");
    assert_eq!(attack(&table, "c2"), (Attack::Damage(1), 4));
    assert_eq!(attack(&table, "d2").0, Attack::None);
    assert_eq!(attack(&table, "e2"), (Attack::Unsummon, 1));
    assert_eq!(attack(&table, "f2"), (Attack::Damage(1), 1));
    table.legal("play weaken f2; play weaken g2");
    assert_eq!(attack(&table, "f2").0, Attack::None);
    assert_eq!(attack(&table, "g2"), (Attack::Damage(4), 1));
    assert_eq!(table.mana(), 6);
}

#[test]
fn minions_rule_14_e87_lumbering() {
    let mut table = Table::new("Y zombie c2; B warg e2").with_hand(Side::Yellow, "lumbering");
    table.legal("play lumbering e2");
    table.end();
    table.legal("e2-d2");
    table.illegal("d2->c2", IllegalReason::HasMoved);
}

#[test]
fn minions_rule_14_e88_shackle() {
    let mut table =
        Table::new("Y zombie c2; B haunt e2, B warg f5").with_hand(Side::Yellow, "shackle shackle");
    table.legal("play shackle e2; play shackle f5");
    table.end();
    assert!(table.piece("f5").modifiers().has(Modifier::Shackled));
    table.illegal("e2->c2", IllegalReason::OutOfRange);
    table.illegal("f5-f6-f7", IllegalReason::TooFar);
    table.legal("e2-d2; d2->c2");
    assert!(table.is_empty("c2"));
    table.end();
    table.end();
    table.legal("f5-f6-f7");
}
