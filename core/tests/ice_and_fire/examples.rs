//! The worked examples of rules §10 by their numbers.

use barrow_core::contests::ice_and_fire::{Ending, Game, Level, Map, Player, Rules};

use super::scene::{Scene, cell, execute, units};

const ZERO: Player = Player::Zero;
const ONE: Player = Player::One;

/// Gold and income as the input shows them.
fn money(game: &Game, player: Player) -> (i32, i32) {
    (game.state().gold(player), game.state().income(player))
}

fn owns(game: &Game, player: Player, x: u8, y: u8) -> bool {
    game.state().owned(player).contains(cell(x, y))
}

#[test]
fn ice_and_fire_i01_income_is_cells_less_upkeep() {
    let game = Scene::new(&["AAAAAA"; 6], [20, 22]).unit(1, 1, 1).unit(2, 2, 2).unit(3, 3, 3).turn(ZERO);
    assert_eq!(money(&game, ZERO), (31, 11));
}

#[test]
fn ice_and_fire_i02_bankruptcy_kills_and_leaves_the_income_stale() {
    let mut game = Scene::new(&["AAA"; 3], [10, 22]).unit(3, 1, 1).unit(2, 2, 2).turn(ZERO);
    assert_eq!(money(&game, ZERO), (0, -15));
    assert!(units(&game, ZERO).is_empty());
    game.begin_turn(ZERO);
    assert_eq!(money(&game, ZERO), (9, 9));
}

#[test]
fn ice_and_fire_i03_no_gold_left_is_no_bankruptcy() {
    let game = Scene::new(&["AAA"; 3], [15, 22]).unit(3, 1, 1).unit(2, 2, 2).turn(ZERO);
    assert_eq!(money(&game, ZERO), (0, -15));
    assert_eq!(units(&game, ZERO).len(), 2);
}

#[test]
fn ice_and_fire_i04_units_cut_off_die_and_their_land_stays() {
    let game = Scene::new(&["AAA..AAA"], [20, 22]).unit(1, 1, 0).unit(2, 5, 0).unit(1, 6, 0).turn(ZERO);
    assert_eq!(units(&game, ZERO), [(1, 1, 0)]);
    assert_eq!(money(&game, ZERO), (22, 2));
    assert!(owns(&game, ZERO, 6, 0) && !game.state().active(ZERO).contains(cell(6, 0)));
}

#[test]
fn ice_and_fire_i05_a_unit_moves_once_and_new_ones_not_at_all() {
    let mut game = Scene::new(&["AA"], [20, 22]).unit(1, 1, 0).turn(ZERO);
    assert_eq!(execute(&mut game, "MOVE 1 2 0;MOVE 1 3 0;TRAIN 1 1 0;MOVE 2 1 1"), (2, 2));
    assert_eq!(units(&game, ZERO), [(2, 1, 0), (1, 2, 0)]);
}

#[test]
fn ice_and_fire_i06_i07_far_moves_try_neighbours_in_the_players_order() {
    let mut game = Scene::new(&["AAAAA"; 5], [20, 22]).unit(1, 4, 4).turn(ZERO);
    execute(&mut game, "MOVE 1 11 11");
    assert_eq!(units(&game, ZERO), [(1, 5, 4)]);
    let mut rows = ["............"; 12];
    rows[7..].fill(".......BBBBB");
    let mut game = Scene::new(&rows, [20, 22]).unit(1, 7, 7).turn(ONE);
    execute(&mut game, "MOVE 1 0 0");
    assert_eq!(units(&game, ONE), [(1, 6, 7)]);
}

#[test]
fn ice_and_fire_i08_a_far_move_goes_round_friends_or_stays() {
    let scene = Scene::new(&["AAAAA"; 5], [40, 22]);
    let scene = scene.unit(1, 3, 3).unit(1, 4, 3).unit(1, 3, 4).unit(1, 2, 2).unit(1, 3, 2);
    let mut game = scene.turn(ZERO);
    assert_eq!(execute(&mut game, "MOVE 1 11 11;MOVE 4 11 11"), (1, 1));
    assert_eq!(game.find(1), Some(cell(3, 3)));
    assert_eq!(game.find(4), Some(cell(2, 3)));
}

