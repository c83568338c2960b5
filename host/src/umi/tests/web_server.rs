//! The web server as a host: recognition, the options that follow from it, turns that can be translated at once.

use barrow_core::minions::{BoardAction, Game, GameTurn, Ruleset};

use super::super::at_once::{at_once, is_possible_at_once};
use super::*;

const CONFIG: &str =
    "config 2 BlackenedShores,MidnightLake S,P,W,H,G,K,T,X,A,J,U,V,M,L,O,C,R,Q,B,1,E,D,Y,3,2";

const FIRST: &str = "position fen 8|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
                     n|Z|z|||2Z7/3Z6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 \
                     n|Z|z|||0/2ZZ6/1ZNZ6/Z1Z7/0/0/7zz1/6znz1/6zz2/0 1 2";

const LATER: &str = "position fen 50|50 0|0 UUULLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
                     n|||||0/0/2N7/0/0/0/0/7n2/0/0 n|||||0/0/2N7/0/0/0/0/7n2/0/0 0 5";

/// Whether a turn with these lines before it is one for the web server: one line of `info`, rules `server`.
fn faces_web_server(lines: &[&str]) -> bool {
    let mut session = Session::new(Vec::new());
    let said = converse(&mut session, &[lines, &["play nodes 1"]].concat());
    let told = said.lines().filter(|line| line.starts_with("info ")).count();
    assert!(!said.contains("error"), "{said}");
    assert_eq!(told == 1, session.game().config().rules.spells, "{said}");
    told == 1
}

#[test]
fn the_web_server_is_known_by_its_first_lines() {
    assert!(faces_web_server(&[CONFIG, FIRST]));
    assert!(faces_web_server(&[CONFIG, FIRST, LATER]));
    // A position in the middle of a game, a configuration that leaves techs out, an initiate in reserve, no
    // configuration at all: others send these too.
    assert!(!faces_web_server(&[CONFIG, LATER]));
    assert!(!faces_web_server(&[CONFIG, LATER, FIRST]));
    let short = CONFIG.replace(",1,E", ",E").replace(",3,2", "");
    let levels = FIRST.replace("LLL|", "|").replace("LLL n", " n");
    assert!(!faces_web_server(&[&short, &levels]));
    assert!(!faces_web_server(&[CONFIG, &FIRST.replace("n|Z|z", "n|I|i")]));
    assert!(!faces_web_server(&[FIRST]));
    // Another game is another host, as far as one can tell; what is said aloud counts for more.
    assert!(!faces_web_server(&[CONFIG, FIRST, CONFIG, LATER]));
    assert!(!faces_web_server(&["setoption name Ruleset value spooky", CONFIG, FIRST]));
    assert!(!faces_web_server(&["setoption name Host value other", CONFIG, FIRST]));
    assert!(faces_web_server(&["setoption name Host value web-server", CONFIG, LATER]));
}

#[test]
fn the_first_tech_is_printed_for_the_web_server_too() {
    let tech = |options: &[&str]| {
        let greedy = ["setoption name heuristic value greedy", "setoption name Host value web-server"];
        let said = talk(&[&greedy, options, &[CONFIG, LATER, "go"]].concat());
        let line = said.lines().find_map(|line| line.strip_prefix("action tech ")).unwrap();
        line.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<i16>>()
    };
    let printed = tech(&[]);
    let plain = tech(&["setoption name TechOffset value 0"]);
    assert!(plain.len() > 1 && plain[1..].contains(&0), "{plain:?}");
    assert_eq!(printed[1..], plain[1..].iter().map(|index| index - 1).collect::<Vec<_>>());
}

#[test]
fn an_option_given_at_the_start_is_one_that_setoption_takes() {
    let session = Session::new(Vec::new()).with_option("Host", "web-server").unwrap();
    assert!(session.faces_web_server() && session.tech_offset() == 1);
    assert_eq!(Session::new(Vec::new()).with_option("Hash", "0").err(), Some("Hash cannot be 0".to_owned()));
    assert!(Session::new(Vec::new()).with_option("Colour", "red").is_err());
}

