//! Faults of what is done several times a second: told when they begin, and then once a minute, so that whatever goes on for a
//! night fills no disk.

use std::time::{Duration, Instant};

/// Time between two complaints of the same words.
const PAUSE: Duration = Duration::from_mins(1);

/// Fault that was told last.
#[derive(Default)]
pub(super) struct RepeatedFault(Option<(String, Instant)>);

impl RepeatedFault {
    /// Warns of a fault, unless the same was told less than a minute ago.
    pub(super) fn warn(&mut self, words: &str) {
        if self.is_news(words, Instant::now()) {
            tracing::warn!("{words}");
        }
    }

    fn is_news(&mut self, words: &str, now: Instant) -> bool {
        let is_known = |(told, at): &(String, Instant)| told == words && now.duration_since(*at) < PAUSE;
        if self.0.as_ref().is_some_and(is_known) {
            return false;
        }
        self.0 = Some((words.to_owned(), now));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_told_at_once_and_again_after_a_minute() {
        let (mut fault, start) = (RepeatedFault::default(), Instant::now());
        let told = [("full", 0), ("full", 59), ("full", 60), ("gone", 61), ("gone", 62), ("full", 63)]
            .map(|(words, seconds)| fault.is_news(words, start + Duration::from_secs(seconds)));
        assert_eq!(told, [true, false, true, true, false, true]);
    }
}
