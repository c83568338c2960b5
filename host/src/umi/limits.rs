//! How long a search may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What ends a search. At least one node is searched in any case.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When it began.
    pub started: Instant,
    /// Time it may take.
    pub time: Duration,
    /// Nodes it may search.
    pub nodes: u64,
    /// Set when it should end at once.
    pub stop: Arc<AtomicBool>,
}

impl Limits {
    /// Limits of a search that begins now.
    pub fn new(time: Duration, nodes: u64) -> Limits {
        Limits { started: Instant::now(), time, nodes, stop: Arc::new(AtomicBool::new(false)) }
    }

    /// Reads the words after `go` or `play`: `movetime MS`, `nodes N`, `spells NAMES` in any order. The default time
    /// holds for node limits too, as in Spooky.
    pub(super) fn read<'a>(
        mut words: impl Iterator<Item = &'a str>,
        default_time: Duration,
    ) -> Result<Limits, String> {
        let mut limits = Limits {
            started: Instant::now(),
            time: default_time,
            nodes: u64::MAX,
            stop: Arc::new(AtomicBool::new(false)),
        };
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} lacks a value"));
            match word {
                "movetime" => limits.time = Duration::from_millis(read_number(value?)?),
                "nodes" => limits.nodes = read_number(value?)?,
                // Known from Spooky, which does not look at the names either.
                "spells" => {
                    value?;
                }
                _ => return Err(format!("no such limit: {}", super::session::quoted(word))),
            }
        }
        if limits.nodes == 0 {
            return Err("at least one node is searched".to_owned());
        }
        Ok(limits)
    }

    /// Whether a search that has done this many nodes should end.
    pub fn reached(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.stop.load(Ordering::Relaxed) || self.started.elapsed() >= self.time
    }
}

fn read_number(word: &str) -> Result<u64, String> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| format!("not a number: {}", super::session::quoted(word)))
}
