//! How long lines take: histograms of wall time and of the thread's own processor time.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Upper bounds of the histogram's classes in milliseconds; the last class is open.
pub const BOUNDS: [f64; 8] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 45.0, 50.0];

/// Both times.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// As a clock on the wall shows it; what else runs on the machine is in it.
    pub wall: Histogram,
    /// Time on a processor, where the system tells it.
    pub cpu: Histogram,
}

impl Times {
    /// Counts what has passed since then.
    pub fn record(&mut self, (wall, cpu): (Instant, Option<Duration>)) {
        self.wall.count(wall.elapsed());
        if let Some((now, then)) = thread_time().zip(cpu) {
            self.cpu.count(now.saturating_sub(then));
        }
    }

    /// Adds what another has counted.
    pub fn add(&mut self, other: &Times) {
        self.wall.add(&other.wall);
        self.cpu.add(&other.cpu);
    }
}

/// Durations by class.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    counts: [u64; BOUNDS.len() + 1],
    total: Duration,
    longest: Duration,
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

    /// Durations counted.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Mean in milliseconds; 0 if nothing was counted.
    pub fn mean(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.total.as_secs_f64() * 1e3 / self.len() as f64 }
    }

    /// The longest in milliseconds.
    pub fn longest(&self) -> f64 {
        self.longest.as_secs_f64() * 1e3
    }

    /// The sum in seconds.
    pub fn seconds(&self) -> f64 {
        self.total.as_secs_f64()
    }

    /// Counts by class.
    pub const fn counts(&self) -> &[u64; BOUNDS.len() + 1] {
        &self.counts
    }

    /// For programs.
    pub fn json(&self) -> Value {
        json!({"bounds_ms": BOUNDS, "counts": self.counts, "mean_ms": self.mean(), "max_ms": self.longest(), "seconds": self.seconds()})
    }
}

/// Time that this thread has spent on a processor, where the system tells it.
pub fn thread_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
