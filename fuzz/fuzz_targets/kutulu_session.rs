//! Sessions of the Code of Kutulu bot with arbitrary input: nothing panics, each turn is answered by a line that the
//! referee accepts, and errors go to the error stream. The same bytes are read as a file of maps, scenarios or recorded
//! games.
//!
//! The input is text, mutated by words and lines. The bot, whose tables of a large map take a millisecond, plays on small
//! maps, and on any in one input of 32.

#![no_main]

use std::sync::LazyLock;
use std::time::Duration;

use barrow::contests::kutulu::protocol;
use barrow::contests::kutulu::protocol::TurnLimits;
use barrow::contests::kutulu::replay;
use barrow::replay::Tally;
use barrow_core::contests::kutulu::bot::Tuning;
use barrow_fuzz::one_in;
use barrow_fuzz::text_mutator::{Vocabulary, mutate};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

/// Largest number of squares of a small map.
const SMALL: usize = 80;

/// Words that a session knows.
const WORDS: &str = "\
    MOVE WAIT PLAN LIGHT YELL UP RIGHT DOWN LEFT EXPLORER WANDERER SLASHER SPAWNING WANDERING STALKING \
    RUSH STUNNED EFFECT_PLAN EFFECT_LIGHT EFFECT_YELL EFFECT_SHELTER SHELTER ######### #.......# \
    #w.U.S..# Hypersonic";

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary {
    words: WORDS.split(' ').collect(),
    lines: &[
        "EXPLORER %n %n %n %n %n %n",
        "EXPLORER %n %n %n 250 2 3",
        "WANDERER %n %n %n %n %n %n",
        "SLASHER %n %n %n %n %n %n",
        "EFFECT_PLAN %n %n %n %n %n %n",
        "EFFECT_LIGHT %n %n %n %n %n %n",
        "EFFECT_YELL %n %n %n %n %n %n",
        "EFFECT_SHELTER %n %n %n %n %n %n",
        "WANDERER %n %n %n %s %n %n",
        "SLASHER %n %n %n %s %n %n -1 -1",
        "EFFECT YELL %n %n %n",
        "EFFECT SHELTER -1 %n %n %n",
        "EFFECT PLAN %n %n",
        "ACT %n %s",
        "ACT %n MOVE %n %n",
        "TURN %n",
        "TURN %n %n",
        "EXPECT %n",
        "SCORE %n %n",
        "OVER",
        "CONSTS 3 1 3 40",
        "SEED %n",
        "NEXTID %n",
        "SLASHERS 0 1 0 1",
        "MAP %n",
        "SCENARIO K01",
        "4",
        "%n",
    ],
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(&VOCABULARY, data, size, max_size, seed)
});

/// Whether a session's first lines, width and height, are those of a small map, or of none.
fn has_small_map(data: &[u8]) -> bool {
    let mut lines = data.split(|byte| *byte == b'\n').map(|line| std::str::from_utf8(line.trim_ascii()));
    let mut number = || lines.next()?.ok()?.parse::<usize>().ok();
    number().is_none_or(|width| number().is_none_or(|height| width.saturating_mul(height) <= SMALL))
}

fuzz_target!(|data: &[u8]| {
    let is_thorough = one_in(32, data);
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = replay::text("fuzz", text, &mut Tally::default());
        if is_thorough {
            let _ = replay::state_at(text, 9);
        }
    }
    if !is_thorough && !has_small_map(data) {
        return;
    }
    let simulations = if is_thorough { 16 } else { 2 };
    let limits = TurnLimits { first: Duration::from_secs(9), turn: Duration::from_secs(9), simulations };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    // Shallow searches leave time for more inputs.
    let tuning = Tuning { depth: [1, 2], ..Tuning::DEFAULT };
    let _ = protocol::play(&mut &data[..], &mut output, &mut errors, limits, tuning, 1);
    let answers = String::from_utf8(output).expect("answers are text");
    for answer in answers.lines() {
        let words: Vec<&str> = answer.split(' ').collect();
        assert!(matches!(words[..], ["WAIT" | "PLAN" | "LIGHT" | "YELL"] | ["MOVE", _, _]), "{answer:?}");
    }
    let errors = String::from_utf8(errors).expect("errors are text");
    assert!(errors.lines().all(|line| line.starts_with("error: ")), "{errors:?}");
});
