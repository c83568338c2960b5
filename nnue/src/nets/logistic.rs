//! Chances of logits, without floating point.

use fixed::types::I16F16;

/// Entries of the table for a unit of the logit.
const STEPS: i32 = 32;

/// Largest logit of the table; its chance is 0.4 of 65,535 away from certainty and serves all larger logits.
const END: i32 = 12;

/// The logistic function of `0..=END` in steps of `1/STEPS`, times 65,535.
const TABLE: [u16; (END * STEPS + 1) as usize] = include!("logistic_table.in");

/// Chance of a logit, `65,535 / (1 + e^-logit)`: 0 is never, 65,535 always. Less than two steps off,
/// monotonous, and the chances of a logit and of its negative add up to 65,535.
///
/// ```
/// use barrow_nnue::nets::logistic::chance;
/// use fixed::types::I16F16;
/// assert_eq!(chance(I16F16::from_num(1.0986123)), 49_151);
/// assert_eq!(chance(I16F16::from_num(-20)), 0);
/// ```
pub fn chance(logit: I16F16) -> u16 {
    let bits = logit.to_bits();
    let distance = bits.unsigned_abs();
    // 2^16 divided by the steps of a unit.
    let step = 1 << 16 >> STEPS.trailing_zeros();
    let (index, rest) = ((distance / step) as usize, distance % step);
    let value = match TABLE.get(index..) {
        Some([here, next, ..]) => {
            let rise = u32::from(next.saturating_sub(*here));
            here + ((rise * rest + step / 2) / step) as u16
        }
        _ => u16::MAX,
    };
    if bits < 0 { u16::MAX - value } else { value }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    fn exact(logit: f64) -> f64 {
        65_535.0 / (1.0 + (-logit).exp())
    }

    #[test]
    fn the_table_is_the_function() {
        for (index, value) in (0..).zip(TABLE) {
            let exact = exact(f64::from(index) / f64::from(STEPS));
            assert!((f64::from(value) - exact).abs() <= 0.5, "{index}");
        }
    }

    #[test]
    fn every_seventh_logit_is_close_to_the_function() {
        let mut last = 0;
        for bits in (-(14 << 16)..14 << 16).step_by(7) {
            let logit = I16F16::from_bits(bits);
            let chance = chance(logit);
            assert!((f64::from(chance) - exact(logit.to_num())).abs() < 2.0, "{logit}");
            assert!(chance >= last, "{logit}");
            last = chance;
        }
    }

    #[test]
    fn chances_of_opposites_add_up() {
        for bits in [1, 2, 1_000, 65_536, 786_431, 786_432, 786_433, i32::MAX] {
            let logit = I16F16::from_bits(bits);
            assert_eq!(u32::from(chance(logit)) + u32::from(chance(-logit)), 65_535, "{logit}");
        }
        assert_eq!(chance(I16F16::MIN), 0);
        assert_eq!(chance(I16F16::MAX), 65_535);
        assert_eq!(chance(I16F16::ZERO), 32_768);
    }
}
