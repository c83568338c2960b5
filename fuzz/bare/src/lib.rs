//! Workloads of programs without an operating system: one for each layer of the engine, which calls whatever the layer
//! offers with arguments of which the compiler knows nothing. Each is linked into a program of its own; `.ci/no-panic`
//! counts the calls of panicking functions that are left in it.
//!
//! The programs are linked and never run.

#![no_std]

mod input;
pub mod layers;

use core::panic::PanicInfo;

#[panic_handler]
fn panicked(_: &PanicInfo<'_>) -> ! {
    barrow_panicked()
}

/// The end of a program that panics: a name that `.ci/no-panic` looks for.
// The name is unique, and nothing depends on what is behind it.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn barrow_panicked() -> ! {
    #[allow(clippy::empty_loop)]
    loop {}
}

/// Makes a workload the program that the linker starts with.
#[macro_export]
macro_rules! program {
    ($workload:path) => {
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        extern "C" fn _start() -> ! {
            loop {
                $workload();
            }
        }
    };
}
