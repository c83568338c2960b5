//! Worked examples of the rules (§22), group "Movement".

use barrow_core::minions::{IllegalReason, Side};

use crate::table::Table;

#[test]
fn minions_rule_09_e07_zombie_paths() {
    let mut table = Table::new("Y zombie c2");
    table.illegal("c2-c3-c4", IllegalReason::TooFar);
    table.illegal("c2-c4", IllegalReason::BadPath);
    table.illegal("c2-c3-c2", IllegalReason::BadPath);
    table.legal("c2-d1");
    assert_eq!(table.pieces(Side::Yellow), "zombie d1");
}

#[test]
fn minions_rule_09_e08_friends_let_pass_enemies_do_not() {
    let mut table = Table::new("Y warg c2, Y zombie d2; B zombie e2");
    table.illegal("c2-d2", IllegalReason::Occupied);
    table.illegal("c2-d2-e2", IllegalReason::Blocked);
    table.illegal("c2-d2-e2-f2", IllegalReason::Blocked);
    table.legal("c2-d2-e1-f1");
    assert_eq!((table.stands("f1").as_str(), table.stands("d2").as_str()), ("Y warg", "Y zombie"));
}

#[test]
fn minions_rule_09_e09_fliers_pass_enemies() {
    let mut table = Table::new("Y spectre c5, Y zombie c6; B zombie d5");
    table.illegal("c5-d5", IllegalReason::Blocked);
    table.illegal("c5-c6", IllegalReason::Occupied);
    table.legal("c5-d5-e5");
    assert_eq!(table.stands("e5"), "Y spectre");
}

#[test]
fn minions_rule_09_e10_split_move() {
    let mut table = Table::new("Y warg c2");
    table.legal("c2-c3");
    assert_eq!(table.piece("c3").steps(), 1);
    table.legal("c3-c4-d4");
    assert_eq!(table.piece("d4").steps(), 3);
    table.illegal("d4-d5", IllegalReason::TooFar);
}

#[test]
fn minions_rule_09_e11_swap() {
    let mut table = Table::new("Y zombie c2, Y warg d2");
    table.illegal("c2-d2", IllegalReason::Occupied);
    table.legal("{c2-d2, d2-c2}");
    assert_eq!(table.pieces(Side::Yellow), "warg c2, zombie d2");
    table.illegal("{d2-c2, c2-d2}", IllegalReason::TooFar);
    assert_eq!(table.piece("c2").steps(), 1);
    table.legal("c2-c3-c4");
    assert_eq!(table.piece("c4").steps(), 3);
}

#[test]
fn minions_rule_09_e12_rotation_of_three() {
    let mut table = Table::new("Y zombie c2 d2 d1");
    table.legal("{c2-d2, d2-d1, d1-c2}");
    assert_eq!(table.pieces(Side::Yellow), "zombie d1, zombie c2, zombie d2");
    let moved = table.board().iter(Side::Yellow).all(|(_, piece)| piece.moved() && piece.steps() == 1);
    assert!(moved);
    assert_eq!(
        ["d2", "d1", "c2"].map(|at| table.piece(at).origin().unwrap().to_string()),
        ["c2", "d2", "d1"]
    );
}

#[test]
fn minions_rule_09_e13_open_chain() {
    let mut table = Table::new("Y zombie c2 d2 e2");
    table.legal("{c2-d2, d2-e2, e2-f2}");
    assert_eq!(table.pieces(Side::Yellow), "zombie d2, zombie e2, zombie f2");
}

#[test]
fn minions_rule_09_e14_simultaneous_moves_are_checked_singly() {
    let mut table = Table::new("Y serpent c2, Y warg e2; B zombie d2");
    table.illegal("{c2-d2-e2, e2-d2-c2}", IllegalReason::Blocked);
    table.illegal("{c2-d1-e1-e2, e2-e1-d1-c2}", IllegalReason::TooFar);
    table.legal("{c2-c3-d3, e2-d3-c3-c2}");
    assert_eq!(table.pieces(Side::Yellow), "warg c2, serpent d3");
}

#[test]
fn minions_rule_09_e15_new_pieces_do_not_swap() {
    let table = Table::new("Y necromancer c2, Y zombie d2").with_reserve(Side::Yellow, "zombie");
    let mut strict = table.clone();
    strict.legal("spawn zombie c3");
    assert!(strict.piece("c3").exhausted());
    strict.illegal("{c2-c3, c3-c2}", IllegalReason::WrongPhase);
    let mut free = table.with_free_entry();
    free.legal("spawn zombie c3");
    free.illegal("{c2-c3, c3-c2}", IllegalReason::NoPiece);
    assert_eq!((free.stands("c2").as_str(), free.stands("c3").as_str()), ("Y necromancer", "Y zombie"));
}

#[test]
fn minions_rule_10_e16_no_move_after_an_attack() {
    let mut table = Table::new("Y warg c3; B warg d3");
    table.legal("c3->d3");
    assert!(table.is_empty("d3"));
    table.illegal("c3-c4", IllegalReason::HasAttacked);
}

#[test]
fn minions_rule_09_e17_lumbering() {
    let table = Table::new("Y zombie c2; B zombie d2");
    let mut moved = table.clone();
    moved.legal("c2-d1");
    moved.illegal("d1->d2", IllegalReason::HasMoved);
    let mut stayed = table;
    stayed.legal("c2->d2");
    assert!(stayed.is_empty("d2"));
    stayed.illegal("c2-d2", IllegalReason::HasAttacked);
}

#[test]
fn minions_rule_12_e18_water() {
    let mut table = Table::on("MidnightLake", "Y warg c0, Y skeleton d1");
    table.illegal("c0-d0", IllegalReason::Terrain);
    table.legal("d1-d0");
    assert_eq!(table.stands("d0"), "Y skeleton");
}
