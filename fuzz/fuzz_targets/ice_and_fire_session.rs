//! Sessions of the bot of A Code of Ice and Fire with arbitrary input: nothing panics, each complete turn is answered by a
//! line that the referee recognises, and unreadable input is an error. The same bytes are read as a file of scenarios,
//! maps, traces or cuts, and as a player's line.
//!
//! The input is text, mutated by words and lines.

#![no_main]

use std::sync::LazyLock;
use std::time::Duration;

use barrow::contests::ice_and_fire::{protocol, replay};
use barrow::replay::Tally;
use barrow_core::contests::ice_and_fire::bot::Options;
use barrow_core::contests::ice_and_fire::command::commands;
use barrow_core::contests::ice_and_fire::{Game, Map, Rules};
use barrow_fuzz::one_in;
use barrow_fuzz::text_mutator::{Vocabulary, mutate};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

/// Words that a session knows.
const WORDS: &str = "\
    MOVE TRAIN BUILD MINE TOWER WAIT MSG PLAY OUT IN AFTER OVER T P M A B AA OO.......... XX.......... \
    #........... A........... ...........B";

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary {
    words: WORDS.split(' ').collect(),
    lines: &[
        "MOVE %n %n %n;TRAIN %n %n %n;BUILD TOWER %n %n",
        "SCENARIO S1 a unit walks",
        "MAP",
        "GOLD %n %n",
        "UNIT %n %n %n %n",
        "BUILDING %n %s %n %n",
        "MINESPOT %n %n",
        "PLAY %n",
        "OUT MOVE %n %n %n;TRAIN %n %n %n",
        "OVER %n %n",
        "SEED %n",
        "seed %n",
        "mines %n",
        "END %n",
        "SCORES %n %n",
        "CASE %s",
        "CANDIDATES %n",
        "%n %n %n %n",
        "%n %n %n %n %n",
        "%n",
    ],
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(&VOCABULARY, data, size, max_size, seed)
});

/// The start of a game.
static START: LazyLock<Game> = LazyLock::new(|| Game::new(&Map::generate(1, &Rules::PERMANENT)));

fuzz_target!(|data: &[u8]| {
    let rules = Rules::PERMANENT;
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = replay::text("fuzz", text, &mut Tally::default());
        if one_in(8, data) {
            let _ = replay::game_at(text, 3);
        }
        let mut game = START.clone();
        let recognised = game.execute(&rules, text).is_ok();
        assert_eq!(recognised, commands(text).all(|command| command.is_ok()));
        assert_eq!(game.state().check(), Ok(()));
    }
    let (lines, work) = if one_in(32, data) { (3, 300) } else { (1, 30) };
    let options = Options { lines, work, ..Options::FULL };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    protocol::play(&mut &data[..], &mut output, &mut errors, &rules, &options, Duration::MAX)
        .expect("no stream fails");
    let answers = String::from_utf8(output).expect("answers are text");
    for answer in answers.lines() {
        assert!(commands(answer).all(|command| command.is_ok()), "{answer:?}");
    }
    let errors = String::from_utf8(errors).expect("errors are text");
    assert!(errors.lines().all(|line| line.starts_with("error: ")), "{errors:?}");
});
