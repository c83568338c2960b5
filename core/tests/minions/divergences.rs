//! Divergences of ruleset `spooky` from `server`, by the numbers of `docs/spec/divergences.md`. Each test plays
//! both rulesets. Numbers 1 to 10 are in [`crate::unit_divergences`], 33 to 35 in [`crate::turns_compared`], 36 to 44 in
//! [`crate::resets_compared`]. Number 26 has no test: rules know no clock.

use barrow_core::hex::Hex;
use barrow_core::minions::{
    BoardState, GameConfig, IllegalReason, MapLabel, Side, SideArray, TechStatus, Techline, TileType, fen,
};
use barrow_core::rng::Rng;

use crate::table::{Table, server, spooky};

const ONE: &str = "AllLand";

#[test]
fn minions_divergence_11_income_formula() {
    for (pieces, by_server, by_spooky) in [
        ("Y necromancer c2, Y zombie b0 a3", 5, 5),
        ("Y arcane_necromancer c2", 4, 3),
        ("Y ranged_necromancer c2, Y zombie b0", 4, 3),
        ("Y zombie b0", 1, 3),
        ("", 0, 2),
    ] {
        for (config, income) in [(server("MidnightLake"), by_server), (spooky("MidnightLake"), by_spooky)] {
            let mut table = Table::of(config, pieces);
            assert_eq!(table.game().income(0, Side::Yellow), income, "{pieces}");
            table.end();
            assert_eq!(table.pending(Side::Yellow), income, "{pieces}");
        }
    }
}

#[test]
fn minions_divergence_12_payment_makes_no_difference() {
    for config in [server(ONE), spooky(ONE)] {
        let mut table = Table::of(config, "Y necromancer c2, B necromancer h7").with_souls(1, 0);
        table.end();
        // The income waits, but a FEN counts it already.
        assert_eq!((table.souls(), table.pending(Side::Yellow)), ([1, 0], 3));
        assert!(fen::Display(table.game()).to_string().starts_with("4|0 "));
        table.end();
        assert_eq!((table.souls(), table.pending(Side::Yellow)), ([4, 0], 0));
    }
}

#[test]
fn minions_divergence_13_rebates() {
    for config in [server(ONE), spooky(ONE)] {
        let mut table = Table::of(config, "Y zombie c2 c3, B skeleton d2");
        table.legal("c2->d2; c3->d2");
        assert_eq!(Side::ALL.map(|side| table.pending(side)), [0, 2]);
    }
    // By one's own spell; without spells nothing but an enemy's attack kills.
    let mut ours = Table::new("Y skeleton c2").with_hand(Side::Yellow, "blink fester");
    ours.legal("play blink c2; play fester c2");
    assert_eq!((ours.is_empty("c2"), ours.pending(Side::Yellow)), (true, 2));
}

#[test]
fn minions_divergence_14_extra_souls_are_a_parameter() {
    let mut config = server("AllLand AllLand");
    config.extra_souls = SideArray::new(1, 5);
    let mut table = Table::of(config, "");
    table.end();
    assert_eq!(table.souls(), [0, 5]);
    table.end();
    assert_eq!(table.souls(), [1, 5]);
}

#[test]
fn minions_divergence_15_buy_same_turn() {
    let mut theirs = Table::of(spooky(ONE), "").with_souls(8, 0);
    theirs.legal("extra spell; march; advance skeleton; buy skeleton");
    assert_eq!((theirs.reserve(Side::Yellow).as_str(), theirs.souls()[0]), ("skeleton 1", 0));
    let mut ours = Table::of(server(ONE), "").with_souls(8, 0);
    ours.legal("extra spell; march; advance skeleton");
    ours.illegal("buy skeleton", IllegalReason::TechNotOwned);
}

#[test]
fn minions_divergence_16_no_purchase_without_spawn() {
    for state in [BoardState::FirstTurn, BoardState::Reset1] {
        let mut table = Table::of(spooky(ONE), "").with_souls(2, 0).with_state(state);
        table.illegal("buy zombie", IllegalReason::BoardState);
        let mut ours = Table::of(server(ONE), "").with_souls(2, 0).with_state(state);
        ours.legal("buy zombie");
    }
    let mut table = Table::of(spooky(ONE), "").with_souls(2, 0).with_state(BoardState::Reset2);
    table.legal("keep all; buy zombie");
}

#[test]
fn minions_divergence_17_unused_points_do_not_march() {
    for (config, expected) in [(server(ONE), TechStatus::Unlocked), (spooky(ONE), TechStatus::Locked)] {
        let mut table = Table::of(config, "");
        table.end();
        assert_eq!(table.tech(Side::Yellow, "skeleton"), expected);
    }
}