#[test]
fn ice_and_fire_i09_order_matters() {
    let mut game = Scene::new(&["AAAA"], [20, 22]).unit(1, 2, 0).unit(1, 3, 0).turn(ZERO);
    assert_eq!(execute(&mut game, "MOVE 1 3 0;MOVE 2 4 0;MOVE 1 3 0"), (2, 1));
    assert_eq!(units(&game, ZERO), [(1, 3, 0), (2, 4, 0)]);
}

#[test]
fn ice_and_fire_i10_units_are_trained_on_or_beside_active_land() {
    let mut game = Scene::new(&["AA"], [33, 22]).turn(ZERO);
    assert_eq!(execute(&mut game, "TRAIN 1 3 0;TRAIN 1 2 0;TRAIN 1 1 1;TRAIN 1 1 0;TRAIN 1 0 1"), (3, 2));
    assert_eq!(units(&game, ZERO), [(3, 1, 0), (1, 2, 0), (2, 1, 1)]);
    assert_eq!(game.state().gold(ZERO), 5);
}

#[test]
fn ice_and_fire_i11_training_extends_the_reach() {
    let mut game = Scene::new(&["AA"], [39, 22]).turn(ZERO);
    assert_eq!(execute(&mut game, "TRAIN 1 2 0;TRAIN 1 3 0;TRAIN 1 4 0;TRAIN 1 5 0"), (4, 0));
}

#[test]
fn ice_and_fire_i12_levels_fight() {
    let rows = ["AAAAA", "BBBBB"];
    let scene =
        Scene::new(&rows, [200, 22]).unit(1, 0, 1).unit(1, 1, 1).unit(2, 2, 1).unit(2, 3, 1).unit(3, 4, 1);
    let mut game = scene.turn(ZERO);
    let line = "TRAIN 1 0 1;TRAIN 2 1 1;TRAIN 2 2 1;TRAIN 3 3 1;TRAIN 3 4 1";
    assert_eq!(execute(&mut game, line), (3, 2));
    assert_eq!([0, 1, 2, 3, 4].map(|x| owns(&game, ZERO, x, 1)), [false, true, false, true, true]);
}

/// Land of player 1 in a cross around (3,3) with a tower in its middle, connected to its headquarters.
fn guarded() -> Scene {
    let mut rows = ["............"; 12];
    rows[..2].fill("AAAAAAA.....");
    rows[2] = ".BBBBB......";
    rows[3] = "..BBBBBBBBBB";
    for row in &mut rows[4..] {
        *row = "..........BB";
    }
    rows[4] = "...B.......B";
    Scene::new(&rows, [300, 22]).tower(3, 3)
}

#[test]
fn ice_and_fire_i13_towers_protect_their_neighbours() {
    let mut game = guarded().turn(ZERO);
    let line = "TRAIN 2 3 2;TRAIN 1 2 2;TRAIN 1 4 2;TRAIN 2 3 2;TRAIN 1 2 3;TRAIN 1 4 3;TRAIN 3 3 2;TRAIN 2 3 3;TRAIN 3 3 3";
    assert_eq!(execute(&mut game, line), (4, 5));
    assert!([(2, 2), (4, 2), (3, 2), (3, 3)].iter().all(|&(x, y)| owns(&game, ZERO, x, y)));
    assert!(game.state().towers().is_empty());
}

#[test]
fn ice_and_fire_i14_unowned_cells_are_not_protected() {
    let mut rows = ["............"; 12];
    rows[0] = "AAAAA.......";
    rows[1] = "AAAAA.......";
    rows[2] = "...BBBBBBBBB";
    rows[3..].fill("...........B");
    let mut game = Scene::new(&rows, [100, 22]).tower(3, 2).turn(ZERO);
    assert_eq!(execute(&mut game, "TRAIN 1 2 2;TRAIN 1 4 2;TRAIN 1 3 2;TRAIN 1 3 1"), (2, 2));
}

