//! Sessions of the RoboRally bot by the rules of 2016 and 2023 with arbitrary lines: an error is one line and changes
//! nothing, the state after a turn can be read back, and programs have five cards at most.
//!
//! The input is text, mutated by words and lines. A session has two boards and one short decision at most, in one input
//! of 32 more.

#![no_main]

use std::sync::LazyLock;

use barrow::contests::roborally::player_spec::PlayerSpec;
use barrow::contests::roborally::second_edition::floor_player_spec::RacePlayerSpec;
use barrow::contests::roborally::second_edition::floor_protocol::FloorSession;
use barrow_core::contests::roborally::second_edition::Rules;
use barrow_fuzz::one_in;
use barrow_fuzz::text_mutator::{Vocabulary, mutate};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

/// Largest number of lines in a session.
const LINES: usize = 80;

/// Words that a session knows.
const WORDS: &str = "\
    vault river crossfire grand-tour pit-stop 2016 2023 N E S W - off m1 m2 m3 3*m1 back left right u power again \
    spam shutdown 2*spam .. PT GR GL >1 ^2 W1";

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary {
    words: WORDS.split_whitespace().collect(),
    lines: &[
        "course vault",
        "course river",
        "course %s",
        "rules 2016",
        "rules 2023",
        "race 2",
        "race %n",
        "you %n",
        "hand 3*m1 m2 back left right power again",
        "hand %s %s %s %s %s %s %s %s %s",
        "face %n %s",
        "go",
        "show",
        "getstate",
        "state",
        "robot %n %n %n %s %n %n",
        "robot 0 0 0 N 1 5 off",
        "deck %n %s %s %s",
        "discards %n %s %s",
        "kept %n %s",
        "haywire %n %n %s",
        "cube %n %n",
        "token %n",
        "damage %n %s",
        "endstate",
        "board",
        "size %n %n",
        ".. %s %s %s",
        "wall %n %n %s",
        "laser %n %n %s %n",
        "flag %n %n",
        "start %n %n %s",
        "endboard",
        "seed %n",
        "isready",
        "deal",
        "program %n %s %s %s %s %s",
        "program %n shutdown",
        "program 0 m1 m1 left right m2",
        "program 1 m1 m1 left right m2",
        "register",
        "turn",
        "cleanup",
    ],
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(&VOCABULARY, data, size, max_size, seed)
});

/// Says a line. Returns whether the session goes on, and its answer.
fn say(session: &mut FloorSession<Vec<u8>>, line: &str) -> (bool, String) {
    session.output().clear();
    let goes_on = session.handle(line).expect("memory does not fail");
    (goes_on, String::from_utf8(session.output().clone()).expect("the bot speaks text"))
}

fuzz_target!(|data: &[u8]| {
    let is_thorough = one_in(32, data);
    let spec = if is_thorough { "odds:playouts=4,playout=random" } else { "odds:playouts=2,playout=random" };
    let spec: PlayerSpec = spec.parse().expect("a player");
    let player = RacePlayerSpec::try_from(&spec).expect("a player of both editions");
    let mut session = FloorSession::new(Vec::new(), (player, &Rules::OF_2023), 1);
    let (mut decisions_left, mut boards_left) = if is_thorough { (2, 80) } else { (1, 2) };
    for line in data.split(|&byte| byte == b'\n').take(LINES) {
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            // Whole searches take too long here.
            Some(&"player") => continue,
            Some(&"go") if decisions_left == 0 || words.len() > 1 => continue,
            Some(&"go") => decisions_left -= 1,
            Some(&("course" | "endboard" | "rules")) if boards_left == 0 => continue,
            Some(&("course" | "endboard" | "rules")) => boards_left -= 1,
            _ => {}
        }
        let (goes_on, said) = say(&mut session, &line);
        assert_eq!(goes_on, words != ["quit"], "{line}");
        assert!(said.is_empty() || said.ends_with('\n'), "{line}: {said}");
        let failed = said.starts_with("error: ");
        assert!(!failed || said.lines().count() == 1, "{line}: {said}");
        let is_over = said.lines().any(|line| line == "over" || line.starts_with("winner"));
        if matches!(words[..], ["cleanup" | "turn"]) && said.starts_with("turn ") && !is_over {
            let (_, told) = say(&mut session, "getstate");
            for line in told.lines() {
                assert_eq!(say(&mut session, line).1, "", "{line}, of {told}");
            }
            assert_eq!(say(&mut session, "getstate").1, told);
        }
        if let Some(program) = said.lines().last().and_then(|line| line.strip_prefix("program ")) {
            assert!(program.split(' ').count() <= 5, "{said}");
        }
    }
});