#[test]
fn minions_divergence_18_acquiring_again_wastes_a_point() {
    let mut table = Table::of(spooky(ONE), "").with_tech(Side::Yellow, "skeleton", "skeleton");
    table.illegal("advance serpent", IllegalReason::TechLocked);
    table.legal("advance skeleton");
    assert_eq!((table.tech_points(), table.tech(Side::Yellow, "skeleton")), (0, TechStatus::Acquired));
    let mut ours = Table::of(server(ONE), "").with_tech(Side::Yellow, "skeleton", "skeleton");
    ours.illegal("advance skeleton", IllegalReason::TechOwned);
    ours.legal("advance serpent");
}

#[test]
fn minions_divergence_19_copycat_at_once() {
    let table = |config| {
        let mut table = Table::of(config, "")
            .with_tech(Side::Yellow, "copycat", "")
            .with_tech(Side::Blue, "skeleton", "skeleton")
            .with_souls(4, 0);
        table.legal("extra spell; advance copycat");
        table
    };
    table(spooky(ONE)).legal("advance skeleton");
    table(server(ONE)).illegal("advance skeleton", IllegalReason::TechTaken);
}

#[test]
fn minions_divergence_20_special_techs_without_effect() {
    let table = |config| Table::of(config, "").with_tech(Side::Yellow, "metamagic", "thaumaturgy metamagic");
    table(spooky(ONE)).illegal("sell", IllegalReason::NoSale);
    table(server(ONE)).legal("sell");
}

#[test]
fn minions_divergence_21_the_tech_line() {
    let line = Techline::random(&mut Rng::new(5));
    let numbers: Vec<u8> = line.techs().iter().map(|tech| tech.number()).collect();
    // The first pack, which has one tech more, is on every other place, from the third to the last.
    let packs = [2, 3].map(|first| numbers[first..].iter().step_by(2).copied().collect::<Vec<u8>>());
    assert_eq!((&numbers[..2], packs.each_ref().map(Vec::len)), (&[1, 2][..], [12, 11]));
    assert!(packs.iter().all(|pack| pack.is_sorted()));
    // A ruleset has no line of its own: the line is that of the configuration.
    for mut config in [server(ONE), spooky(ONE)] {
        assert_eq!(config.techline, Techline::default());
        config.techline = line.clone();
        assert_eq!(Table::start(config).game().config().techline, line);
    }
}

#[test]
fn minions_divergence_22_no_spells() {
    let mut table = Table::of(spooky(ONE), "Y zombie c2, Y haunt f5, B ghost d2")
        .with_souls(4, 0)
        .with_mover(Side::Yellow);
    assert_eq!((table.row().as_str(), table.mana()), ("", 0));
    table.legal("extra spell; c2->d2");
    assert_eq!((table.row().as_str(), table.tech_points()), ("", 2));
    for refused in ["play fester d2", "discard fester", "use move_earthquake f5 f6", "give 0"] {
        table.illegal(refused, IllegalReason::NoSpells);
    }
    table.end();
    assert_eq!((table.hand(Side::Yellow).as_str(), table.row().as_str()), ("", ""));
    let deck = table.game().state().deck(Side::Blue);
    assert!(deck.queue().is_empty());
}

#[test]
fn minions_divergence_23_points_needed_are_a_parameter() {
    let customary: Vec<u8> = (1..=8).map(GameConfig::customary_points).collect();
    assert_eq!(customary, [1, 2, 3, 3, 4, 5, 6, 6]);
    for config in [server as fn(&str) -> GameConfig, spooky] {
        assert_eq!(config("AllLand AllLand AllLand AllLand").points_needed, 3);
        assert_eq!(config("AllLand").with_points(4).points_needed, 4);
    }
}

#[test]
fn minions_divergence_24_the_mover_wins_a_tie() {
    for (config, winner) in [(server as fn(&str) -> GameConfig, Side::Blue), (spooky, Side::Yellow)] {
        let mut table = Table::of(
            config("MidnightLake MidnightLake").with_points(1),
            "Y necromancer c2, Y shadowlord c4, B necromancer c5",
        );
        table.turn_to(1);
        table = table.with_pieces("Y necromancer c2, B necromancer h7, B zombie b0 i0 j1 a3 d3 b6 g6 d8");
        table.turn_to(0).legal("c4->c5");
        assert_eq!(table.end().winner, Some(winner));
        assert_eq!(table.points(), [1, 1]);
    }
}

