//! Effort of a repair: requests to the solver and estimates, within counts and within what is left of a search's limits.

use std::time::{Duration, Instant};

use super::super::limits::Limits;
use crate::processor_time::thread_time;

/// Requests after a search without a limit of nodes.
const MOST_REQUESTS: u64 = 4_000;

/// Requests after a search with a limit of nodes: as many as nodes, but no more than this.
const COUNTED_REQUESTS: u64 = 400;

/// Estimates for each request. A request takes about as long as ten of them, but there are searches that ask for few.
const ESTIMATES: u64 = 80;

/// Estimates between two looks at the clocks.
const LOOK: u64 = 16;

/// Time after a stop.
const AFTER_STOP: Duration = Duration::from_millis(10);

/// Requests before a search, and the share of its time for them, one part of so many.
const FIRST_REQUESTS: u64 = 32;
const FIRST_PART: u32 = 16;

/// Largest time that is left unused for what is under way when the time is up.
const MARGIN: Duration = Duration::from_millis(2);

/// Effort that is left to a repair. A copy has the same counts again, and ends by the same clocks.
#[derive(Clone)]
pub(super) struct Effort {
    requests: u64,
    estimates: u64,
    end: Option<Instant>,
    /// Processor time of this thread at which the effort ends.
    processor: Option<Duration>,
    /// Time of the request under way, and the longest that one took: the next may be as long.
    asked: Option<Instant>,
    longest: Duration,
    over: bool,
}

impl Effort {
    /// Effort for a look at what is at stake, before a search with these limits.
    pub(super) fn before(limits: &Limits) -> Effort {
        let part = |time: Duration| time / FIRST_PART;
        Effort {
            requests: FIRST_REQUESTS,
            end: Instant::now().checked_add(part(limits.hard_bound)),
            ..Effort::within(limits, limits.processor.map(part))
        }
    }

    /// Effort within the limits of a search that has ended, and within this processor time.
    pub(super) fn within(limits: &Limits, processor: Option<Duration>) -> Effort {
        let requests =
            if limits.nodes == u64::MAX { MOST_REQUESTS } else { limits.nodes.clamp(1, COUNTED_REQUESTS) };
        let left = if limits.signals.is_stopped() {
            AFTER_STOP
        } else if limits.hard_bound == Duration::MAX {
            Duration::MAX
        } else {
            let (hard, spent) = (limits.hard_bound, limits.spent());
            let soft = limits.soft_bound.unwrap_or(hard).saturating_sub(spent).max(hard / 16);
            soft.min(hard.saturating_sub(spent)).saturating_sub(MARGIN.min(hard / 16))
        };
        Effort {
            requests,
            estimates: requests * ESTIMATES,
            end: Instant::now().checked_add(left),
            processor: processor.zip(thread_time()).map(|(left, now)| now + left),
            asked: None,
            longest: Duration::ZERO,
            over: false,
        }
    }

    /// Takes a request. False where none is left.
    pub(super) fn request(&mut self) -> bool {
        self.over |= self.requests == 0;
        self.requests = self.requests.saturating_sub(1);
        self.look();
        self.asked = Some(Instant::now());
        !self.over
    }

    /// Takes an estimate. False where none is left.
    pub(super) fn estimate(&mut self) -> bool {
        self.over |= self.estimates == 0;
        self.estimates = self.estimates.saturating_sub(1);
        if self.estimates.is_multiple_of(LOOK) {
            self.look();
        }
        !self.over
    }

    /// Whether nothing is left.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Requests that are left.
    pub(super) fn requests(&self) -> u64 {
        self.requests
    }

    /// Effort with the same counts that ends at half of the time that is left.
    pub(super) fn half(&self) -> Effort {
        let now = Instant::now();
        let half = |end: Instant| now + end.saturating_duration_since(now) / 2;
        let of_processor = |(end, now): (Duration, Duration)| now + end.saturating_sub(now) / 2;
        Effort {
            end: self.end.map(half),
            processor: self.processor.zip(thread_time()).map(of_processor),
            ..*self
        }
    }

    /// Looks at the clocks.
    fn look(&mut self) {
        let now = Instant::now();
        if let Some(asked) = self.asked.take() {
            self.longest = self.longest.max(now.saturating_duration_since(asked));
        }
        self.over |= self.end.is_some_and(|end| now + self.longest >= end)
            || self.processor.is_some_and(|end| thread_time().is_some_and(|now| now + self.longest >= end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_ends_by_its_counts_and_by_its_clocks() {
        let mut counted = Effort::within(&Limits::new(Duration::MAX, 3), None);
        assert_eq!([(); 5].map(|()| counted.request()), [true, true, true, false, false]);
        let mut estimating = Effort::within(&Limits::new(Duration::MAX, 1), None);
        assert_eq!((0..2 * ESTIMATES).filter(|_| estimating.estimate()).count() as u64, ESTIMATES);
        let mut late = Effort::within(&Limits::new(Duration::ZERO, u64::MAX), None);
        assert!(!late.request() && late.is_over());
        let mut busy = Effort::within(&Limits::new(Duration::MAX, u64::MAX), Some(Duration::ZERO));
        assert!(cfg!(not(unix)) || !busy.request());
        let half = Effort::within(&Limits::new(Duration::from_mins(15), u64::MAX), None).half();
        assert!(half.end.is_some_and(|end| end <= Instant::now() + Duration::from_secs(450)));
        let stopped = Limits::new(Duration::MAX, u64::MAX);
        stopped.signals.stop();
        assert!(Effort::within(&stopped, None).end.is_some());
    }
}
