//! Conversations with a session.

mod own_turns;
mod samples;
mod searches;
mod web_server;

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use barrow_core::minions::text::fen;

use super::*;

/// The output of a new session for these lines, where each search ends before the next line.
fn talk(lines: &[&str]) -> String {
    let mut session = Session::new(Vec::new());
    converse(&mut session, lines)
}

fn converse(session: &mut Session<Vec<u8>>, lines: &[&str]) -> String {
    session.output().clear();
    for line in lines {
        session.handle(line).unwrap();
        session.settle().unwrap();
    }
    String::from_utf8(session.output().clone()).unwrap()
}

const WIN: [&str; 2] = [
    "config 1 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3",
    "position fen 50|0 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
     n|||||0/0/2N7/0/0/0/7D2/7n2/0/0 0 5",
];

#[test]
fn umi_t1_handshake_configuration_search() {
    let mut session = Session::new(Vec::new());
    let hello = converse(&mut session, &["umi", "isready"]);
    assert!(hello.starts_with("id name Barrow "), "{hello}");
    assert!(hello.ends_with("\numiok\nreadyok\n"), "{hello}");
    // The lines are the web server's, which is answered otherwise; the transcript is Spooky's.
    let said = converse(
        &mut session,
        &[
            "setoption name Ruleset value spooky",
            "config 2 BlackenedShores,MidnightLake S,P,W,H,G,K,T,X,A,J,U,V,M,L,O,C,R,Q,B,1,E,D,Y,3,2",
            "position fen 8|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
             n|Z|z|||2Z7/3Z6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 \
             n|Z|z|||0/2ZZ6/1ZNZ6/Z1Z7/0/0/7zz1/6znz1/6zz2/0 1 2",
            "play nodes 4",
        ],
    );
    let lines: Vec<&str> = said.lines().collect();
    let turn = lines.iter().position(|&line| line == "turn").unwrap();
    let (info, lines) = lines.split_at(turn);
    assert!(info.iter().all(|line| line.starts_with("info ")), "{said}");
    assert!(info.iter().any(|line| line.starts_with("info eval winprob 0.")), "{said}");
    let speed = info.iter().find(|line| line.starts_with("info nps ")).unwrap();
    assert!(speed.contains(" nodes 4 time "), "{said}");
    assert!(lines[1].starts_with("action tech "), "{said}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("action tech ")).count(), 1);
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("action board ")), "{said}");
    assert!(lines.len() > 4, "a turn without a move: {said}");
    assert_eq!(lines.last(), Some(&"endturn"));
    assert!(converse(&mut session, &["getfen"]).ends_with(" 0 3\n"));
}

#[test]
fn umi_t2_the_host_enters_a_turn() {
    let said = talk(&[
        "position startpos",
        "turn",
        "action tech 1",
        "action board 0 move d1e1",
        "action board 0 move d2e2",
        "action board 1 move_cyclic c2 c3",
        "endturn",
        "getfen",
    ]);
    assert_eq!(
        said,
        "6|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
         n|I|i|||0/2Z1Z5/1ZN1Z5/1ZZ7/0/0/7zz1/6znz1/6zz2/0 \
         n|I|i|||0/2ZZ6/1ZZZ6/1ZN7/0/0/7zz1/6znz1/6zz2/0 1 2\n"
    );
}

