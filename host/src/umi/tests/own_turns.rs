//! A session reads what it prints: its options, its positions, and its turns in positions that no game reaches.

use barrow_core::minions::Ruleset;
use barrow_core::rng::Rng;
use barrow_testing::generators::choices::Choices;
use barrow_testing::generators::texts::position_text;

use super::*;

#[test]
fn every_option_takes_the_default_and_the_values_that_are_announced() {
    let mut session = Session::new(Vec::new());
    let hello = converse(&mut session, &["umi"]);
    let options: Vec<&str> = hello.lines().filter_map(|line| line.strip_prefix("option name ")).collect();
    assert_eq!(options.len(), 16);
    for option in options {
        let (name, rest) = option.split_once(" type ").unwrap();
        let words: Vec<&str> = rest.split(' ').collect();
        let after =
            |name: &str| words.windows(2).filter(|pair| pair[0] == name).map(|pair| pair[1]).collect();
        let values: Vec<&str> =
            ["default", "min", "max", "var"].into_iter().flat_map::<Vec<&str>, _>(after).collect();
        assert!(!values.is_empty(), "{option}");
        for value in values {
            let line = format!("setoption name {name} value {value}");
            assert_eq!(converse(&mut session, &[&line]), "", "{line}");
        }
    }
}

/// Enters the turn that a search has printed into the session, line by line, and returns what the session says.
fn enter(session: &mut Session<Vec<u8>>, said: &str) -> String {
    let lines: Vec<&str> = said.lines().skip_while(|line| !line.starts_with("turn")).collect();
    assert!(lines.last().is_some_and(|line| line.starts_with("endturn")), "no turn in {said}");
    converse(session, &lines)
}

/// Asks for turns in positions made of faulty texts; every text must be refused in one line, or yield turns that the
/// session takes when they are entered, with the same position as after `play`.
fn answer_faulty_texts(brain: &str, seed: u64, texts: u32) -> u32 {
    let mut dice = Rng::new(seed);
    let mut session = Session::new(Vec::new());
    converse(
        &mut session,
        &["setoption name Hash value 4", &format!("setoption name heuristic value {brain}")],
    );
    let mut entered = 0;
    for number in 0..texts {
        let bytes: Vec<u8> = (0..1500).map(|_| dice.below(256) as u8).collect();
        let ruleset = if number % 2 == 0 { Ruleset::Server } else { Ruleset::Spooky };
        let (text, config) = position_text(&mut Choices::new(&bytes), ruleset);
        let said = converse(
            &mut session,
            &[
                &format!("setoption name Ruleset value {}", ruleset.name()),
                &format!("config {}", fen::ConfigLine(&config)),
                &format!("position fen {text}"),
            ],
        );
        if !said.is_empty() {
            assert!(said.starts_with("error: position fen: ") && said.lines().count() == 1, "{text}: {said}");
            continue;
        }
        if session.game().state().is_over() {
            continue;
        }
        let shown = converse(&mut session, &["getfen"]);
        let again = format!("position fen {shown}");
        assert_eq!(converse(&mut session, &[again.trim_end(), "getfen"]), shown, "{text}");
        for verb in ["go", "play"] {
            let start = session.game().clone();
            let said = converse(&mut session, &[&format!("{verb} nodes 4 movetime 600000")]);
            assert!(!said.contains("info string") && !said.contains("error"), "{text}\n{said}");
            let played = session.game().clone();
            converse(&mut session, &[again.trim_end()]);
            assert!(*session.game() == start, "{text}");
            let answer = enter(&mut session, &said);
            assert!(!answer.contains("error"), "{text}\n{said}\n{answer}");
            if verb == "play" {
                assert!(*session.game() == played, "{text}\n{said}");
            } else {
                converse(&mut session, &[again.trim_end()]);
            }
            entered += 1;
        }
    }
    entered
}

#[test]
fn a_session_takes_the_turns_it_prints_in_any_position_it_takes() {
    for (brain, texts, least) in [("mcts", 160, 100), ("greedy", 200, 130), ("random", 200, 130)] {
        let entered = answer_faulty_texts(brain, 5, texts);
        assert!(entered >= least, "{brain}: {entered}");
    }
}
