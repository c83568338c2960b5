//! Exponential function without floating point.

use fixed::types::I16F16;

/// Power of two of a number in 16.16 fixed point, rounded down: the whole part shifts, the rest is a parabola. Less than
/// 0.4 % off before rounding, monotonous; `u32::MAX` where it is out of range.
fn power_of_two(bits: i64) -> u32 {
    let (whole, rest) = (bits >> 16, bits & 0xffff);
    if whole < 0 {
        return 0;
    }
    // 2^x is about 1 + x * (0.6565 + 0.3435 x) for x in 0..=1, and exactly so at both ends.
    let mantissa = 65_536 + ((rest * (43_024 + ((22_512 * rest) >> 16))) >> 16);
    u32::try_from((mantissa << whole.min(32)) >> 16).unwrap_or(u32::MAX)
}

/// Plausibility of a logit: `65,536 * e^logit`, at least 1 and at most `u32::MAX`. Less than 0.4 % off or rounded
/// down, and monotonous.
///
/// ```
/// use barrow_nnue::nets::exponential::plausibility;
/// use fixed::types::I16F16;
/// assert_eq!(plausibility(I16F16::ZERO), 65_536);
/// assert_eq!(plausibility(I16F16::MIN), 1);
/// assert_eq!(plausibility(I16F16::MAX), u32::MAX);
/// ```
pub fn plausibility(logit: I16F16) -> u32 {
    /// Binary logarithm of e in 1/65,536.
    const LOG: i64 = 94_548;
    let exponent = (i64::from(logit.to_bits()) * LOG) >> 16;
    power_of_two(exponent + (16 << 16)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_exact_and_end_at_the_largest_number() {
        for whole in 0..32 {
            assert_eq!(power_of_two(i64::from(whole) << 16), 1 << whole);
        }
        assert_eq!([-1, 32 << 16, 63 << 16, 1 << 40].map(power_of_two), [0, u32::MAX, u32::MAX, u32::MAX]);
    }

    #[test]
    fn every_ninth_logit_is_close_to_the_function_and_none_falls() {
        let mut last = 0;
        for bits in (-(12 << 16)..12 << 16).step_by(9) {
            let logit = I16F16::from_bits(bits);
            let (found, exact) = (plausibility(logit), 65_536.0 * logit.to_num::<f64>().exp());
            let exact = exact.clamp(1.0, f64::from(u32::MAX));
            assert!((f64::from(found) - exact).abs() <= 1.0 + 0.004 * exact, "{logit}: {found} {exact}");
            assert!(found >= last, "{logit}");
            last = found;
        }
    }
}
