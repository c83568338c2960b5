//! The sample positions of UMI §8: each is printed as it was read, and those that follow from another are led to by the turn
//! that the book names.

use super::*;

const TWO_BOARDS: &str =
    "config 2 BlackenedShores,MidnightLake S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";
const ONE_BOARD: &str = "config 2 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";

const F1: &str = "0|12 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
    f|I|i|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 f|I|i|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 1";
const F2: &str = "0|12 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
    f|Z|z|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 f|Z|z|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 1";
const F3: &str = "8|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
    n|Z|z|||2Z7/3Z6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 n|Z|z|||0/2ZZ6/1ZNZ6/Z1Z7/0/0/7zz1/6znz1/6zz2/0 1 2";
const F4: &str = "8|8 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|ALLLLLLLLLLLLLLLLLLLLLLLL \
    n|Z|zz|||2Z7/3Z6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 n|Z|z|||0/2ZZ6/1ZNZ6/Z1Z7/0/0/7zz1/6znz1/6zz2/0 0 3";
const F5: &str = "3|6 1|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
    1|DHZ|jltw|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 1 2";
const F6: &str = "3|9 1|0 ULLLLLLLLLLLLLLLLLLLLLLLL|ULLLLLLLLLLLLLLLLLLLLLLLL \
    2|DHZ|wz|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 3";
const F7: &str = "24|23 1|0 UAUAUULLLLLLLLLLLLLLLLLLL|AUAUAAUUALLLLLLLLLLLLLLLL \
    n|||||2ZGZZZZ2/1GPZ6/2G2Z2N1/1ZZ1PZZ2h/Z3ZP3z/1ZZ3wzt1/1Z1Z1n1s2/6h1zz/6z3/5z4 \
    n|||||1P8/1Z1ZZ5/1GZ1Z5/ZPNZ6/1GGZ6/7zn1/6z3/5wz3/3tz1zz1z/6z3 0 17";
const F8: &str = "23|22 1|1 UAUAUUUALLLLLLLLLLLLLLLLL|AUAUAAUUAUALLLLLLLLLLLLLL \
    1|GPZ|hstz|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 \
    n|||||1P8/2Z1ZZ4/1Z3Z4/GGZZZ5/2N4zn1/PG8/6wz2/5zz3/3z2z2z/3t2z3 0 19";

/// A session under these rules and maps, after these lines, which say nothing.
fn session(ruleset: &str, config: &str, lines: &[&str]) -> Session<Vec<u8>> {
    let mut session = Session::new(Vec::new());
    let mut all = vec![format!("setoption name Ruleset value {ruleset}"), config.to_owned()];
    all.extend(lines.iter().map(|&line| line.to_owned()));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(converse(&mut session, &all), "");
    session
}

/// The position in Spooky's form.
fn plain(session: &Session<Vec<u8>>) -> String {
    fen::Display(session.game()).to_string()
}

fn is_read_and_printed(config: &str, sample: &str) {
    let position = format!("position fen {sample}");
    assert_eq!(plain(&session("server", config, &[&position])), sample);
    let mut spooky = session("spooky", config, &[&position]);
    assert_eq!(converse(&mut spooky, &["getfen"]), format!("{sample}\n"));
}

/// Plays a turn from one sample and expects another.
fn leads(config: &str, from: &str, actions: &[&str], to: &str) {
    let position = format!("position fen {from}");
    let lines: Vec<&str> = [&*position, "turn"].into_iter().chain(actions.iter().copied()).collect();
    let mut session = session("server", config, &lines);
    assert_eq!(converse(&mut session, &["endturn"]), "");
    assert_eq!(plain(&session), to);
}

#[test]
fn umi_f1_spookys_start_position() {
    is_read_and_printed(TWO_BOARDS, F1);
    assert_eq!(plain(&session("spooky", TWO_BOARDS, &["position startpos"])), F1);
}

#[test]
fn umi_f2_the_web_servers_start_position() {
    is_read_and_printed(TWO_BOARDS, F2);
    assert_eq!(plain(&session("server", TWO_BOARDS, &["position startpos"])), F2);
}

#[test]
fn umi_f3_two_walks_to_graveyards() {
    is_read_and_printed(TWO_BOARDS, F3);
    let walks = ["action tech 1", "action board 0 move c1c0", "action board 1 move b3a3"];
    leads(TWO_BOARDS, F2, &walks, F3);
}

#[test]
fn umi_f4_an_extra_spell_a_tech_and_a_purchase() {
    is_read_and_printed(TWO_BOARDS, F4);
    leads(TWO_BOARDS, F3, &["action tech 1 0", "action board 0 buy Z"], F4);
}

#[test]
fn umi_f5_a_reset_board_lists_its_candidates() {
    is_read_and_printed(ONE_BOARD, F5);
}

#[test]
fn umi_f6_a_free_unit_is_taken() {
    is_read_and_printed(ONE_BOARD, F6);
    leads(ONE_BOARD, F5, &["action tech 1", "action board 0 setup N W"], F6);
}

#[test]
fn umi_f7_a_middle_game() {
    is_read_and_printed(TWO_BOARDS, F7);
}

#[test]
fn umi_f8_a_middle_game_with_a_reset_board() {
    is_read_and_printed(TWO_BOARDS, F8);
    let position = format!("position fen {F8}");
    let mut session = session("spooky", TWO_BOARDS, &[&position]);
    let said = converse(&mut session, &["play nodes 1"]);
    assert!(said.contains("\naction board 0 setup N "), "{said}");
}
