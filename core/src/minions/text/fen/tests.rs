extern crate std;

use std::string::{String, ToString};

use super::*;
use crate::minions::{BoardState, GameConfig, Ruleset, Side, UnitLabel};

/// The sample lines F1 to F8 of fen §8, in Spooky's default configuration unless a number of maps says otherwise.
const SAMPLES: [(&str, &str); 8] = [
    (
        DEFAULT,
        "0|12 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL f|I|i|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 f|I|i|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 1",
    ),
    (
        DEFAULT,
        "0|12 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL f|Z|z|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 f|Z|z|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 1",
    ),
    (
        DEFAULT,
        "8|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL n|Z|z|||2Z7/3Z6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 n|Z|z|||0/2ZZ6/1ZNZ6/Z1Z7/0/0/7zz1/6znz1/6zz2/0 1 2",
    ),
    (
        DEFAULT,
        "8|8 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|ALLLLLLLLLLLLLLLLLLLLLLLL n|Z|zz|||2Z7/3Z6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 n|Z|z|||0/2ZZ6/1ZNZ6/Z1Z7/0/0/7zz1/6znz1/6zz2/0 0 3",
    ),
    (
        ONE_BOARD,
        "3|6 1|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL 1|DHZ|jltw|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 1 2",
    ),
    (
        ONE_BOARD,
        "3|9 1|0 ULLLLLLLLLLLLLLLLLLLLLLLL|ULLLLLLLLLLLLLLLLLLLLLLLL 2|DHZ|wz|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 3",
    ),
    (
        DEFAULT,
        "24|23 1|0 UAUAUULLLLLLLLLLLLLLLLLLL|AUAUAAUUALLLLLLLLLLLLLLLL n|||||2ZGZZZZ2/1GPZ6/2G2Z2N1/1ZZ1PZZ2h/Z3ZP3z/1ZZ3wzt1/1Z1Z1n1s2/6h1zz/6z3/5z4 n|||||1P8/1Z1ZZ5/1GZ1Z5/ZPNZ6/1GGZ6/7zn1/6z3/5wz3/3tz1zz1z/6z3 0 17",
    ),
    (
        DEFAULT,
        "23|22 1|1 UAUAUUUALLLLLLLLLLLLLLLLL|AUAUAAUUAUALLLLLLLLLLLLLL 1|GPZ|hstz|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 n|||||1P8/2Z1ZZ4/1Z3Z4/GGZZZ5/2N4zn1/PG8/6wz2/5zz3/3z2z2z/3t2z3 0 19",
    ),
];

const DEFAULT: &str = "2 BlackenedShores,MidnightLake S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";
const ONE_BOARD: &str = "2 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";

fn game(sample: usize, ruleset: Ruleset) -> Game {
    let (config, text) = SAMPLES[sample - 1];
    parse(text, &parse_config(config, ruleset).unwrap()).unwrap()
}

#[test]
fn umi_samples_round_trip_under_both_rulesets() {
    for (index, (_, text)) in SAMPLES.iter().enumerate() {
        for ruleset in [Ruleset::Server, Ruleset::Spooky] {
            let game = game(index + 1, ruleset);
            assert_eq!(Display(&game).to_string(), *text, "F{} {ruleset:?}", index + 1);
            assert_eq!(Game::from_fen(&Extended(&game).to_string()).as_ref(), Ok(&game));
        }
    }
}

#[test]
fn start_positions_are_f1_and_f2() {
    for (sample, ruleset) in [(1, Ruleset::Spooky), (2, Ruleset::Server)] {
        let start = Game::new(GameConfig::default().with_ruleset(ruleset), 0);
        assert_eq!(game(sample, ruleset), start);
    }
}

