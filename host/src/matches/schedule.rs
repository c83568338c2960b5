//! Schedules: who plays whom in a match, and in which order.
//!
//! Pairs of games are numbered round by round; in a round every encounter plays one pair, all of them on the same opening,
//! so that nobody is luckier with openings than others.

/// Format of a match among several players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum MatchFormat {
    /// Everybody plays everybody
    #[default]
    RoundRobin,
    /// The first player plays everybody else
    Gauntlet,
}

impl MatchFormat {
    /// Name of the format.
    pub fn name(self) -> &'static str {
        match self {
            MatchFormat::RoundRobin => "round-robin",
            MatchFormat::Gauntlet => "gauntlet",
        }
    }

    /// Encounters of this many players: the indices of both, the first one the smaller.
    pub fn encounters(self, players: usize) -> Vec<[usize; 2]> {
        let firsts = if self == MatchFormat::Gauntlet { players.min(1) } else { players };
        (0..firsts).flat_map(|first| (first + 1..players).map(move |second| [first, second])).collect()
    }
}

/// Letter by which a match calls the player with this index.
pub fn letter(index: usize) -> char {
    u8::try_from(index).ok().filter(|index| *index < 26).map_or('?', |index| char::from(b'a' + index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_whom_the_format_says() {
        assert_eq!(MatchFormat::RoundRobin.encounters(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(MatchFormat::Gauntlet.encounters(3), [[0, 1], [0, 2]]);
        for format in [MatchFormat::RoundRobin, MatchFormat::Gauntlet] {
            assert_eq!(format.encounters(2), [[0, 1]]);
        }
        assert_eq!([letter(0), letter(25)], ['a', 'z']);
    }
}
