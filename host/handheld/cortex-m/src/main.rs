//! Firmware that plays Minions on a Cortex-M and measures what that takes: the stack by painting it, instructions by
//! the system timer of an emulator that executes one instruction in a fixed time.
//!
//! Output has two kinds of lines: results, which are those of every other machine, and figures, which begin with
//! `figure`.

#![no_std]
#![no_main]

mod copies;
mod instructions;
mod stack;

use core::fmt;
use core::panic::PanicInfo;

use barrow_workloads::{Machine, Memory, run};
use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hprintln};

#[panic_handler]
fn panicked(info: &PanicInfo<'_>) -> ! {
    hprintln!("{}", info);
    debug::exit(debug::EXIT_FAILURE);
    #[allow(clippy::empty_loop)]
    loop {}
}

/// The board, which prints on the console of the emulator's host.
struct Board;

impl Machine for Board {
    fn print(&mut self, line: fmt::Arguments<'_>) {
        hprintln!("{}", line);
    }

    fn measure<R>(&mut self, work: &'static str, position: usize, lent: usize, run: impl FnOnce() -> R) -> R {
        let ((result, instructions), stack) = stack::used_by(|| instructions::of(run));
        hprintln!("figure|{}|{}|{}|{}|{}", work, position, stack, lent, instructions);
        result
    }
}

#[entry]
fn main() -> ! {
    static mut MEMORY: Memory = Memory::new();
    copies::check();
    hprintln!("figure|static|0|0|{}|0", size_of::<Memory>());
    run(&mut Board, MEMORY);
    debug::exit(debug::EXIT_SUCCESS);
    #[allow(clippy::empty_loop)]
    loop {}
}
