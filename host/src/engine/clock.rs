//! How much of a clock a turn is worth.

use std::time::Duration;

/// Turns among which the time left is shared at most, and when nobody says how many are to come.
const TURNS_AHEAD: (u64, u64) = (60, 20);

/// Turns for whose overhead there is always time left in a game without end.
const RESERVE: u64 = 60;

/// How many times its share a turn may take that is not settled.
const STRETCH: u32 = 3;

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    /// Time left.
    pub(crate) left: Duration,
    /// Time added after each turn.
    pub(crate) increment: Duration,
    /// Turns until more time is added; `None` when it has to do for the whole game.
    pub(crate) moves_to_go: Option<u64>,
}

/// What a turn gets of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    /// Time after which a settled search ends.
    pub(crate) enough: Duration,
    /// Time after which any search ends.
    pub(crate) most: Duration,
}

impl Clock {
    /// Equal parts of the time left and of the increments to come, without the overhead of each turn. A turn that is
    /// not settled may take some times its part, but while others are to follow no more than half of the time left
    /// and its increment.
    pub(crate) fn share(&self, overhead: Duration) -> Share {
        let (most_turns, usual_turns) = TURNS_AHEAD;
        let turns = self.moves_to_go.unwrap_or(usual_turns).clamp(1, most_turns) as u32;
        let others = self.moves_to_go.map_or(RESERVE, |turns| turns.saturating_sub(1));
        let drain = overhead.saturating_sub(self.increment);
        let reserve = drain.saturating_mul(u32::try_from(others).unwrap_or(u32::MAX));
        let usable = self.left.saturating_sub(overhead);
        let spare = usable.saturating_sub(reserve);
        let gain = self.increment.saturating_sub(overhead);
        let part = spare.saturating_add(gain.saturating_mul(turns - 1)) / turns;
        let cap = if turns == 1 { spare } else { (spare / 2).saturating_add(gain).min(usable) };
        let most = part.saturating_mul(STRETCH).min(cap);
        Share { enough: part.min(most), most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn clock(left: u64, increment: u64, moves_to_go: Option<u64>) -> Clock {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        Clock { left, increment, moves_to_go }
    }

    /// A game by the clock in which every turn takes all it may and the whole overhead; the time left after it.
    fn game(mut clock: Clock, turns: u32, greed: impl Fn(Share, u32) -> Duration) -> Duration {
        let (start, per_control) = (clock.left, clock.moves_to_go);
        for turn in 0..turns {
            let used = greed(clock.share(OVERHEAD), turn) + OVERHEAD;
            clock.left = clock.left.checked_sub(used).expect("lost on time") + clock.increment;
            if let (Some(left), Some(all)) = (clock.moves_to_go, per_control) {
                clock.moves_to_go = Some(if left == 1 { all } else { left - 1 });
                if left == 1 {
                    clock.left += start;
                }
            }
        }
        clock.left
    }

    #[test]
    fn no_clock_is_ever_overdrawn() {
        for left in [31, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 100, 5_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let clock = clock(left, increment, moves_to_go);
                    // Without time for the overhead of each turn nobody can last.
                    let lasting = increment >= 30 || left / moves_to_go.unwrap_or(RESERVE) >= 31;
                    let turns = match moves_to_go {
                        _ if !lasting => 1,
                        None if increment < 30 => RESERVE as u32,
                        _ => 400,
                    };
                    game(clock, turns, |share, _| share.most);
                    game(clock, turns, |share, _| share.enough);
                    game(clock, turns, |share, turn| if turn % 3 == 0 { share.most } else { share.enough });
                }
            }
        }
    }

    #[test]
    fn the_clock_is_used() {
        // A game of the expected length spends most of its time, and the increments.
        let rest = game(clock(60_000, 0, None), 20, |share, _| share.enough);
        assert!(rest < Duration::from_secs(25), "{rest:?}");
        let rest = game(clock(60_000, 2_000, None), 200, |share, _| share.enough);
        assert!(rest < Duration::from_secs(5), "{rest:?}");
        let last = clock(10_000, 0, Some(1)).share(OVERHEAD);
        assert!(last.enough > Duration::from_millis(9_900) && last.most < Duration::from_secs(10));
    }

    #[test]
    fn more_of_everything_is_never_less_time() {
        let share = |left, increment, turns| clock(left, increment, Some(turns)).share(OVERHEAD);
        for (less, more) in [
            (share(10_000, 0, 10), share(20_000, 0, 10)),
            (share(10_000, 0, 10), share(10_000, 500, 10)),
            (share(10_000, 0, 10), share(10_000, 0, 5)),
        ] {
            assert!(less.enough < more.enough && less.most < more.most, "{less:?} {more:?}");
        }
    }

    #[test]
    fn the_largest_numbers_are_no_danger() {
        let forever = Clock { left: Duration::MAX, increment: Duration::MAX, moves_to_go: Some(u64::MAX) };
        assert!(forever.share(OVERHEAD).most > Duration::from_hours(1));
        let none = Share { enough: Duration::ZERO, most: Duration::ZERO };
        assert_eq!(clock(30, 0, None).share(OVERHEAD), none);
        assert_eq!(clock(5_000, 0, None).share(Duration::MAX), none);
    }
}
