//! Whole games under both rulesets, and positions made by hand in which a necromancer can be killed.

use super::heuristics::eval;
use super::heuristics::weights::FIRST_TURN;
use super::*;
use crate::hex::Hex;
use crate::minions::*;
use crate::rng::Rng;

/// Signature of Greedy's turns; see [`greedy_is_frozen`].
const GREEDY_SIGNATURE: u64 = 6_604_461_751_245_430_245;

const SPOOKY_MAPS: [MapLabel; 3] = [MapLabel::AllLand, MapLabel::BlackenedShores, MapLabel::MidnightLake];

/// A game on 1 to 4 maps of the ruleset, all that is left to chance drawn from the seed.
fn random_config(ruleset: Ruleset, seed: u64) -> GameConfig {
    let mut rng = Rng::new(seed);
    let pool: &[MapLabel] = if ruleset == Ruleset::Server { &MapLabel::ALL } else { &SPOOKY_MAPS };
    let boards = 1 + rng.below(4) as usize;
    let maps: heapless::Vec<MapLabel, 4> = (0..boards).filter_map(|_| rng.choose(pool).copied()).collect();
    GameConfig::new(ruleset, &maps).unwrap().with_techline(Techline::random(&mut rng))
}

/// Plays up to `turns` turns and checks that every one is accepted and every position valid.
fn play_on(game: &mut Game, turns: u32, mut choose: impl FnMut(&Game) -> GameTurn) {
    for _ in 0..turns {
        if game.state().is_over() {
            return;
        }
        let turn = choose(game);
        if let Err(error) = game.play(&turn) {
            panic!("{error} in {turn:?}");
        }
        game.validate().unwrap();
    }
}

#[test]
fn greedy_is_legal_from_random_positions() {
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        for seed in 0..60 {
            let mut game = Game::new(random_config(ruleset, seed), seed);
            let mut random = Random::new(seed);
            let mut greedy = Greedy::new(seed);
            for _ in 0..12 {
                play_on(&mut game, 2, |game| random.choose(game));
                play_on(&mut game, 1, |game| greedy.choose(game));
            }
        }
    }
}

#[test]
fn greedy_is_legal_on_every_map_and_number_of_boards() {
    for map in MapLabel::ALL {
        for boards in [1, 2, 8] {
            let config = GameConfig::new(Ruleset::Server, &[map; 8][..boards]).unwrap();
            let mut greedy = Greedy::new(boards as u64);
            play_on(&mut Game::new(config, 3), 25, |game| greedy.choose(game));
        }
    }
}

#[test]
fn greedy_completes_turns_that_others_began() {
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        for seed in 0..40 {
            let mut game = Game::new(random_config(ruleset, seed), seed);
            let (mut random, mut greedy) = (Random::new(seed), Greedy::new(seed));
            let played = 1 + seed as u32 % 20;
            play_on(&mut game, played, |game| greedy.choose(game));
            let begun = random.choose(&game);
            let mut log = UndoLog::off();
            game.enter(&begun, &mut log).unwrap();
            play_on(&mut game, 1, |game| greedy.choose(game));
        }
    }
}

#[test]
fn greedy_finishes_its_games() {
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        for seed in 100..112 {
            let mut game = Game::new(random_config(ruleset, seed), seed);
            let mut greedy = Greedy::new(seed);
            play_on(&mut game, 400, |game| greedy.choose(game));
            assert!(game.state().is_over(), "{ruleset:?}, seed {seed}");
            assert_eq!(greedy.choose(&game), GameTurn::new());
        }
    }
}

#[test]
fn greedy_beats_random() {
    let mut wins = 0;
    for seed in 0..20 {
        let ruleset = if seed % 2 == 0 { Ruleset::Server } else { Ruleset::Spooky };
        let mut game = Game::new(random_config(ruleset, seed), seed);
        let (mut greedy, mut random) = (Greedy::new(seed), Random::new(seed));
        let own = if seed % 4 < 2 { Side::Yellow } else { Side::Blue };
        play_on(&mut game, 400, |game| {
            if game.side_to_move() == own { greedy.choose(game) } else { random.choose(game) }
        });
        wins += u32::from(game.state().winner() == Some(own));
    }
    assert!(wins >= 19, "{wins} of 20");
}

