//! Count of instructions: the emulator counts time by instructions (`-icount shift=0` is a nanosecond for each), and
//! the system timer counts this time at 25 MHz.

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;

/// Instructions in one step of the timer.
const PER_STEP: u64 = 40;

/// Largest number of the timer, which counts down.
const LONGEST: u32 = 0x00FF_FFFF;

/// Does work of less than 671 million instructions, and counts them.
pub(crate) fn of<R>(work: impl FnOnce() -> R) -> (R, u64) {
    // SAFETY: nothing else in this program uses the timer.
    let timer = unsafe { &mut cortex_m::Peripherals::steal().SYST };
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(LONGEST);
    timer.clear_current();
    timer.enable_counter();
    let before = SYST::get_current();
    let result = work();
    let after = SYST::get_current();
    (result, u64::from(before.wrapping_sub(after) & LONGEST) * PER_STEP)
}
