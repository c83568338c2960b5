//! RoboRally on a board made of bytes: a race in which every deal is legal keeps every state valid, does in a register
//! only what a register can do, and never panics.

#![no_main]

use libfuzzer_sys::fuzz_target;

use barrow_testing::generators::choices::Choices;
use barrow_testing::roborally::generators::{board, race};

/// Turns of one race; longer ones find nothing that shorter ones on another board do not.
const TURNS: usize = 12;

fuzz_target!(|data: &[u8]| {
    let mut choices = Choices::new(data);
    let board = board(&mut choices);
    race(&board, &mut choices, TURNS);
});
