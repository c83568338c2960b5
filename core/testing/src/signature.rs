//! Signatures: all that a long run says, as one number that a test knows. "Equal seed and budget give an equal turn on every
//! target", so such a number changes with the code alone. A change that is meant writes the new number down.

use std::fmt::{Debug, Write};

/// 64-bit FNV-1a of everything that is mixed in.
pub struct Signature(u64);

impl Default for Signature {
    fn default() -> Self {
        Signature(0xcbf2_9ce4_8422_2325)
    }
}

impl Write for Signature {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

impl Signature {
    /// Mixes in what a debugger shows of a value.
    pub fn mix(&mut self, what: impl Debug) {
        // Nothing that is mixed in fails to be shown.
        let _ = write!(self, "{what:?};");
    }

    /// Panics unless the signature is known.
    pub fn check(&self, known: u64) {
        assert!(self.0 == known, "the signature is {:#018x}, not {known:#018x}", self.0);
    }
}
