//! Dates of games: the present time of day of the world's clock, as ISO 8601 writes it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds of a day.
const DAY: u64 = 86_400;

/// The present time, such as `2026-11-23T03:10:00Z`.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    text_of(since.as_secs())
}

/// Date and time this many seconds after the beginning of 1970, leap seconds not counted.
fn text_of(seconds: u64) -> String {
    let (day, second) = (seconds / DAY, seconds % DAY);
    let (year, month, day) = civil(day);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a day, counted from the beginning of 1970. Years that begin in March have their odd day at the
/// end (H. Hinnant, "chrono-compatible low-level date algorithms").
fn civil(day: u64) -> (u64, u64, u64) {
    let shifted = day + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (400 * era + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_has_the_date_that_counting_gives() {
        let is_leap =
            |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let mut day = 0;
        for year in 1970..2410 {
            for month in 1..=12 {
                let days = match month {
                    2 if is_leap(year) => 29,
                    2 => 28,
                    4 | 6 | 9 | 11 => 30,
                    _ => 31,
                };
                for date in 1..=days {
                    assert_eq!(civil(day), (year, month, date));
                    day += 1;
                }
            }
        }
        assert_eq!(text_of(1_795_403_400), "2026-11-23T03:10:00Z");
    }
}
