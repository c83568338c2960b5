//! Races of RoboRally on generated boards with legal programs: every state is valid, a register changes only what a
//! register can change, and nothing panics.

#![no_main]

use barrow_fuzz::one_in;
use libfuzzer_sys::fuzz_target;

use barrow_testing::generators::choices::Choices;
use barrow_testing::roborally::generators::{board, race};

/// Largest number of turns in most races; longer ones find little that shorter ones on other boards do not.
const TURNS: usize = 3;

/// Largest number of turns in one race of 32.
const MORE_TURNS: usize = 12;

fuzz_target!(|data: &[u8]| {
    let mut choices = Choices::new(data);
    let board = board(&mut choices);
    race(&board, &mut choices, if one_in(32, data) { MORE_TURNS } else { TURNS });
});