#[test]
fn umi_t3_resignation_and_both_setups() {
    let said = talk(&[
        "position startpos",
        "turn",
        "action tech 1",
        "action board 0 resign 0",
        "action board 1 move d1e1",
        "endturn",
        "getfen",
        "turn",
        "action tech 1",
        "action board 0 setup N I",
        "action board 0 move g7f7",
        "endturn",
        "getfen",
        "turn",
        "action tech 1",
        "action board 0 setup N I",
        "action board 0 spawn I e2",
        "endturn",
        "getfen",
    ]);
    assert_eq!(
        said,
        "6|12 0|1 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
         1|IZ|iz|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 \
         n|I|i|||0/2Z1Z5/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 1 2\n\
         6|18 0|1 ULLLLLLLLLLLLLLLLLLLLLLLL|ULLLLLLLLLLLLLLLLLLLLLLLL \
         2|IZ|iz|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/5z1nz1/6zz2/0 \
         n|I|i|||0/2Z1Z5/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 3\n\
         12|18 0|1 UULLLLLLLLLLLLLLLLLLLLLLL|ULLLLLLLLLLLLLLLLLLLLLLLL \
         n|Z|iz|||0/2ZZ6/1ZNZI5/1ZZ7/0/0/7zz1/5z1nz1/6zz2/0 \
         n|I|i|||0/2Z1Z5/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 1 4\n"
    );
}

#[test]
fn umi_t4_a_won_game_ends_with_the_winner() {
    let mut session = Session::new(Vec::new());
    let said = converse(&mut session, &[WIN[0], WIN[1], "play nodes 5"]);
    assert!(said.contains("\naction board 0 attack h6h7\n"), "{said}");
    assert!(said.ends_with("\nendturn winner Yellow\n"), "{said}");
    assert!(said.contains("info eval winprob 1.000\n"), "{said}");
    // Side and turn number stand still after the win.
    let after = converse(&mut session, &["getfen"]);
    assert!(after.contains(" 1|0 ") && after.ends_with(" 0 5\n"), "{after}");
    assert_eq!(converse(&mut session, &["play"]), "error: the game is over\n");
}

#[test]
fn umi_t5_a_host_wins_the_game() {
    let said =
        talk(&[WIN[0], WIN[1], "turn", "action tech 1", "action board 0 attack h6h7", "endturn", "getfen"]);
    assert_eq!(
        said,
        "info result winner Yellow\n53|0 1|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
         1|D||||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 5\n"
    );
}

#[test]
fn umi_t6_tech_purchase_and_chained_placing() {
    let said = talk(&[
        WIN[0],
        "position fen 50|0 0|0 LLLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
         n|ZZ||||0/0/2N7/0/0/0/0/7n2/0/0 0 5",
        "turn",
        "action tech 1 0",
        "action board 0 buy S",
        "action board 0 spawn Z d2",
        "action board 0 spawn Z e2",
        "action board 0 spawn S f2",
        "endturn",
        "getfen",
    ]);
    assert_eq!(
        said,
        "45|0 0|0 ALLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL n|||||0/0/2NZZS4/0/0/0/0/7n2/0/0 1 6\n"
    );
}

#[test]
fn umi_t7_the_engine_keeps_a_unit() {
    let mut session = Session::new(Vec::new());
    let said = converse(
        &mut session,
        &[
            "config 2 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3",
            "position fen 3|6 1|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
             1|DHZ|jltw|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 1 2",
            "play nodes 2",
        ],
    );
    let setup = said.lines().find(|line| line.starts_with("action board 0")).unwrap();
    assert!(setup.starts_with("action board 0 setup N "), "{said}");
    let after = converse(&mut session, &["getfen"]);
    assert!(after.starts_with("3|") && after.contains(" 2|DHZ|") && after.ends_with(" 0 3\n"), "{after}");
}

#[test]
fn umi_t8_errors_change_nothing() {
    let start = talk(&["getfen"]);
    let said = talk(&[
        "setoption name strictmode value false",
        "foo",
        "action tech 1",
        "turn",
        "action tech 1",
        "action board 0 move d2f2",
        "endturn",
        "endturn",
        "getfen",
    ]);
    assert_eq!(
        said,
        format!(
            "error: no such command: foo\nerror: action: no turn was begun\n\
             error: endturn: board 0, action 0: no legal path is short enough\n\
             error: endturn: no turn was begun\n{start}"
        )
    );
    assert!(start.contains(" f|I|i|||"), "{start}");
}

