//! A bare x86-64 machine of 2 MiB: no operating system, no allocator, the serial line as its only device. It plays a
//! whole game of two boards with itself and prints every position's key, then ends the emulator.

#![no_std]
#![no_main]

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};
use core::panic::PanicInfo;

use barrow_workloads::{Machine, Memory, play_game};

global_asm!(include_str!("start.s"));

/// Port of the first serial line.
const SERIAL: u16 = 0x3F8;

/// Port by which the emulator is ended.
const EXIT: u16 = 0xF4;

/// Value for [`EXIT`] with which the emulator ends with the status 33.
const DONE: u8 = 16;

fn out(port: u16, value: u8) {
    // SAFETY: the ports are those of devices that this program alone uses, and do not touch memory.
    unsafe { asm!("out dx, al", in("dx") port, in("al") value, options(nomem, nostack, preserves_flags)) };
}

/// The serial line.
struct Serial;

impl Write for Serial {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| out(SERIAL, byte));
        Ok(())
    }
}

impl Machine for Serial {
    fn print(&mut self, line: fmt::Arguments<'_>) {
        let _ = writeln!(self, "{line}");
    }

    fn measure<R>(&mut self, _: &'static str, _: usize, _: usize, run: impl FnOnce() -> R) -> R {
        run()
    }
}

#[panic_handler]
fn panicked(info: &PanicInfo<'_>) -> ! {
    let _ = writeln!(Serial, "{info}");
    out(EXIT, 0);
    #[allow(clippy::empty_loop)]
    loop {}
}

static mut MEMORY: Memory = Memory::new();

// SAFETY: the name is unique; the start calls it once, with a stack of its own.
#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: this function runs once, and nothing else uses the memory.
    let memory = unsafe { &mut *(&raw mut MEMORY) };
    play_game(&mut Serial, memory);
    out(EXIT, DONE);
    #[allow(clippy::empty_loop)]
    loop {}
}
