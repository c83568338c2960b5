//! Searches of a session: limits, pondering, `info` lines, and brains that fail.

use barrow_core::minions::{Game, GameTurn};

use super::*;
use crate::engine::{Limits, SearchResult, simple_turn};

/// A brain that searches until it is stopped.
struct Stubborn;

impl TimedBrain for Stubborn {
    fn search(&mut self, _: &Game, limits: &Limits, _: &mut dyn FnMut(&SearchResult)) -> SearchResult {
        let mut nodes = 1;
        while !limits.reached(nodes, std::time::Duration::ZERO) {
            std::thread::sleep(std::time::Duration::from_millis(1));
            nodes += 1;
        }
        SearchResult::unsearched(GameTurn { marches: 1, ..GameTurn::new() }, 0.5)
    }
}

/// A brain that panics.
struct Broken;

impl TimedBrain for Broken {
    fn search(&mut self, _: &Game, _: &Limits, _: &mut dyn FnMut(&SearchResult)) -> SearchResult {
        std::panic::resume_unwind(Box::new("a brain breaks down"))
    }
}

/// A brain whose turn is illegal.
struct Cheat;

impl TimedBrain for Cheat {
    fn search(&mut self, _: &Game, _: &Limits, _: &mut dyn FnMut(&SearchResult)) -> SearchResult {
        SearchResult::unsearched(GameTurn { marches: 200, ..GameTurn::new() }, 1.0)
    }
}

#[test]
fn a_search_does_not_keep_the_host_waiting() {
    let mut session = Session::new(Vec::new()).with_brain(Box::new(Stubborn));
    let before = session.game().clone();
    for line in ["play movetime 3600000", "isready", "go", "getfen", "setoption name TechOffset value 1"] {
        session.handle(line).unwrap();
    }
    assert_eq!(session.output(), b"readyok\nerror: a search is running\n");
    assert!(session.is_searching() && session.game() == &before);
    session.handle("stop").unwrap();
    session.settle().unwrap();
    let said = String::from_utf8(session.output().clone()).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let end = lines.iter().position(|&line| line == "endturn").unwrap();
    assert!(
        lines[end + 1].ends_with(" 1 2"),
        "the position was asked for before the turn was played: {said}"
    );
    assert_ne!(session.game(), &before);
}

#[test]
fn commands_that_wait_are_heard_once_and_answered_even_before_quit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("umi.log");
    let mut session = Session::new(Vec::new()).with_brain(Box::new(Stubborn));
    session.handle(&format!("setoption name Debug Log File value {}", file.display())).unwrap();
    for last in ["stop", "quit"] {
        for line in ["play movetime 3600000", "getfen", last] {
            session.handle(line).unwrap();
        }
        session.settle().unwrap();
    }
    let said = String::from_utf8(session.output().clone()).unwrap();
    assert_eq!(said.matches("endturn\n").count(), 2, "{said}");
    let positions: Vec<&str> = said.lines().filter(|line| line.contains('|')).collect();
    assert!(positions.len() == 2 && said.lines().last() == Some(positions[1]), "{said}");
    let log = std::fs::read_to_string(file).unwrap();
    assert_eq!(log.matches("> getfen\n").count(), 2, "{log}");
}

#[test]
fn fixed_work_does_not_keep_the_host_waiting() {
    let mut session = Session::new(Vec::new());
    for line in ["bench 18446744073709551615", "isready", "ponderhit", "go", "eval", "stop"] {
        session.handle(line).unwrap();
    }
    session.settle().unwrap();
    let said = String::from_utf8(session.output().clone()).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let expected = [
        "readyok",
        "error: ponderhit: no search ponders",
        "error: a search is running",
        "error: bench: stopped",
    ];
    assert!(lines.len() == 5 && lines.starts_with(&expected), "{said}");
    assert!(lines[4].starts_with("info eval winprob "), "{said}");
    assert_eq!(run_on(&b"bench 18446744073709551615\nquit\n"[..]), "error: bench: stopped\n");
    let whole = run_on(&b"bench 3\n"[..]);
    assert!(whole.starts_with("3 nodes ") && whole.contains("\nsignature "), "{whole}");
}

#[test]
fn a_search_without_an_end_of_its_own_ends_with_a_word_or_with_the_input() {
    let mut session = Session::new(Vec::new());
    for line in ["setoption name Hash value 4", "go infinite", "isready", "stop"] {
        session.handle(line).unwrap();
    }
    session.settle().unwrap();
    let said = String::from_utf8(session.output().clone()).unwrap();
    assert!(said.starts_with("readyok\ninfo depth "), "{said}");
    assert!(said.ends_with("\nendturn\n"), "{said}");
    // Nobody is left to say the word; and nothing is lost when the word is quit.
    for input in ["go infinite nodes 3", "play infinite\nquit\n", "go ponder nodes 3", "go ponder\nstop"] {
        let said = run_on(std::io::Cursor::new(format!("isready\n{input}")));
        assert!(said.ends_with("\nendturn\n"), "{input}: {said}");
    }
}