#[test]
fn every_bad_line_is_one_error_and_changes_nothing() {
    let mut session = Session::new(Vec::new());
    let before = converse(&mut session, &["setoption name Ruleset value server", "getfen"]);
    for line in [
        "GO",
        "go infinite now",
        "go nodes 0",
        "go wtime x btime 5",
        "go movestogo 0",
        "auto infinite",
        "auto wtime 5000 btime 5000",
        "ponderhit",
        "bench 0",
        "setoption name Hash value 0",
        "setoption name Threads value 1000",
        "setoption name MultiPV value 0",
        "setoption name Overhead value -1",
        "setoption name Ponder value maybe",
        "setoption name EvalFile value no/such/file",
        "go movetime",
        "go movetime -1",
        "play nodes x",
        "setoption name heuristic",
        "setoption name heuristic value smart",
        "setoption name Seed value 18446744073709551616",
        "setoption name Colour value red",
        "config",
        "config 2 Nowhere S",
        "position",
        "position fen",
        "position startpos now",
        "position fen 1|2",
        "position fen \u{1b}[2J",
        "turn spells blank",
        "action",
        "endturn now",
        "getfen please",
        "perft 2",
        "\u{1b}[2J\u{7}",
    ] {
        let said = converse(&mut session, &[line]);
        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{line:?}: {said:?}");
        assert!(said.trim_end().bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?}: {said:?}");
        assert_eq!(converse(&mut session, &["getfen"]), before, "{line:?}");
    }
}

#[test]
fn the_ruleset_follows_the_position_unless_it_is_set() {
    let mut session = Session::new(Vec::new());
    let spooky = converse(&mut session, &["getfen"]);
    assert!(spooky.contains(" f|I|i|||") && !spooky.contains(" x1 "), "{spooky}");
    let server = converse(&mut session, &["setoption name Ruleset value server", "getfen"]);
    assert!(server.contains(" f|Z|z|||") && server.contains(" x1 cfg=server:"), "{server}");
    converse(&mut session, &["setoption name Ruleset value auto"]);
    assert_eq!(converse(&mut session, &["getfen"]), spooky);
    let position = format!("position fen {server}");
    assert_eq!(converse(&mut session, &[&position, "getfen"]), server);
    let plain = server.split(" x1").next().unwrap();
    let position = format!("position fen {plain}");
    assert_eq!(converse(&mut session, &[&position, "getfen"]), format!("{plain}\n"));
}

#[test]
fn a_host_that_names_no_cards_hears_no_more_than_spookys_lines() {
    for (brain, play, turns) in
        [("greedy", "play", 60), ("random", "play", 60), ("mcts", "play nodes 12", 14)]
    {
        let mut session = Session::new(Vec::new());
        let brain = format!("setoption name heuristic value {brain}");
        let config = "config 9 Apocalypse,ChaosDiamond,Sorcerer'sLair 2,H,S,P,W,O,C,3,1";
        converse(&mut session, &["setoption name Ruleset value server", &brain, config]);
        for _ in 0..turns {
            let plain = fen::Display(session.game()).to_string();
            let said = converse(&mut session, &[&format!("position fen {plain}"), play]);
            for line in said.lines() {
                let words: Vec<&str> = line.split(' ').collect();
                let known = match *words {
                    ["info", "depth" | "eval" | "nps", ..]
                    | ["turn"]
                    | ["endturn", ..]
                    | ["action", "tech", ..] => true,
                    ["action", "board", _, ref act @ ..] => matches!(
                        *act,
                        ["resign"]
                            | ["setup", "N", _]
                            | ["move" | "attack" | "blink" | "buy", _]
                            | ["spawn", _, _]
                            | ["move_cyclic", _, _, ..]
                    ),
                    _ => false,
                };
                assert!(known, "{line}");
            }
            if session.game().state().is_over() {
                break;
            }
        }
        assert!(session.game().state().turn() > 5);
    }
}

