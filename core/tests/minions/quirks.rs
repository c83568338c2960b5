//! Quirks of the server (rules §21) as this engine plays them.

use barrow_core::hex::Hex;
use barrow_core::minions::{
    Ability, Action, BoardAction, BoardState, IllegalReason, Movable, Side, Tech, Techline, UndoLog,
    UnitLabel, umi,
};
use barrow_core::rng::Rng;

use crate::notation::hex;
use crate::table::{Table, server};

const KILL_AT_C5: &str = "Y necromancer c2, Y shadowlord c4, B necromancer c5";

/// Eight graveyards of Midnight Lake, which the examples occupy.
const EIGHT: &str = "b0 i0 j1 a3 d3 b6 g6 d8";

#[test]
fn minions_quirk_01_resignation_is_final() {
    let mut table = Table::of(server("AllLand").with_points(2), "Y zombie c2, Y warg f5, B ghost d2")
        .with_hand(Side::Yellow, "dismember shield")
        .with_row("weaken sunder")
        .with_souls(8, 0);
    table.legal("c2->d2; play dismember d2; resign");
    assert_eq!(table.mana(), -1);
    for late in ["f5-f6", "discard shield", "buy zombie", "spawn zombie d2", "resign"] {
        table.illegal(late, IllegalReason::Resigned);
    }
    let zombie = table.game().may_buy(0, UnitLabel::Zombie);
    assert_eq!(zombie, Err(IllegalReason::Resigned));
    // The automatic discard of Shield does not lose the resignation either.
    assert_eq!(table.end().points.0, [0, 1]);
    assert_eq!((table.points(), table.state()), ([0, 1], BoardState::Reset1));
    // Shield was discarded; Weaken was given at the end of the turn.
    assert_eq!((table.hand(Side::Yellow).as_str(), table.board().marks().resigned), ("weaken", false));
}

#[test]
fn minions_quirk_02_metamagic_and_automatic_spells() {
    let table = Table::on("AllLand AllLand AllLand", "").with_row("fester shield stumble weaken").with_tech(
        Side::Yellow,
        "metamagic",
        "metamagic",
    );
    let hands = |mut table: Table| [0, 1, 2].map(|board| table.turn_to(board).hand(Side::Yellow));

    // All cards allowed went to one board: every other board gets the same card.
    let mut all = table.clone();
    all.legal("give 0; give 1; give 3");
    all.end();
    assert_eq!(hands(all), ["fester shield weaken", "stumble", "stumble"]);

    // One card fewer: the first automatic card counts as taken.
    let mut two = table.clone();
    two.legal("give 0; give 1");
    two.end();
    assert_eq!(hands(two), ["fester shield", "stumble", "weaken"]);

    let mut none = table;
    none.end();
    assert_eq!(hands(none), ["fester", "shield", "stumble"]);
}

fn after_a_kill(more: &str) -> Table {
    let mut table = Table::of(server("AllLand").with_points(5), KILL_AT_C5).with_pieces(more);
    table.legal("c4->c5");
    table.end();
    table
}

#[test]
fn minions_quirk_03_the_automatic_free_unit_has_no_zombie() {
    let mut chosen = after_a_kill("B warg h1");
    let mut automatic = chosen.clone();
    chosen.legal("keep warg");
    chosen.end();
    assert_eq!(chosen.reserve(Side::Blue), "zombie 1, warg 1");
    automatic.end();
    assert_eq!(automatic.reserve(Side::Blue), "warg 1");
}

#[test]
fn minions_quirk_04_protection_ends_with_shield() {
    let mut table = Table::new("Y wight c2, Y wight f5").with_hand(Side::Yellow, "protection shield");
    table.legal("play protection c2; play shield f5");
    table.end();
    assert_eq!((table.current("c2").defense, table.current("f5").defense), (5, 6));
    table.end();
    assert_eq!((table.current("c2").defense, table.current("f5").defense), (3, 3));
}

