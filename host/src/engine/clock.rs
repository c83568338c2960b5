//! Time management: how much of the time left on a game's clock a turn may take.

use std::time::Duration;

/// Largest number of turns among which the time left is shared.
const MAX_TURNS: u64 = 60;

/// Number of turns among which the time left is shared when the host does not say how many are to come.
const DEFAULT_TURNS: u64 = 20;

/// Turns whose overhead is kept in reserve when the host does not say how many are to come.
const RESERVE_TURNS: u64 = 60;

/// Hard bound as a multiple of the soft bound.
const HARD_OVER_SOFT: u32 = 3;

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    /// Time left.
    pub left: Duration,
    /// Time added after each turn.
    pub increment: Duration,
    /// Turns until more time is added; `None` when the time left has to do for the whole game.
    pub moves_to_go: Option<u64>,
}

/// Bounds of the time for one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBounds {
    /// Time after which a search ends whose best turn is settled.
    pub soft: Duration,
    /// Time after which any search ends.
    pub hard: Duration,
}

impl GameClock {
    /// Bounds for the next turn. The soft bound is an equal part of the time left and of the increments to come, less
    /// the overhead of each turn. The hard bound is a multiple of it, but while other turns are to follow no more than
    /// half of the time left and the increment.
    pub fn bounds(&self, overhead: Duration) -> TimeBounds {
        let turns = self.moves_to_go.unwrap_or(DEFAULT_TURNS).clamp(1, MAX_TURNS) as u32;
        let others = self.moves_to_go.map_or(RESERVE_TURNS, |turns| turns.saturating_sub(1));
        let drain = overhead.saturating_sub(self.increment);
        let reserve = drain.saturating_mul(u32::try_from(others).unwrap_or(u32::MAX));
        let usable = self.left.saturating_sub(overhead);
        let spare = usable.saturating_sub(reserve);
        let gain = self.increment.saturating_sub(overhead);
        let part = spare.saturating_add(gain.saturating_mul(turns - 1)) / turns;
        let cap = if turns == 1 { spare } else { (spare / 2).saturating_add(gain).min(usable) };
        let hard = part.saturating_mul(HARD_OVER_SOFT).min(cap);
        TimeBounds { soft: part.min(hard), hard }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn clock(left: u64, increment: u64, moves_to_go: Option<u64>) -> GameClock {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        GameClock { left, increment, moves_to_go }
    }

    /// A game by the clock in which every turn takes all it may and the whole overhead; the time left after it.
    fn game(mut clock: GameClock, turns: u32, greed: impl Fn(TimeBounds, u32) -> Duration) -> Duration {
        let (start, per_control) = (clock.left, clock.moves_to_go);
        for turn in 0..turns {
            let used = greed(clock.bounds(OVERHEAD), turn) + OVERHEAD;
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
                    let lasting = increment >= 30 || left / moves_to_go.unwrap_or(RESERVE_TURNS) >= 31;
                    let turns = match moves_to_go {
                        _ if !lasting => 1,
                        None if increment < 30 => RESERVE_TURNS as u32,
                        _ => 400,
                    };
                    game(clock, turns, |share, _| share.hard);
                    game(clock, turns, |share, _| share.soft);
                    game(clock, turns, |share, turn| if turn % 3 == 0 { share.hard } else { share.soft });
                }
            }
        }
    }

    #[test]
    fn the_clock_is_used() {
        // A game of the expected length spends most of its time, and the increments.
        let rest = game(clock(60_000, 0, None), 20, |share, _| share.soft);
        assert!(rest < Duration::from_secs(25), "{rest:?}");
        let rest = game(clock(60_000, 2_000, None), 200, |share, _| share.soft);
        assert!(rest < Duration::from_secs(5), "{rest:?}");
        let last = clock(10_000, 0, Some(1)).bounds(OVERHEAD);
        assert!(last.soft > Duration::from_millis(9_900) && last.hard < Duration::from_secs(10));
    }

    #[test]
    fn more_of_everything_is_never_less_time() {
        let share = |left, increment, turns| clock(left, increment, Some(turns)).bounds(OVERHEAD);
        for (less, more) in [
            (share(10_000, 0, 10), share(20_000, 0, 10)),
            (share(10_000, 0, 10), share(10_000, 500, 10)),
            (share(10_000, 0, 10), share(10_000, 0, 5)),
        ] {
            assert!(less.soft < more.soft && less.hard < more.hard, "{less:?} {more:?}");
        }
    }

    #[test]
    fn the_largest_numbers_are_no_danger() {
        let forever =
            GameClock { left: Duration::MAX, increment: Duration::MAX, moves_to_go: Some(u64::MAX) };
        assert!(forever.bounds(OVERHEAD).hard > Duration::from_hours(1));
        let none = TimeBounds { soft: Duration::ZERO, hard: Duration::ZERO };
        assert_eq!(clock(30, 0, None).bounds(OVERHEAD), none);
        assert_eq!(clock(5_000, 0, None).bounds(Duration::MAX), none);
    }
}