#[test]
fn after_a_reset_the_letters_are_candidates_or_reinforcements() {
    let f5 = game(5, Ruleset::Server);
    let board = &f5.state().boards()[0];
    assert_eq!(board.state(), BoardState::Reset1);
    for side in Side::ALL {
        assert_eq!((board.free(side), board.reserves(side).count()), (1, 0));
    }
    assert!(board.candidates(Side::Blue).eq([
        UnitLabel::Warg,
        UnitLabel::Wight,
        UnitLabel::Witch,
        UnitLabel::Lich
    ]));

    let f6 = game(6, Ruleset::Server);
    let board = &f6.state().boards()[0];
    assert_eq!((board.free(Side::Yellow), board.free(Side::Blue)), (1, 0));
    assert_eq!((board.candidates(Side::Yellow).count(), board.candidates(Side::Blue).count()), (3, 0));
    assert_eq!(board.reserve(Side::Blue, UnitLabel::Warg), 1);

    let spooky = game(5, Ruleset::Spooky);
    let board = &spooky.state().boards()[0];
    assert_eq!(board.candidates(Side::Blue).count(), 0);
    assert_eq!(board.reserves(Side::Blue).count(), 4);
}

#[test]
fn cards_are_dealt_from_the_seed_for_the_side_to_move() {
    let (config, text) = SAMPLES[2];
    let config = parse_config(config, Ruleset::Server).unwrap();
    let [one, two] = [1, 2].map(|seed| parse_seeded(text, &config, seed).unwrap());
    assert_ne!(one, two);
    assert_eq!((one.state().row().len(), one.state().deck(Side::Blue).queue().len()), (3, 13));
    assert!(one.state().boards().iter().all(|board| board.hand(Side::Blue).is_empty()));
}

#[test]
fn configurations_keep_their_maps_and_their_line() {
    let all = "6 MidnightLake,EternalBattlefield,ForbiddenIsle,MegaPuddles,BlackenedShores,RiverStyx,\
               Sorcerer'sLair,ChaosDiamond Q,B,1";
    let config = parse_config(all, Ruleset::Server).unwrap();
    assert_eq!(ConfigLine(&config).to_string(), all);
    let more =
        parse_config("1 Apocalypse,TreacherousPathways,SorcerersLair s,serpent trailing", Ruleset::Spooky);
    let more = more.unwrap();
    assert_eq!(ConfigLine(&more).to_string(), "1 Apocalypse,TreacherousPathways,Sorcerer'sLair S,S");
    assert_eq!(more.rules, Ruleset::Spooky.rules());
}

fn config_error(line: &str) -> String {
    parse_config(line, Ruleset::Server).unwrap_err().to_string()
}

#[test]
fn errors_in_configurations_say_where() {
    assert_eq!(config_error(""), "column 1: expected the board points that win");
    assert_eq!(config_error("0 AllLand S"), "column 1: not a number in range");
    assert_eq!(config_error("256 AllLand S"), "column 1: not a number in range");
    assert_eq!(config_error("2 AllLand,Narnia S"), "column 11: no such map");
    assert_eq!(config_error("2 AllLand"), "column 10: expected tech letters");
    assert_eq!(config_error("2 AllLand S,,P"), "column 13: expected a tech letter");
    assert_eq!(config_error("2 AllLand S,N"), "column 13: no such tech");
    assert_eq!(config_error("2 AllLand S,é"), "column 13: not printable ASCII");
    let nine = ["AllLand"; 9].join(",");
    assert_eq!(config_error(&std::format!("2 {nine} S")), "column 67: more than fits");
    let long = ["S"; 26].join(",");
    assert_eq!(config_error(&std::format!("2 AllLand {long}")), "column 61: more than fits");
}

