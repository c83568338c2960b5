//! The check that this processor can run this build.
//!
//! The default build is for x86-64-v3. `is_x86_feature_detected!` is a constant in it, so the check executes
//! the `cpuid` instruction itself, through the crate `raw-cpuid`, which wraps it in a safe function. The code
//! of the check keeps to integers, one bit at a time, so that it runs on any x86-64 processor.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use std::io::Write;

/// The error on an older processor.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
const UNSUPPORTED: &[u8] =
    b"barrow: this build needs an x86-64-v3 processor (AVX2, BMI2, FMA), which this one is not; \
use the portable build: cargo --config .cargo/portable.toml build --release\n";

/// Ends the program with exit code 2 and one sentence on stderr if the processor lacks what the build was
/// compiled for.
pub fn require() {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if !is_v3() {
        // If stderr is closed, the exit code has to do.
        let _ = std::io::stderr().write_all(UNSUPPORTED);
        std::process::exit(2);
    }
}

/// Whether the processor has every feature that x86-64-v3 adds to plain x86-64 and that `cpuid` reports.
#[cfg(target_arch = "x86_64")]
pub fn is_v3() -> bool {
    // Register and bit numbers: Intel, "Software Developer's Manual", volume 2, CPUID.
    // SSE3, SSSE3, FMA, CMPXCHG16B, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C.
    const LEAF_1_ECX: [u32; 11] = bits([0, 9, 12, 13, 19, 20, 22, 23, 27, 28, 29]);
    // BMI1, AVX2, BMI2.
    const LEAF_7_EBX: [u32; 3] = bits([3, 5, 8]);
    // LAHF, LZCNT.
    const LEAF_EXTENDED_1_ECX: [u32; 2] = bits([0, 5]);
    const EXTENDED: u32 = 0x8000_0000;

    let ask = |leaf: u32| raw_cpuid::native_cpuid::cpuid_count(leaf, 0);
    ask(0).eax >= 7
        && has_all(ask(1).ecx, &LEAF_1_ECX)
        && has_all(ask(7).ebx, &LEAF_7_EBX)
        && ask(EXTENDED).eax > EXTENDED
        && has_all(ask(EXTENDED + 1).ecx, &LEAF_EXTENDED_1_ECX)
}

/// The mask of each bit number. They are made at compile time, because a shift by a variable would become an instruction of x86-64-v3.
#[cfg(target_arch = "x86_64")]
const fn bits<const N: usize>(numbers: [u32; N]) -> [u32; N] {
    let mut masks = numbers;
    let mut index = 0;
    while index < N {
        masks[index] = 1 << numbers[index];
        index += 1;
    }
    masks
}

/// Whether the register has the bit of every mask. The compiler is kept from joining the masks into one, for which
/// it would choose an instruction of x86-64-v3.
#[cfg(target_arch = "x86_64")]
fn has_all(register: u32, masks: &[u32]) -> bool {
    masks.iter().all(|mask| std::hint::black_box(register) & mask != 0)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_machine_that_runs_the_tests_can_run_the_build() {
        require();
        assert!(is_v3() || !cfg!(target_feature = "avx2"));
    }

    #[test]
    fn bits_are_counted_from_the_lowest() {
        assert!(has_all(0b1010, &bits([1, 3])));
        assert!(!has_all(0b1010, &bits([1, 2])));
        assert!(has_all(0, &[]));
    }
}
