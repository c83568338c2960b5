//! Divergences 36 to 44 of ruleset `spooky`: resignation, board wins and resets.

use barrow_core::minions::{BoardAction, BoardState, GameTurn, IllegalReason, Side, TileType};

use crate::notation::hex;
use crate::table::{Table, server, spooky};

const KILL_AT_C5: &str = "Y necromancer c2, Y shadowlord c4, B necromancer c5";

#[test]
fn minions_divergence_36_graveyards_come_before_a_kill() {
    for (config, points) in [(server("MidnightLake"), [1, 0]), (spooky("MidnightLake"), [0, 1])] {
        let mut table = Table::of(config, "Y necromancer c2, Y shadowlord h8, B necromancer h7")
            .with_pieces("B zombie b0 i0 j1 a3 d3 b6 g6 d8");
        table.legal("h8->h7");
        table.end();
        assert_eq!(table.points(), points);
    }
}

/// Returns a turn in which Yellow kills the necromancer and resigns.
fn kill_and_resign() -> GameTurn {
    let mut turn = GameTurn::new();
    for action in [BoardAction::Attack { from: hex("c4"), to: hex("c5") }, BoardAction::Resign] {
        turn.push(0, action).unwrap();
    }
    turn
}

#[test]
fn minions_divergence_37_resigning_replaces_a_kill() {
    for (config, points) in [(server("AllLand"), [1, 0]), (spooky("AllLand"), [0, 1])] {
        let mut game = Table::of(config.with_points(2), KILL_AT_C5).game().clone();
        let outcome = game.play(&kill_and_resign()).unwrap();
        assert_eq!(outcome.points.0, points);
    }
}

#[test]
fn minions_divergence_38_resigning_drops_the_other_actions() {
    let mut turn = GameTurn::new();
    for action in [BoardAction::Buy { unit: crate::notation::unit("zombie") }, BoardAction::Resign] {
        turn.push(0, action).unwrap();
    }
    for (config, left) in [(server("AllLand"), 0), (spooky("AllLand"), 2)] {
        let mut game = Table::of(config.with_points(2), KILL_AT_C5).with_souls(2, 0).game().clone();
        game.play(&turn).unwrap();
        assert_eq!(game.state().souls(Side::Yellow), left);
    }
}

#[test]
fn minions_divergence_39_an_initiate_at_the_start() {
    for (config, unit) in [(server("MidnightLake"), "zombie 1"), (spooky("MidnightLake"), "initiate 1")] {
        let table = Table::start(config);
        assert_eq!(Side::ALL.map(|side| table.reserve(side)), [unit, unit]);
    }
}

fn after_the_kill(pieces: &str) -> Table {
    let mut table = Table::of(spooky("AllLand").with_points(2), KILL_AT_C5)
        .with_pieces(pieces)
        .with_reserve(Side::Blue, "wight wight")
        .with_souls(0, 6);
    table.legal("c4->c5");
    table.end();
    table
}

#[test]
fn minions_divergence_40_the_reserve_holds_the_candidates() {
    let table = after_the_kill("Y zombie a5, B warg h1 h4, B lich h2");
    assert_eq!((table.points(), table.mover(), table.state()), ([1, 0], Side::Blue, BoardState::Reset1));
    assert_eq!(table.reserve(Side::Yellow), "zombie 1, shadowlord 1");
    assert_eq!(table.reserve(Side::Blue), "warg 1, wight 1, lich 1");
    assert_eq!(Side::ALL.map(|side| table.candidates(side)), ["", ""]);
}

#[test]
fn minions_divergence_41_setup_is_mandatory() {
    let table = after_the_kill("Y zombie a5, B warg h1, B lich h2");
    let refused = table.game().clone().end_turn().unwrap_err();
    assert_eq!((refused.board, refused.reason), (Some(0), IllegalReason::SetupMissing));

    let mut one = table.clone();
    one.illegal("keep void", IllegalReason::NotInReserve);
    one.legal("keep warg");
    assert_eq!(one.reserve(Side::Blue), "zombie 1, warg 1");
    one.illegal("keep warg", IllegalReason::BoardState);
    one.illegal("spawn zombie h5", IllegalReason::BoardState);
    one.end();
    assert_eq!((one.mover(), one.state()), (Side::Yellow, BoardState::Reset2));
    assert!(one.game().clone().end_turn().is_err());
    // The setup replaces the reinforcements, so it comes before all that uses them or adds to them.
    for early in ["buy zombie", "spawn zombie c4"] {
        one.illegal(early, IllegalReason::SetupMissing);
    }
    one.legal("keep zombie; spawn zombie c4");
    assert_eq!(one.reserve(Side::Yellow), "zombie 1");
    one.end();
    assert_eq!(one.state(), BoardState::Normal);
    one.illegal("keep warg", IllegalReason::BoardState);

    let mut every = table.clone();
    every.legal("keep all");
    assert_eq!(every.reserve(Side::Blue), "zombie 1, warg 1, wight 1, lich 1");

    // Resigning needs no setup.
    let mut resigned = table;
    resigned.legal("resign");
    assert_eq!(resigned.end().winner, Some(Side::Yellow));
}

#[test]
fn minions_divergence_42_a_zombie_even_without_candidates() {
    let mut table = Table::of(spooky("AllLand").with_points(2), KILL_AT_C5);
    table.legal("c4->c5");
    table.end();
    assert_eq!(table.reserve(Side::Blue), "");
    table.legal("keep all");
    assert_eq!(table.reserve(Side::Blue), "zombie 1");
}

#[test]
fn minions_divergence_43_the_basic_necromancer_after_a_reset() {
    for config in [server("AllLand"), spooky("AllLand")] {
        let mut table = Table::of(config.with_points(2), "Y battle_necromancer c4, B mana_necromancer h5");
        table.legal("resign");
        table.end();
        assert_eq!(table.state(), BoardState::Reset1);
        assert_eq!(["c2", "h7"].map(|at| table.stands(at)), ["Y necromancer", "B necromancer"]);
    }
}

#[test]
fn minions_divergence_44_hands_and_terrain_at_a_reset() {
    let won = |mut table: Table| {
        table.legal("c4->c5");
        table.end();
        let hands = Side::ALL.map(|side| table.hand(side));
        (hands, table.tile("c3"), table.tile("d0"))
    };
    let [ours, theirs] =
        [server, spooky].map(|config| Table::of(config("MidnightLake").with_points(2), KILL_AT_C5));
    let mut ours = ours
        .with_hand(Side::Yellow, "earthquake shield")
        .with_hand(Side::Blue, "weaken")
        .with_row("fester stumble");
    ours.legal("play earthquake c3");
    assert_eq!(ours.tile("c3"), TileType::Earthquake);
    // The kill is of the attack phase: it comes in the next turn.
    ours.end();
    ours.end();
    let (hands, movable, water) = won(ours);
    assert!(hands[0].starts_with("shield") && hands[1].starts_with("weaken"), "{hands:?}");
    assert_eq!((movable, water), (TileType::Ground, TileType::Water));
    assert_eq!(won(theirs), ([const { String::new() }; 2], TileType::Ground, TileType::Water));
}
