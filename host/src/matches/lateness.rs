//! How much later than allowed turns came, as a histogram.

use std::time::Duration;

/// Upper ends of the classes in milliseconds; a last class holds what is later.
pub const BOUNDS: [u64; 6] = [1, 2, 5, 10, 20, 50];

/// Turns by how late they came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Lateness {
    /// Turns that came at most as late as each of [`BOUNDS`] and later than the one before, then those later than all.
    pub turns: [u32; BOUNDS.len() + 1],
    /// The latest in microseconds.
    pub most_us: u64,
}

impl Lateness {
    /// Counts a turn that came this much too late.
    pub fn count(&mut self, late: Duration) {
        let class =
            BOUNDS.iter().position(|&bound| late <= Duration::from_millis(bound)).unwrap_or(BOUNDS.len());
        self.turns[class] += 1;
        self.most_us = self.most_us.max(late.as_micros() as u64);
    }

    /// Adds the turns of another histogram.
    pub fn add(&mut self, other: &Lateness) {
        for (turns, more) in self.turns.iter_mut().zip(other.turns) {
            *turns += more;
        }
        self.most_us = self.most_us.max(other.most_us);
    }

    /// Turns counted.
    pub fn total(&self) -> u32 {
        self.turns.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_fall_into_their_classes() {
        let mut lateness = Lateness::default();
        for micros in [0, 1_000, 1_001, 20_000, 20_001, 50_001] {
            lateness.count(Duration::from_micros(micros));
        }
        assert_eq!((lateness.turns, lateness.most_us), ([2, 1, 0, 0, 1, 1, 1], 50_001));
        let copy = lateness;
        lateness.add(&copy);
        assert_eq!(lateness.total(), 12);
    }
}