/// The position of one board without special tiles, Yellow to move.
fn position(board: &str) -> Game {
    let config = fen::parse_config("1 AllLand S,P,W,G,T,H,K,X,A,U", Ruleset::Server).unwrap();
    let line = format!("20|0 0|0 ALLLLLLLLL|LLLLLLLLLL {board} 0 5");
    fen::parse(&line, &config).unwrap()
}

/// The turn of these words on board 0, and what becomes of it.
fn arranged(game: &Game, words: &[&str]) -> Vec<String> {
    let mut reader = barrow_core::minions::umi::TurnReader::new(game, "turn").unwrap();
    for word in words {
        reader.read(&format!("action board 0 {word}")).unwrap();
    }
    let turn = reader.finish(game).unwrap();
    game.clone().play(&turn).unwrap();
    let arranged = at_once(game, &turn);
    game.clone().play(&arranged).unwrap();
    assert!(is_possible_at_once(game, &arranged));
    let text = barrow_core::minions::umi::TurnText::new(game, &arranged).to_string();
    text.lines().skip(2).map(|line| line.replacen("action board 0 ", "", 1)).collect()
}

#[test]
fn a_turn_that_is_possible_at_once_stays_as_it_is() {
    let game = position("n|Z||||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0");
    for words in [
        &["move d1e1", "move c1d1", "spawn Z c1"][..],
        &["move_cyclic c1 d1", "move d2e2", "buy S", "spawn S b1", "spawn Z d3"],
        &["move_cyclic b2 c1 d1 c2"],
        &["resign"],
        &[],
    ] {
        assert_eq!(arranged(&game, words), words);
    }
}

#[test]
fn who_would_walk_onto_a_fallen_enemy_goes_elsewhere_or_stays() {
    // The skeleton on d2 kills on e2. The serpent goes there and attacks f1, which it can do from e1 as well.
    let game = position("n|||||0/5z4/2PSz5/0/0/0/0/2N4n2/0/0");
    let said = arranged(&game, &["attack d2e2", "move c2e2", "attack e2f1"]);
    assert_eq!(said, ["attack d2e2", "move c2e1", "attack e1f1"]);
    // With nothing to attack it goes as near as it can; a necromancer stays.
    assert_eq!(arranged(&game, &["attack d2e2", "move c2e2"]), ["attack d2e2", "move c2e1"]);
    let game = position("n|||||0/0/4zS4/4N5/0/0/0/7n2/0/0");
    assert_eq!(arranged(&game, &["attack f2e2", "move e3e2"]), ["attack f2e2"]);
}

#[test]
fn the_hex_of_a_piece_that_stays_is_not_taken() {
    // The zombie on d2 cannot follow onto e2, so that the one behind it cannot go to d2.
    let game = position("n|||||0/0/1ZZZz1S3/4S5/0/0/0/2N4n2/0/0");
    let said = arranged(&game, &["attack e3e2", "move d2e2", "move c2d2", "move b2c2"]);
    assert_eq!(said[0], "attack e3e2");
    let ends: std::collections::BTreeSet<&str> = said[1..].iter().map(|line| &line[7..]).collect();
    assert!(ends.len() == said.len() - 1 && !ends.contains("e2"), "{said:?}");
}

#[test]
fn two_walks_of_a_piece_are_one() {
    let game = position("n|||||0/0/2P7/5z4/0/0/0/2N4n2/0/0");
    assert_eq!(arranged(&game, &["move c2d2", "move d2e2"]), ["move c2e2"]);
    assert_eq!(arranged(&game, &["move c2d2", "move d2c2"]), [""; 0]);
}