#[test]
fn pondering_ends_when_the_clock_begins() {
    let mut session = Session::new(Vec::new()).with_brain(Box::new(Stubborn));
    session.handle("go ponder nodes 1").unwrap();
    session.handle("getfen").unwrap();
    assert_eq!(session.output(), b"");
    session.handle("ponderhit").unwrap();
    session.settle().unwrap();
    let said = String::from_utf8(session.output().clone()).unwrap();
    assert!(said.contains("\nturn\n") && said.ends_with(" 0 1\n"), "{said}");
    assert_eq!(converse(&mut session, &["ponderhit"]), "error: ponderhit: no search ponders\n");
}

#[test]
fn turns_are_listed_with_their_chances() {
    let options =
        ["setoption name MultiPV value 3", "setoption name Hash value 8", "setoption name Ponder value true"];
    let mut session = Session::new(Vec::new());
    converse(&mut session, &options);
    let said = converse(&mut session, &["go nodes 150 movetime 600000"]);
    let listed: Vec<&str> = said.lines().filter(|line| line.starts_with("info depth ")).collect();
    // On a slow machine the turns known after each second come before.
    assert!(listed.len() >= 3 && listed.len().is_multiple_of(3), "{said}");
    for (index, line) in listed[listed.len() - 3..].iter().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        let value = |name: &str| {
            let place = words.iter().position(|&word| word == name).unwrap();
            words[place + 1].parse::<f64>().unwrap()
        };
        assert_eq!((value("nodes"), value("multipv")), (150.0, index as f64 + 1.0), "{line}");
        assert!(
            (0.0..=1.0).contains(&value("winprob")) && (0.0..=1.0).contains(&value("confidence")),
            "{line}"
        );
        assert!((value("wdl") - 1000.0 * value("winprob")).abs() < 1e-6 && value("visits") >= 1.0, "{line}");
        assert!(value("hashfull") <= 1000.0 && line.contains(" pv ") && !line.ends_with(" pv "), "{line}");
    }
    let expected = said.lines().find_map(|line| line.strip_prefix("info ponder fen ")).unwrap();
    assert!(expected.ends_with(" 0 3"), "{said}");
    let said = converse(&mut session, &[&format!("position fen {expected}"), "getfen"]);
    assert_eq!(said, format!("{expected}\n"));
}

