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
    /// Number of turns in each class when lateness is counted without the time for which the player's only thread waited
    /// for a processor. Equal to `turns` where that time is not known; turns of result files without it are left out.
    #[serde(default)]
    pub running_turns: [u32; LATENESS_BOUNDS.len() + 1],
    /// Largest lateness without that time, in microseconds.
    #[serde(default)]
    pub running_most_us: u64,
}

impl Lateness {
    /// Counts a turn by the time it took beyond its time per turn, and how much of that the player's thread waited for a
    /// processor.
    pub fn count(&mut self, late: Duration, waited: Duration) {
        let class = |late: Duration| {
            let within = LATENESS_BOUNDS.iter().position(|&bound| late <= Duration::from_millis(bound));
            within.unwrap_or(LATENESS_BOUNDS.len())
        };
        let running = late.saturating_sub(waited);
        self.turns[class(late)] += 1;
        self.most_us = self.most_us.max(late.as_micros() as u64);
        self.running_turns[class(running)] += 1;
        self.running_most_us = self.running_most_us.max(running.as_micros() as u64);
    }

    /// Adds the counts of another histogram.
    pub fn add(&mut self, other: &Lateness) {
        let classes = self.turns.iter_mut().zip(other.turns);
        for (turns, more) in classes.chain(self.running_turns.iter_mut().zip(other.running_turns)) {
            *turns += more;
        }
        self.most_us = self.most_us.max(other.most_us);
        self.running_most_us = self.running_most_us.max(other.running_most_us);
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
        for (late, waited) in
            [(0, 0), (1_000, 2_000), (1_001, 0), (20_000, 0), (20_001, 17_000), (50_001, 50_000)]
        {
            lateness.count(Duration::from_micros(late), Duration::from_micros(waited));
        }
        assert_eq!((lateness.turns, lateness.most_us), ([2, 1, 0, 0, 1, 1, 1], 50_001));
        assert_eq!((lateness.running_turns, lateness.running_most_us), ([3, 1, 1, 0, 1, 0, 0], 20_000));
        let copy = lateness;
        lateness.add(&copy);
        assert_eq!((lateness.total(), lateness.running_turns), (12, [6, 2, 2, 0, 2, 0, 0]));
    }
}