#[test]
fn ice_and_fire_i15_protection_ends_when_its_land_is_cut_off() {
    let mut rows = ["............"; 12];
    rows[0] = "AAAAAA......";
    rows[1] = "AAAAAA......";
    rows[2] = "...B........";
    rows[3] = "..BB........";
    rows[4] = "...BBBBBBBBB";
    rows[5..].fill("...........B");
    let scene = Scene::new(&rows, [200, 30]).tower(3, 3).unit(1, 3, 2);
    let mut game = scene.turn(ZERO);
    let around = "TRAIN 1 2 2;TRAIN 1 2 3;TRAIN 1 4 2;TRAIN 1 4 3;TRAIN 1 5 3;TRAIN 1 5 4;TRAIN 1 4 4";
    // (2,3), and (4,4) beside nothing of the tower's, before and after the way to the headquarters is cut.
    assert_eq!(execute(&mut game, around), (6, 1));
    assert_eq!(execute(&mut game, "TRAIN 1 3 4;TRAIN 1 2 3;TRAIN 1 3 3"), (2, 1));
    game.pass();
    assert!(!units(&game, ONE).iter().any(|&(id, ..)| id == 1));
}

#[test]
fn ice_and_fire_i16_headquarters_end_the_game_at_once() {
    let mut rows = ["............"; 12];
    rows[0] = "AA..........";
    rows[1..11].fill("A...........");
    rows[11] = "AAAAAAAAAAA.";
    let mut game = Scene::new(&rows, [25, 22]).unit(1, 10, 11).unit(2, 5, 11).turn(ZERO);
    assert_eq!(execute(&mut game, "MOVE 1 11 11;TRAIN 1 1 1"), (1, 0));
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.ending, outcome.winner()), (Ending::Captured(ZERO), Some(ZERO)));
    assert_eq!(outcome.scores, [game.state().gold(ZERO) + 30, -1]);
    game.pass();
    assert_eq!(execute(&mut game, "TRAIN 1 0 1"), (0, 0));
}

#[test]
fn ice_and_fire_i17_where_mines_and_towers_may_stand() {
    let mut game =
        Scene::new(&["AAAA", "AAA", "AAA"], [100, 22]).spot(1, 0).spot(3, 0).unit(1, 2, 2).turn(ZERO);
    let line = "BUILD MINE 2 0;BUILD MINE 1 0;BUILD MINE 1 0;BUILD TOWER 3 0;BUILD TOWER 2 2;BUILD TOWER 4 0;\
                BUILD TOWER 2 0;BUILD TOWER 0 0;BUILD MINE 5 5";
    assert_eq!(execute(&mut game, line), (2, 7));
    assert_eq!(game.state().mines(), cell(1, 0).to_set());
    assert_eq!(game.state().towers(), cell(2, 0).to_set());
}

#[test]
fn ice_and_fire_i18_a_mine_earns_only_on_active_land() {
    let mut game = Scene::new(&["AA.AA"], [30, 22]).mine(4, 0).turn(ZERO);
    assert_eq!(money(&game, ZERO), (32, 2));
    execute(&mut game, "TRAIN 1 2 0");
    assert_eq!(money(&game, ZERO), (22, 5 + 4 - 1));
}

#[test]
fn ice_and_fire_i19_any_unit_takes_a_mine() {
    let mut rows = ["............"; 12];
    rows[0] = "AAAABBBBBBBB";
    rows[1..].fill("...........B");
    let mut game = Scene::new(&rows, [30, 22]).mine(4, 0).unit(1, 3, 0).turn(ZERO);
    assert_eq!(execute(&mut game, "MOVE 1 4 0"), (1, 0));
    assert!(game.state().mines().is_empty() && owns(&game, ZERO, 4, 0));
}

#[test]
fn ice_and_fire_i20_i21_i23_i24_what_is_not_recognised_loses_at_once() {
    for line in ["MOVE 1 2 0;JUMP 1 1 1", "MOVE 1 -1 0", "WAIT;;WAIT", "wait"] {
        let mut game = Scene::new(&["AA"], [20, 20]).unit(1, 1, 0).turn(ZERO);
        assert!(game.execute(&Rules::PERMANENT, line).is_err());
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.ending, outcome.scores), (Ending::Fault(ZERO), [-1, 20]), "{line}");
        assert_eq!(game.find(1), Some(cell(1, 0)));
    }
}

