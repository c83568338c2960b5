//! Limits of a search: time, nodes, and signals from other threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use barrow_core::search::clock::share;

use super::threads::{self, AtomicBool, AtomicU64, Ordering};

/// Time between two checks of whether a search that has ended may answer.
const POLL: Duration = Duration::from_millis(1);

/// Limits of a search. At least one node is searched in any case.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Start of the search.
    pub started: Instant,
    /// Soft bound: time after which only a search whose best turn is not settled goes on. `None` where unused time is
    /// worth nothing.
    pub soft_bound: Option<Duration>,
    /// Hard bound: time after which any search ends.
    pub hard_bound: Duration,
    /// Processor time of all threads together after which the search ends; `None` for no such limit. Where the system
    /// does not report it, the search ends by the other limits.
    pub processor: Option<Duration>,
    /// Nodes after which the search ends.
    pub nodes: u64,
    /// Whether somebody watches the search and may stop it at any time: then it never narrows its choice as if its end were
    /// near.
    pub watched: bool,
    /// Signals to the search while it runs.
    pub signals: Arc<Signals>,
}

/// Signals to a running search from other threads.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    /// Whether limits do not hold before a stop or a ponder hit.
    waiting: AtomicBool,
    /// Whether the search runs while the opponent thinks.
    pondering: AtomicBool,
    /// Microseconds from the start of the search to the start of its clock.
    clock_start: AtomicU64,
}

impl Signals {
    /// Asks the search to end at once.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the search may not answer yet, because a stop or a ponder hit has to come first.
    pub fn is_waiting(&self) -> bool {
        // What was stored before the wait ended, the start of the clock, is seen with its end.
        self.waiting.load(Ordering::Acquire) && !self.is_stopped()
    }
}

impl Limits {
    /// Limits of a search that starts now.
    pub fn new(time: Duration, nodes: u64) -> Limits {
        Limits {
            started: Instant::now(),
            soft_bound: None,
            hard_bound: time,
            processor: None,
            nodes,
            watched: false,
            signals: Arc::default(),
        }
    }

    /// Holds the answer back until a stop.
    pub fn wait_for_stop(&self) {
        self.signals.waiting.store(true, Ordering::Relaxed);
    }

    /// Holds the answer back until the opponent has moved ([`Limits::ponder_hit`]), or until a stop.
    pub fn wait_for_ponder_hit(&self) {
        self.wait_for_stop();
        self.signals.pondering.store(true, Ordering::Relaxed);
    }

    /// Starts the clock of a search that ponders: the opponent has played the expected turn. False if the search does
    /// not ponder.
    pub fn ponder_hit(&self) -> bool {
        let signals = &self.signals;
        if !signals.pondering.swap(false, Ordering::Relaxed) {
            return false;
        }
        signals.clock_start.store(self.started.elapsed().as_micros() as u64, Ordering::Relaxed);
        signals.waiting.store(false, Ordering::Release);
        true
    }

    /// Time on the clock of this search: none while it ponders.
    pub fn spent(&self) -> Duration {
        if self.signals.is_waiting() {
            return Duration::ZERO;
        }
        let clock_start = Duration::from_micros(self.signals.clock_start.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(clock_start)
    }

    /// Whether a search of this many nodes should end, where the next node may take as long as `next`. No more than a
    /// quarter of the hard bound is left unused for that node.
    pub fn reached(&self, nodes: u64, next: Duration) -> bool {
        let time = self.hard_bound.saturating_sub(next.min(self.hard_bound / 4));
        self.signals.is_stopped()
            || !self.signals.is_waiting() && (nodes >= self.nodes || self.spent() >= time)
    }

    /// Share of the allowed effort that is spent after this many nodes and this processor time, in 1/65,536; `None` before a
    /// stop or a ponder hit, where nothing is limited, and where somebody watches. Where nodes are limited, time counts from its
    /// second half on only: what ends by its nodes long before is the same on every machine.
    pub fn share_spent(&self, nodes: u64, processor: Duration) -> Option<i32> {
        if self.watched || self.signals.is_waiting() {
            return None;
        }
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let counted = |spent: Duration, bound: Duration| {
            let from = if self.nodes < u64::MAX { bound / 2 } else { Duration::ZERO };
            let limit = if bound == Duration::MAX { u64::MAX } else { micros(bound.saturating_sub(from)) };
            (micros(spent.saturating_sub(from)), limit)
        };
        let bound = self.soft_bound.unwrap_or(self.hard_bound).min(self.hard_bound);
        let limits = [
            (nodes, self.nodes),
            counted(self.spent(), bound),
            counted(processor, self.processor.unwrap_or(Duration::MAX)),
        ];
        limits.into_iter().filter_map(|(spent, limit)| share(spent, limit)).max()
    }

    /// Returns as soon as the search may answer.
    pub fn wait_to_answer(&self) {
        while self.signals.is_waiting() {
            threads::sleep(POLL);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn the_share_spent_is_that_of_the_limit_that_is_nearest() {
        let endless = Limits::new(Duration::MAX, u64::MAX);
        assert_eq!(endless.share_spent(9, Duration::from_secs(9)), None);
        let limits = Limits { processor: Some(Duration::from_millis(40)), nodes: 80, ..endless };
        assert_eq!(limits.share_spent(20, Duration::ZERO), Some(16_384));
        assert_eq!(limits.share_spent(20, Duration::from_millis(25)), Some(16_384));
        assert_eq!(limits.share_spent(20, Duration::from_millis(35)), Some(49_152));
        let timed = Limits { nodes: u64::MAX, ..limits.clone() };
        assert_eq!(timed.share_spent(20, Duration::from_millis(10)), Some(16_384));
        assert_eq!(limits.share_spent(90, Duration::ZERO), Some(65_536));
        let late =
            Limits { soft_bound: Some(Duration::ZERO), hard_bound: Duration::from_secs(9), ..limits.clone() };
        assert_eq!(late.share_spent(0, Duration::ZERO), Some(65_536));
        let watched = Limits { watched: true, ..limits.clone() };
        assert_eq!(watched.share_spent(90, Duration::ZERO), None);
        limits.wait_for_ponder_hit();
        assert_eq!(limits.share_spent(90, Duration::ZERO), None);
    }

    #[test]
    fn an_answer_is_held_back_until_the_stop() {
        let limits = Limits::new(Duration::ZERO, 1);
        limits.wait_for_stop();
        let answered = Arc::new(AtomicBool::new(false));
        let (given, sign) = (limits.clone(), answered.clone());
        let search = thread::spawn(move || {
            given.wait_to_answer();
            sign.store(true, Ordering::SeqCst);
        });
        thread::sleep(5 * POLL);
        assert!(!answered.load(Ordering::SeqCst));
        limits.signals.stop();
        search.join().unwrap();
        assert!(answered.load(Ordering::SeqCst));
    }
}
