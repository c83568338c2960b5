//! Times of the players' turns: histograms of wall time and of the thread's own processor time.

use std::fmt;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;

use crate::processor_time::thread_time;

/// Upper bounds of a histogram's classes in milliseconds; one more class has no bound.
pub const BOUNDS: [f64; 8] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 45.0, 50.0];

/// Wall time and processor time of turns.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Time by the wall clock, waiting for other programs of the machine included.
    pub wall: Histogram,
    /// Time on a processor; empty where the system does not report it.
    pub cpu: Histogram,
}

impl Times {
    /// Counts a turn that began at these readings of the wall clock and of [`thread_time`].
    pub fn record(&mut self, (wall, cpu): (Instant, Option<Duration>)) {
        self.wall.count(wall.elapsed());
        if let Some((now, then)) = thread_time().zip(cpu) {
            self.cpu.count(now.saturating_sub(then));
        }
    }

    /// Adds the counts of other turns.
    pub fn add(&mut self, other: &Times) {
        self.wall.add(&other.wall);
        self.cpu.add(&other.cpu);
    }
}

/// Mean and longest of both times, in milliseconds per turn.
impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wall, cpu) = (&self.wall, &self.cpu);
        write!(f, "ms per turn {:.2} mean {:.1} longest, ", wall.mean(), wall.longest())?;
        write!(f, "on the processor {:.2} mean {:.1} longest", cpu.mean(), cpu.longest())
    }
}

/// A histogram of durations, by the classes of [`BOUNDS`], with their sum and the longest.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    counts: [u64; BOUNDS.len() + 1],
    total: Duration,
    longest: Duration,
}

/// Report of a histogram of times per turn.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct HistogramReport {
    /// Upper bounds of the classes in milliseconds; one more class has none.
    bounds_ms: [f64; BOUNDS.len()],
    /// Turns of each class.
    counts: [u64; BOUNDS.len() + 1],
    /// Mean in milliseconds.
    mean_ms: f64,
    /// Longest in milliseconds.
    max_ms: f64,
    /// Sum in seconds.
    seconds: f64,
}

impl Histogram {
    fn count(&mut self, time: Duration) {
        let class = BOUNDS.iter().position(|&bound| time.as_secs_f64() * 1e3 <= bound);
        self.counts[class.unwrap_or(BOUNDS.len())] += 1;
        self.total += time;
        self.longest = self.longest.max(time);
    }

    fn add(&mut self, other: &Histogram) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    /// Number of durations.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether the histogram holds no duration.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Mean duration in milliseconds; 0 for an empty histogram.
    pub fn mean(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.total.as_secs_f64() * 1e3 / self.len() as f64 }
    }

    /// Longest duration in milliseconds.
    pub fn longest(&self) -> f64 {
        self.longest.as_secs_f64() * 1e3
    }

    /// Sum of the durations in seconds.
    pub fn seconds(&self) -> f64 {
        self.total.as_secs_f64()
    }

    /// Number of durations in each class.
    pub const fn counts(&self) -> &[u64; BOUNDS.len() + 1] {
        &self.counts
    }

    /// Report of the histogram.
    pub fn report(&self) -> HistogramReport {
        let (mean_ms, max_ms) = (self.mean(), self.longest());
        HistogramReport { bounds_ms: BOUNDS, counts: self.counts, mean_ms, max_ms, seconds: self.seconds() }
    }
}
