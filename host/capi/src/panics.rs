//! The panic handler that a library without std must have. Rules, solver, nets and search do not panic, so that linking in
//! one piece removes it: `.ci/capi` looks for its name.

use core::panic::PanicInfo;

#[panic_handler]
fn panicked(_: &PanicInfo<'_>) -> ! {
    #[cfg(unix)]
    {
        // SAFETY: `abort` of the C library has no conditions and does not return.
        unsafe { abort() }
    }
    // On a chip there is nothing to end.
    #[cfg(not(unix))]
    #[allow(clippy::empty_loop)]
    loop {}
}

// The C library also brings the copying of memory that compiled code calls.
#[cfg(unix)]
#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}
