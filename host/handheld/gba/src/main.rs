//! A cartridge for the Game Boy Advance that plays Minions: the game of `barrow-screen` on this machine.

#![no_std]
#![no_main]

mod hardware;
mod start;

use core::mem::MaybeUninit;

use barrow_nnue::embedded_nets;
use barrow_nnue::nets::Network;
use barrow_screen::cartridge::{CartridgeSearch, NODES_PER_SLICE};
use barrow_screen::draw::Canvas;
use barrow_screen::level::{Level, Machine};
use barrow_screen::save::SAVE_BYTES;
use barrow_screen::screen::{Effect, GameScreen};
use hardware::{Display, KeyReader};

/// Machine that the game runs on: its name, its boards, its nodes a frame.
const MACHINE: Machine = Machine {
    name: "Barrow 0.1   A choose   B back   START menu",
    levels: &[
        Level { name: "easy", about: "plays by simple rules", slices: 0 },
        Level { name: "gentle", about: "looks at 8 positions", slices: 8 },
        Level { name: "medium", about: "looks at 24 positions", slices: 24 },
        Level { name: "hard", about: "looks at 60 positions", slices: 60 },
    ],
    default_level: 1,
    max_boards: 2,
    nodes_per_slice: NODES_PER_SLICE,
};

static mut SCREEN: MaybeUninit<GameScreen> = MaybeUninit::uninit();
/// Copy of the save memory, in the small memory; read before it is used.
#[unsafe(link_section = ".iwram_bss")]
static mut SAVE: [u8; SAVE_BYTES] = [0; SAVE_BYTES];
static mut CANVAS: Canvas = Canvas::new();
static mut ENGINE: CartridgeSearch = CartridgeSearch::new();

/// A fault of the program: the screen turns red and stays so.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    hardware::alarm();
    loop {
        hardware::wait();
    }
}

/// Paints the free part of the stack, so that its deepest use can be found later.
#[inline(never)]
fn paint_stack() {
    let (bottom, top) = stack_room();
    for place in (bottom..top).step_by(4) {
        // SAFETY: above all statics and below the frames in use.
        unsafe { (place as *mut u32).write_volatile(PAINT) };
    }
}

const PAINT: u32 = 0x5a5a_5a5a;

unsafe extern "C" {
    static __bss_end: u8;
}

/// Addresses between the statics and the present frame, with some distance.
fn stack_room() -> (usize, usize) {
    let here = 0_u8;
    ((&raw const __bss_end) as usize, ((&raw const here) as usize & !3) - 256)
}

/// Bytes between the statics and the deepest use of the stack.
#[inline(never)]
fn free_stack() -> u32 {
    let (bottom, top) = stack_room();
    let mut place = bottom;
    // SAFETY: the same words as were painted.
    while place < top && unsafe { (place as *const u32).read_volatile() } == PAINT {
        place += 4;
    }
    (place - bottom) as u32
}

/// Makes the screen where it stays.
#[inline(never)]
fn make_screen(place: &'static mut MaybeUninit<GameScreen>) -> &'static mut GameScreen {
    place.write(GameScreen::new(MACHINE))
}

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    paint_stack();
    hardware::start();
    // SAFETY: the only references to these statics; this function runs once, and the interrupt handler uses none of them.
    let (place, memory, canvas, engine) =
        unsafe { (&mut *&raw mut SCREEN, &mut *&raw mut SAVE, &mut *&raw mut CANVAS, &mut *&raw mut ENGINE) };
    let screen = make_screen(place);
    hardware::read_save(memory);
    screen.look_at_save(memory);
    let mut keys = KeyReader::new();
    let mut display = Display;
    // Frames of the longest search, and when the present one began.
    let (mut longest, mut began) = (0, None);
    // Bytes of stack never used, and whether tests have to wait.
    let (mut free, mut busy) = (0, true);
    canvas.draw(screen, &mut display);
    // The checksum of the network takes a few seconds; the title is there already, and what is pressed waits.
    hardware::report([0, 0, 1, 0]);
    if let Ok(network) = Network::from_bytes(embedded_nets::TINY) {
        engine.take_network(network);
    }
    loop {
        let mut changed = false;
        while let Some(buttons) = keys.next() {
            changed |= screen.frame(buttons, None);
        }
        let works = changed || screen.is_thinking();
        if works != busy {
            busy = works;
            hardware::report([free, longest, u32::from(busy), 0]);
        }
        if screen.is_thinking() {
            let since = *began.get_or_insert(hardware::frames());
            screen.think(engine);
            changed = true;
            if !screen.is_thinking() {
                longest = longest.max(hardware::frames() - since);
                began = None;
                free = free_stack();
            }
        }
        match screen.take_effect() {
            Some(Effect::Save) => {
                screen.note_saved();
                screen.save(memory);
                hardware::write_save(memory);
            }
            Some(Effect::Load) => {
                hardware::read_save(memory);
                screen.load_game(memory);
                changed = true;
            }
            None => {}
        }
        if changed {
            canvas.draw(screen, &mut display);
        } else if !screen.is_thinking() {
            hardware::wait();
        }
    }
}
