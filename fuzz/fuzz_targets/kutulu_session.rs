//! Sessions of the Code of Kutulu bot with arbitrary input: nothing panics, each turn is answered by a line that the
//! referee accepts, and errors go to the error stream. The same bytes are read as a file of maps, scenarios or recorded
//! games.

#![no_main]

use std::time::Duration;

use barrow::contests::kutulu::protocol;
use barrow::contests::kutulu::protocol::TurnLimits;
use barrow::contests::kutulu::replay;
use barrow::replay::Tally;
use barrow_core::contests::kutulu::bot::Tuning;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = replay::text("fuzz", text, &mut Tally::default());
        let _ = replay::state_at(text, 9);
    }
    let limits = TurnLimits { first: Duration::from_secs(9), turn: Duration::from_secs(9), simulations: 16 };
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
