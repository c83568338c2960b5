//! Saved games of the small screen: whatever a container holds, it is refused and nothing has changed, or the game goes
//! on: it is saved again in the same bytes that a reader of these makes, and buttons can be pressed.

#![no_main]

use arbitrary::Arbitrary;
use barrow_core::minions::{DraftMemory, Game, GameTurn};
use barrow_screen::buttons::{Buttons, Touch};
use barrow_screen::engine::Engine;
use barrow_screen::level::{Level, Machine};
use barrow_screen::save::{SAVE_BYTES, sign};
use barrow_screen::screen::GameScreen;
use libfuzzer_sys::fuzz_target;

/// A machine whose levels play without a search: what a search finds is no part of a saved game.
const MACHINE: Machine = Machine {
    name: "fuzzer",
    levels: &[Level { name: "easy", about: "", slices: 0 }, Level { name: "hard", about: "", slices: 2 }],
    default_level: 0,
    max_boards: 8,
    nodes_per_slice: 1,
};

/// Frames before a container is written, and after it was read.
const FRAMES: usize = 160;

#[derive(Arbitrary, Debug)]
struct Input {
    before: Vec<(u16, Option<(u8, u8)>)>,
    edits: Vec<(u16, u8)>,
    /// Bytes that are cut off.
    cut: u16,
    /// Whether the checksum is that of the edited bytes.
    signed: bool,
    after: Vec<(u16, Option<(u8, u8)>)>,
}

/// An engine without a search.
struct Simple(DraftMemory);

impl Engine for Simple {
    fn begin(&mut self) {}

    fn work(&mut self, _: &Game, _: u32) -> bool {
        false
    }

    fn answer(&mut self, _: &Game) -> Option<GameTurn> {
        None
    }

    fn draft(&mut self) -> &mut DraftMemory {
        &mut self.0
    }
}

/// Presses buttons and touches the screen for some frames.
fn play(screen: &mut GameScreen, engine: &mut Simple, frames: &[(u16, Option<(u8, u8)>)]) {
    for &(buttons, touch) in frames.iter().take(FRAMES) {
        screen.frame(Buttons(buttons), touch.map(|(x, y)| Touch { x, y }));
        screen.frame(Buttons::default(), None);
        screen.take_effect();
        screen.think(engine);
    }
}

fn saved(screen: &GameScreen) -> Box<[u8; SAVE_BYTES]> {
    let mut memory = Box::new([0; SAVE_BYTES]);
    screen.save(&mut memory);
    memory
}

fuzz_target!(|input: Input| {
    let mut engine = Box::new(Simple(DraftMemory::new()));
    let mut screen = Box::new(GameScreen::new(MACHINE));
    play(&mut screen, &mut engine, &input.before);
    let before = saved(&screen);
    let mut memory = before.clone();
    for &(place, byte) in &input.edits {
        memory[usize::from(place) % SAVE_BYTES] = byte;
    }
    if input.signed {
        sign(&mut memory);
    }
    let kept = SAVE_BYTES - usize::from(input.cut) % SAVE_BYTES;
    let edited = memory != before || kept < SAVE_BYTES;
    let loaded = screen.load(&memory[..kept]);
    if loaded.is_err() {
        assert!(edited, "a game that was just saved is refused");
        assert_eq!(saved(&screen), before, "a container that is refused has changed something");
    } else {
        let written = saved(&screen);
        let mut other = Box::new(GameScreen::new(MACHINE));
        other.load(&*written).expect("what was written is read");
        assert_eq!(saved(&other), written);
    }
    play(&mut screen, &mut engine, &input.after);
    let last = saved(&screen);
    screen.load(&*last).expect("what was written after that is read");
});
