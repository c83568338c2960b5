//! Worked examples of the rules (§22), group "Geometry and setup". Tests of E1 and E2 are in `core/src/hex/point.rs`.

use barrow_core::minions::{BoardState, IllegalReason, Side, TileType};

use crate::table::{Table, server};

#[test]
fn minions_rule_03_e03_start_position() {
    let table = Table::start(server("MidnightLake"));
    assert_eq!(table.board().all_pieces().len(), 14);
    assert_eq!(
        table.pieces(Side::Yellow),
        "zombie c1, zombie d1, zombie b2, necromancer c2, zombie d2, zombie b3, zombie c3"
    );
    assert_eq!(
        table.pieces(Side::Blue),
        "zombie h6, zombie i6, zombie g7, necromancer h7, zombie i7, zombie g8, zombie h8"
    );
    for side in Side::ALL {
        assert_eq!(table.reserve(side), "zombie 1");
        assert_eq!(table.hand(side), "");
        assert!(table.board().iter(side).all(|(_, piece)| piece.is_fresh()));
    }
    assert_eq!((table.state(), table.mover(), table.mana()), (BoardState::FirstTurn, Side::Yellow, 0));
}

#[test]
fn minions_rule_03_e04_firestorm_under_the_necromancer() {
    let mut table = Table::start(server("TreacherousPathways"));
    assert_eq!((table.tile("c2"), table.stands("c2").as_str()), (TileType::Firestorm, "Y necromancer"));
    table.legal("d2-e2; c2-d2");
    table.illegal("b2-c2", IllegalReason::Terrain);
    table.illegal("d2-c2", IllegalReason::TooFar);
    // The tile is fixed: the movable firestorm lies elsewhere.
    assert_eq!((table.tile("c2"), table.tile("e5")), (TileType::Firestorm, TileType::Firestorm));
}

fn after_the_raised_zombie() -> Table {
    let mut table = Table::start(server("AllLand")).with_hand(Side::Yellow, "raise_zombie");
    table.illegal("spawn zombie b1", IllegalReason::BoardState);
    table.illegal("spawn zombie e2", IllegalReason::BoardState);
    table.legal("play raise_zombie e2");
    table
}

#[test]
fn minions_rule_04_e05_first_turn_forbids_only_spawn() {
    let table = after_the_raised_zombie();
    assert_eq!(table.stands("e2"), "Y zombie");
    assert_eq!(table.reserve(Side::Yellow), "zombie 1");
    assert_eq!((table.state(), table.hand(Side::Yellow).as_str()), (BoardState::FirstTurn, ""));
}

#[test]
fn minions_rule_04_e06_blue_may_spawn_in_its_first_turn() {
    let mut table = after_the_raised_zombie();
    table.end();
    assert_eq!((table.mover(), table.state()), (Side::Blue, BoardState::Normal));
    table.legal("spawn zombie f8");
    assert_eq!((table.stands("f8").as_str(), table.reserve(Side::Blue).as_str()), ("B zombie", ""));
}
