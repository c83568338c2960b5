//! Parts of a match, for several machines or processes.

use std::ops::Range;
use std::str::FromStr;

/// Part of a match: the pairs of games of a share of its length, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchPart {
    index: u32,
    of: u32,
}

impl MatchPart {
    /// The whole match.
    pub const WHOLE: MatchPart = MatchPart { index: 0, of: 1 };

    /// Numbers of the pairs of this part of a match of so many pairs. The parts differ in length by one pair at most.
    pub fn numbers(self, pairs: u32) -> Range<u32> {
        let edge = |index: u32| (u64::from(pairs) * u64::from(index) / u64::from(self.of)) as u32;
        edge(self.index)..edge(self.index + 1)
    }
}

impl FromStr for MatchPart {
    type Err = String;

    fn from_str(text: &str) -> Result<MatchPart, String> {
        let number = |text: &str| text.parse::<u32>().ok();
        match text.split_once('/').map(|(index, of)| (number(index), number(of))) {
            Some((Some(index), Some(of))) if index < of => Ok(MatchPart { index, of }),
            _ => Err("expected I/N with I less than N".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_match_in_order() {
        for pairs in [0, 1, 5, 8, 1000, u32::MAX / 2] {
            for of in [1, 2, 3, 7, 64] {
                let parts: Vec<Range<u32>> =
                    (0..of).map(|index| MatchPart { index, of }.numbers(pairs)).collect();
                assert_eq!((parts[0].start, parts[of as usize - 1].end), (0, pairs));
                assert!(parts.windows(2).all(|two| two[0].end == two[1].start));
                assert!(parts.iter().all(|part| part.len() as u32 - pairs / of <= 1), "{parts:?}");
            }
        }
        assert_eq!("0/1".parse(), Ok(MatchPart::WHOLE));
        for wrong in ["", "1", "1/1", "2/1", "-1/2", "0/0", "0/1/2", "a/b"] {
            assert!(wrong.parse::<MatchPart>().is_err(), "{wrong}");
        }
    }
}
