//! Prints the results that every machine must print: those of all work, or with the word `game` a whole game.

use std::fmt;

use barrow_workloads::{Machine, Memory, play_game, run};

/// The host, which measures nothing.
struct Host;

impl Machine for Host {
    fn print(&mut self, line: fmt::Arguments<'_>) {
        println!("{line}");
    }

    fn measure<R>(&mut self, _: &'static str, _: usize, _: usize, run: impl FnOnce() -> R) -> R {
        run()
    }
}

fn main() {
    let mut memory = Box::<Memory>::default();
    match std::env::args().nth(1).as_deref() {
        Some("game") => play_game(&mut Host, &mut memory),
        _ => run(&mut Host, &mut memory),
    }
}
