//! Budgets of a decision: playouts, turns in playouts, wall time, or the thread's processor time, which other programs
//! of the machine do not affect.

use std::time::{Duration, Instant};

use barrow_core::search::flat::{ALL_SPENT, Effort};

use crate::processor_time::thread_time;

/// The budget of one decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// Number of playouts.
    Playouts(u64),
    /// Number of turns in playouts.
    Turns(u64),
    /// Processor time of the thread that decides.
    Processor(Duration),
    /// Wall time.
    Wall(Duration),
}

impl Budget {
    /// Time of a decision and whether it is processor time; `None` for a budget of work.
    pub fn time(self) -> Option<(Duration, bool)> {
        match self {
            Budget::Processor(most) => Some((most, true)),
            Budget::Wall(most) => Some((most, false)),
            Budget::Playouts(_) | Budget::Turns(_) => None,
        }
    }

    /// Starts a decision. Returns a function from the work done to the share of the budget spent, in 1/[`ALL_SPENT`].
    pub fn start(self) -> impl FnMut(Effort) -> u32 {
        let begun = Stopwatch::start(matches!(self, Budget::Processor(_)));
        let mut clock = Clock::default();
        move |effort| match self {
            Budget::Playouts(most) => share(effort.playouts, most),
            Budget::Turns(most) => share(effort.turns, most),
            Budget::Processor(most) | Budget::Wall(most) => {
                let elapsed = clock.read(effort.turns, || begun.elapsed());
                share(elapsed.as_micros() as u64, most.as_micros() as u64)
            }
        }
    }
}

/// Time between two readings of a clock that is read less often where turns are short: it takes as long as one.
const READING: Duration = Duration::from_micros(40);

/// Most turns between two readings.
const TURNS_UNREAD: u64 = 64;

/// The last reading of a clock, and when it is read again.
#[derive(Default)]
struct Clock {
    last: Duration,
    turns: u64,
    step: u64,
}

impl Clock {
    /// The time after these turns, read again only some turns after the last reading; with no turn played it always is.
    fn read(&mut self, turns: u64, now: impl FnOnce() -> Duration) -> Duration {
        if turns > 0 && turns < self.turns + self.step {
            return self.last;
        }
        let time = now();
        let is_short = time.saturating_sub(self.last) < READING && turns > 0;
        self.step = if is_short { (2 * self.step).clamp(1, TURNS_UNREAD) } else { self.step / 2 };
        (self.last, self.turns) = (time, turns);
        time
    }
}

fn share(spent: u64, most: u64) -> u32 {
    let share = u128::from(spent) * u128::from(ALL_SPENT) / u128::from(most.max(1));
    u32::try_from(share).unwrap_or(u32::MAX)
}

/// A stopwatch of processor time or wall time.
pub(super) struct Stopwatch {
    processor: Option<Duration>,
    wall: Instant,
}

impl Stopwatch {
    /// Starts a stopwatch; of wall time where the system does not report the processor's.
    pub(super) fn start(by_processor: bool) -> Stopwatch {
        Stopwatch { processor: thread_time().filter(|_| by_processor), wall: Instant::now() }
    }

    /// Time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        match (self.processor, thread_time()) {
            (Some(begun), Some(now)) => now.saturating_sub(begun),
            _ => self.wall.elapsed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_read_less_often_where_turns_are_short() {
        let readings = |micros: u64| {
            let (mut clock, mut read) = (Clock::default(), 0);
            for turns in 0..1000 {
                clock.read(turns, || {
                    read += 1;
                    Duration::from_micros(turns * micros)
                });
            }
            read
        };
        assert_eq!(readings(100), 1000);
        assert!((25..250).contains(&readings(1)), "{}", readings(1));
    }

    #[test]
    fn shares_grow_to_the_whole() {
        let mut spent = Budget::Playouts(200).start();
        let at = |playouts| Effort { playouts, turns: 0 };
        assert_eq!((spent(at(0)), spent(at(100)), spent(at(200))), (0, ALL_SPENT / 2, ALL_SPENT));
        assert_eq!(Budget::Turns(0).start()(Effort { playouts: 1, turns: 1 }), ALL_SPENT);
        assert_eq!(Budget::Playouts(1).start()(at(u64::MAX)), u32::MAX);
        assert_eq!(Budget::Processor(Duration::from_secs(1000)).start()(at(9)), 0);
    }
}
