//! Sessions of the RoboRally bot with arbitrary lines: an error is one line and changes nothing, the printed state can be
//! read back, and programs have at most five cards.

#![no_main]

use barrow::contests::roborally::protocol::{Flow, Session};
use libfuzzer_sys::fuzz_target;

/// Largest number of lines in a session.
const LINES: usize = 80;

/// Largest number of decisions in a session.
const DECISIONS: usize = 4;

fuzz_target!(|data: &[u8]| {
    let spec = "mc:playouts=8,playout=random".parse().expect("a player");
    let mut session = Session::new(Vec::new(), spec, 1);
    let mut decisions = 0;
    for line in data.split(|&byte| byte == b'\n').take(LINES) {
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            // Whole searches take too long here.
            Some(&"player") => continue,
            Some(&"go") => {
                decisions += 1;
                if decisions > DECISIONS || words.len() > 1 {
                    continue;
                }
            }
            _ => {}
        }
        let before = session.state().copied();
        session.output().clear();
        let flow = session.handle(&line).expect("memory does not fail");
        assert_eq!(flow == Flow::Quit, words == ["quit"], "{line}");
        let said = String::from_utf8(session.output().clone()).expect("the bot speaks text");
        assert!(said.is_empty() || said.ends_with('\n'), "{line}: {said}");
        if said.starts_with("error: ") {
            assert_eq!(said.lines().count(), 1, "{line}: {said}");
            assert_eq!(session.state().copied(), before, "{line}: {said}");
        }
        if words == ["getstate"] && !said.starts_with("error") {
            for line in said.lines() {
                session.output().clear();
                session.handle(line).expect("memory does not fail");
                let said = String::from_utf8_lossy(session.output()).into_owned();
                assert!(said.is_empty(), "{line}: {said}");
            }
        }
        if let Some(program) = said.lines().last().and_then(|line| line.strip_prefix("program")) {
            let cards = program.split_whitespace().filter(|word| word.parse::<u8>().is_ok()).count();
            assert!(cards <= 5, "{said}");
        }
    }
});