#[test]
fn options_survive_a_new_configuration() {
    let mut session = Session::new(Vec::new());
    let said = converse(
        &mut session,
        &["setoption name Ruleset value server", "config 1 Apocalypse S,P", "getfen", "uminewgame", "getfen"],
    );
    assert!(said.lines().all(|line| line.contains(" x1 cfg=server:1:Apocalypse:SP:")), "{said}");
}

#[test]
fn the_seed_decides_the_cards() {
    let fen = |seed: &str| {
        let option = format!("setoption name Seed value {seed}");
        talk(&["setoption name Ruleset value server", &option, "position startpos", "getfen"])
    };
    assert_eq!(fen("5"), fen("5"));
    assert_ne!(fen("5"), fen("6"));
}

#[test]
fn a_tech_offset_shifts_what_the_engine_prints() {
    let tech = |offset: &str| {
        let option = format!("setoption name TechOffset value {offset}");
        let said = talk(&[
            "setoption name heuristic value greedy",
            &option,
            "position fen 50|50 0|0 UUULLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
             n|||||0/0/2N7/0/0/0/0/7n2/0/0 n|||||0/0/2N7/0/0/0/0/7n2/0/0 0 5",
            "go",
        ]);
        let line = said.lines().find_map(|line| line.strip_prefix("action tech ")).unwrap();
        line.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<i16>>()
    };
    let (plain, shifted) = (tech("0"), tech("1"));
    assert!(plain.len() > 1 && plain[0] == shifted[0]);
    let expected: Vec<i16> = plain[1..].iter().map(|index| index - 1).collect();
    assert_eq!(shifted[1..], expected);
}

#[test]
fn bench_is_reproducible_and_perft_counts() {
    let signature = || talk(&["bench 40"]).split("\nsignature ").nth(1).unwrap().to_owned();
    assert_eq!(signature(), signature());
    let none = "info perft board 0 attacks 1\ninfo perft board 1 attacks 1\n";
    assert_eq!(talk(&["perft"]), none);
    // The flier kills from any of the six hexes around its target, or nobody fights.
    assert_eq!(talk(&[WIN[0], WIN[1], "perft 0"]), "info perft board 0 attacks 7\n");
    assert!(talk(&["eval"]).starts_with("info eval winprob 0."));
}

#[test]
fn auto_plays_to_the_end() {
    let said = talk(&[WIN[0], WIN[1], "auto nodes 1"]);
    assert!(said.ends_with("info result winner Yellow\n"), "{said}");
    let said = talk(&[WIN[0], "setoption name heuristic value random", "auto nodes 1"]);
    let end = said.lines().last().unwrap();
    assert!(end.starts_with("info result winner ") || end.ends_with(" after 400 turns"), "{end}");
}

/// Output that the test can read while the session writes it.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn run_on(input: impl Read + Send + 'static) -> String {
    let out = Shared::default();
    let mut session = Session::new(out.clone());
    // A machine that does much else takes its time.
    session.quit_timeout = Duration::from_mins(1);
    run(session, input).unwrap();
    let bytes = out.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_end_of_the_input_waits_for_the_search() {
    let said = run_on(&b"\n  isready \r\ngo nodes 1\ngetfen"[..]);
    assert!(said.starts_with("readyok\ninfo depth 1 nodes 1 "), "{said}");
    assert!(said.ends_with(" 0 1\n"), "{said}");
    assert_eq!(run_on(&b"quit\nisready\n"[..]), "");
    assert_eq!(run_on(&b""[..]), "");
}

#[test]
fn lines_that_are_no_text_are_errors() {
    let long = vec![b'x'; 3 << 20];
    let mut input = b"\xff\xfe\n".to_vec();
    input.extend_from_slice(&long);
    input.extend_from_slice(b"\nisready\n");
    let said = run_on(std::io::Cursor::new(input));
    let lines: Vec<&str> = said.lines().collect();
    let expected =
        ["error: no such command: \\u{fffd}\\u{fffd}", "error: a line of more than 1 MiB", "readyok"];
    assert_eq!(lines, expected);
}