fn error_after(edit: impl Fn(&str) -> String) -> String {
    let config = parse_config("1 AllLand S,P", Ruleset::Server).unwrap();
    let text = edit("5|6 0|0 LU|AL n|Z|zz|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 1");
    match parse(&text, &config) {
        Ok(_) => String::from("ok"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_in_positions_say_where() {
    let cases = [
        ("5|6 ", "5 ", "column 1: expected Yellow's and Blue's part, separated by |"),
        ("5|6 ", "5|99999999999999999999 ", "column 3: not a number in range"),
        ("5|6 ", "5|1000001 ", "column 1: too many souls"),
        ("0|0 ", "0|256 ", "column 7: not a number in range"),
        ("LU|AL", "LU|A", "column 12: expected 2 tech levels"),
        ("LU|AL", "Lu|AL", "column 10: a tech level is L, U or A"),
        ("n|Z", "m|Z", "column 15: a board state is f, n, 1 or 2"),
        ("n|Z", "n", "column 15: expected a board: state|units|units|spells|spells|rows"),
        ("|zz|", "|zF|", "column 20: no such unit"),
        ("zz|||0", "zz|gloom||0", "column 22: no such spell"),
        ("2ZZ6", "2ZZ5", "column 26: the row does not add up to ten hexes"),
        ("2ZZ6", "2ZZ7", "column 26: the row does not add up to ten hexes"),
        ("2ZZ6", "2?Z6", "column 27: no such unit"),
        ("2ZZ6", "20Z6", "column 27: no such unit"),
        ("zz2/0", "zz2", "column 24: expected ten rows"),
        ("zz2/0", "zz2/0/0", "column 64: expected ten rows"),
        (" 0 1", " 2 1", "column 64: expected 0 for Yellow or 1 for Blue"),
        (" 0 1", " 0 0", "column 66: not a number in range"),
        (" 0 1", " 0", "column 65: expected the turn number"),
        (" 0 1", " 0 1 x2 a=b", "column 68: unknown version of the extended form"),
        (" 0 1", " 0 1 x1 a=b", "column 71: no such field"),
        (" 0 1", " 0 1 x1 b1.m=1", "column 71: no such field"),
        (" 0 1", " 0 1 x1 b+0.m=1", "column 71: no such field"),
        (" 0 1", " 0 1 x1 b0.m=100000", "column 76: not a number in range"),
        (" 0 1", " 0 1 x1 b0.m=+1", "column 76: not a number in range"),
        (" 0 1", " 0 1 x1 dy=000000000000000000000000000:+1:", "column 102: not a number in range"),
        (" 0 1", " 0 1 x1 b0.p=6|0", "column 1: more souls pending than there are"),
        (" 0 1", " 0 1 x1 b0.t=c2,c2,-,-", "column 15: board 0: a movable tile lies where it cannot"),
        (" 0 1", " 0 1 x1 b0.a=c1:1:zombie:0:1:0::c1::", "column 98: expected a hex"),
        (" 0 1", " 0 1 words that Spooky ignores", "ok"),
    ];
    for (from, to, expected) in cases {
        let found = error_after(|text| {
            assert!(text.contains(from));
            text.replacen(from, to, 1)
        });
        assert_eq!(found, expected, "{from:?} to {to:?}");
    }
}

#[test]
fn a_field_that_is_named_twice_counts_as_it_stands_last() {
    let text = Extended(&game(3, Ruleset::Server)).to_string();
    let [one, other] = ["b0.m=1", "cfg=server:9:AllLand,AllLand:SPWGTHKXAUJVMLOCRQBEYD123:0|0"];
    let read = Game::from_fen(&std::format!("{text} {one} b0.m=7 {other}")).unwrap();
    assert_eq!((read.state().boards()[0].mana(), read.config().points_needed), (7, 9));
    assert_eq!(Game::from_fen(&std::format!("{text} {one} b0.m=7 b0.m=0")), Game::from_fen(&text));
}

#[test]
fn a_won_game_is_over_when_read_again() {
    let (config, text) = SAMPLES[4];
    let config = parse_config(config, Ruleset::Server).unwrap().with_points(1);
    assert_eq!(parse(text, &config).unwrap().state().winner(), Some(Side::Yellow));
}
