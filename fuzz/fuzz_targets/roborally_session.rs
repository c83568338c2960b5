//! Sessions of the RoboRally bot with arbitrary lines: an error is one line and changes nothing, the printed state can be
//! read back, and programs have at most five cards.
//!
//! The input is text, mutated by words and lines. A session has two boards and one short decision at most, in one input
//! of 32 more.

#![no_main]

use std::sync::LazyLock;

use barrow::contests::roborally::protocol::{Flow, Session};
use barrow_fuzz::one_in;
use barrow_fuzz::text_mutator::{Vocabulary, mutate};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

/// Largest number of lines in a session.
const LINES: usize = 80;

/// Words that a session knows.
const WORDS: &str = "\
    twister dizzy-dash checkmate classic rallyrobo announced N E S W A D - .. PT GR GL >1 ^2 <1 v2 W1 W2 \
    NE 135 A- Wv";

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary {
    words: WORDS.split(' ').collect(),
    lines: &[
        "course twister",
        "course dizzy-dash",
        "course %s",
        "rules %s",
        "race %n %n",
        "race 4 3",
        "you %n",
        "hand %n %n %n %n %n %n %n %n %n",
        "hand 44 75 13 17 15 82 19 73 67",
        "go",
        "stay",
        "reenter",
        "entry",
        "show",
        "getstate",
        "state",
        "robot %n %n %n %s %n %n %n %n %n %s %s",
        "robot 0 5 8 S 6 2 1 5 14 N A",
        "robot 1 - - - 3 1 2 3 8 N D",
        "regs %n %n %n %n %n %n",
        "endstate",
        "board",
        "size 4 3",
        "size %n %n",
        ".. %s %s %s",
        "wall %n %n %s",
        "laser %n %n %s %n",
        "pusher %n %n %s 135",
        "flag %n %n",
        "start %n %n %s",
        "endboard",
        "seed %n",
        "isready",
        "deal",
        "go hints %n",
        "program %n %n %n %n %n %n",
        "program 0 %n %n %n %n %n announce",
        "register",
        "turn",
        "turn stay %n down %n",
        "cleanup",
        "cleanup entry %n %n %n %s",
    ],
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(&VOCABULARY, data, size, max_size, seed)
});

fuzz_target!(|data: &[u8]| {
    let is_thorough = one_in(32, data);
    let spec = if is_thorough { "mc:playouts=8,playout=random" } else { "mc:playouts=2,playout=random" };
    let mut session = Session::new(Vec::new(), spec.parse().expect("a player"), 1);
    let (mut decisions_left, mut boards_left) = if is_thorough { (4, 80) } else { (1, 2) };
    for line in data.split(|&byte| byte == b'\n').take(LINES) {
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            // Whole searches take too long here.
            Some(&"player") => continue,
            Some(&"go") if decisions_left == 0 || words.len() > 1 => continue,
            Some(&"go") => decisions_left -= 1,
            Some(&("course" | "endboard")) if boards_left == 0 => continue,
            Some(&("course" | "endboard")) => boards_left -= 1,
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
        let goes_on = session.state().is_some_and(|state| !state.is_over());
        if words == ["getstate"] && goes_on && !said.starts_with("error") {
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
