//! Lateness: a histogram of how much later than its time per turn each turn of a player came.

use std::time::Duration;

/// Upper bounds of the lateness classes in milliseconds, inclusive; one more class holds everything later.
pub const LATENESS_BOUNDS: [u64; 6] = [1, 2, 5, 10, 20, 50];

/// Lateness histogram of the turns of one player.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Lateness {
    /// Number of turns in each class: those up to each of the [`LATENESS_BOUNDS`], then those later than all.
    pub turns: [u32; LATENESS_BOUNDS.len() + 1],
    /// Largest lateness in microseconds.
    pub most_us: u64,
}

impl Lateness {
    /// Counts a turn by the time it took beyond its time per turn.
    pub fn count(&mut self, late: Duration) {
        let class = LATENESS_BOUNDS
            .iter()
            .position(|&bound| late <= Duration::from_millis(bound))
            .unwrap_or(LATENESS_BOUNDS.len());
        self.turns[class] += 1;
        self.most_us = self.most_us.max(late.as_micros() as u64);
    }

    /// Adds the counts of another histogram.
    pub fn add(&mut self, other: &Lateness) {
        for (turns, more) in self.turns.iter_mut().zip(other.turns) {
            *turns += more;
        }
        self.most_us = self.most_us.max(other.most_us);
    }

    /// Number of turns.
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