#[test]
fn equal_seeds_play_equal_games() {
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let start = Game::new(random_config(ruleset, 9), 9);
        let (mut first, mut second) = (start.clone(), start);
        let (mut greedy, mut random) = (Greedy::new(4), Random::new(4));
        play_on(&mut first, 1, |game| random.choose(game));
        play_on(&mut first, 30, |game| greedy.choose(game));
        let (mut greedy, mut random) = (Greedy::new(4), Random::new(4));
        play_on(&mut second, 1, |game| random.choose(game));
        play_on(&mut second, 30, |game| greedy.choose(game));
        assert_eq!(first, second);
    }
}

/// Greedy is the baseline of all measurements: the turns of a thousand short games, and of a few that are played to
/// their end, stay as they are. The signature folds the position key after every turn and the number of actions.
#[test]
fn greedy_is_frozen() {
    let mut signature = 0_u64;
    let mut fold =
        |value: u64| signature = (signature.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    let mut ends = 0;
    for seed in 0..1_000 {
        let ruleset = if seed % 2 == 0 { Ruleset::Server } else { Ruleset::Spooky };
        let mut game = Game::new(random_config(ruleset, seed), seed);
        let mut greedy = if seed % 5 == 4 { Greedy::hasty(seed) } else { Greedy::new(seed) };
        let turns = if seed % 100 < 2 { 400 } else { 6 };
        for _ in 0..turns {
            if game.state().is_over() {
                ends += 1;
                break;
            }
            let turn = greedy.choose(&game);
            fold(turn.board_actions.iter().map(|actions| actions.len() as u64).sum());
            game.play(&turn).unwrap();
            fold(game.state().key());
        }
    }
    assert!(ends >= 20, "{ends} games came to an end");
    assert_eq!(signature, GREEDY_SIGNATURE, "{signature:#018x}");
}

/// Simple player with the weights of first turns against Greedy in its hasty form, of which it wins 57 of these 60
/// (docs/search-history.md, "Better first turns").
#[test]
fn first_turns_of_searches_are_better_than_those_of_greedy() {
    let mut won = 0;
    for seed in 0..60 {
        let ruleset = if seed % 4 < 2 { Ruleset::Server } else { Ruleset::Spooky };
        let mut game = Game::new(random_config(ruleset, seed / 2), seed / 2);
        let tuned_side = if seed % 2 == 0 { Side::Yellow } else { Side::Blue };
        let (mut tuned, mut greedy) = (Greedy::with_weights(seed, &FIRST_TURN), Greedy::hasty(seed));
        play_on(&mut game, 400, |game| {
            if game.side_to_move() == tuned_side { tuned.choose(game) } else { greedy.choose(game) }
        });
        won += u32::from(game.state().winner() == Some(tuned_side));
    }
    assert!(won >= 45, "{won} of 60");
}

/// Six games of Greedy to their end, by turns and souls: what [`greedy_is_frozen`] says in numbers one can read.
#[test]
fn whole_games_of_greedy_stay_as_they_are() {
    let ends = [Ruleset::Server, Ruleset::Spooky].map(|ruleset| {
        [201, 202, 203].map(|seed| {
            let mut game = Game::new(random_config(ruleset, seed), seed);
            let mut greedy = Greedy::new(seed);
            play_on(&mut game, 400, |game| greedy.choose(game));
            (game.state().turn(), game.state().souls(Side::Yellow), game.state().souls(Side::Blue))
        })
    });
    let server = [(49, 1, 31), (34, 46, 0), (37, 1, 21)];
    let spooky = [(69, 31, 0), (38, 0, 33), (49, 18, 1)];
    assert_eq!(ends, [server, spooky]);
}

#[test]
fn the_first_turns_use_techs_money_and_graveyards() {
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let maps = [MapLabel::BlackenedShores, MapLabel::MidnightLake];
        let mut game = Game::new(GameConfig::new(ruleset, &maps).unwrap(), 1);
        let mut greedy = Greedy::new(1);
        for side in Side::ALL {
            let turn = greedy.choose(&game);
            assert!(turn.marches > 0);
            game.play(&turn).unwrap();
            for board in 0..2 {
                let view = game.view(board).unwrap();
                assert!(view.board.graveyards(view.map, side).len() >= 2, "{ruleset:?} {side:?}");
            }
        }
        // Blue's money became zombies; what it owns now is the income of its two boards.
        let view = game.view(0).unwrap();
        assert!(view.board.pieces(Side::Blue).len() > 7);
    }
}