#[test]
fn minions_quirk_05_the_blink_spell_hurts_persistent_pieces() {
    let mut table = Table::new("Y skeleton c2, Y wight f5, Y necromancer a0")
        .with_hand(Side::Yellow, "blink blink blink");
    table.illegal("play blink a0", IllegalReason::BadTarget);
    table.legal("play blink c2; play blink f5");
    assert_eq!((table.stands("c2").as_str(), table.damage("c2")), ("Y skeleton", 1));
    assert!(table.is_empty("f5"));
    assert_eq!((table.reserve(Side::Yellow).as_str(), table.pending(Side::Yellow)), ("wight 1", 0));
}

#[test]
fn minions_quirk_06_the_higher_board_decides_a_tie() {
    let graveyards = format!("Y necromancer c2, B necromancer h7, B zombie {EIGHT}");
    for (kill_board, winner) in [(0, Side::Blue), (1, Side::Yellow)] {
        let mut table = Table::of(server("MidnightLake MidnightLake").with_points(1), "");
        table.turn_to(kill_board);
        table = table.with_pieces(KILL_AT_C5);
        table.turn_to(1 - kill_board);
        table = table.with_pieces(&graveyards);
        table.turn_to(kill_board).legal("c4->c5");
        assert_eq!(table.end().winner, Some(winner));
        assert_eq!(table.points(), [1, 1]);
    }
}

#[test]
fn minions_quirk_07_no_spawn_turns_allow_zombies_from_elsewhere() {
    for state in [BoardState::FirstTurn, BoardState::Reset1] {
        let mut table = Table::on("Apocalypse", "Y necromancer c2")
            .with_state(state)
            .with_reserve(Side::Yellow, "zombie")
            .with_hand(Side::Yellow, "raise_zombie");
        table.illegal("spawn zombie d2", IllegalReason::BoardState);
        table.legal("play raise_zombie d2; tile j0");
        assert_eq!(table.pieces(Side::Yellow), "zombie j0, necromancer c2, zombie d2");
    }
}

#[test]
fn minions_quirk_08_there_is_no_hex_off_the_board() {
    for (x, y) in [(10, 2), (2, 10), (255, 2)] {
        assert_eq!(Hex::at(x, y), None);
    }
    // On the server k2 is read as a3.
    let table = Table::new("Y necromancer a2").with_hand(Side::Yellow, "terraform fester");
    for (target, is_read) in [("a3", true), ("k2", false), ("a10", false)] {
        let mut reader = umi::TurnReader::new(table.game(), "turn").unwrap();
        for line in [
            format!("action board 0 cast terraform whirlwind {target}"),
            format!("action board 0 ability a2 move_terrain whirlwind {target}"),
        ] {
            assert_eq!(reader.read(&line).is_ok(), is_read, "{line}");
        }
    }
}

#[test]
fn minions_quirk_09_only_movable_kinds_of_terrain() {
    let table = Table::new("Y elemental c5, Y haunt f5").with_hand(Side::Yellow, "doubleCantrip");
    let mut game = table.game().clone();
    let wrong = [
        ("c5", Ability::MoveTerrain, None),
        ("f5", Ability::MoveEarthquake, Some(Movable::Water)),
        ("f5", Ability::MoveEarthquake, Some(Movable::Earthquake)),
    ];
    for (user, ability, terrain) in wrong {
        let user = hex(user);
        let action = BoardAction::UseAbility { user, ability, terrain, to: user.neighbours()[0] };
        let refused = game.apply(Action::Board(0, action), &mut UndoLog::off());
        assert_eq!(refused, Err(IllegalReason::BadTarget));
    }
    assert!(game == *table.game());
    assert_eq!(Movable::from_name("graveyard"), None);
}

#[test]
fn minions_quirk_10_the_entitlement_at_game_start_is_void() {
    let mut table = Table::start(server("AllLand"));
    for _ in 0..2 {
        assert_eq!(table.candidates(table.mover()), "");
        table.illegal("keep zombie", IllegalReason::NotACandidate);
        table.end();
    }
    assert_eq!(Side::ALL.map(|side| table.reserve(side)), ["zombie 1", "zombie 1"]);
}

