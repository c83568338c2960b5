//! A game on a Cortex-M4F without an operating system: Greedy plays both sides, and the tiny network says who is ahead.
#![no_std]
#![no_main]

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};

use barrow_core::minions::players::Greedy;
use barrow_core::minions::text::umi;
use barrow_core::minions::turn_search::ports::Evaluator;
use barrow_core::minions::{Game, GameConfig};
use barrow_nnue::{embedded_nets, nets::Network, ports::OraclePort, shape::Tiny};

/// Console of the debugger or the emulator that the chip runs in (semihosting).
struct Console;

fn ask_host(operation: u32, argument: *const u8) {
    // SAFETY: the host reads at most one byte behind the argument.
    unsafe { asm!("bkpt #0xAB", inout("r0") operation => _, in("r1") argument) };
}

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| ask_host(0x03, &raw const byte));
        Ok(())
    }
}

/// The first turns of a game.
#[inline(never)]
fn play() -> fmt::Result {
    let network = Network::<Tiny>::from_bytes(embedded_nets::TINY).map_err(|_| fmt::Error)?;
    let mut oracle = OraclePort::new(network);
    let mut game = Game::new(GameConfig::default(), 7);
    while !game.state().is_over() && game.state().turn() < 6 {
        let turn = Greedy::new(1).choose(&game);
        writeln!(Console, "{}\nendturn", umi::TurnText::new(&game, &turn))?;
        game.play(&turn).map_err(|_| fmt::Error)?;
        let chance = oracle.evaluate(&game).win;
        writeln!(Console, "{} wins with a chance of {chance} in 65536", game.side_to_move().name())?;
    }
    Ok(())
}

// Reset: statics that begin with values, statics that begin with zeros, the floating-point unit, and only then Rust.
global_asm!(
    ".section .text.reset, \"ax\"",
    ".thumb_func",
    ".global reset",
    "reset:",
    "ldr r0, =data_start; ldr r1, =data_end; ldr r2, =data_load",
    "2: cmp r0, r1; itt lo; ldrlo r3, [r2], #4; strlo r3, [r0], #4; blo 2b",
    "ldr r0, =bss_start; ldr r1, =bss_end; movs r3, #0",
    "3: cmp r0, r1; it lo; strlo r3, [r0], #4; blo 3b",
    "ldr r0, =0xE000ED88; ldr r1, [r0]; orr r1, r1, #0xF00000; str r1, [r0]; dsb; isb",
    "bl {main}",
    ".pool",
    main = sym main,
);

extern "C" fn main() -> ! {
    end(if play().is_ok() { 0x2_0026 } else { 0x2_0024 })
}

/// Ends the program for the debugger or the emulator.
fn end(reason: usize) -> ! {
    ask_host(0x18, reason as *const u8);
    loop {}
}

extern "C" fn fault() -> ! {
    end(0x2_0024)
}

#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    end(0x2_0024)
}

unsafe extern "C" {
    // Behind the last word of memory, so that there is nothing to read.
    safe static stack_top: [u32; 0];
    safe fn reset() -> !;
}

/// Addresses at which the stack and the program begin, and the handlers of faults.
#[repr(C)]
struct Vectors(&'static [u32; 0], extern "C" fn() -> !, [extern "C" fn() -> !; 6]);

#[used]
#[unsafe(link_section = ".vectors")]
static VECTORS: Vectors = Vectors(&stack_top, reset, [fault; 6]);
