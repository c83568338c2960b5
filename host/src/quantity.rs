//! Times and sizes of the command line: milliseconds and MiB, unless a suffix says otherwise.

use std::ops::RangeInclusive;

use anyhow::{Context, Result, ensure};

/// Unit by its suffix, in milliseconds or MiB; the first one needs no suffix.
type Unit = (&'static str, u64);

/// Units of times.
const TIMES: [Unit; 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

/// Units of sizes.
const SIZES: [Unit; 4] = [("MiB", 1), ("GiB", 1 << 10), ("M", 1), ("G", 1 << 10)];

/// Parser of a time in milliseconds, of at least so many: `1500`, `1500ms`, `1.5s`, `2m`, `1h`.
pub fn milliseconds(least: u64) -> impl Fn(&str) -> Result<u64> + Clone + Send + Sync + 'static {
    move |text| {
        let time =
            read_milliseconds(text).context("expected milliseconds, or a number with ms, s, m or h")?;
        ensure!(time >= least, "expected {least} ms at least");
        Ok(time)
    }
}

/// Parser of a size in MiB within these bounds: `256`, `256MiB`, `1.5GiB`.
pub fn mebibytes(
    bounds: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<u64> + Clone + Send + Sync + 'static {
    move |text| {
        let size = read_mebibytes(text).context("expected MiB, or a number with MiB or GiB")?;
        ensure!(bounds.contains(&size), "expected {} to {} MiB", bounds.start(), bounds.end());
        Ok(size)
    }
}

/// Time in milliseconds; `None` where the text is none, or no whole number of milliseconds.
pub fn read_milliseconds(text: &str) -> Option<u64> {
    quantity(text, &TIMES)
}

/// Size in MiB; `None` where the text is none, or no whole number of MiB.
pub fn read_mebibytes(text: &str) -> Option<u64> {
    quantity(text, &SIZES)
}

/// Number with a suffix, as a whole number of the first unit.
fn quantity(text: &str, units: &[Unit]) -> Option<u64> {
    let suffix = text.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    let number = text.strip_suffix(suffix)?;
    let unit = if suffix.is_empty() { 1 } else { units.iter().find(|unit| unit.0 == suffix)?.1 };
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (number, "0"),
    };
    let power = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let parts = fraction.parse::<u64>().ok()?.checked_mul(unit)?;
    if parts % power != 0 {
        return None;
    }
    whole.parse::<u64>().ok()?.checked_mul(unit)?.checked_add(parts / power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_milliseconds_unless_a_suffix_says_otherwise() {
        let time = milliseconds(1);
        for (text, expected) in [
            ("1", 1),
            ("1500", 1_500),
            ("20ms", 20),
            ("1s", 1_000),
            ("1.5s", 1_500),
            ("0.001s", 1),
            ("2m", 120_000),
            ("1.25h", 4_500_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(time(text).unwrap(), expected, "{text}");
        }
        for text in [
            "",
            "s",
            "0",
            "0s",
            "-1",
            "+1",
            "1 s",
            "1S",
            "1sec",
            "1.s",
            ".5s",
            "1.5",
            "1.5ms",
            "1.2.3s",
            "0.0001s",
            "1MiB",
            "18446744073709551616",
            "18446744073709551615s",
            "1.00000000000000000000s",
            "\u{661}s",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
        assert_eq!(milliseconds(0)("0").unwrap(), 0);
    }

    #[test]
    fn sizes_are_mib_unless_a_suffix_says_otherwise() {
        let size = mebibytes(1..=4_096);
        for (text, expected) in
            [("64", 64), ("64MiB", 64), ("64M", 64), ("2GiB", 2_048), ("1.5G", 1_536), ("4G", 4_096)]
        {
            assert_eq!(size(text).unwrap(), expected, "{text}");
        }
        for text in ["0", "4097", "5GiB", "1.5", "1.5MiB", "64mib", "64KiB", "1s"] {
            assert!(size(text).is_err(), "{text}");
        }
        assert_eq!(size("5G").unwrap_err().to_string(), "expected 1 to 4096 MiB");
        assert_eq!(milliseconds(1)("0").unwrap_err().to_string(), "expected 1 ms at least");
    }
}