#[test]
fn minions_quirk_11_tech_points_without_use_are_lost() {
    let mut table = Table::new("")
        .with_tech(Side::Yellow, "metamagic", "")
        .with_tech(Side::Blue, "metamagic", "skeleton serpent metamagic")
        .with_souls(4, 0);
    let levels = table.game().state().tech(Side::Yellow);
    table.legal("extra spell");
    assert_eq!(table.tech_points(), 2);
    table.illegal("march", IllegalReason::TechLocked);
    table.illegal("advance skeleton", IllegalReason::TechTaken);
    table.end();
    assert_eq!((table.game().state().tech(Side::Yellow), table.souls()), (levels, [0, 0]));
    table.end();
    assert_eq!((table.tech_points(), table.souls()), (1, [0, 0]));
}

#[test]
fn minions_quirk_12_buying_in_no_spawn_states() {
    for state in [BoardState::FirstTurn, BoardState::Reset1] {
        let mut table = Table::new("").with_state(state).with_souls(2, 0);
        table.legal("buy zombie");
        assert_eq!((table.reserve(Side::Yellow).as_str(), table.souls()[0]), ("zombie 1", 0));
    }
}

#[test]
fn minions_quirk_13_pending_souls_survive_a_reset() {
    let mut table = after_a_kill("");
    assert_eq!((table.state(), table.pending(Side::Yellow), table.souls()), (BoardState::Reset1, 3, [0, 0]));
    table.end();
    assert_eq!((table.pending(Side::Yellow), table.souls()), (0, [3, 0]));
}

#[test]
fn minions_quirk_14_a_reset_board_lost_at_once() {
    let mut table = after_a_kill("Y zombie a5, B warg h1, B lich h2");
    assert_eq!(table.candidates(Side::Yellow), "zombie shadowlord");
    table.legal("resign");
    table.end();
    assert_eq!((table.points(), table.mover(), table.state()), ([2, 0], Side::Yellow, BoardState::Reset1));
    // Blue's free unit was given at the end of the turn and removed by the reset; Yellow's candidates stay.
    assert_eq!(Side::ALL.map(|side| table.reserve(side)), ["", ""]);
    assert_eq!(table.candidates(Side::Blue), "zombie lich");
    assert_eq!(table.candidates(Side::Yellow), "zombie shadowlord");
    assert_eq!(Side::ALL.map(|side| table.board().free(side)), [1, 1]);
}

#[test]
fn minions_quirk_15_just_ended_does_not_exist() {
    // From each state that there is; no state is left out, since `match` has to name them all.
    for state in [BoardState::FirstTurn, BoardState::Normal, BoardState::Reset1, BoardState::Reset2] {
        let next = match state {
            BoardState::Reset1 => BoardState::Reset2,
            BoardState::FirstTurn | BoardState::Normal | BoardState::Reset2 => BoardState::Normal,
        };
        let mut table = Table::new("Y zombie c2").with_state(state);
        // Nobody is barred from acting.
        table.legal("c2-c3");
        table.end();
        assert_eq!(table.state(), next);
    }
    // A board that is won is set up anew in the same end of turn.
    assert_eq!(after_a_kill("").state(), BoardState::Reset1);
}

#[test]
fn minions_quirk_16_a_tech_has_one_number_in_every_line() {
    let (fixed, random) = (Techline::default(), Techline::random(&mut Rng::new(3)));
    assert!(fixed != random);
    for (number, &tech) in (1..).zip(fixed.techs()) {
        assert_eq!((tech.number(), Tech::with_number(number)), (number, Some(tech)));
        // UMI counts places from 0, in a fixed line and in a random one.
        assert_eq!(fixed.position(tech), Some(number - 1));
        let place = random.position(tech).expect("every tech is in it");
        assert_eq!(random.techs()[usize::from(place)], tech);
    }
    assert_eq!(UnitLabel::Zombie.tech_number(), 0);
}

#[test]
fn minions_quirk_17_the_unit_must_have_the_ability() {
    let mut table = Table::new("Y zombie c2, Y haunt f5").with_hand(Side::Yellow, "doubleCantrip");
    table.illegal("use move_earthquake c2 c3", IllegalReason::NoAbility);
    table.illegal("use move_firestorm f5 f6", IllegalReason::NoAbility);
    table.legal("use move_earthquake f5 f6");
}
