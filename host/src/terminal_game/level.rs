//! Levels: how much the engine searches for a turn, from next to nothing to all it has.

use std::thread;
use std::time::Duration;

use crate::engine::{Limits, MAX_THREADS};

/// Level of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Name.
    pub name: &'static str,
    /// Description of what the engine does; empty where the limits were given one by one.
    pub about: &'static str,
    time: Duration,
    nodes: u64,
    all_cores: bool,
}

const fn by_nodes(name: &'static str, about: &'static str, nodes: u64) -> Level {
    Level { name, about, time: Level::LONG, nodes, all_cores: false }
}

const fn by_time(name: &'static str, about: &'static str, seconds: u64) -> Level {
    Level { name, about, time: Duration::from_secs(seconds), nodes: u64::MAX, all_cores: false }
}

impl Level {
    /// Time of a search that ends by its limit of nodes.
    pub const LONG: Duration = Duration::from_mins(10);

    /// Levels, the weakest first.
    pub const ALL: [Level; 7] = [
        by_nodes("easy", "plays by simple rules, without a search", 1),
        by_nodes("gentle", "looks at 8 positions", 8),
        by_nodes("medium", "looks at 40 positions", 40),
        by_nodes("hard", "looks at 400 positions", 400),
        by_time("strong", "thinks for 2 seconds", 2),
        by_time("master", "thinks for 10 seconds", 10),
        Level { all_cores: true, ..by_time("full", "thinks for a minute on all cores", 60) },
    ];

    /// Level of a game for which none is named.
    pub const DEFAULT: Level = Level::ALL[4];

    /// The level of this name.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name == name)
    }

    /// Level with limits of its own: time for a turn, and nodes.
    pub const fn custom(time: Duration, nodes: u64) -> Level {
        Level { name: "custom", about: "", time, nodes, all_cores: false }
    }

    /// Limits of a search that starts now.
    pub fn limits(&self) -> Limits {
        Limits::new(self.time, self.nodes)
    }

    /// Threads of the search, where `given` are asked for otherwise.
    pub fn threads(&self, given: usize) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        if self.all_cores { cores().max(given) } else { given }
    }

    /// Limits in words, such as `nodes 400` and `movetime 2000 ms`.
    pub fn limits_in_words(&self) -> String {
        if self.nodes == u64::MAX {
            format!("movetime {} ms", self.time.as_millis())
        } else {
            format!("nodes {}", self.nodes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_searches_more_than_the_one_before() {
        for pair in Level::ALL.windows(2) {
            assert!(pair[0].time <= pair[1].time || pair[0].nodes < pair[1].nodes, "{}", pair[1].name);
            assert_eq!(Level::from_name(pair[0].name), Some(pair[0]));
        }
        assert_eq!(Level::DEFAULT.limits_in_words(), "movetime 2000 ms");
    }
}
