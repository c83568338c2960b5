//! Numbers that are tuned, each within its range.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Number of the search that is tuned: its name among the settings of a player, and its range.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunedNumber {
    /// Name of the setting.
    pub name: String,
    /// Smallest value.
    pub low: u32,
    /// Largest value.
    pub high: u32,
}

impl TunedNumber {
    /// Value at a place of the range, 0 for its beginning and 1 for its end; places outside count as the nearest end.
    pub fn at(&self, place: f64) -> u32 {
        let width = f64::from(self.high) - f64::from(self.low);
        (f64::from(self.low) + width * place.clamp(0.0, 1.0)).round() as u32
    }

    /// Place of a value in the range.
    pub fn place(&self, value: f64) -> f64 {
        ((value - f64::from(self.low)) / f64::from(self.high - self.low)).clamp(0.0, 1.0)
    }
}

impl FromStr for TunedNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<TunedNumber, String> {
        let wrong = || "expected NAME=LOW..HIGH with LOW less than HIGH".to_owned();
        let (name, range) = text.split_once('=').ok_or_else(wrong)?;
        let (low, high) = range.split_once("..").ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let (low, high) = (number(low)?, number(high)?);
        if low < high { Ok(TunedNumber { name: name.to_owned(), low, high }) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values_belong_together() {
        let number: TunedNumber = "noise=40..240".parse().unwrap();
        for value in [40, 41, 100, 239, 240] {
            assert_eq!(number.at(number.place(f64::from(value))), value);
        }
        assert_eq!([-1.0, 0.5, 7.0].map(|place| number.at(place)), [40, 140, 240]);
        assert!(number.place(1e9) <= 1.0 && number.place(0.0) >= 0.0);
        for wrong in ["noise", "noise=4", "noise=4..4", "noise=5..4", "noise=-1..4", "noise=a..b"] {
            assert!(wrong.parse::<TunedNumber>().is_err(), "{wrong}");
        }
    }
}