#[test]
fn minions_divergence_25_the_turn_stays_after_a_win() {
    for (config, mover, turn) in [(server(ONE), Side::Blue, 1), (spooky(ONE), Side::Yellow, 0)] {
        let mut table = Table::of(config, "Y necromancer c2, Y shadowlord c4, B necromancer c5");
        table.legal("c4->c5");
        assert_eq!(table.end().winner, Some(Side::Yellow));
        assert_eq!((table.mover(), table.game().state().turn()), (mover, turn));
        assert_eq!((table.state(), table.board().all_pieces().len()), (BoardState::Reset1, 14));
        table.illegal("c2-b1", IllegalReason::GameOver);
    }
}

#[test]
fn minions_divergence_27_one_move_per_piece() {
    let mut table = Table::of(spooky(ONE), "Y warg c2, Y zombie f5 f6");
    table.legal("c2-c3");
    table.illegal("c3-c4", IllegalReason::HasMoved);
    table.legal("{f5-f6, f6-f5}");
    let mut ours = Table::of(server(ONE), "Y warg c2");
    ours.legal("c2-c3; c3-c4");
}

#[test]
fn minions_divergence_28_closed_cycles_only() {
    let mut table = Table::of(spooky(ONE), "Y zombie c2 d2 d1");
    table.illegal("{c2-d2, d2-e2}", IllegalReason::OpenChain);
    table.legal("{c2-d2, d2-d1, d1-c2}");
    let mut ours = Table::of(server(ONE), "Y zombie c2 d2 d1");
    ours.legal("{c2-d2, d2-e2}");
}

#[test]
fn minions_divergence_29_walking_looks_at_all_terrain() {
    for config in [server, spooky] {
        // d0 is water, c2 fixed firestorm.
        Table::of(config("MidnightLake"), "Y warg c0").illegal("c0-d0", IllegalReason::Terrain);
        let mut table = Table::of(config("TreacherousPathways"), "Y zombie b2, Y ghost d2");
        table.illegal("b2-c2", IllegalReason::Terrain);
        table.legal("d2-c2");
    }
    // Maps that Spooky knows have nothing but ground, graveyards and water, none of it movable.
    for label in [MapLabel::AllLand, MapLabel::BlackenedShores, MapLabel::MidnightLake] {
        let table = Table::start(spooky(label.name()));
        for hex in Hex::all() {
            let tile = table.board().tile(label.map(), hex);
            assert!([TileType::Ground, TileType::Graveyard, TileType::Water].contains(&tile), "{hex}");
            assert_eq!(table.board().movable_at(hex), None, "{hex}");
        }
    }
}

#[test]
fn minions_divergence_30_placing_looks_at_water_only() {
    let pieces = "Y necromancer d1";
    let place = |maps: &str, all: bool| {
        let mut config = server(maps);
        config.rules.spawn_terrain_all = all;
        Table::of(config, pieces).with_reserve(Side::Yellow, "zombie")
    };
    assert!(!spooky(ONE).rules.spawn_terrain_all && server(ONE).rules.spawn_terrain_all);
    // c2 is fixed firestorm.
    place("TreacherousPathways", true).illegal("spawn zombie c2", IllegalReason::Terrain);
    place("TreacherousPathways", false).legal("spawn zombie c2");
    for all in [false, true] {
        place("MidnightLake", all).illegal("spawn zombie d0", IllegalReason::Terrain);
    }
}

#[test]
fn minions_divergence_31_chains_of_new_spawners() {
    let table = |config| {
        let mut table = Table::of(config, "Y necromancer c2").with_reserve(Side::Yellow, "zombie zombie");
        table.legal("spawn zombie c3");
        table
    };
    table(spooky(ONE)).legal("spawn zombie c4");
    table(server(ONE)).illegal("spawn zombie c4", IllegalReason::NoFriendNear);
}

#[test]
fn minions_divergence_32_no_special_tiles() {
    Table::of(spooky("ChaosDiamond"), "Y zombie h1").illegal("teleport h1-h6", IllegalReason::NoSuchTile);
    Table::of(spooky("Apocalypse"), "").illegal("tile a9", IllegalReason::NoSuchTile);
    Table::of(server("ChaosDiamond"), "Y zombie h1").legal("teleport h1-h6");
    Table::of(server("Apocalypse"), "").legal("tile a9");
}

#[test]
fn minions_divergence_45_draw_after_turns() {
    for config in [server(ONE), spooky(ONE)] {
        assert_eq!(config.rules.draw_after_turns, None);
        let mut limited = config;
        limited.rules.draw_after_turns = Some(2);
        let mut table = Table::start(limited);
        assert!(!table.end().drawn);
        let outcome = table.end();
        assert!(outcome.drawn && outcome.winner.is_none() && table.game().state().is_drawn());
        table.illegal("c2-b1", IllegalReason::GameOver);
    }
}
