//! Logarithms in whole numbers, which every target computes alike.

/// The natural logarithm of 2 in 1/65,536.
pub(super) const LN_2: u64 = 45_426;

/// The logarithm to base 2 in 1/65,536, at most 1.001/65,536 below the exact one and never above it; 0 for 0.
pub const fn log2(number: u64) -> u32 {
    let Some(whole) = number.checked_ilog2() else { return 0 };
    // A mantissa of 1 <= m < 2 with 31 bits behind the point. Each squaring shifts one bit of the logarithm out.
    let mut mantissa = if whole > 31 { number >> (whole - 31) } else { number << (31 - whole) };
    let mut bits = whole;
    let mut bit = 0;
    while bit < 16 {
        mantissa = (mantissa * mantissa) >> 31;
        let carry = (mantissa >> 32) as u32;
        mantissa >>= carry;
        bits = bits << 1 | carry;
        bit += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close() {
        let mut worst: f64 = 0.0;
        let numbers = (1..5000).chain((5..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, 5 << (bit - 3)]));
        for number in numbers.chain([u64::MAX]) {
            #[expect(clippy::cast_precision_loss)]
            let exact = (number as f64).log2() * 65_536.0;
            let error = exact - f64::from(log2(number));
            assert!((-1e-6..1.001).contains(&error), "{number}: {error}");
            worst = worst.max(error);
        }
        assert!(worst > 0.999, "the documented error is too wide: {worst}");
        assert_eq!((log2(0), log2(1), log2(1 << 40)), (0, 0, 40 << 16));
    }
}