#[test]
fn one_thread_and_a_number_of_nodes_say_what_is_found() {
    let told = || {
        let said = talk(&[
            "setoption name Hash value 8",
            "go nodes 60 movetime 600000",
            "play nodes 30 movetime 600000",
        ]);
        said.lines().filter(|line| !line.contains(" nps ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(told(), told());
    let two = talk(&["setoption name Hash value 8", "setoption name Threads value 2", "go nodes 40"]);
    assert!(two.ends_with("\nendturn\n"), "{two}");
}

/// Turns of the answers to these lines, without times.
fn turns(lines: &[&str]) -> Vec<String> {
    let said =
        talk(&[&["setoption name Hash value 8", "setoption name Ruleset value server"], lines].concat());
    let timeless = |line: &&str| !line.contains(" nps ");
    said.lines().filter(timeless).map(str::to_owned).collect()
}

const GO: &str = "go nodes 40 movetime 600000";
const PLAY: &str = "play nodes 40 movetime 600000";

#[test]
fn searches_that_go_on_from_the_last_tree_are_reproducible() {
    let game = [PLAY, PLAY, GO, PLAY, "getfen"];
    assert_eq!(turns(&game), turns(&game));
    // Asking whether the engine is ready warms it up, which is no search.
    let asked = ["isready", PLAY, "isready", PLAY, GO, "isready", PLAY, "getfen"];
    let told: Vec<_> = turns(&asked).into_iter().filter(|line| line != "readyok").collect();
    assert_eq!(told, turns(&game));
}

#[test]
fn a_search_without_a_tree_does_not_depend_on_what_came_before() {
    let after_three = turns(&[PLAY, PLAY, PLAY, "getfen"]).pop().unwrap();
    let position = format!("position fen {after_three}");
    let fresh = turns(&[&position, GO]);
    for before in [&["play nodes 70 movetime 600000", "uminewgame"][..], &["isready", GO, "uminewgame"]] {
        let all = turns(&[before, &[&*position, GO]].concat());
        assert!(all.ends_with(&fresh), "{before:?}: {all:?}");
    }
    // A search that goes on from a tree knows more than its own nodes, and tells so: the lines differ.
    let told = |lines: &[&str]| {
        let said = talk(&[&["setoption name Ruleset value server"], lines].concat());
        let mut visits = said.lines().filter_map(|line| line.split(" visits ").nth(1)?.split(' ').next());
        visits.next_back().unwrap().parse::<u64>().unwrap()
    };
    let one = "go nodes 1 movetime 600000";
    assert!(told(&[GO, one]) > 1 && told(&[GO, "uminewgame", one]) == 1);
}

/// A brain that reports two results with three candidates each.
struct Chatty;

impl TimedBrain for Chatty {
    fn search(&mut self, game: &Game, _: &Limits, observer: &mut dyn FnMut(&SearchResult)) -> SearchResult {
        let mut result = SearchResult::unsearched(simple_turn(game, 0), 0.5);
        result.candidates = vec![result.best().clone(); 3];
        for depth in [1, 2] {
            result.statistics.depth = depth;
            observer(&result);
        }
        result
    }
}

#[test]
fn what_a_search_tells_comes_before_its_turn() {
    let mut session = Session::new(Vec::new()).with_brain(Box::new(Chatty));
    let said = converse(&mut session, &["setoption name MultiPV value 2", "go"]);
    let starts = ["info depth 1 ", "info depth 1 ", "info depth 2 ", "info depth 2 ", "info eval "];
    for (line, start) in said.lines().zip(starts) {
        assert!(line.starts_with(start), "{said}");
    }
    assert!(
        said.lines().nth(3).unwrap().contains(" winprob 0.500 wdl 500 0 500 confidence 0.000 "),
        "{said}"
    );
}

#[test]
fn limits_end_a_search() {
    for limits in ["go nodes 5", "go movetime 5", "go movetime 5 spells shield nodes 100000"] {
        let mut session = Session::new(Vec::new()).with_brain(Box::new(Stubborn));
        let said = converse(&mut session, &[limits]);
        assert!(said.ends_with("turn\naction tech 1\nendturn\n"), "{said}");
    }
}

#[test]
fn a_brain_that_fails_does_not_take_the_engine_along() {
    let mut session = Session::new(Vec::new()).with_brain(Box::new(Broken));
    let simple = simple_turn(session.game(), 0);
    let mut expected = session.game().clone();
    expected.play(&simple).unwrap();
    let said = converse(&mut session, &["play"]);
    let note =
        "info string the search broke down: a brain breaks down; a simple player's turn takes its place\n";
    assert!(said.starts_with(note) && said.ends_with("endturn\n"), "{said}");
    assert_eq!(session.game(), &expected);
    // The brain that failed is replaced.
    let said = converse(&mut session, &["play nodes 1"]);
    assert!(!said.contains("info string") && said.ends_with("endturn\n"), "{said}");
    let mut session = Session::new(Vec::new()).with_brain(Box::new(Cheat));
    let said = converse(&mut session, &["play"]);
    assert!(said.starts_with("info string the brain's turn is illegal: "), "{said}");
    assert!(said.ends_with("endturn\n"), "{said}");
    assert_eq!(session.game(), &expected);
}

#[test]
fn a_network_file_changes_the_search_and_a_wrong_one_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [net, text] = ["net", "text"].map(|name| folder.path().join(name).display().to_string());
    std::fs::write(&net, barrow_nnue::embedded_nets::TINY).unwrap();
    std::fs::write(&text, "not a network").unwrap();
    let mut session = Session::new(Vec::new());
    converse(&mut session, &["setoption name Host value other"]);
    let mut value = |file: Option<&str>| {
        let option = file.map_or_else(String::new, |file| format!("setoption name EvalFile value {file}"));
        let config = "config 1 MidnightLake S,P,W,H,G,K,T,X,A,J,U,V,M,L,O,C,R,Q,B,1,E,D,Y,3,2";
        let position = "position fen 8|12 0|0 ULLLLLLLLLLLLLLLLLLLLLLLL|LLLLLLLLLLLLLLLLLLLLLLLLL \
                        n|Z|z|||2Z7/3Z6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 1 2";
        let said = converse(&mut session, &[config, position, &option, "go nodes 20 movetime 600000"]);
        let values = said.lines().filter(|line| line.starts_with("info eval")).map(str::to_owned);
        let errors = said.lines().filter(|line| line.starts_with("error: EvalFile")).count();
        (values.collect::<Vec<_>>(), errors)
    };
    let embedded = value(None);
    let other = value(Some(&net));
    assert!(embedded.0.len() == 1 && embedded.1 == 0 && other != embedded);
    assert_eq!(value(Some(&text)), (other.0.clone(), 1));
    assert_eq!(value(Some("<embedded>")), embedded);
}
