//! A game on a Cortex-M4F without an operating system: Greedy plays both sides, and the tiny network says who is ahead.
#![no_std]
#![no_main]

use core::arch::asm;
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

/// Entry point: the reset handler.
extern "C" fn start() -> ! {
    // SAFETY: a register of the processor, which switches its floating-point unit on.
    unsafe { (0xE000_ED88 as *mut u32).write_volatile(0xF << 20) };
    let outcome = if play().is_ok() { 0x2_0026 } else { 0x2_0024 };
    ask_host(0x18, outcome as *const u8);
    loop {}
}

#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

unsafe extern "C" {
    safe static stack_top: u32;
}

/// Addresses at which the stack and the program begin.
#[repr(C)]
struct Vectors(&'static u32, extern "C" fn() -> !);

#[used]
#[unsafe(link_section = ".vectors")]
static VECTORS: Vectors = Vectors(&stack_top, start);
