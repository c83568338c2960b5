//! High-water marks of the stack: what lies below it is painted before the work, and looked at afterwards.

use core::arch::asm;

/// Number that the stack is painted with.
const PAINT: u32 = 0xCDCD_AA55;

/// Bytes below the present frame that are painted.
const BELOW: usize = 512 * 1024;

/// Bytes below the present frame that are left alone, since the painting itself works there.
const OWN: usize = 128;

fn pointer() -> usize {
    let pointer: usize;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}

/// Does work, and counts the bytes of stack below the present frame that it has touched.
#[inline(never)]
pub(crate) fn used_by<R>(work: impl FnOnce() -> R) -> (R, usize) {
    let here = pointer();
    let (bottom, top) = ((here - BELOW) & !7, (here - OWN) & !7);
    for at in (bottom..top).step_by(4) {
        // SAFETY: the stack grows downwards in memory that nothing else uses; below `OWN` no frame is alive.
        unsafe { (at as *mut u32).write_volatile(PAINT) };
    }
    let result = work();
    // SAFETY: as above.
    let is_painted = |at: usize| unsafe { (at as *const u32).read_volatile() } == PAINT;
    let touched = (bottom..top).step_by(4).find(|&at| !is_painted(at)).unwrap_or(top);
    (result, here - touched)
}
