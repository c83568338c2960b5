//! Shards of work that several machines or processes share.

use std::ops::Range;
use std::str::FromStr;

/// Shard of a piece of work: share `index` of `count`, from 0. In text `I/N`, with I less than N.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// The whole work.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Number of the piece with this index in a shard that has every `count`th piece.
    pub fn number(self, index: u32) -> u32 {
        index.wrapping_mul(self.count).wrapping_add(self.index)
    }

    /// Whether a shard that has every `count`th piece has the piece with this number.
    pub fn holds(self, number: u32) -> bool {
        number % self.count == self.index
    }

    /// Numbers of the pieces, of so many in all, of a shard that has pieces one after another. Such shards differ in length
    /// by one piece at most.
    pub fn range(self, pieces: u32) -> Range<u32> {
        let edge = |index: u32| (u64::from(pieces) * u64::from(index) / u64::from(self.count)) as u32;
        edge(self.index)..edge(self.index + 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let number = |text: &str| text.parse::<u32>().ok();
        match text.split_once('/').map(|(index, count)| (number(index), number(count))) {
            Some((Some(index), Some(count))) if index < count => Ok(Shard { index, count }),
            _ => Err("expected I/N with I less than N".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_the_work_in_order() {
        for pieces in [0, 1, 5, 8, 1000, u32::MAX / 2] {
            for count in [1, 2, 3, 7, 64] {
                let parts: Vec<Range<u32>> =
                    (0..count).map(|index| Shard { index, count }.range(pieces)).collect();
                assert_eq!((parts[0].start, parts[count as usize - 1].end), (0, pieces));
                assert!(parts.windows(2).all(|two| two[0].end == two[1].start));
                assert!(parts.iter().all(|part| part.len() as u32 - pieces / count <= 1), "{parts:?}");
            }
        }
    }

    #[test]
    fn every_piece_is_in_one_shard() {
        let shards: Vec<Shard> = ["0/3", "1/3", "2/3"].map(|text| text.parse().unwrap()).into();
        let mut numbers: Vec<u32> =
            shards.iter().flat_map(|shard| (0..10).map(|index| shard.number(index))).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..30).collect::<Vec<_>>());
        for number in 0..30 {
            let holders: Vec<&Shard> = shards.iter().filter(|shard| shard.holds(number)).collect();
            assert!(matches!(holders[..], [shard] if shard.number(number / 3) == number), "{number}");
        }
        assert_eq!("0/1".parse(), Ok(Shard::WHOLE));
        for wrong in ["", "1", "1/1", "2/1", "-1/2", "0/0", "0/1/2", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
