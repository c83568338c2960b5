//! Worked examples of the rules (§22), group "Income, end of turn, winning".

use barrow_core::minions::{BoardState, IllegalReason, Side, TileType};

use crate::table::{Table, server};

/// Eight graveyards of Midnight Lake, which the examples occupy.
const EIGHT: &str = "b0 i0 j1 a3 d3 b6 g6 d8";

const HOMES: &str = "Y necromancer c2, B necromancer h7";

#[test]
fn minions_rule_05_e44_graveyard_income() {
    let mut table =
        Table::on("MidnightLake", HOMES).with_pieces("Y zombie b0 a3, B ghost i0").with_souls(0, 0);
    table.end();
    assert_eq!((table.pending(Side::Yellow), table.pending(Side::Blue)), (5, 0));
    assert_eq!(table.souls(), [0, 0]);
    table.end();
    assert_eq!((table.pending(Side::Yellow), table.pending(Side::Blue)), (0, 4));
    assert_eq!(table.souls(), [5, 0]);
}

#[test]
fn minions_rule_05_e45_a_necromancer_occupies_a_graveyard() {
    let mut table = Table::on("MidnightLake", "Y necromancer b0");
    assert_eq!(table.game().income(0, Side::Yellow), 4);
    table.end();
    assert_eq!(table.pending(Side::Yellow), 4);
}

#[test]
fn minions_rule_05_e46_rebates_are_paid_before_the_own_turn() {
    let mut table = Table::new(HOMES).with_pieces("Y mummy c4, B skeleton c5").with_souls(0, 6);
    table.legal("c4->c5");
    assert!(table.is_empty("c5"));
    assert_eq!((table.souls(), table.pending(Side::Blue)), ([0, 6], 2));
    table.end();
    assert_eq!(table.souls(), [0, 8]);
    table.end();
    assert_eq!(table.souls(), [3, 8]);
    table.end();
    assert_eq!(table.souls(), [3, 11]);
}

#[test]
fn minions_rule_05_e47_pools_of_two_boards() {
    let mut table = Table::start(server("BlackenedShores MidnightLake"));
    assert_eq!(table.souls(), [0, 12]);
    for expected in [[0, 12], [6, 12], [6, 18]] {
        table.end();
        assert_eq!(table.souls(), expected);
    }
}

#[test]
fn minions_rule_15_e48_mist() {
    let mut table = Table::on("TreacherousPathwaysMist", "Y zombie b1, Y ghost h1, B warg i2");
    assert!(["b1", "h1", "i2"].into_iter().all(|at| table.tile(at) == TileType::Mist));
    table.end();
    assert_eq!(
        (table.pieces(Side::Yellow).as_str(), table.reserve(Side::Yellow).as_str()),
        ("ghost h1", "zombie 1")
    );
    assert_eq!((table.pieces(Side::Blue).as_str(), table.reserve(Side::Blue).as_str()), ("", "warg 1"));
}

fn seven_graveyards() -> Table {
    Table::of(server("MidnightLake").with_points(1), HOMES).with_pieces("Y zombie b0 i0 j1 a3 d3 b6 g6 d7")
}

#[test]
fn minions_rule_15_e49_graveyard_win() {
    let mut table = seven_graveyards();
    table.legal("d7-d8");
    let outcome = table.end();
    assert_eq!((outcome.winner, table.points()), (None, [0, 0]));
    let outcome = table.end();
    assert_eq!((outcome.winner, table.winner()), (Some(Side::Yellow), Some(Side::Yellow)));
    assert_eq!((table.mover(), table.state(), table.points()), (Side::Yellow, BoardState::Reset1, [1, 0]));
    table.illegal("c2-b1", IllegalReason::GameOver);
    assert!(table.game().clone().end_turn().is_err());
}

#[test]
fn minions_rule_15_e50_seven_graveyards_do_not_win() {
    let mut table = seven_graveyards();
    for _ in 0..2 {
        assert_eq!(table.end().winner, None);
    }
    assert_eq!((table.winner(), table.points(), table.state()), (None, [0, 0], BoardState::Normal));
    assert_eq!(table.board().pieces(Side::Yellow).len(), 9);
}

#[test]
fn minions_rule_15_e51_one_turn_to_respond() {
    let pieces = format!("Y zombie {EIGHT}, B warg d7");
    let mut table = Table::of(server("MidnightLake").with_points(1), &pieces);
    assert_eq!(table.end().winner, None);
    table.legal("d7->d8");
    assert_eq!(table.end().winner, None);
    let map = table.game().config().map(0);
    assert_eq!(table.board().graveyards(map, Side::Yellow).len(), 7);
    assert_eq!((table.points(), table.state()), ([0, 0], BoardState::Normal));
}

#[test]
fn minions_rule_15_e52_a_kill_comes_before_graveyards() {
    let pieces = format!("{HOMES}, Y shadowlord h8, B zombie {EIGHT}");
    let mut table = Table::of(server("MidnightLake").with_points(1), &pieces);
    table.legal("h8->h7");
    assert_eq!(table.end().winner, Some(Side::Yellow));
    assert_eq!((table.points(), table.winner()), ([1, 0], Some(Side::Yellow)));
}

const KILL_AT_C5: &str = "Y necromancer c2, Y shadowlord c4, B necromancer c5";