#[test]
fn a_kept_unit_is_the_dearest() {
    let maps = [MapLabel::AllLand];
    let mut game = Game::new(GameConfig::new(Ruleset::Spooky, &maps).unwrap().with_points(3), 1);
    let mut turn = GameTurn::new();
    turn.push(0, BoardAction::Resign).unwrap();
    game.play(&turn).unwrap();
    for _ in 0..2 {
        let turn = Greedy::new(0).choose(&game);
        let initiate = BoardAction::Keep { unit: Some(UnitLabel::Initiate) };
        assert_eq!(turn.board(0).first(), Some(&initiate));
        game.play(&turn).unwrap();
    }
}

#[test]
fn hands_do_not_overflow() {
    let mut game = Game::new(GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap(), 1);
    for _ in 0..80 {
        game.play(&GameTurn::new()).unwrap();
    }
    let turn = Greedy::new(1).choose(&game);
    assert!(turn.board(0).iter().any(|action| matches!(action, BoardAction::Discard { .. })));
    game.play(&turn).unwrap();
    assert!(game.state().boards()[0].hand(Side::Yellow).len() <= 12);
}

/// Position of one board without terrain, Yellow to move: pieces as "unit hex", Blue's after a minus sign.
fn position(pieces: &[&str]) -> Game {
    let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
    let mut builder = Builder::new(config, 1);
    let board = builder.board(0).unwrap();
    for text in pieces {
        let (side, text) = match text.strip_prefix('-') {
            Some(rest) => (Side::Blue, rest),
            None => (Side::Yellow, *text),
        };
        let (unit, hex) = text.split_once(' ').unwrap();
        let (unit, hex) = (UnitLabel::from_name(unit).unwrap(), Hex::named(hex).unwrap());
        board.set_piece(hex, Some(Piece::fresh(side, unit, hex)));
    }
    builder.build().unwrap()
}

/// Whether Greedy wins the one-board game at once, whatever its seed.
fn kills(pieces: &[&str]) -> bool {
    let results: heapless::Vec<bool, 3> = (0..3)
        .map(|seed| {
            let mut game = position(pieces);
            let turn = Greedy::new(seed).choose(&game);
            game.play(&turn).unwrap().winner == Some(Side::Yellow)
        })
        .collect();
    assert!(results.iter().all(|&killed| killed == results[0]));
    results[0]
}

#[test]
fn kills_with_one_attack() {
    assert!(kills(&["shadowlord f6", "necromancer a0", "-necromancer h7", "-zombie g7"]));
}

#[test]
fn kills_with_a_flurry_and_a_shot_from_afar() {
    // Five attacks of one from two hexes away, and a haunt that walks into range.
    assert!(kills(&["wight c5", "haunt a8", "necromancer a0", "-necromancer e5"]));
}

#[test]
fn kills_with_the_damage_of_three() {
    assert!(kills(&["serpent b5", "serpent h5", "zombie e4", "necromancer a0", "-necromancer e5"]));
    assert!(!kills(&["serpent b5", "serpent h5", "necromancer a0", "-necromancer e5"]));
}