#[test]
fn ice_and_fire_i22_what_makes_no_sense_is_passed_over() {
    let mut game = Scene::new(&["AA"], [20, 22]).unit(1, 1, 0).unit(1, 11, 10).turn(ZERO);
    let line = "MOVE 1 12 0; MOVE 1 2 0 ;MOVE 2 11 9;MOVE 77 1 1;TRAIN 0 0 1;TRAIN 4 0 1;BUILD TOWER 2 0;MSG hello world;WAIT;";
    assert_eq!(execute(&mut game, line), (1, 6));
    assert_eq!((game.find(1), game.outcome()), (Some(cell(2, 0)), None));
}

#[test]
fn ice_and_fire_i25_i26_only_a_neighbour_is_refused_outright() {
    let mut rows = ["............"; 12];
    rows[0] = "AAAA.BBBBBBB";
    rows[1..].fill("...........B");
    let mut game = Scene::new(&rows, [20, 22]).unit(1, 3, 0).unit(2, 5, 0).turn(ZERO);
    assert_eq!(execute(&mut game, "MOVE 1 5 0"), (1, 0));
    assert_eq!(game.find(1), Some(cell(4, 0)));
    rows[0] = "AAAAABBBBBBB";
    let mut game = Scene::new(&rows, [20, 22]).unit(1, 4, 0).unit(1, 5, 0).turn(ZERO);
    assert_eq!(execute(&mut game, "MOVE 1 5 0"), (0, 1));
}

#[test]
fn ice_and_fire_i27_level_3_walks_through_protection() {
    let mut game = {
        let scene = guarded().unit(3, 3, 1);
        scene.turn(ZERO)
    };
    assert_eq!(execute(&mut game, "MOVE 1 3 2"), (1, 0));
    game.begin_turn(ZERO);
    assert_eq!(execute(&mut game, "MOVE 1 3 3"), (1, 0));
    assert!(game.state().towers().is_empty());
}

#[test]
fn ice_and_fire_i28_units_beyond_a_cut_die_at_their_owners_turn() {
    let mut rows = ["............"; 12];
    rows[0] = "AAAA........";
    rows[1] = "..B.........";
    rows[2] = "..B.........";
    rows[3] = "..BB........";
    let mut all = rows;
    all[1] = "..BBBBBBBBBB";
    all[2] = "..B........B";
    all[3] = "..BB.......B";
    all[4..].fill("...........B");
    let mut game = Scene::new(&all, [60, 22]).unit(1, 2, 1).unit(1, 3, 3).turn(ZERO);
    assert_eq!(execute(&mut game, "TRAIN 2 2 1"), (1, 0));
    assert_eq!(units(&game, ONE), [(2, 3, 3)]);
    game.pass();
    assert!(units(&game, ONE).is_empty() && owns(&game, ONE, 3, 3));
}

#[test]
fn ice_and_fire_i29_a_game_begins() {
    let mut game = Game::new(&Map::generate(1, &Rules::PERMANENT));
    assert_eq!(game.state().gold(ZERO), 21);
    assert_eq!(execute(&mut game, "TRAIN 1 0 1;TRAIN 1 1 0"), (2, 0));
    assert_eq!(game.state().gold(ZERO), 1);
    game.pass();
    assert_eq!(game.state().gold(ONE), 22);
    assert_eq!(execute(&mut game, "TRAIN 1 10 11;TRAIN 1 11 9"), (2, 0));
    assert_eq!(game.state().gold(ONE), 2);
    assert_eq!(game.state().level(cell(11, 9)), Some(Level::One));
}

#[test]
fn ice_and_fire_i30_static_distances_lead_round_void() {
    let mut game = Scene::new(&["AAA#", "AAA#", "AAA."], [20, 22]).unit(1, 2, 1).turn(ZERO);
    assert_eq!(execute(&mut game, "MOVE 1 5 1"), (1, 0));
    assert_eq!(game.find(1), Some(cell(2, 2)));
}
