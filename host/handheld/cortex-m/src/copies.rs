//! Copies and zeros, which every other library calls by the names of the processor's convention.

use core::arch::global_asm;
use core::hint::black_box;

global_asm!(include_str!("copies.s"), options(raw));

unsafe extern "C" {
    fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8;
    fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8;
    fn memset(to: *mut u8, value: i32, count: usize) -> *mut u8;
    fn __aeabi_memclr(to: *mut u8, count: usize);
}

/// Bytes of the area in which [`check`] works; blocks of 32 go by twice and leave all remainders.
const AREA: usize = 168;

/// Longest copy of the check.
const LONGEST: usize = 75;

/// Compares copies and fills of all short lengths, from and to all remainders of addresses, apart and overlapping, with the
/// same byte by byte.
pub(crate) fn check() {
    // SAFETY of all blocks: destination and source lie in the area that is handed over, with room for the longest copy.
    for count in 0..=LONGEST {
        for (to, from) in (0..4).flat_map(|to| (0..4).map(move |from| (to, from))) {
            let (far, apart) = (40 + to, 80 + from);
            one("memcpy", to, apart, count, |area| unsafe { memcpy(area.add(to), area.add(apart), count) });
            one("memmove", to, from, count, |area| unsafe { memmove(area.add(to), area.add(from), count) });
            one("memmove", far, from, count, |area| unsafe { memmove(area.add(far), area.add(from), count) });
        }
        for to in 0..4 {
            filled("memset", to, count, 0x1A7, |area| unsafe { memset(area.add(to), 0x1A7, count) });
            filled("memclr", to, count, 0, |area| unsafe {
                __aeabi_memclr(area.add(to), count);
                area.add(to)
            });
        }
    }
}

/// An area of different bytes, aligned to words.
#[repr(align(8))]
struct Area([u8; AREA]);

fn area() -> Area {
    Area(core::array::from_fn(|at| black_box(at as u8) ^ 0x5A))
}

/// Checks one copy: everything else stays, and the result is the destination.
fn one(name: &str, to: usize, from: usize, count: usize, copy: impl Fn(*mut u8) -> *mut u8) {
    let (before, mut after) = (area(), area());

    let first = after.0.as_mut_ptr();
    let result = copy(first);
    let whole = result == first.wrapping_add(to)
        && (0..AREA).all(|at| {
            let inside = (to..to + count).contains(&at);
            after.0[at] == before.0[if inside { at - to + from } else { at }]
        });
    assert!(whole, "{name} of {count} bytes from {from} to {to}");
}

fn filled(name: &str, to: usize, count: usize, value: i32, fill: impl Fn(*mut u8) -> *mut u8) {
    let (before, mut after) = (area(), area());
    let first = after.0.as_mut_ptr();
    let result = fill(first);
    let whole = result == first.wrapping_add(to)
        && (0..AREA).all(|at| {
            let inside = (to..to + count).contains(&at);
            after.0[at] == if inside { value as u8 } else { before.0[at] }
        });
    assert!(whole, "{name} of {count} bytes at {to}");
}