#[test]
fn a_piece_that_walked_does_not_blink() {
    let game = position("n|||||0/0/2H7/5z4/0/0/0/2N4n2/0/0");
    let kept = ["move c2d2", "attack d2f3"];
    assert_eq!(arranged(&game, &["move c2d2", "attack d2f3", "blink d2"]), kept);
    // One that walks only to go away need not walk; one that stood still may go.
    assert_eq!(arranged(&game, &["move c2d2", "blink d2"]), ["blink c2"]);
    assert_eq!(arranged(&game, &["blink c2", "buy Z"]), ["blink c2", "buy Z"]);
}

#[test]
fn units_bought_are_placed_though_one_that_should_be_there_has_not_blinked() {
    let line = "20|0 0|0 AAAAAALLLL|LLLLLLLLLL n|||||0/0/2H7/5z4/2N7/0/0/7n2/0/0 0 5";
    let config = fen::parse_config("1 AllLand S,P,W,G,T,H,K,X,A,U", Ruleset::Server).unwrap();
    let game = fen::parse(line, &config).unwrap();
    let said =
        arranged(&game, &["move c2d2", "attack d2f3", "blink d2", "buy H", "spawn H b4", "spawn H d4"]);
    assert_eq!(said, ["move c2d2", "attack d2f3", "buy H", "spawn H b4"]);
}

#[test]
fn what_finds_no_place_is_not_bought() {
    // The only spawner walks next to a fallen enemy's hex; without that step the placement is out of reach.
    let game = position("n|||||0/0/0/0/4Zz4/5S4/0/N6n2/0/0");
    let said = arranged(&game, &["attack f5f4", "move e4f4", "buy Z", "spawn Z g4", "buy S", "spawn S g3"]);
    assert_eq!(said[0], "attack f5f4");
    let bought = said.iter().filter(|line| line.starts_with("buy")).count();
    let placed = said.iter().filter(|line| line.starts_with("spawn")).count();
    assert!(bought == 2 && placed == 2 && !said.contains(&"move e4f4".to_owned()), "{said:?}");
}

/// Turns of two hand-written players in whole games of the full rules: each rearranged turn is legal and possible at
/// once, and most of it is still there.
#[test]
fn rearranged_turns_are_legal_and_possible_at_once() {
    use barrow_core::minions::players::{Greedy, Random};
    let (mut turns, mut before, mut kept) = (0, 0, 0);
    for seed in 0..6 {
        let maps = "BlackenedShores,RiverStyx,EternalBattlefield";
        let line = format!("9 {maps} S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3");
        let config = fen::parse_config(&line, Ruleset::Server).unwrap();
        let mut game = super::super::spooky_subset::spooky_subset(&Game::new(config, seed));
        let (mut greedy, mut random) = (Greedy::new(seed), Random::new(seed));
        for ply in 0..60 {
            if game.state().is_over() {
                break;
            }
            let turn = if (ply / 2 + seed) % 3 == 0 { random.choose(&game) } else { greedy.choose(&game) };
            let arranged = at_once(&game, &turn);
            assert!(is_possible_at_once(&game, &arranged), "{turn:?}\n{arranged:?}");
            // What is possible already is left alone, but for the order.
            assert_eq!(sorted(&at_once(&game, &arranged)), sorted(&arranged));
            game.clone().play(&arranged).unwrap_or_else(|error| panic!("{error}: {turn:?}\n{arranged:?}"));
            turns += 1;
            before += sorted(&turn).len();
            kept += sorted(&arranged).len();
            game.play(&turn).unwrap();
        }
    }
    assert!(turns > 200 && kept * 100 > before * 95, "{turns} turns, {kept} of {before} actions");
}

/// The actions of a turn's boards, in an order of their own.
fn sorted(turn: &GameTurn) -> Vec<String> {
    let actions = turn.board_actions.iter().enumerate().flat_map(|(board, actions)| {
        let text = |action: &BoardAction| match action {
            BoardAction::Move { from, to, .. } => format!("{board} move {from}{to}"),
            other => format!("{board} {other:?}"),
        };
        actions.iter().map(text).collect::<Vec<_>>()
    });
    let mut actions: Vec<String> = actions.collect();
    actions.sort();
    actions
}