#[test]
fn kills_through_a_gap_that_a_friend_opens() {
    let corner = ["-necromancer j9", "-zombie j8", "-zombie i9", "shadowlord j6", "necromancer a0"];
    assert!(!kills(&corner));
    let helped: heapless::Vec<&str, 6> = corner.into_iter().chain(["warg h8"]).collect();
    assert!(kills(&helped));
}

#[test]
fn kills_after_unsummoning_what_is_in_the_way() {
    assert!(kills(&[
        "-necromancer j9",
        "-mummy j8",
        "-mummy i9",
        "shadowlord j6",
        "void g9",
        "necromancer a0"
    ]));
}

#[test]
fn kills_with_an_unsummoning_attack_as_the_last_damage() {
    assert!(kills(&["serpent b5", "serpent h5", "necromancer e4", "-necromancer e5"]));
    assert!(kills(&["serpent b5", "serpent h5", "void d8", "necromancer a0", "-necromancer e5"]));
}

#[test]
fn kills_after_a_friend_has_made_room() {
    // The only free neighbour of the corner is held by a ghost, which must leave it to the shadowlord.
    assert!(kills(&["-necromancer j9", "-mummy i9", "ghost j8", "shadowlord j6", "necromancer a0"]));
}

#[test]
fn deadly_attacks_do_not_touch_a_necromancer() {
    assert!(!kills(&["lich e3", "banshee e4", "necromancer a0", "-necromancer e5"]));
}

#[test]
fn takes_what_is_free() {
    let mut game = position(&["wight c5", "necromancer a0", "-necromancer j9", "-zombie d5", "-warg c7"]);
    game.play(&Greedy::new(1).choose(&game)).unwrap();
    assert_eq!(game.state().boards()[0].pieces(Side::Blue).len(), 1);
}

#[test]
fn a_necromancer_leaves_the_reach_of_a_shadowlord() {
    let mut game = position(&["necromancer c5", "-shadowlord f5", "-necromancer j9"]);
    let before = game.view(0).unwrap().board.pieces(Side::Yellow);
    game.play(&Greedy::new(1).choose(&game)).unwrap();
    assert_ne!(game.state().boards()[0].pieces(Side::Yellow), before);
    assert!(game.play(&Greedy::new(1).choose(&game)).unwrap().winner.is_none());
}

mod values {
    use super::*;

    #[test]
    fn a_shadowlord_is_good_for_its_side_whoever_is_to_move() {
        let necromancers = ["necromancer c2", "-necromancer h7"];
        for (owner, shadowlord) in [(Side::Yellow, "shadowlord c4"), (Side::Blue, "-shadowlord c4")] {
            let game = position(&[necromancers[0], shadowlord, necromancers[1]]);
            for mover in Side::ALL {
                let mut builder = Builder::from_game(game.clone());
                builder.turn(mover, 4);
                let game = builder.build().unwrap();
                assert_eq!(eval::score(&game) > 0, mover == owner, "{owner:?}, {mover:?} to move");
            }
        }
    }

    #[test]
    fn a_won_game_is_worth_most() {
        let mut game = position(&["shadowlord f6", "necromancer a0", "-necromancer h7"]);
        game.play(&Greedy::new(1).choose(&game)).unwrap();
        assert_eq!(game.side_to_move(), Side::Blue);
        assert_eq!(eval::win_permille(eval::score(&game)), 0);
    }

    #[test]
    fn the_chance_of_winning_is_logistic() {
        for score in (-40_000..40_000).step_by(97) {
            let exact = 1000.0 / (1.0 + (-f64::from(score) / 4000.0).exp());
            assert!((f64::from(eval::win_permille(score)) - exact).abs() < 4.0, "{score}");
            assert_eq!(eval::win_permille(score) + eval::win_permille(-score), 1000, "{score}");
        }
        assert_eq!((eval::win_permille(0), eval::win_permille(i32::MIN)), (500, 0));
    }
}