/// Plays example E53 up to Yellow's last action.
fn before_the_reset() -> Table {
    let mut table = Table::of(server("AllLand").with_points(2), KILL_AT_C5)
        .with_pieces("Y zombie a5, B warg h1, B lich h2, B witch h3")
        .with_reserve(Side::Yellow, "haunt")
        .with_reserve(Side::Blue, "wight wight")
        .with_hand(Side::Yellow, "shield earthquake")
        .with_row("weaken sunder")
        .with_souls(0, 6)
        .with_free_entry();
    table.legal("play earthquake a6");
    assert_eq!(table.tile("a6"), TileType::Earthquake);
    table.legal("c4->c5");
    assert!(table.is_empty("c5"));
    table
}

#[test]
fn minions_rule_17_e53_reset() {
    let mut table = before_the_reset();
    let outcome = table.end();
    assert_eq!((outcome.points.0, outcome.reset, outcome.winner), ([1, 0], 1, None));
    assert_eq!((table.points(), table.mover(), table.state()), ([1, 0], Side::Blue, BoardState::Reset1));
    assert_eq!(table.board().all_pieces().len(), 14);
    assert_eq!(
        table.pieces(Side::Yellow),
        "zombie c1, zombie d1, zombie b2, necromancer c2, zombie d2, zombie b3, zombie c3"
    );
    assert_eq!((table.reserve(Side::Yellow), table.reserve(Side::Blue)), (String::new(), String::new()));
    assert_eq!(table.tile("a6"), TileType::Ground);
    assert_eq!(table.candidates(Side::Yellow), "zombie haunt shadowlord");
    assert_eq!(table.candidates(Side::Blue), "warg wight witch lich");
    // Shield, and the card given at the end of the turn.
    assert_eq!(table.hand(Side::Yellow), "shield weaken");
}

fn after_blues_choice() -> Table {
    let mut table = before_the_reset();
    table.end();
    assert_eq!(table.souls(), [0, 6]);
    table.legal("buy zombie");
    assert_eq!(table.souls(), [0, 4]);
    table.illegal("keep void", IllegalReason::NotACandidate);
    table.legal("keep warg");
    assert_eq!((table.souls(), table.reserve(Side::Blue).as_str()), ([0, 4], "zombie 2, warg 1"));
    table.illegal("keep wight", IllegalReason::NotACandidate);
    table.illegal("spawn zombie h5", IllegalReason::BoardState);
    table.legal("h6-h5");
    table
}

#[test]
fn minions_rule_17_e54_first_turn_after_a_reset() {
    let table = after_blues_choice();
    assert_eq!((table.stands("h5").as_str(), table.state()), ("B zombie", BoardState::Reset1));
}

#[test]
fn minions_rule_17_e57_second_turn_after_a_reset() {
    let mut table = after_blues_choice();
    table.end();
    assert_eq!((table.mover(), table.state()), (Side::Yellow, BoardState::Reset2));
    assert_eq!(table.reserve(Side::Blue), "zombie 2, warg 1");
    table.legal("keep shadowlord");
    assert_eq!(table.reserve(Side::Yellow), "zombie 1, shadowlord 1");
    table.legal("c1-c0; spawn shadowlord c1");
    assert_eq!(table.stands("c1"), "Y shadowlord");
    table.end();
    assert_eq!(table.state(), BoardState::Normal);
}

#[test]
fn minions_rule_17_e55_automatic_choice() {
    let mut table = Table::of(server("AllLand").with_points(2), KILL_AT_C5)
        .with_pieces("Y zombie a5, B warg h1, B lich h2, B witch h3");
    table.legal("c4->c5");
    table.end();
    assert_eq!(table.candidates(Side::Blue), "warg witch lich");
    table.end();
    assert_eq!((table.reserve(Side::Blue).as_str(), table.reserve(Side::Yellow).as_str()), ("lich 1", ""));
    assert_eq!((table.candidates(Side::Blue).as_str(), table.board().free(Side::Blue)), ("", 0));
    table.end();
    assert_eq!((table.reserve(Side::Yellow).as_str(), table.state()), ("shadowlord 1", BoardState::Normal));
    assert_eq!(table.reserve(Side::Blue), "lich 1");
}

#[test]
fn minions_rule_17_e56_no_candidates() {
    let mut table = Table::of(server("AllLand").with_points(2), KILL_AT_C5);
    table.legal("c4->c5");
    table.end();
    assert_eq!(table.candidates(Side::Blue), "");
    table.illegal("keep zombie", IllegalReason::NotACandidate);
    table.end();
    assert_eq!(table.reserve(Side::Blue), "");
}

#[test]
fn minions_rule_16_e59_resignation() {
    let mut table = Table::start(server("AllLand").with_points(2));
    table.legal("d2-e2; resign");
    table.end();
    assert_eq!((table.points(), table.mover(), table.state()), ([0, 1], Side::Blue, BoardState::Reset1));
    assert_eq!(
        (table.candidates(Side::Yellow), table.candidates(Side::Blue)),
        ("zombie".into(), "zombie".into())
    );
}

#[test]
fn minions_rule_15_e60_reset_board_won_again() {
    let mut table = Table::of(server("AllLand").with_points(2), KILL_AT_C5).with_state(BoardState::Reset1);
    table.legal("c4->c5");
    table.end();
    assert_eq!((table.points(), table.mover(), table.state()), ([1, 0], Side::Blue, BoardState::Reset1));
    assert_eq!(table.winner(), None);
}

#[test]
fn minions_rule_15_e61_both_sides_reach_the_target() {
    let mut table = Table::of(server("MidnightLake MidnightLake").with_points(1), KILL_AT_C5);
    table.turn_to(1);
    let mut table = table.with_pieces(&format!("{HOMES}, B zombie {EIGHT}"));
    table.turn_to(0).legal("c4->c5");
    assert_eq!(table.end().winner, Some(Side::Blue));
    assert_eq!((table.points(), table.winner()), ([1, 1], Some(Side::Blue)));
}
